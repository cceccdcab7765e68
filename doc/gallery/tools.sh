#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What the scripts of the gallery have in common; they source this file. It builds
# Percuss, as apps/run does, unless PERCUSS names a program, and sets
#   percuss  the program
#   files    the folder of the parameter files
#   runs     a folder for results, which vanishes in the end
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/../../apps/set_up"
if [ -z "${PERCUSS:-}" ]; then
  install_packages "${packages_to_run[@]}"
  build percuss
fi
percuss=${PERCUSS:-$build_folder/percuss}
files=$root/parameter_files/benchmark
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# run NAME FILE [ENTRY=VALUE...]
run() {
  local name=$1 file=$2 options=() entry
  shift 2
  for entry in "$@"; do
    options+=(--set "$entry")
  done
  "$percuss" run "$files/$file" --output "$runs/$name" \
    --set "output/field interval=0" "${options[@]}" >/dev/null
}

# draw_plot PICTURE WIDTH,HEIGHT, with gnuplot's commands from the standard input; the
# script has set the folder `pictures`
draw_plot() {
  gnuplot -e "set terminal pngcairo size $2 font 'Sans,10' noenhanced; \
              set output '$pictures/$1.png'; runs = '$runs'" \
    <(cat <<'END'
set datafile separator ','
set datafile commentschars '#'
set grid lc rgb '#dddddd' lt 1
set style line 1 lc rgb '#000000' lw 1.5 pt 6
set style line 2 lc rgb '#d95f02' lw 1.5 pt 4
set style line 3 lc rgb '#1b6ca8' lw 1.5 pt 2
set style line 4 lc rgb '#888888' lw 1.5 pt 8
set style line 5 lc rgb '#33a02c' lw 1.5 pt 10
END
      cat)
  echo "$pictures/$1.png"
}
