#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""C++ is formatted by .clang-format.

Usage: format.py [ROOT]
"""
import subprocess

import tree


def main():
    root = tree.root_of_arguments()
    names = tree.files(root, (".cc", ".h"))
    command = ["clang-format", "--dry-run", "-Werror", "--style=file"]
    violations = []
    if names:
        run = subprocess.run(command + names, cwd=root, capture_output=True, text=True, check=False)
        violations = [line for line in run.stderr.splitlines() if ": error:" in line]
        if run.returncode != 0 and not violations:
            violations = [run.stderr]
    tree.finish(violations, len(names))


if __name__ == "__main__":
    main()
