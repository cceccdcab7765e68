#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Licence lines, #pragma once, and what no file may contain.

Usage: text.py [ROOT]
"""
import re

import tree

LICENCE = "SPDX-License-Identifier: LGPL-2.1-or-later"
CODE = re.compile(r"\.(cc|h|py|sh|cmake)$|(^|/)CMakeLists\.txt$")
# Not written as one word, or this file would contain them.
UNFINISHED = re.compile(r"\b(" + "TO" + r"DO|FIX" + r"ME|X" + r"XX)\b")
OF_A_MACHINE = re.compile(r"(?<![\w./}])/(" + "work|root|home" + r")(?=/\w)")


def check_line(line):
    if UNFINISHED.search(line):
        yield "unfinished: " + line.strip()
    if "\t" in line:
        yield "has a tab"
    if line.endswith((" ", "\r")):
        yield "ends with white space"
    if OF_A_MACHINE.search(line):
        yield "names a path of one machine: " + line.strip()


def check(name, contents):
    lines = contents.split("\n")
    violations = []
    is_code = CODE.search(name) is not None or lines[0].startswith("#!")
    if is_code and not any(LICENCE in line for line in lines[:2]):
        violations.append(f"{name}:1: has no line '{LICENCE}'")
    if name.endswith(".h") and "#pragma once" not in lines:
        violations.append(f"{name}:1: has no '#pragma once'")
    if contents and lines[-1] != "":
        violations.append(f"{name}:{len(lines)}: the last line has no end")
    for number, line in enumerate(lines, 1):
        violations += [f"{name}:{number}: {reason}" for reason in check_line(line)]
    return violations


def main():
    root = tree.root_of_arguments()
    names = [name for name in tree.files(root) if name != "LICENSE"]
    violations = []
    for name in names:
        contents = tree.text(root, name)
        if contents is not None:
            violations += check(name, contents)
    tree.finish(violations, len(names))


if __name__ == "__main__":
    main()
