#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: doc/gallery/hertz.sh [FOLDER]
#
# Runs contacts whose static limit is known in closed form, and draws pressure and shear
# next to it into doc/gallery/hertz/, or into FOLDER. Prints the numbers of
# doc/gallery/hertz.md. Builds Percuss first, as apps/run does, unless PERCUSS names a
# program; takes about two minutes, half of it for the picture of the
# ball.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/tools.sh"
pictures=${1:-$here/hertz}
mkdir -p "$pictures"

# probes QUANTITY CONTACT RADIUS N LAST [REST]: probes n0, n1, ... of the nodes
# k = -LAST, ..., LAST; RADIUS and N as for places
probes() {
  places "$3" "$4" "$5" | awk -v what="$1" -v contact="$2" -v rest="${6:-}" '
    { printf "%sn%d = %s of %s at %.10g%s, 0", (NR > 1 ? "; " : ""), NR - 1, what, contact,
             $1, rest }'
}

# places RADIUS N LAST: x of the nodes k = -LAST, ..., LAST at the angles k pi/(2 N) from the
# lowest point of a circle; with RADIUS 0 nodes are N apart on a line
places() {
  awk -v R="$1" -v n="$2" -v last="$3" '
    BEGIN { for (k = -last; k <= last; ++k)
              printf "%.10g\n", (R > 0 ? R*sin(k*atan2(1, 0)/n) : k*n) }'
}

# profile RUN TIME RADIUS N LAST: lines x,value of such probes
profile() {
  paste -d, <(places "$3" "$4" "$5") \
    <(awk -F, -v t="$2" '($1 - t)^2 < 1e-12*t^2 { for (i = 2; i <= NF; ++i) print $i }' "$runs/$1/probes.csv")
}

# numbers FILE: the file's own probes at the end of its run
numbers() {
  run "$1" "$1.prm"
  awk -F, -v name="$1" 'NR == 1 { for (i = 2; i <= NF; ++i) head[i] = $i }
    END { printf "%s:", name
          for (i = 2; i <= NF; ++i) printf "  %s %.6g", head[i], $i
          print "" }' "$runs/$1/probes.csv"
}

# edge FOLDER: where the line of least squares of p^2 over x^2 ends, through the nodes with
# more than half of the largest pressure
edge() {
  awk -F, -v name="$1" '
    { x[NR] = $1*$1; y[NR] = $2*$2; if (y[NR] > most) most = y[NR] }
    END { for (i = 1; i <= NR; ++i) if (y[i] > most/4) {
            ++n; sx += x[i]; sy += y[i]; sxx += x[i]*x[i]; sxy += x[i]*y[i] }
          slope = (n*sxy - sx*sy)/(n*sxx - sx*sx)
          printf "%s: edge %.6g\n", name, sqrt(sx/n - sy/n/slope) }' "$runs/$1.csv"
}

for name in hertz_cylinder hertz_cylinder_on_block hertz_sphere hertz_two_spheres \
            cattaneo_mindlin; do
  numbers $name
done

# Pressure against Hertz's ellipse.
run cylinder hertz_cylinder.prm \
  "output/probes=$(probes 'contact pressure' plane 8 512 40)"
profile cylinder 100 8 512 40 >"$runs/cylinder.csv"
run block hertz_cylinder_on_block.prm \
  "output/probes=$(probes 'contact pressure' between 0 6.25e-4 12)"
profile block 0.02 0 6.25e-4 12 >"$runs/block.csv"
fine=("model/solid 3d/degree=1" "model/solid 3d/bodies/ball/refinements=3"
  "model/solid 3d/refinement/near the contact/levels=7"
  "model/solid 3d/loads/weight/body force=z = -100/4.122e-6")
run ball hertz_sphere.prm "${fine[@]}" \
  "output/probes=$(probes 'contact pressure' plane 0.01 1024 11 ', 0')"
profile ball 0.0015 0.01 1024 11 >"$runs/ball.csv"
for name in cylinder block ball; do
  edge $name
done
draw_plot pressure 960,340 <<'END'
set multiplot layout 1,3
set yrange [0:1.12]; set xrange [-1.2:1.2]; set samples 1000
set ylabel 'p / p0'
set key bottom center
hertz(x) = abs(x) < 1 ? sqrt(1 - x*x) : 0
b = 0.8611241; p0 = 414.00197
set xlabel 'x / b'; set title 'Cylinder on a rigid plane'
plot hertz(x) with lines ls 4 title 'Hertz', \
     runs.'/cylinder.csv' using ($1/b):($2/p0) with points ls 3 ps 0.6 title 'Percuss'
b = 6.2146e-3; p0 = 3585.4e6
set title 'Steel cylinder on aluminium'
plot hertz(x) with lines ls 4 title 'Hertz', \
     runs.'/block.csv' using ($1/b):($2/p0) with points ls 3 ps 0.6 title 'Percuss'
b = 1.481248e-4; p0 = 2.176135e9
set xlabel 'r / a'; set title 'Ball on a rigid plane'
plot hertz(x) with lines ls 4 title 'Hertz', \
     runs.'/ball.csv' using ($1/b):($2/p0) with points ls 3 ps 0.6 title 'Percuss'
END

# Shear against Cattaneo and Mindlin, while Q grows.
run shear cattaneo_mindlin.prm \
  "output/probes=$(probes 'contact friction x' between 0 0.0125 28)"
for time in 120 160 200; do
  profile shear $time 0 0.0125 28 >"$runs/shear_$time.csv"
done
draw_plot partial_slip 760,440 <<'END'
set xlabel 'x / b'; set ylabel 'q / (mu p0)'
set xrange [-1.15:1.15]; set yrange [0:1.05]; set samples 2000
set key outside right
b = 0.3044533; p0 = 73.18590
root(x) = abs(x) < 1 ? sqrt(1 - x*x) : 0
q(x, s) = root(x) - sqrt(1 - s)*root(x/sqrt(1 - s))
plot root(x) with lines lc rgb '#000000' dt 3 title 'mu p', \
     q(x, 0.64) with lines ls 4 title 'Cattaneo, Mindlin', \
     q(x, 0.384) with lines ls 4 notitle, q(x, 0.128) with lines ls 4 notitle, \
     runs.'/shear_200.csv' using ($1/b):($2/0.3/p0) with points ls 3 ps 0.7 \
       title 'Q = 0.640 mu P', \
     runs.'/shear_160.csv' using ($1/b):($2/0.3/p0) with points ls 2 ps 0.7 \
       title 'Q = 0.384 mu P', \
     runs.'/shear_120.csv' using ($1/b):($2/0.3/p0) with points ls 5 ps 0.7 \
       title 'Q = 0.128 mu P'
END
