#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wrong inputs end with one clear line and the right exit code.

Usage: run_failures.py BUILD_DIR [NAME...]

Each .prm file of this folder is a case, and says in comments what must happen:
  # EXPECT CODE 2            the exit code
  # EXPECT MESSAGE regex     matches the only line on stderr; FILE is the file
  # EXPECT WARNING regex     matches one more line, a warning
  # OPTIONS --resume         further options of "percuss run"
  # REMEDY --set "a=b"       a resume with these options runs to the end
  # RANKS 2                  also on two MPI processes
Cases that are no parameter files are in the list COMMANDS below. Each case
runs in an empty folder, in which input errors must create nothing.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 60
GOOD = "subsection time\n  set step size = 1e-3\n  set end time  = 2e-3\nend\n"
SPACE = 200  # of the full disk, in kB

# On several ranks too: an error that one of them meets must end them all.
ON_TWO_RANKS = {"missing file", "file in the results' place", "folder in a table's place",
                "missing contact problem", "contact problem of text", "unknown contact solver"}
# Name, arguments, files to create before, exit code, message or None.
COMMANDS = [
    ("missing file", "run missing.prm", {}, 2, "parameter file 'missing.prm' does not exist"),
    ("directory", "run folder", {"folder/a.prm": GOOD}, 2, "'folder' is a directory"),
    ("binary file", "run a.prm", {"a.prm": b"\x7fELF\0\1"}, 2, "'a.prm' is not a text file"),
    ("byte order mark", "run a.prm", {"a.prm": b"\xef\xbb\xbf" + GOOD.encode()}, 0, None),
    ("lines of Windows", "run a.prm", {"a.prm": GOOD.replace("\n", "\r\n").encode()}, 0, None),
    ("control character", "run a.prm", {"a.prm": b"set end\rtime = 1\n"}, 2, "a.prm:1: .*end.*time"),
    ("empty file", "run a.prm", {"a.prm": b""}, 0, None),
    ("one of two files", "check a.prm b.prm", {"a.prm": GOOD, "b.prm": "end"}, 2, "b.prm:1: 'end'"),
    ("no command", "", {}, 2, "command"),
    ("unknown command", "rnu a.prm", {"a.prm": GOOD}, 2, "rnu"),
    ("no file", "run", {}, 2, "FILE"),
    ("unknown family", "list modles", {}, 2, "modles"),
    ("unknown model", "template --model bra", {}, 2, "'bra' is not a choice.*did you mean 'bar'"),
    ("file in the results' place", "run a.prm --output b", {"a.prm": GOOD, "b": ""}, 5,
     "cannot create the folder 'b'"),
    ("folder below a file", "run a.prm --output b/c", {"a.prm": GOOD, "b": ""}, 5,
     "cannot create the folder 'b/c'"),
    ("no permission", "run a.prm --output /proc/percuss", {"a.prm": GOOD}, 5,
     "cannot create the folder '/proc/percuss'"),
    ("folder in a table's place", "run a.prm --output b", {"a.prm": GOOD, "b/energy.csv/c": ""}, 5,
     "cannot create 'b/energy.csv'"),
    ("vary an unknown entry", "study a.prm --vary 'time/step sise=1,2'", {"a.prm": GOOD}, 2,
     "--vary .*unknown entry 'step sise' in section 'time'.*did you mean 'step size'"),
    ("vary without a value", "study a.prm --vary 'time/step size'", {"a.prm": GOOD}, 2,
     "--vary \"time/step size\" has no '='"),
    ("vary a value twice", "study a.prm --vary 'time/step size=1,1'", {"a.prm": GOOD}, 2,
     "has the value '1' twice"),
    ("vary an entry twice", "study a.prm --vary a=1 --vary a=2", {"a.prm": GOOD}, 2, "second time"),
    ("vary out of range", "study a.prm --vary 'time/step size=-1,-2'", {"a.prm": GOOD}, 2,
     "'-1' is out of range"),
    ("vary nothing", "study a.prm", {"a.prm": GOOD}, 2, "--vary"),
    ("study of a missing file", "study a.prm --vary a=1", {}, 2, "'a.prm' does not exist"),
    ("finest of words", "study a.prm --vary scheme/type=a,b --reference finest", {"a.prm": GOOD}, 2,
     "finest needs numbers"),
    ("reference that is missing", "study a.prm --vary 'time/step size=1e-3' --reference none",
     {"a.prm": GOOD}, 5, "the folder 'none' does not exist"),
    ("unknown norm", "study a.prm --vary a=1 --norm maen", {"a.prm": GOOD}, 2, "maen"),
    ("all runs of a study fail", "study a.prm --vary 'output/probes=a = b; c = d' --output b",
     {"a.prm": GOOD}, 2, "all 2 runs failed, the first one with: .*output/probes"),
    ("plot of a missing folder", "plot none", {}, 5, "the folder 'none' does not exist"),
    ("plot of no results", "plot folder", {"folder/a": ""}, 5, "'folder' is no folder of results"),
    ("picture of another kind", "plot none --output a.pdf", {}, 2, "ends with .png or .svg"),
    ("unknown quantity", "plot none --quantity enrgy", {}, 2, "enrgy"),
    ("more labels than folders", "plot none --label a --label b", {}, 2, "more labels"),
    ("damaged run.json", "plot folder", {"folder/run.json": "{"}, 5, "'folder/run.json' is damaged"),
    ("comparison of a missing folder", "compare none none", {}, 5, "folder 'none' does not exist"),
    ("comparison of one folder", "compare none", {}, 2, "DIR"),
    ("missing contact problem", "contact-problem a.hdf5", {}, 3,
     "cannot read 'a.hdf5': No such file or directory"),
    ("contact problem of text", "contact-problem a.hdf5", {"a.hdf5": GOOD}, 3,
     "'a.hdf5': is not an HDF5 file, or damaged"),
    ("contact problem of HDF5's first bytes", "contact-problem a.hdf5 --solver all",
     {"a.hdf5": b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0"}, 3,
     "'a.hdf5': is not an HDF5 file, or damaged"),
    ("unknown contact solver", "contact-problem a.hdf5 --solver newtn", {}, 2,
     "--solver: 'newtn' is not a contact solver; did you mean 'newton'"),
    ("no repetition", "contact-problem a.hdf5 --repeat 0", {}, 2, "'0' is not a whole number"),
    ("contact tolerance of zero", "contact-problem a.hdf5 --tolerance 0", {}, 2,
     "'0' is not a number above 0"),
]


def environment():
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                HWLOC_COMPONENTS=os.environ.get("HWLOC_COMPONENTS", "-gl"))


