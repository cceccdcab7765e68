#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: run.sh BUILD_DIR SOURCE_DIR
#
# Installs Percuss into a temporary folder, and builds and runs a program there
# that finds it with find_package(Percuss).
set -euo pipefail

build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_BASEDIR=$folder CCACHE_NOHASHDIR=1  # the folder has another name each time

quietly() {
  "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

type=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt")
quietly cmake --install "$build" --prefix "$folder/usr"

# Nothing of the build tree may be needed, nor be named in the package.
if grep -rF -e "$build" -e "$source" --include="*.cmake" "$folder/usr"; then
  echo "The installed package names the folders it was built from."
  exit 1
fi

cp "$source/tests/install/CMakeLists.txt" "$source/tests/install/main.cc" "$folder"
quietly cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE="$type" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" -DCMAKE_PREFIX_PATH="$folder/usr"
quietly cmake --build "$folder/build"
"$folder/build/uses_percuss"

# The installed program finds its library and its parameter files.
cd "$folder"
"$folder/usr/bin/percuss" --version
"$folder/usr/bin/percuss" check "$folder"/usr/share/percuss/parameter_files/tutorial/*.prm >check.log ||
  { cat check.log; exit 1; }
if ldd "$folder/usr/bin/percuss" | grep -F "$build"; then
  echo "The installed program uses the library of the build tree."
  exit 1
fi
