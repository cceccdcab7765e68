#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The job script of apps/cluster runs, stops and goes back to the queue; the
table of scaling is complete; and the script that installs does so.

Usage: cluster_test.py BUILD_DIR

mpirun stands in for srun, and a script that writes down what it is asked for
scontrol. The build is there: a script that does nothing is ninja for the one
that installs.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

import runs
import tree

N_STEPS = 2000
STOPPED = 75


def start(program, results, *options):
    """A job, as SLURM starts it."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       PATH=program.folder + ":" + os.environ["PATH"],
                       LAUNCHER="mpirun -q --oversubscribe -n 2", PERCUSS=program.path,
                       OUTPUT=results, SLURM_JOB_ID="17")
    script = os.path.join(tree.REPOSITORY, "apps", "cluster", "percuss.sbatch")
    return subprocess.Popen(["bash", script, program.file, *options], cwd=program.folder,
                            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True)


def requests(program):
    """What scontrol was asked."""
    path = os.path.join(program.folder, "requests")
    return runs.contents(path).decode().splitlines() if os.path.exists(path) else []


def check(condition, what):
    if not condition:
        raise runs.Failure(what)


def write_script(program, name, text):
    """A program in the folder, which comes first in the path."""
    path = os.path.join(program.folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, 0o755)


def check_job(program):
    """Two stops, and the same tables as without."""
    write_script(program, "scontrol", 'echo "$@" >>requests')
    program.run("reference", n_ranks=2)
    runs.finish(start(program, "job", "--wall-time", "0.0001"), STOPPED)
    check(requests(program) == ["requeue 17"], "the job is not in the queue again")
    process = start(program, "job")
    slot = os.path.join(program.results("job"), "checkpoints", "slot_1")
    while process.poll() is None and not os.path.exists(slot):
        time.sleep(0.002)
    process.send_signal(signal.SIGUSR1)
    runs.finish(process, STOPPED)
    check(len(requests(program)) == 2, "a signal does not bring the job to the queue")
    runs.finish(start(program, "job"), 0)
    check(len(requests(program)) == 2, "a finished job is in the queue again")
    runs.compare_tables(program.results("job"), program.results("reference"))


def check_table(program, kind, unknowns):
    """A block of 4 x 4 x 4 cells: all columns have numbers, and a checkpoint the positions and
    velocities, 16 bytes for an unknown, at least."""
    table = os.path.join(tree.REPOSITORY, "parameter_files", "scaling", "table")
    command = [table, kind, "1", "2", "--", "--set", "time/end time=1e-5",
               "--set", "model/solid 3d/bodies/block/cells=4, 4, 4"]
    run = subprocess.run(command, env=dict(os.environ, PERCUSS=program.path), capture_output=True,
                         text=True, timeout=runs.SECONDS, check=False)
    check(run.returncode == 0, run.stderr)
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines()]
    check([row[:2] for row in rows[2:]] == [["1", unknowns[0]], ["2", unknowns[1]]], run.stdout)
    for row in rows[2:]:
        check(len(row) == len(rows[0]), f"a column is missing: {row}")
        check(all(float(text.rstrip(" %")) > 0 for text in row), f"a number is missing: {row}")
        check(float(row[rows[0].index("checkpoint: bytes")]) >= 16, f"a checkpoint of {row}")


def check_install(program, build):
    """bin/percuss runs."""
    if not os.path.samefile(build, os.path.join(tree.REPOSITORY, "build")):
        return  # the script builds there
    write_script(program, "ninja", "echo ninja: no work to do.")
    environment = dict(os.environ, PATH=program.folder + ":" + os.environ["PATH"])
    prefix = os.path.join(program.folder, "usr")
    for command in (["apps/cluster/install", prefix], [os.path.join(prefix, "bin", "percuss"),
                                                       "--version"]):
        run = subprocess.run(command, cwd=tree.REPOSITORY, env=environment, capture_output=True,
                             text=True, timeout=runs.SECONDS, check=False)
        check(run.returncode == 0, f"{command}: {run.stdout}{run.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = runs.Program(sys.argv[1], folder, N_STEPS, 100)
        try:
            check_job(program)
            check_table(program, "strong", ["375", "375"])
            check_table(program, "weak", ["375", "675"])
            check_install(program, sys.argv[1])
        except runs.Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
