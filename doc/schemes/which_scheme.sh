#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: doc/schemes/which_scheme.sh
#
# Prints the tables of doc/schemes/which_scheme.md: all schemes on the impacting
# bar and on the bouncing bar, one run at a time so that times are comparable.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../apps/set_up"
install_packages "${packages_to_run[@]}"
build percuss
files=$root/parameter_files
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

common="moreau jean,dissipative moreau jean,schatzman paoli,generalized alpha"
common+=",position velocity generalized alpha,decoupled generalized alpha"
common+=",contact stabilized newmark,naive velocity newmark,naive position newmark"

# study FILE PROBE TITLE SCHEMES [ENTRY=VALUE...]
study() {
  local file=$1 probe=$2 title=$3 schemes=$4 options=() entry
  shift 4
  for entry in "$@"; do
    options+=(--set "$entry")
  done
  echo "== $title"
  "$build_folder/percuss" study "$files/$file" --vary "scheme/type=$schemes" --norm rms \
    --jobs 1 --no-plot --output "$results/study" --set "output/probes=$probe" \
    --set "output/space-time points=0" "${options[@]}" | grep -v '^Table'
}

alpha="scheme/generalized alpha"
for benchmark in "tutorial/impacting_bar.prm|contact_end = displacement at 0" \
                 "benchmark/bouncing_bar_gravity.prm|lower_end = displacement at 0"; do
  file=${benchmark%%|*} probe=${benchmark#*|}
  study "$file" "$probe" "$file" "$common"
  study "$file" "$probe" "$file, theta = 1" "moreau jean" "scheme/moreau jean/theta=1"
  study "$file" "$probe" "$file, Newmark 0.6, 0.3" "generalized alpha" \
    "$alpha/gamma=0.6" "$alpha/beta=0.3"
  study "$file" "$probe" "$file, Chung-Hulbert 0.8" "generalized alpha" \
    "$alpha/parameter set=chung hulbert"
  study "$file" "$probe" "$file, redistributed mass" "redistributed mass newmark" \
    "model/bar/mass matrix=redistributed"
done
study tutorial/impacting_bar.prm "contact_end = displacement at 0" \
  "impacting bar, lumped mass, h = 0.19 us" "central differences,generalized alpha" \
  "model/bar/mass matrix=lumped" "time/step size=1.9e-7"
study benchmark/bouncing_bar_gravity.prm "lower_end = displacement at 0" \
  "bouncing bar, lumped mass" "central differences,generalized alpha" \
  "model/bar/mass matrix=lumped"
