#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: doc/gallery/delays.sh [FOLDER]
#
# Runs the systems with delays and draws the pictures of doc/gallery/delays.md into
# doc/gallery/delays/, or into FOLDER; the first one is figure 1 of Biemond and Michiels.
# Prints the numbers of that page. Builds Percuss first, as apps/run does, unless PERCUSS
# names a program; takes about 20 s.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/tools.sh"
pictures=${1:-$here/delays}
mkdir -p "$pictures"

## Figure 1: the mass in the groove, with the damping of the caption and of the text.
groove=delayed_two_constraints.prm
for c in 5 0.5; do
  run "groove_$c" $groove "output/table interval=50" \
    "model/lagrangian/constants=A = 10; c = $c; tau = 0.1; g = 9.81"
done
draw_plot groove 1000,700 <<'END'
set multiplot layout 2,2
set xlabel 't in s'; set xrange [0:6]
do for [c in "5 0.5"] {
  f = runs.'/groove_'.c.'/probes.csv'
  set title 'positions, c = '.c; set ylabel 'm'
  plot f using 'time':'x' with lines ls 3 title 'x', \
       f using 'time':'y' with lines ls 1 title 'y'
  set title 'distance from the walls, c = '.c
  plot f using 'time':((column('x') + column('y'))/sqrt(2)) with lines ls 2 title 'wall 1', \
       f using 'time':((column('y') - column('x'))/sqrt(2)) with lines ls 3 title 'wall 2'
}
END

## The ball, before the first impact in closed form.
for c in 0.5 5; do
  run "ball_$c" delayed_ball.prm "model/lagrangian/constants=m = 1; g = 9.81; c = $c; tau = 0.1"
done
draw_plot ball 900,320 <<'END'
set multiplot layout 1,2
set xlabel 't in s'; set xrange [0:1.6]
pos(x) = x > 0 ? x : 0
fall(t, c) = 1 - 9.81*(t**2/2 - c*pos(t - 0.1)**3/6 + c**2*pos(t - 0.2)**4/24 \
  - c**3*pos(t - 0.3)**5/120 + c**4*pos(t - 0.4)**6/720 - c**5*pos(t - 0.5)**7/5040 \
  + c**6*pos(t - 0.6)**8/40320)
do for [c in "0.5 5"] {
  set title 'c = '.c; set ylabel 'height in m'
  plot runs.'/ball_'.c.'/probes.csv' using 'time':'height' with lines ls 3 title 'ball', \
       [0:(c + 0 < 1 ? 0.46 : 0.61)] fall(x, c + 0) with lines ls 4 dt 2 title 'closed form'
}
END

## The delay equation around its limit of stability, pi/2.
for c in 3 14 15.7 17; do
  run "equation_$c" delay_equation.prm "time/end time=4" \
    "model/lagrangian/constants=c = $c; tau = 0.1"
  echo -n "delay equation, c = $c: "
  "$percuss" check "$files/delay_equation.prm" --set "model/lagrangian/constants=c = $c; tau = 0.1" |
    sed -n 's/ *characteristic roots *//p'
done
draw_plot equation 900,360 <<'END'
set xlabel 't in s'; set ylabel 'u'; set yrange [-3:3]
plot for [c in "3 14 15.7 17"] runs.'/equation_'.c.'/probes.csv' using 'time':'u' \
  with lines lw 1.5 title 'c tau = '.sprintf('%.2f', c*0.1)
END

## The bar with active damping.
for gain in 0 2 17; do
  run "bar_$gain" delayed_bar.prm "model/bar/feedback/damper/gain=$gain" \
    "output/table interval=2"
  echo -n "bar, gain $gain: "
  "$percuss" check "$files/delayed_bar.prm" --set "model/bar/feedback/damper/gain=$gain" |
    sed -n 's/ *characteristic roots *//p'
done
draw_plot bar 900,640 <<'END'
set multiplot layout 2,1
set xlabel 't in s'; set xrange [0:6]
set ylabel 'stress in the middle, Pa'
plot for [g in "0 2 17"] runs.'/bar_'.g.'/probes.csv' using 'time':'middle' \
  with lines lw 1.2 title 'gain '.g.' N s/m'
set ylabel 'lower end, m'
plot for [g in "0 2 17"] runs.'/bar_'.g.'/probes.csv' using 'time':'bottom' \
  with lines lw 1.2 title 'gain '.g.' N s/m'
END

## Chatter.
run chatter regenerative_chatter.prm "output/table interval=1"
draw_plot chatter 900,560 <<'END'
set multiplot layout 2,1
set xlabel 't in s'; set ylabel 'tool, mm'
plot runs.'/chatter/probes.csv' using 'time':(1000*column('x')) with lines ls 3 notitle
set xrange [1.4:1.5]
plot runs.'/chatter/probes.csv' using 'time':(1000*column('x')) with lines ls 3 notitle
END

## Orders.
echo "ball without impacts, delayed moreau and generalized alpha:"
for scheme in "delayed moreau" "generalized alpha"; do
  "$percuss" study "$files/delayed_ball.prm" --no-plot --output "$runs/study" \
    --vary "time/step size=4e-3,2e-3,1e-3,5e-4,1e-5" --set "scheme/type=$scheme" \
    --set "time/end time=0.44" --set "output/table interval=1" \
    --set "output/field interval=0" --set "model/lagrangian/constants=m = 1; g = 9.81; c = 5; tau = 0.1234" \
    --reference finest | grep -A 7 Errors
done
echo "ball with impacts:"
"$percuss" study "$files/delayed_ball.prm" --no-plot --output "$runs/study" \
  --vary "time/step size=4e-3,2e-3,1e-3,5e-4,1e-5" \
  --set "output/table interval=1" --set "output/field interval=0" \
  --reference finest | grep -A 7 Errors
