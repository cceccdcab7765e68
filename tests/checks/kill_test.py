#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A run that is killed at random moments can always be resumed.

Usage: kill_test.py BUILD_DIR [N]

N times (50) a run that writes checkpoints is ended by SIGKILL, in the set-up or
in a step, and resumed. Runs that come to their end equal one that was never
interrupted. Two series of kills share the time.
"""
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
import time

import runs

N_STEPS = 2000
CHECKPOINT_INTERVAL = 20
LONGEST_LIFE = 0.25  # of a run after its set-up, in s
KILLS_IN_SET_UP = 0.2


def wait_for(process, condition):
    """Whether the condition became true before the process ended."""
    while process.poll() is None:
        if condition():
            return True
        time.sleep(0.002)
    return False


def is_stepping(results, start):
    """Whether run.json has been written since the start: the set-up is over."""
    path = os.path.join(results, "run.json")
    return os.path.exists(path) and os.stat(path).st_mtime_ns > start


def has_checkpoint(results):
    return any(os.path.exists(os.path.join(results, "checkpoints", slot, "manifest.json"))
               for slot in ("slot_0", "slot_1"))


def run_and_kill(program, name, generator):
    """Runs, or resumes, and kills; returns whether the kill came in time."""
    results = program.results(name)
    resume = has_checkpoint(results)
    in_set_up = resume and generator.random() < KILLS_IN_SET_UP
    life = generator.uniform(0, LONGEST_LIFE)
    start = time.time_ns()
    process = program.start(name, *(["--resume"] if resume else []))
    if in_set_up:
        life *= 2
    else:
        wait_for(process, lambda: is_stepping(results, start) and has_checkpoint(results))
    try:
        process.wait(life)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    runs.finish(process, 0)
    return False


def series(build_folder, folder, reference, n_kills, seed):
    """Kills until there are enough; returns the number of finished runs."""
    generator = random.Random(seed)
    program = runs.Program(build_folder, folder, N_STEPS, CHECKPOINT_INTERVAL)
    n_done, n_finished = 0, 0
    while n_done < n_kills:
        name = f"results_{n_finished}"
        if run_and_kill(program, name, generator):
            n_done += 1
        else:
            runs.compare(program.results(name), reference)
            n_finished += 1
    name = f"results_{n_finished}"
    if has_checkpoint(program.results(name)):
        program.run(name, "--resume")
        runs.compare(program.results(name), reference)
        n_finished += 1
    return n_finished


def main():
    build_folder = sys.argv[1]
    n_kills = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        folders = [os.path.join(folder, name) for name in ("reference", "first", "second")]
        for name in folders:
            os.mkdir(name)
        program = runs.Program(build_folder, folders[0], N_STEPS, CHECKPOINT_INTERVAL)
        program.run("results", "--set", "checkpoint/step interval=0")
        reference = program.results("results")
        shares = (n_kills // 2, n_kills - n_kills // 2)
        both = [pool.submit(series, build_folder, folders[i + 1], reference, shares[i], i)
                for i in range(2)]
        n_finished = sum(one.result() for one in both)
    print(f"{n_kills} kills, {n_kills} times resumed; {n_finished} finished runs equal the one "
          "without interruption")


if __name__ == "__main__":
    try:
        main()
    except runs.Failure as failure:
        sys.exit(str(failure))
