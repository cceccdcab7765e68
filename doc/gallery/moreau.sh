#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: doc/gallery/moreau.sh [FOLDER]
#
# Runs the examples of Capobianco and Eugster (2016, 2018) and draws their figures
# into doc/gallery/moreau/, or into FOLDER. Prints the numbers of doc/gallery/moreau.md.
# Builds Percuss first, as apps/run does, unless PERCUSS names a program; takes about
# a minute and a half.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/tools.sh"
pictures=${1:-$here/moreau}
mkdir -p "$pictures"

# draw_plot, with the energy error of the pendulum as e(x).
draw() {
  draw_plot "$@" < <(cat <<'END'
E0 = 0.5*100*0.1**2 - 9.81*1.1*cos(pi/4)
e(x) = (x - E0)/E0
END
    cat)
}

pendulum=spring_pendulum.prm

## The energy of the spring pendulum, h = 2 ms, and Moreau's scheme with 1 ms.
energy=("output/energy limits=true" "time/end time=1000")
run moreau $pendulum "scheme/type=moreau" "scheme/moreau/start=as given" \
  "output/table interval=50" "${energy[@]}"
run moreau_1ms $pendulum "scheme/type=moreau" "scheme/moreau/start=as given" \
  "time/step size=1e-3" "output/table interval=100" "${energy[@]}"
for scheme in "symmetric moreau" "variational moreau" "moreau jean" "generalized alpha"; do
  run "${scheme// /_}" $pendulum "scheme/type=$scheme" "output/table interval=50" "${energy[@]}"
done

awk -F, -v E0=-7.130389275784037 '
  function e(x) { return (x - E0)/E0 }
  function show() {
    printf "%-20s %9.5f %9.5f %9.5f %9.5f %9.5f %9.5f\n", name, at_250, middle, lowest,
           highest, mean/rows, at_1000
  }
  BEGIN { printf "%-20s %9s %9s %9s %9s %9s %9s\n", "energy error e", "250 s", "midpoint",
                 "lowest", "highest", "990-1000", "1000 s" }
  FNR == 1 {
    if (name) show()
    n = split(FILENAME, part, "/"); name = part[n-1]; rows = mean = lowest = highest = 0
    for (i = 1; i <= NF; ++i) column[$i] = i
  }
  FNR <= 2 { next }
  {
    if ($1 <= 250.0001 && e($(column["largest_total"])) < lowest)
      lowest = e($(column["largest_total"]))
    if ($1 <= 250.0001 && e($(column["smallest_total"])) > highest)
      highest = e($(column["smallest_total"]))
    if ($1 < 250.0001) { at_250 = e($5); middle = e($(column["total_midpoint"])) }
    if ($1 > 990) { mean += e($5); ++rows }
    at_1000 = e($5)
  }
  END { show() }' "$runs"/{moreau,moreau_1ms,symmetric_moreau,variational_moreau,moreau_jean,generalized_alpha}/energy.csv

draw energy_250 960,380 <<'END'
set multiplot layout 1,2
set xlabel 't in s'; set xrange [0:250]
set ylabel '(E - E(0)) / E(0)'
set key left bottom
set title 'Energy error, h = 2 ms'
plot runs.'/moreau/energy.csv' using 1:(e($5)) every ::1 with lines ls 1 title 'Moreau', \
     runs.'/variational_moreau/energy.csv' using 1:(e($5)) every ::1 with lines ls 3 \
       title 'variational'
set title 'The variational scheme alone'
set format y '%.1f %%'
set ylabel ''
set key right top
set yrange [-0.45:0.45]
plot runs.'/variational_moreau/energy.csv' \
       using 1:(100*e($15)):(0):(100*(e($16) - e($15))) every ::2 with vectors nohead \
       lc rgb '#8fbbd9' title 'after the jumps: all steps', \
     '' using 1:(100*e($18)) every ::2 with lines lc rgb '#0b3c5d' lw 1 \
       title 'at midpoints'
END

