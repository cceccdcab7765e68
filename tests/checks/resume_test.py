#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs stop with a checkpoint when they are told to, and go on from it.

Usage: resume_test.py BUILD_DIR
"""
import csv
import json
import os
import shutil
import signal
import sys
import tempfile
import time

import runs

N_STEPS = 2000
CHECKPOINT_INTERVAL = 100
STOPPED = 75
DAMAGED = 5


def wait_for_checkpoint(program, process, name):
    slot = os.path.join(program.results(name), "checkpoints", "slot_1")
    while process.poll() is None and not os.path.exists(slot):
        time.sleep(0.002)


def stopped_by_signal(program, reference, number):
    name = signal.Signals(number).name
    process = program.start(name)
    wait_for_checkpoint(program, process, name)
    process.send_signal(number)
    runs.finish(process, STOPPED)
    program.run(name, "--resume")
    runs.compare(program.results(name), reference)


def stopped_by_wall_time(program, reference):
    for minutes in ("0.001", "1e-9"):  # the second one ends while the model is built
        name = "wall_time_" + minutes
        program.run(name, "--wall-time", minutes, code=STOPPED)
        program.run(name, "--resume")
        runs.compare(program.results(name), reference)


def catches(process, number):
    """Whether a process has a handler for the signal."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def stopped_by_signal_before_the_first_step(program):
    """The model is still being built, from which nothing is known outside."""
    name, many = "early", ("--set", "model/bar/elements=200000")
    process = program.start(name, *many)
    while process.poll() is None and not catches(process, signal.SIGUSR1):
        time.sleep(0.0005)
    process.send_signal(signal.SIGUSR1)
    runs.finish(process, STOPPED)
    step = json.loads(runs.contents(program.results(name), "run.json"))["steps"]
    if step != 0:
        raise runs.Failure(f"the signal came after {step} steps, too late to test this")


def step_of(slot):
    """The step of a checkpoint, from its manifest."""
    text = runs.contents(slot, "manifest.json").decode()
    return json.loads(text.split("\n", 1)[1])["step"]


