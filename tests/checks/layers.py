#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A file includes its own layer and lower ones only.

Usage: layers.py [ROOT]
"""
import os
import re

import tree

# Lowest first; the layers of one group do not see each other.
LAYERS = [["base"], ["linear_algebra"], ["contact"], ["mechanics"], ["models", "steppers"],
          ["ledger"], ["output"], ["driver"], ["apps"]]
HEIGHT = {layer: height for height, group in enumerate(LAYERS) for layer in group}

# Below the driver nobody knows that a parameter file exists, and nobody prints.
PARAMETER_FILES = {"percuss/base/parameter_file.h", "percuss/base/parameter_tree.h"}
PRINTING = re.compile(r"\bstd::(cout|cerr|clog)\b|(?<![\w:])(std::)?(f?printf|puts)\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(name):
    """The layer of a file of the tree, or None."""
    parts = name.split("/")
    if parts[:2] == ["include", "percuss"] and len(parts) > 3:
        return parts[2]
    if parts[0] == "source" and len(parts) > 2:
        return parts[1]
    return "apps" if parts[0] == "apps" else None


def refusal(root, name, layer, bracket, included):
    """Why a file may not include another one, or None."""
    if bracket == '"':
        beside = os.path.join(root, os.path.dirname(name), included)
        if "/" in included or not os.path.isfile(beside):
            return f'"{included}" is not a file of the same folder; write <percuss/...>'
        return None
    if not included.startswith("percuss/"):
        return None
    other = included.split("/")[1]
    if other not in HEIGHT:
        return f"<{included}> is of no known layer"
    if not os.path.isfile(os.path.join(root, "include", included)):
        return f"<{included}> does not exist"
    if other != layer and HEIGHT[other] >= HEIGHT[layer]:
        return f"the layer '{layer}' may not include '{other}': <{included}>"
    if included in PARAMETER_FILES and layer != "base" and HEIGHT[layer] < HEIGHT["driver"]:
        return f"the layer '{layer}' may not know parameter files: <{included}>"
    return None


def check(root, name, layer):
    if layer not in HEIGHT:
        return [f"{name}:1: '{layer}' is not a layer"]
    violations = []
    for number, line in enumerate(tree.text(root, name).splitlines(), 1):
        match = INCLUDE.match(line)
        reason = refusal(root, name, layer, *match.groups()) if match else None
        if HEIGHT[layer] < HEIGHT["driver"] and PRINTING.search(line.split("//")[0]):
            reason = f"the layer '{layer}' prints"
        if reason:
            violations.append(f"{name}:{number}: {reason}")
    return violations


def main():
    root = tree.root_of_arguments()
    layers = {name: layer_of(name) for name in tree.files(root, (".cc", ".h"))}
    checked = {name: layer for name, layer in layers.items() if layer is not None}
    violations = []
    for name, layer in checked.items():
        violations += check(root, name, layer)
    tree.finish(violations, len(checked))


if __name__ == "__main__":
    main()
