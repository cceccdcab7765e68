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