draw energy_1000 960,420 <<'END'
set multiplot layout 1,2
set xlabel 't in s'; set xrange [0:1000]
set ylabel '(E - E(0)) / E(0)'
set key right top; set yrange [-1.6:0.8]
set title 'Energy error'
plot runs.'/moreau/energy.csv' using 1:(e($5)) every ::1 with lines ls 1 \
       title 'Moreau, h = 2 ms', \
     runs.'/moreau_1ms/energy.csv' using 1:(e($5)) every ::1 with lines ls 1 lc rgb '#8c6bb1' \
       title 'Moreau, h = 1 ms', \
     runs.'/moreau_jean/energy.csv' using 1:(e($5)) every ::1 with lines ls 4 \
       title 'Jean, theta = 1/2', \
     runs.'/symmetric_moreau/energy.csv' using 1:(e($5)) every ::1 with lines ls 2 \
       title 'symmetric', \
     runs.'/variational_moreau/energy.csv' using 1:(e($5)) every ::1 with lines ls 3 dt 2 \
       title 'variational'
set title 'Angle, h = 2 ms'
set ylabel 'rad'
set key right top opaque
set yrange [0:1]
plot runs.'/variational_moreau/probes.csv' using 1:3 every 5::1 with points pt 7 ps 0.15 \
       lc rgb '#6fa8d0' title 'variational', \
     runs.'/moreau/probes.csv' using 1:3 every 5::1 with points pt 7 ps 0.15 \
       lc rgb '#000000' title 'Moreau'
END

## Convergence. The exact motion is that without the wall, folded at it: with e = 1
## the system is symmetric with respect to the wall.
run folded $pendulum "model/lagrangian/contacts/gaps=" "time/step size=1e-5" \
  "output/table interval=10" "output/probes=length = l; angle = abs(phi)"
# converge NAME END INTERVAL STEPS
converge() {
  "$percuss" study "$files/$pendulum" --output "$runs/$1" --vary "time/step size=$4" \
    --vary "scheme/type=moreau,symmetric moreau,variational moreau,moreau jean,generalized alpha" \
    --set "scheme/moreau/start=as given" --set "time/end time=$2" \
    --set "output/table interval=$3" --set "output/field interval=0" \
    --set "output/probes=length = l; angle = phi" \
    --reference "$runs/folded" --norm rms --no-plot >"$runs/$1.txt"
  # step size, scheme, e_q
  awk -F, 'NR > 2 { print $1 "," $2 "," $3^2 + $5^2 }' "$runs/$1/study.csv"
}
converge with_impacts 10 1 1e-2,5e-3,2e-3,1e-3,5e-4,2e-4 >"$runs/e_10.csv"
converge with_impacts_fine 10 10 1e-4,5e-5,2e-5,1e-5 >>"$runs/e_10.csv"
converge smooth 0.5 1 1e-2,5e-3,2e-3,1e-3,5e-4,2e-4,1e-4 >"$runs/e_05.csv"
for table in e_05 e_10; do
  awk -F, -v table=$table '
    { x = log($1); y = log($3); n[$2]++; sx[$2] += x; sy[$2] += y; sxx[$2] += x*x
      sxy[$2] += x*y; if ($1 == "1e-3") value[$2] = $3 }
    END { for (s in n)
            printf "%s %-20s e_q at 1 ms %.3g, slope %.2f\n", table, s, value[s],
                   (n[s]*sxy[s] - sx[s]*sy[s])/(n[s]*sxx[s] - sx[s]^2) }' "$runs/$table.csv" | sort
done

draw convergence 960,460 <<'END'
set multiplot layout 1,2
set logscale xy
set format x '10^{%T}'; set format y '10^{%T}'
set termoption enhanced
set xlabel 'h in s'; set ylabel 'e_q'
set key left top
of(table, scheme) = '< grep ",'.scheme.'," '.runs.'/'.table.'.csv'
set title 'With nine impacts, T = 10 s'
set xrange [5e-6:2e-2]
set yrange [1e-10:1e3]
plot of('e_10', 'moreau') using 1:3 with linespoints ls 1 title 'Moreau', \
     of('e_10', 'symmetric moreau') using 1:3 with linespoints ls 2 title 'symmetric', \
     of('e_10', 'variational moreau') using 1:3 with linespoints ls 3 title 'variational', \
     of('e_10', 'moreau jean') using 1:3 with linespoints ls 4 title 'Jean, θ = 1/2', \
     of('e_10', 'generalized alpha') using 1:3 with linespoints ls 5 \
       title 'generalized α, ρ = 0.8', \
     10*x**2 with lines lc rgb '#000000' dt 3 title 'slope 2: order 1'