def execute(program, arguments, folder, n_ranks=1):
    """Exit code and stderr."""
    mpi = ["mpirun", "-q", "--oversubscribe", "-n", str(n_ranks)] if n_ranks > 1 else []
    try:
        run = subprocess.run(mpi + [program] + arguments, cwd=folder, env=environment(),
                             capture_output=True, timeout=SECONDS, check=False)
        return run.returncode, run.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return f"none after {SECONDS} s", ""


def judge(result, code, message, warning=None):
    """What is wrong with an exit code and a text on stderr."""
    problems = []
    if result[0] != code:
        problems.append(f"exit code {result[0]} instead of {code}")
    lines = result[1].splitlines()
    if warning is not None:
        matching = [line for line in lines if re.search("^warning: .*" + warning, line)]
        if len(matching) != 1:
            problems.append(f"{len(matching)} such warnings: " + warning)
        lines = [line for line in lines if line not in matching]
    if len(lines) != (0 if message is None else 1):
        problems.append(f"{len(lines)} lines on stderr")
    if message is not None and not any(re.search("^percuss: .*" + message, line) for line in lines):
        problems.append("no such message: " + message)
    return problems + [f"stderr: {result[1]}"] if problems else []


def directives(path):
    found = {"OPTIONS": "", "REMEDY": None, "RANKS": "1", "EXPECT WARNING": None}
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            match = re.match(r"# (EXPECT \w+|OPTIONS|REMEDY|RANKS) (.*)", line)
            if match:
                found[match.group(1)] = match.group(2).strip()
    return found


