#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A file of the library includes what it uses, itself or through headers of Percuss: the
precompiled header would hide that it does not.

Usage: includes.py [ROOT]
"""
import os
import re

import tree

# Words, and the headers of which one must be there.
STANDARD = {
    "algorithm": r"std::(sort|stable_sort|fill|copy|find|find_if|any_of|all_of|none_of|count|"
                 r"count_if|max_element|min_element|lower_bound|upper_bound|transform|reverse|"
                 r"unique|min|max|clamp)\b(?=\s*[(<])",
    "array": r"std::array\b",
    "atomic": r"std::atomic\b",
    "chrono": r"std::chrono\b",
    "cmath": r"std::(sqrt|pow|sin|cos|tan|exp|log|log2|floor|ceil|isfinite|isnan|hypot|atan2|"
             r"cbrt|fmod|lround)\b",
    "deque": r"std::deque\b",
    "filesystem": r"std::filesystem\b",
    "fstream": r"std::[io]?fstream\b",
    "functional": r"std::function\b",
    "iomanip": r"std::set(w|fill|precision)\b",
    "iostream": r"std::(cout|cerr|clog)\b",
    "limits": r"std::numeric_limits\b",
    "map": r"std::(multi)?map\b",
    "memory": r"std::(make_)?(unique|shared)(_ptr)?\b(?=\s*<)",
    "numeric": r"std::(accumulate|iota|inner_product|partial_sum)\b",
    "optional": r"std::(optional|nullopt)\b",
    "set": r"std::set\b",
    "sstream": r"std::[io]?stringstream\b",
    "string": r"std::(string|to_string)\b",
    "tuple": r"std::(tuple|tie|make_tuple)\b",
    "vector": r"std::vector\b",
}
PETSC = re.compile(r"\b(Petsc(Int|Scalar|Real|Bool|ErrorCode|Options\w+|Object\w*|Initialize)|"
                   r"(Mat|Vec|KSP|PC|SNES|Tao)(Create|Destroy|Set|Get)\w*)\b")
JSON = re.compile(r"\bnlohmann::json\b|\bjson::")
HANDLER = re.compile(r"\bdealii::(ParameterHandler|Patterns)\b")
USES = [(re.compile(words), re.compile(f"<{header}>")) for header, words in STANDARD.items()]
USES += [(PETSC, re.compile(r"<petsc\w*\.h>")),
         (JSON, re.compile(r"<nlohmann/json(_fwd)?\.hpp>")),
         (HANDLER, re.compile(r"<deal\.II/base/(parameter_handler|patterns)\.h>"))]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+[>"])', re.MULTILINE)
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def included_files(root, name, known):
    """All that a file includes, with what headers of Percuss include."""
    if name not in known:
        known[name] = set()
        for word in INCLUDE.findall(tree.text(root, name)):
            known[name].add(word)
            path = word[1:-1]
            inner = (os.path.join("include", path) if word[0] == "<"
                     else os.path.join(os.path.dirname(name), path))
            if os.path.isfile(os.path.join(root, inner)):
                known[name] |= included_files(root, inner, known)
    return known[name]


def check(root, name, known):
    includes = " ".join(included_files(root, name, known))
    code = NO_CODE.sub(lambda match: '""' if match.group().startswith('"') else "",
                       re.sub(r"^\s*#[^\n]*", "", tree.text(root, name), flags=re.MULTILINE))
    violations = []
    for words, header in USES:
        match = words.search(code)
        if match and not header.search(includes):
            wanted = header.pattern.replace("\\", "")
            violations.append(f"{name}:1: '{match.group()}' is used without {wanted}")
    return violations


def main():
    root = tree.root_of_arguments()
    checked = [name for name in tree.files(root, (".cc", ".h"))
               if name.split("/")[0] in ("include", "source", "apps")]
    violations, known = [], {}
    for name in checked:
        violations += check(root, name, known)
    tree.finish(violations, len(checked))


if __name__ == "__main__":
    main()
