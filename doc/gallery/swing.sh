#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: doc/gallery/swing.sh [FOLDER [FILM]]
#
# Runs the three-bar swing of Leyendecker, Schmidt and Ortiz (2008) and makes its
# figures in doc/gallery/swing/, or in FOLDER: snapshots of the motion, and the
# convergence of configuration and velocity. With FILM, for example swing.mp4, a film,
# too; without ffmpeg a folder of pictures with this name. Builds Percuss first, as
# apps/run does, unless PERCUSS names a program. Needs gnuplot, and for snapshots and
# film the packages paraview, python3-paraview and, without a display, xvfb.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/tools.sh"
pictures=${1:-$here/swing}
film=${2:-}
mkdir -p "$pictures"

# A virtual display, which ends with this script.
if [ -z "${DISPLAY:-}" ]; then
  Xvfb -displayfd 3 -screen 0 1920x1200x24 -noreset 3>"$runs/display" 2>/dev/null &
  server=$!
  trap 'kill $server; rm -rf "$runs"' EXIT
  until grep -qs . "$runs/display"; do sleep 0.1; done
  sleep 1
  DISPLAY=:$(cat "$runs/display")
  export DISPLAY
fi

## Figure 1: snapshots of the motion.
"$percuss" run "$files/three_bar_swing.prm" --output "$runs/swing" \
  --set "output/field interval=10" >/dev/null
pvbatch "$here/show_multibody.py" "$runs/swing" "$pictures/snapshots.png" 0 0.6 7
echo "$pictures/snapshots.png"
pvbatch "$here/show_multibody.py" "$runs/swing" "$runs/one/" 0.25 0.25 1
cp "$runs/one/frame_0000.png" "$pictures/reactions.png"
echo "$pictures/reactions.png"

## Figure 2: the distance of the mass at midspan, and of its velocity, from a reference,
## rms over 0.5 s; 8 elements. The reference is written at the times of all other runs.
probes="mid_x = displacement x of weight; mid_z = displacement z of weight"
probes+="; velocity_x = velocity x of weight; velocity_z = velocity z of weight"
swing=(--set "model/multibody/bodies/bar/elements=8" --set "time/end time=0.5"
  --set "output/field interval=0" --set "output/probes=$probes")
"$percuss" run "$files/three_bar_swing.prm" --output "$runs/reference" "${swing[@]}" \
  --set "time/step size=1e-5" --set "output/table interval=5" >/dev/null
"$percuss" study "$files/three_bar_swing.prm" --output "$runs/study" "${swing[@]}" \
  --vary "time/step size=1e-2,5e-3,4e-3,2e-3,1e-3,5e-4,2e-4,1e-4,5e-5" \
  --vary "scheme/type=null space variational,energy momentum" \
  --reference "$runs/reference" --norm rms --no-plot >/dev/null ||
  echo "Points of runs that failed are missing."
# scheme, step size, distance, distance of velocities
awk -F, '
  NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
  function of(name) { return $(column["error_" name]) }
  NR > 2 && of("mid_x") != "" {
    print $2 "," $1 "," sqrt(of("mid_x")^2 + of("mid_z")^2) "," \
          sqrt(of("velocity_x")^2 + of("velocity_z")^2)
  }' "$runs/study/study.csv" >"$runs/errors.csv"
awk -F, '
  { printf "%-24s h = %-7s e_q = %.3e m   e_v = %.3e m/s", $1, $2, $3, $4
    if ($1 == scheme)
      printf "   orders %5.2f %5.2f", log(q/$3)/log(h/$2), log(v/$4)/log(h/$2)
    printf "\n"
    scheme = $1; h = $2; q = $3; v = $4 }' "$runs/errors.csv"

gnuplot -e "set terminal pngcairo size 900,420 font 'Sans,10' noenhanced; \
            set output '$pictures/convergence.png'; errors = '$runs/errors.csv'" <(cat <<'END'
set datafile separator ','
set grid lc rgb '#dddddd' lt 1
set logscale xy
set format x '10^{%T}'; set format y '10^{%T}'
set termoption enhanced
set xlabel 'h in s'; set xrange [4e-5:1.4e-2]
set key left top
of(scheme, column) = strcol(1) eq scheme ? column : NaN
set multiplot layout 1,2
do for [k = 3:4] {
  set title k == 3 ? 'Configuration' : 'Velocity'
  set ylabel k == 3 ? 'rms error in m' : 'rms error in m/s'
  plot errors using 2:(of('null space variational', column(k))) with linespoints \
         lc rgb '#1b6ca8' lw 1.5 pt 6 title 'null space variational', \
       '' using 2:(of('energy momentum', column(k))) with linespoints \
         lc rgb '#d95f02' lw 1.5 pt 4 title 'energy momentum', \
       (k == 3 ? 0.3 : 1)*x**2 with lines lc rgb '#000000' dt 3 title 'order 2'
}
END
)
echo "$pictures/convergence.png"

## A film.
[ -n "$film" ] || exit 0
frames=$runs/frames
command -v ffmpeg >/dev/null || frames=$film
pvbatch "$here/show_multibody.py" "$runs/swing" "$frames/" 0 0.6 121
if command -v ffmpeg >/dev/null; then
  ffmpeg -y -loglevel error -framerate 20 -i "$frames/frame_%04d.png" \
    -vf "pad=ceil(iw/2)*2:ceil(ih/2)*2" -pix_fmt yuv420p "$film"
fi
echo "$film"