def after_failure(program, path, folder, remedy):
    """A failed run says so in run.json and leaves a checkpoint to go on from."""
    results = os.path.join(folder, "results", os.path.splitext(os.path.basename(path))[0])
    with open(os.path.join(results, "run.json"), encoding="utf-8") as stream:
        run = json.load(stream)
    problems = []
    if run["status"] != "failed" or not run.get("message"):
        problems.append(f"run.json: status {run['status']}, message {run.get('message')}")
    if not os.listdir(os.path.join(results, "checkpoints")):
        problems.append("no checkpoint")
    if remedy is not None:
        resumed = execute(program, ["run", path, "--resume"] + shlex.split(remedy), folder)
        problems += ["the resumed run: " + text for text in judge(resumed, 0, None)]
    return problems


def run_file(program, path, n_ranks):
    expected = directives(path)
    code = int(expected["EXPECT CODE"])
    message = expected["EXPECT MESSAGE"].replace("FILE", re.escape(path))
    arguments = ["run", path] + shlex.split(expected["OPTIONS"])
    with tempfile.TemporaryDirectory() as folder:
        problems = judge(execute(program, arguments, folder, n_ranks), code, message,
                         expected["EXPECT WARNING"])
        if code in (2, 5) and os.listdir(folder):
            problems.append(f"created {os.listdir(folder)}")
        if code in (4, 6) and not problems:
            problems += after_failure(program, path, folder, expected["REMEDY"])
    return problems


def run_command(program, arguments, files, code, message, n_ranks=1):
    with tempfile.TemporaryDirectory() as folder:
        for name, contents in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(contents if isinstance(contents, bytes) else contents.encode())
        before = sorted(os.listdir(folder))
        problems = judge(execute(program, shlex.split(arguments), folder, n_ranks), code, message)
        if code == 2 and sorted(os.listdir(folder)) != before:
            problems.append(f"created {os.listdir(folder)}")
    return problems


def run_on_full_disk(program, n_ranks, n_files):
    """Needs a small disk, which only root can have."""
    with tempfile.TemporaryDirectory() as folder:
        disk = os.path.join(folder, "disk")
        os.mkdir(disk)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SPACE}k", "percuss", disk]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            return []
        try:
            path = os.path.join(folder, "a.prm")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(GOOD.replace("2e-3", "10") + "subsection output\n"
                             "  set field interval = 1\n"
                             f"  set field files    = {n_files}\nend\n")
            arguments = ["run", path, "--output", os.path.join(disk, "results")]
            return judge(execute(program, arguments, folder, n_ranks), 5,
                         "cannot write '.*': No space left on device")
        finally:
            subprocess.run(["umount", "-l", disk], check=False)


def cases(program):
    """(name, function, arguments) of all cases."""
    for name in sorted(os.listdir(HERE)):
        if name.endswith(".prm"):
            path = os.path.join(HERE, name)
            yield name, run_file, (program, path, 1)
            n_ranks = int(directives(path)["RANKS"])
            if n_ranks > 1:
                yield f"{name} on {n_ranks} ranks", run_file, (program, path, n_ranks)
    for command in COMMANDS:
        yield command[0], run_command, (program,) + command[1:]
        if command[0] in ON_TWO_RANKS:
            yield f"{command[0]} on 2 ranks", run_command, (program,) + command[1:] + (2,)
    for n_ranks, n_files in ((1, 0), (2, 0), (3, 1)):
        yield (f"full disk on {n_ranks} ranks, {n_files} files", run_on_full_disk,
               (program, n_ranks, n_files))


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "percuss")
    chosen = [case for case in cases(program)
              if len(sys.argv) < 3 or any(word in case[0] for word in sys.argv[2:])]
    n_failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = [pool.submit(function, *arguments) for _, function, arguments in chosen]
        for (name, _, _), result in zip(chosen, results):
            problems = result.result()
            n_failed += bool(problems)
            for problem in problems:
                print(f"{name}: {problem}")
    print(f"{len(chosen)} cases, {n_failed} failed")
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
