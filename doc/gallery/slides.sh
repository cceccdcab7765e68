#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: doc/gallery/slides.sh [FOLDER]
#
# Runs the benchmarks of V. Acary's slides (XLIM, Limoges, 2013) and draws the
# figures of slides 36 to 71 into doc/gallery/slides/, or into FOLDER. Builds
# Percuss first, as apps/run does; takes about half a minute.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/tools.sh"
pictures=${1:-$here/slides}
mkdir -p "$pictures"

# draw PICTURE TITLE OPTIONS... -- RUN=LABEL...
draw() {
  local picture=$1 title=$2 options=() folders=() item
  shift 2
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  for item in "$@"; do
    folders+=("$runs/${item%%=*}" --label "${item#*=}")
  done
  "$percuss" plot "${folders[@]}" --title "$title" --output "$pictures/$picture.png" \
    "${options[@]}" >/dev/null
  echo "$pictures/$picture.png"
}

## Slide 36: the naive scheme at velocity level.
naive="scheme/naive velocity newmark"
run ball slides/bouncing_ball.prm "time/end time=1.2"
run naive_1 slides/naive_velocity.prm "time/end time=1.2" "$naive/gamma=1" "$naive/beta=0.5"
run naive_075 slides/naive_velocity.prm "time/end time=1.2" "$naive/gamma=0.75" "$naive/beta=0.375"
run naive_05 slides/naive_velocity.prm "time/end time=1.2"
draw slide_36 "Naive scheme, law at velocity level" --quantity probes -- \
  "ball=nonsmooth Newmark" "naive_1=naive, gamma = 1" "naive_075=naive, gamma = 0.75" \
  "naive_05=naive, gamma = 0.5"

## Slide 37: the naive scheme at position level.
run position_100 slides/naive_position.prm
run position_101 slides/naive_position.prm "model/ball/height=1.01"
run ball_3 slides/bouncing_ball.prm
draw slide_37 "Naive scheme, law at position level" --quantity probes -- \
  "ball_3=nonsmooth Newmark, from 1 m" "position_100=naive, from 1 m" \
  "position_101=naive, from 1.01 m"

## Slide 43: nonsmooth schemes on the ball.
alpha="scheme/generalized alpha"
run ball_moreau slides/bouncing_ball.prm "time/step size=2e-3" "time/end time=9" \
  "scheme/type=moreau jean" "scheme/moreau jean/theta=1"
run ball_newmark slides/bouncing_ball.prm "time/step size=2e-3" "time/end time=9" \
  "$alpha/gamma=1" "$alpha/beta=0.5"
run ball_hht slides/bouncing_ball.prm "time/step size=2e-3" "time/end time=9" \
  "$alpha/parameter set=hht" "$alpha/alpha=0.1"
draw slide_43 "Bouncing ball, h = 2 ms" --quantity probes --quantity energy -- \
  "ball_moreau=Moreau-Jean, theta = 1" "ball_newmark=Newmark 1, 1/2" "ball_hht=HHT, alpha = 0.1"

## Slide 44: convergence with impacts.
"$percuss" study "$files/slides/bouncing_ball.prm" --output "$runs/convergence" \
  --vary "time/step size=1e-2,5e-3,2e-3,1e-3,5e-4,2e-4,1e-4" \
  --vary "scheme/type=moreau jean,generalized alpha,schatzman paoli,position velocity generalized alpha" \
  --set "$alpha/parameter set=hht" --set "$alpha/alpha=0.1" \
  --set "output/probes=height = height of 0" --reference exact >"$runs/convergence.txt"
cp "$runs/convergence/study.png" "$pictures/slide_44.png"
echo "$pictures/slide_44.png"

## Slides 45 and 46: the total energy of the bouncing oscillator.
run oscillator_moreau slides/linear_oscillator.prm "scheme/type=moreau jean" \
  "scheme/moreau jean/theta=1" "time/end time=1.1"
run oscillator_half slides/linear_oscillator.prm "scheme/type=moreau jean" "time/end time=1.1"
run oscillator_alpha slides/linear_oscillator.prm "time/end time=1.1"
run oscillator_alpha_0 slides/linear_oscillator.prm "$alpha/spectral radius=0" "time/end time=1.1"
draw slide_46 "Bouncing oscillator, h = 1 ms" --quantity energy --quantity probes \
  --probes lower_height,upper_height -- \
  "oscillator_moreau=Moreau-Jean, theta = 1" "oscillator_half=Moreau-Jean, theta = 1/2" \
  "oscillator_alpha=generalized alpha, rho = 0.8" "oscillator_alpha_0=generalized alpha, rho = 0"

## Slide 47: the total energy of the bouncing elastic bar.
run bar_moreau bouncing_bar_gravity.prm "scheme/type=moreau jean" "scheme/moreau jean/theta=1"
run bar_newmark bouncing_bar_gravity.prm
run bar_alpha bouncing_bar_gravity.prm "$alpha/parameter set=chung hulbert"
draw slide_47 "Bouncing bar" --quantity energy --quantity probes --probes lower_end -- \
  "bar_moreau=Moreau-Jean, theta = 1" "bar_newmark=Newmark 1/2, 1/4" \
  "bar_alpha=generalized alpha, rho = 0.8"

## Slides 66 to 71: the impacting bar.
bar=(--quantity force --quantity probes --probes contact_displacement,contact_velocity)
run position_level slides/impacting_bar_position_level.prm
run velocity_level slides/impacting_bar_damped.prm "time/step size=5e-5"
draw slide_66 "Position level against velocity level, h = 50 us" "${bar[@]}" -- \
  "position_level=position level" "velocity_level=velocity level"

run gamma_05 slides/impacting_bar.prm
run gamma_06 slides/impacting_bar_damped.prm
draw slide_67 "High frequencies: gamma, 1000 nodes, h = 5 us" "${bar[@]}" -- \
  "gamma_05=gamma = 0.5" "gamma_06=gamma = 0.6"

run nodes_100 slides/impacting_bar_damped.prm "model/bar/elements=99"
run nodes_10 slides/impacting_bar_damped.prm "model/bar/elements=9"
draw slide_69 "Mesh, gamma = 0.6, h = 5 us" "${bar[@]}" -- \
  "gamma_06=1000 nodes" "nodes_100=100 nodes" "nodes_10=10 nodes"

run step_5e4 slides/impacting_bar_damped.prm "time/step size=5e-4"
draw slide_70 "Time step, gamma = 0.6, 1000 nodes" "${bar[@]}" -- \
  "gamma_06=h = 5 us" "velocity_level=h = 50 us" "step_5e4=h = 500 us"

end="model/bar/left end/restitution"
run e_05 slides/impacting_bar_damped.prm "time/step size=5e-5" "$end=0.5"
run e_1 slides/impacting_bar_damped.prm "time/step size=5e-5" "$end=1"
draw slide_71 "Restitution of the node, gamma = 0.6, h = 50 us" "${bar[@]}" -- \
  "velocity_level=e = 0" "e_05=e = 0.5" "e_1=e = 1"