def damage(slot, what):
    """Flips a bit in the numbers, or cuts the manifest."""
    path = os.path.join(slot, "rank_0.bin" if what == "numbers" else "manifest.json")
    data = bytearray(runs.contents(path))
    if what == "numbers":
        data[len(data) // 2] ^= 1
    else:
        del data[len(data) // 2:]
    with open(path, "wb") as stream:
        stream.write(data)


def interrupted_copy(program, name):
    """Results with two checkpoints, the newer one first."""
    shutil.copytree(program.results("interrupted"), program.results(name))
    folder = os.path.join(program.results(name), "checkpoints")
    return sorted((os.path.join(folder, slot) for slot in os.listdir(folder)),
                  key=step_of, reverse=True)


def damaged_newest_slot(program, reference, what):
    name = "damaged_" + what
    newest, _ = interrupted_copy(program, name)
    damage(newest, what)
    errors = program.run(name, "--resume")
    if os.path.basename(newest) not in errors or "damaged" not in errors:
        raise runs.Failure(f"the damaged {newest} is not refused by name: {errors}")
    runs.compare(program.results(name), reference)


def missing_file_of_slot(program, reference):
    newest, _ = interrupted_copy(program, "missing_file")
    os.remove(os.path.join(newest, "rank_0.bin"))
    errors = program.run("missing_file", "--resume")
    if os.path.basename(newest) not in errors:
        raise runs.Failure(f"the incomplete {newest} is not refused by name: {errors}")
    runs.compare(program.results("missing_file"), reference)


def all_slots_damaged(program):
    for slot, what in zip(interrupted_copy(program, "no_slot"), ("numbers", "manifest")):
        damage(slot, what)
    before = runs.contents(program.results("no_slot"), "energy.csv")
    errors = program.run("no_slot", "--resume", code=DAMAGED)
    for slot in ("slot_0", "slot_1"):
        if slot not in errors:
            raise runs.Failure(f"{slot} is not named: {errors}")
    if runs.contents(program.results("no_slot"), "energy.csv") != before:
        raise runs.Failure("a refused resume has changed energy.csv")


def other_parameters(program):
    """What would change the motion or the tables is refused."""
    for change in ("model/bar/density=7000", "time/step size=2e-6",
                   "contact/activation tolerance=1e-6", "output/probes=a = velocity at 0",
                   "output/space-time points=7"):
        interrupted_copy(program, "other")
        before = runs.contents(program.results("other"), "probes.csv")
        errors = program.run("other", "--resume", "--set", change, code=2)
        if len(errors.splitlines()) != 1:
            raise runs.Failure(f"not one line: {errors}")
        if runs.contents(program.results("other"), "probes.csv") != before:
            raise runs.Failure("a refused resume has changed probes.csv")
        shutil.rmtree(program.results("other"))


def longer_run(program, reference):
    """A finished run goes on to a later end."""
    program.run("longer", "--set", "time/end time=1e-3")
    program.run("longer", "--resume")
    runs.compare(program.results("longer"), reference)


def small_system(build_folder, folder):
    """The same for a system of formulas with friction."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                        "parameter_files", "benchmark", "woodpecker_toy.prm")
    program = runs.Program(build_folder, folder, N_STEPS, CHECKPOINT_INTERVAL, file)
    for name, scheme in (("jean", "moreau jean"), ("variational", "variational moreau")):
        options = ("--set", "scheme/type=" + scheme, "--set", "output/energy limits=true")
        program.run(name, "--set", "time/end time=0.2", *options)
        program.run(name + "_in_parts", "--set", "time/end time=0.1", *options)
        program.run(name + "_in_parts", "--resume", "--set", "time/end time=0.2", *options)
        runs.compare(program.results(name + "_in_parts"), program.results(name))


def rows(results, table):
    with open(os.path.join(results, table), encoding="utf-8") as stream:
        return [[float(text) for text in row] for row in csv.reader(stream)
                if row[0] != "time" and not row[0].startswith("#")]


def difference(results, reference, table):
    """Largest deviation of a column, relative to its largest number."""
    pairs = [list(zip(*rows(folder, table))) for folder in (results, reference)]
    worst = 0
    for here, there in zip(*pairs):
        if len(here) != len(there):
            raise runs.Failure(f"{results}/{table} has {len(here)} rows, not {len(there)}")
        scale = max(map(abs, there)) or 1
        worst = max([worst] + [abs(x - y) / scale for x, y in zip(here, there)])
    return worst


def other_number_of_ranks(program, reference):
    interrupted_copy(program, "ranks")
    program.run("ranks", "--resume", n_ranks=2)
    found = difference(program.results("ranks"), reference, "probes.csv")
    if found > 1e-10:
        raise runs.Failure(f"two ranks deviate by {found} from one")
    times = [time for time, _ in runs.frames(program.results("ranks"))]
    if times != [time for time, _ in runs.frames(reference)]:
        raise runs.Failure("two ranks list frames at other times")


def signal_to_several_ranks(program, reference):
    """A signal to one of two ranks stops both."""
    process = program.start("two_ranks", n_ranks=2)
    wait_for_checkpoint(program, process, "two_ranks")
    process.send_signal(signal.SIGUSR1)  # mpirun passes it on
    runs.finish(process, STOPPED)
    program.run("two_ranks", "--resume", n_ranks=2)
    found = difference(program.results("two_ranks"), reference, "probes.csv")
    if found > 1e-10:
        raise runs.Failure(f"two ranks deviate by {found} from one")


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = runs.Program(sys.argv[1], folder, N_STEPS, CHECKPOINT_INTERVAL)
        program.run("reference", "--set", "checkpoint/step interval=0")
        reference = program.results("reference")
        program.run("interrupted", "--set", "time/end time=1.05e-3")
        tests = [(stopped_by_signal, reference, signal.SIGTERM),
                 (stopped_by_signal, reference, signal.SIGUSR1),
                 (stopped_by_signal_before_the_first_step,),
                 (stopped_by_wall_time, reference),
                 (damaged_newest_slot, reference, "numbers"),
                 (damaged_newest_slot, reference, "manifest"),
                 (missing_file_of_slot, reference),
                 (all_slots_damaged,),
                 (other_parameters,),
                 (longer_run, reference),
                 (other_number_of_ranks, reference),
                 (signal_to_several_ranks, reference)]
        n_failed = 0
        for function, *arguments in tests:
            try:
                function(program, *arguments)
            except runs.Failure as failure:
                n_failed += 1
                print(f"{function.__name__}: {failure}")
        try:
            small_system(sys.argv[1], folder)
        except runs.Failure as failure:
            n_failed += 1
            print(f"small_system: {failure}")
    print(f"{len(tests) + 1} tests, {n_failed} failed")
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
