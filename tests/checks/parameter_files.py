#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every parameter file that comes with Percuss is good and is described.

Usage: parameter_files.py BUILD_DIR
"""
import os
import subprocess
import sys

import tree


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "percuss")
    names = [name for name in tree.files(tree.REPOSITORY, (".prm",))
             if name.startswith("parameter_files/")]
    readme = "parameter_files/README.md"
    described = ""
    violations = []
    if os.path.isfile(os.path.join(tree.REPOSITORY, readme)):
        described = tree.text(tree.REPOSITORY, readme)
    else:
        violations.append(f"{readme} does not exist")
    for name in names:
        run = subprocess.run([program, "check", name], cwd=tree.REPOSITORY,
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            violations.append(f"{name}:1: exit code {run.returncode}: {run.stderr.strip()}")
        if os.path.basename(name) not in described:
            violations.append(f"{name}:1: is not described in {readme}")
    tree.finish(violations, len(names))


if __name__ == "__main__":
    main()
