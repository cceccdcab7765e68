#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files have at most 600 lines and functions at most 60.

Usage: sizes.py [ROOT]

A function's length is the number of its lines from brace to brace, as in
clang-tidy's readability-function-size.
"""
import ast
import re

import tree

LONGEST_FILE = 600
LONGEST_FUNCTION = 60
SUFFIXES = (".cc", ".h", ".py", ".sh", ".cmake", "CMakeLists.txt", "/run", "/set_up")

# What a brace counter must not look into.
OPAQUE = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/'                # comments
    r'|R"([^()\\\s]{0,16})\(.*?\)\1"'             # raw strings
    r'|"(?:\\.|[^"\\\n])*"'                       # strings
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"       # characters, not 1'000
    r'|^[ \t]*#(?:\\\n|[^\n])*', re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r"\bnamespace\b[\s\w:]*$")
SCOPE = re.compile(r"\b(class|struct|union|enum|extern)\b")
TEMPLATE = re.compile(r"\btemplate\s*<")
ACCESS = re.compile(r"\b(public|protected|private)\s*:(?!:)")
NAME = re.compile(r"((?:[\w~]+(?:<[^()]*>)?::)*(?:operator\s*(?:\(\)|[^\s(]+)|~?\w+))\s*\(")


def blanked(code):
    """The code with comments, texts and directives blanked, line for line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return OPAQUE.sub(blank, code)


def without_templates(head):
    """A declaration without its template<...> parts."""
    while (match := TEMPLATE.search(head)) is not None:
        depth, end = 1, match.end()
        while end < len(head) and depth > 0:
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[:match.start()] + head[end:]
    return head


def without_arguments(head):
    """A declaration without what stands in parentheses."""
    while (shorter := re.sub(r"\([^()]*\)", "", head)) != head:
        head = shorter
    return head


def kind_of_block(head):
    """What the brace after a declaration opens: "scope", "function", "list"."""
    head = without_templates(ACCESS.sub("", head)).strip()
    if NAMESPACE.search(head) or (SCOPE.search(head) and "(" not in head):
        return "scope"
    if "=" in re.sub(r"operator\s*[^\s\w(]+", "", without_arguments(head)):
        return "function" if re.search(r"=\s*\[", head) else "list"
    return "function" if "(" in head else "list"


def name_in(head):
    head = without_templates(ACCESS.sub("", head)).strip()
    if re.search(r"=\s*\[", head):
        return head.split("=")[0].split()[-1]
    match = NAME.search(head)
    return match.group(1) if match else head.split("(")[0].split()[-1]


def functions(code):
    """(line, name, length) of each function of a C++ file, from its brace on."""
    code = blanked(code)
    line, head_begin, depth, parentheses = 1, 0, 0, 0
    kind, opening_line, head = "", 0, ""
    for position, character in enumerate(code):
        if character == "\n":
            line += 1
        elif character in "()" and depth == 0:
            parentheses += 1 if character == "(" else -1
        elif character == "{":
            if depth == 0:
                head, opening_line = code[head_begin:position], line
                kind = "argument" if parentheses > 0 else kind_of_block(head)
            if depth > 0 or kind != "scope":
                depth += 1
            else:
                head_begin = position + 1
        elif character == "}":
            depth = max(0, depth - 1)
            # A member initialised by braces is followed by ',' or '{'.
            is_part = kind == "argument" or (
                kind == "function" and re.match(r"\s*[,{]", code[position + 1:position + 200]))
            if depth > 0 or is_part:
                continue
            if kind == "function":
                yield opening_line, name_in(head), line - opening_line
            head_begin, kind = position + 1, ""
        elif character == ";" and depth == 0:
            head_begin = position + 1


def python_functions(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.name, node.end_lineno - node.lineno


def check(name, code):
    violations = []
    n_lines = code.count("\n")
    if n_lines > LONGEST_FILE:
        violations.append(f"{name}:1: {n_lines} lines, at most {LONGEST_FILE}")
    find = {"cc": functions, "h": functions, "py": python_functions}.get(name.rsplit(".", 1)[-1])
    for line, function, length in find(code) if find else ():
        if length > LONGEST_FUNCTION:
            violations.append(f"{name}:{line}: {function} has {length} lines, "
                              f"at most {LONGEST_FUNCTION}")
    return violations


def main():
    root = tree.root_of_arguments()
    names = tree.files(root, SUFFIXES)
    violations = []
    for name in names:
        violations += check(name, tree.text(root, name) or "")
    tree.finish(violations, len(names))


if __name__ == "__main__":
    main()
