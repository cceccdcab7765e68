# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of a source tree, and how a check ends."""
import os
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def root_of_arguments():
    """The tree to check: the first argument, or this repository."""
    return os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY


def files(root, suffixes=()):
    """Paths relative to root, of the given suffixes where there are any.

    What git tracks or would add; without git, what is neither hidden nor in a
    folder of builds or results.
    """
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git = None
    if os.path.exists(os.path.join(root, ".git")):
        git = subprocess.run(command, capture_output=True, text=True, check=False)
    if git is not None and git.returncode == 0:
        names = [name for name in git.stdout.split("\0") if name]
    else:
        names = list(walk(root))
    present = (name for name in names if os.path.isfile(os.path.join(root, name)))
    return sorted(name for name in present if not suffixes or name.endswith(tuple(suffixes)))


def walk(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "results", "__pycache__")
                      and not f.startswith("build")]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def text(root, name):
    """The contents of a file, or None where it is not text."""
    with open(os.path.join(root, name), "rb") as stream:
        contents = stream.read()
    try:
        return None if b"\0" in contents else contents.decode()
    except UnicodeDecodeError:
        return None


def finish(violations, n_files):
    """Prints the violations and ends the program."""
    for violation in violations:
        print(violation)
    print(f"{n_files} files, {len(violations)} violations")
    sys.exit(1 if violations else 0)