set title 'Before the first impact, T = 0.5 s'
set xrange [5e-5:2e-2]
set yrange [1e-18:1e4]
plot of('e_05', 'moreau') using 1:3 with linespoints ls 1 title 'Moreau', \
     of('e_05', 'symmetric moreau') using 1:3 with linespoints ls 2 title 'symmetric', \
     of('e_05', 'variational moreau') using 1:3 with linespoints ls 3 title 'variational', \
     of('e_05', 'moreau jean') using 1:3 with linespoints ls 4 title 'Jean, θ = 1/2', \
     of('e_05', 'generalized alpha') using 1:3 with linespoints ls 5 \
       title 'generalized α, ρ = 0.8', \
     2*x**2 with lines lc rgb '#000000' dt 3 title 'slope 2: order 1', \
     0.03*x**4 with lines lc rgb '#000000' dt 2 title 'slope 4: order 2'
END

## The bouncing ball.
run ball bouncing_ball.prm
draw bouncing_ball 640,340 <<'END'
set xlabel 't in s'; set ylabel 'gap in m'; set yrange [0:1.05]; set xrange [0:4]
unset key
plot runs.'/ball/probes.csv' using 1:2 every ::1 with lines ls 1
END

## The woodpecker toy: its limit cycle and its figure. The beak hits where the bird turns.
run woodpecker woodpecker_toy.prm "time/step size=1e-5" "output/table interval=10"
run woodpecker_variational woodpecker_toy.prm "time/step size=1e-5" "output/table interval=10" \
  "scheme/type=variational moreau"
for name in woodpecker woodpecker_variational; do
  awk -F, -v name=$name '
    NR > 2 && $1 > 1 && $4 > 0.1 && rate > 0 && $7 < 0 { time[++n] = $1; y[n] = $2 }
    NR > 2 { rate = $7 }
    NR > 2 && $1 > 1 && $4 < lowest { lowest = $4 }
    END { printf "%s: period %.5f s, descent %.4f m/s, phi_S above %.4f\n", name,
                 (time[n] - time[1])/(n - 1), (y[n] - y[1])/(time[n] - time[1]), lowest
        }' "$runs/$name/probes.csv"
done

draw woodpecker_phase 960,420 <<'END'
set multiplot layout 1,2
unset key
set xlabel 'angle of the sleeve in rad'; set ylabel 'its rate in rad/s'
plot runs.'/woodpecker_variational/probes.csv' using ($1 > 1 ? $3 : NaN):6 every ::1 \
       with lines ls 1 lw 1
set xlabel 'angle of the bird in rad'; set ylabel 'its rate in rad/s'
plot runs.'/woodpecker_variational/probes.csv' using ($1 > 1 ? $4 : NaN):7 every ::1 \
       with lines ls 1 lw 1
END

# Stills of one cycle, 1/8 of a period apart, from the beak's hit on. Lengths in mm.
hit=$(awk -F, 'NR > 2 && $1 > 1.2 && $4 > 0.1 && rate > 0 && $7 < 0 { print $1; exit }
               { rate = $7 }' "$runs/woodpecker/probes.csv")
for k in 0 1 2 3 4 5 6 7; do
  awk -F, -v t="$hit" -v k="$k" '
    function out(x, z) { print 1000*x + 36*k "," 1000*z }
    NR > 2 && $1 >= t + k*0.14597/8 - 1e-9 {
      m = $3; s = $4; rM = 0.0031; hM = 0.0058; lM = 0.010; lG = 0.015; hS = 0.020; lS = 0.0201
      out(-rM + hM*m, -hM); out(rM + hM*m, -hM); out(rM - hM*m, hM); out(-rM - hM*m, hM)
      out(-rM + hM*m, -hM); print ""
      out(rM, 0); out(lM, lM*m); print ""
      out(lM, lM*m); out(lM + lG, lM*m + lG*s); print ""
      out(lM + lG + 0.018*s, lM*m + lG*s - 0.018); out(lM + lG - hS*s, lM*m + lG*s + hS)
      out(lM + lG - lS - hS*s, lM*m + (lG - lS)*s + hS); print ""
      exit
    }' "$runs/woodpecker/probes.csv" >"$runs/still_$k.csv"
done
draw woodpecker 960,250 <<'END'
set title 'One cycle in steps of an eighth, seen from the sleeve'
unset key; unset grid; unset xtics; unset ytics; unset border
set size ratio -1
set xrange [-8:290]; set yrange [-30:30]
do for [k = 0:7] {
  set object k+1 rectangle from 36*k-2.5,-28 to 36*k+2.5,29 fc rgb '#e8d8b8' fs solid noborder
}
plot for [k = 0:7] runs.sprintf('/still_%d.csv', k) using 1:2 with lines lc rgb '#7a1f1f' lw 2
END
