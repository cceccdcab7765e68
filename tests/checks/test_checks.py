#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checks find what they are for, and nothing in good code.

Usage: test_checks.py
"""
import os
import subprocess
import sys
import tempfile
import unittest

import sizes
import tree

HEADER = "// SPDX-License-Identifier: LGPL-2.1-or-later\n\n"
CODE = '''
#define A_MACRO(x) \\
  {                \\
    x
MACRO(Type, member)
namespace
{
  const std::map<std::string, void (*)(int)> table = {{"a{", nullptr},
                                                      {"b", nullptr}};

  template <class T, typename = std::enable_if_t<(sizeof(T) > 4)>>
  class Thing : public Base
  {
  public:
    Thing(const int n = 1'000)
      : list{1, n}
      , other(make({n, '}'}))
    {
      // } is not a brace
    }
    bool
    operator==(const Thing &) const
    {
      const auto inner = [] {
        return true;
      };
      return inner();
    }
  };
} // namespace

extern "C" void
handler(int)
{}
'''


class Sizes(unittest.TestCase):
    def test_functions_of_a_file(self):
        found = [(name, length) for _, name, length in sizes.functions(CODE)]
        self.assertEqual(found, [("Thing", 2), ("operator==", 5), ("handler", 0)])

    def test_limits(self):
        body = "  work();\n"
        good = "void\nf()\n{\n" + 59 * body + "}\n"
        self.assertEqual(sizes.check("a.cc", good), [])
        bad = "void\nA::g()\n{\n" + 60 * body + "}\n"
        self.assertEqual(sizes.check("a.cc", bad), ["a.cc:3: A::g has 61 lines, at most 60"])
        self.assertEqual(len(sizes.check("a.h", 601 * "\n")), 1)
        self.assertEqual(len(sizes.check("a.py", "def f():\n" + 61 * "    x = 1\n")), 1)


class Programs(unittest.TestCase):
    def run_check(self, program, files):
        """Exit code and output of a check of a tree with the given files."""
        with tempfile.TemporaryDirectory() as root:
            for name, contents in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(contents)
            path = os.path.join(os.path.dirname(os.path.abspath(__file__)), program)
            run = subprocess.run([sys.executable, path, root], capture_output=True, text=True,
                                 check=False)
        return run.returncode, run.stdout + run.stderr

    def expect(self, program, files, *messages):
        code, output = self.run_check(program, files)
        self.assertEqual(code, 1 if messages else 0, output)
        for message in messages:
            self.assertIn(message, output)
        self.assertIn(f"{len(messages)} violations", output)

    def test_layers(self):
        headers = {f"include/percuss/{layer}/{layer}.h": "" for layer in
                   ("base", "contact", "mechanics", "models", "steppers", "driver")}
        headers["include/percuss/base/parameter_file.h"] = ""
        def include(layer, name=""):
            return f"#include <percuss/{layer}/{name or layer}.h>\n"
        good = {"source/steppers/schemes/a.cc": include("base") + include("mechanics"),
                "source/driver/b.cc": include("base", "parameter_file") + "std::cout << 1;\n",
                "apps/c.cc": include("driver")}
        self.expect("layers.py", {**headers, **good})
        bad = {"source/contact/a.cc": include("mechanics"),
               "source/models/b.cc": include("steppers") + '#include "../steppers/c.h"\n',
               "source/steppers/c.cc": include("base", "parameter_file"),
               "source/ledger/d.cc": "std::cerr << 1; // prints\n",
               "source/base/e.cc": include("base", "missing"),
               "source/elsewhere/f.cc": ""}
        self.expect("layers.py", {**headers, **bad},
                    "source/contact/a.cc:1: the layer 'contact' may not include 'mechanics'",
                    "source/models/b.cc:1: the layer 'models' may not include 'steppers'",
                    "source/models/b.cc:2:", "source/steppers/c.cc:1:",
                    "source/ledger/d.cc:1: the layer 'ledger' prints",
                    "source/base/e.cc:1: <percuss/base/missing.h> does not exist",
                    "'elsewhere' is not a layer")

    def test_includes(self):
        good = {"include/percuss/base/a.h": "#include <string>\nstd::string a;\n",
                "source/base/b.cc": "#include <percuss/base/a.h>\n#include <vector>\n"
                                    "std::vector<std::string> b; // std::map\n"}
        self.expect("includes.py", good)
        bad = {"include/percuss/base/a.h": "std::string a;\n",
               "source/base/b.cc": "#include <string>\nstd::map<int, int> b = f(\"std::set\");\n",
               "source/base/c.cc": '#include "d.h"\nPetscInt n = std::max(1, 2);\n',
               "source/base/d.h": "#include <algorithm>\n"}
        self.expect("includes.py", bad, "a.h:1: 'std::string' is used without <string>",
                    "b.cc:1: 'std::map' is used without <map>",
                    "c.cc:1: 'PetscInt' is used without <petsc")

    def test_text(self):
        good = {"a.h": HEADER + "#pragma once\n", "b.md": "see the folder /usr/share\n"}
        self.expect("text.py", good)
        bad = {"a.h": HEADER, "b.cc": "int i;\n", "c.md": "TO" + "DO\n", "d.md": "\ta\n",
               "e.md": "in /" + "home/me\n", "f.md": "a \n", "g.md": "a",
               "run": "#!/bin/bash\n"}
        self.expect("text.py", bad, "a.h:1: has no '#pragma once'", "b.cc:1: has no line",
                    "c.md:1: unfinished", "d.md:1: has a tab", "e.md:1: names a path",
                    "f.md:1: ends with white space", "g.md:1: the last line", "run:1: has no line")

    def test_format(self):
        with open(os.path.join(tree.REPOSITORY, ".clang-format"), encoding="utf-8") as stream:
            style = {".clang-format": stream.read()}
        self.expect("format.py", {**style, "a.cc": "int i;\n"})
        self.expect("format.py", {**style, "a.cc": "int   i;\n"}, "a.cc:1:4: error:")


if __name__ == "__main__":
    unittest.main()
