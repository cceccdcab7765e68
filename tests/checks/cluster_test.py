#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The job script of apps/cluster runs, stops and goes back to the queue.

Usage: cluster_test.py BUILD_DIR

mpirun stands in for srun, and a script that writes down what it is asked for
scontrol.
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = runs.Program(sys.argv[1], folder, N_STEPS, 100)
        with open(os.path.join(folder, "scontrol"), "w", encoding="utf-8") as stream:
            stream.write('#!/bin/sh\necho "$@" >>requests\n')
        os.chmod(os.path.join(folder, "scontrol"), 0o755)
        program.run("reference", n_ranks=2)
        try:
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
        except runs.Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
