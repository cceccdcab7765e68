#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Studies find the order of a scheme; pictures and comparisons of runs.

Usage: study_test.py BUILD_DIR
"""
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import runs
import tree

BALL = os.path.join(tree.REPOSITORY, "parameter_files/tutorial/bouncing_ball.prm")
UNBALANCED = os.path.join(tree.REPOSITORY, "tests/failure/energy_balance.prm")
SECONDS = 60
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


class Percuss:
    """The program, in an empty folder."""

    def __init__(self, build_folder, folder):
        self.program = os.path.join(os.path.abspath(build_folder), "percuss")
        self.folder = folder

    def __call__(self, *arguments, code=0, before=(), environment=None):
        """Runs to the end with the given exit code; returns stdout and stderr."""
        done = subprocess.run([*before, self.program, *arguments], cwd=self.folder, timeout=SECONDS,
                              env=environment or ENVIRONMENT, capture_output=True, text=True,
                              check=False)
        if done.returncode != code:
            raise runs.Failure(f"exit code {done.returncode} instead of {code}: {arguments}: "
                               f"{done.stdout} {done.stderr}")
        return done.stdout, done.stderr

    def path(self, *names):
        return os.path.join(self.folder, *names)


def require(condition, message):
    if not condition:
        raise runs.Failure(message)


def table(path):
    """The rows of a CSV file as dictionaries."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    return [dict(zip(rows[0], row)) for row in rows[2:]]


def order_of_the_ball(percuss):
    text, _ = percuss("study", BALL, "--vary", "time/step size=2e-3,1e-3,5e-4,2.5e-4",
                      "--vary", "scheme/type=moreau jean,generalized alpha", "--output", "study")
    orders = [float(line.split()[2]) for line in text.splitlines() if "least squares" in line]
    require(len(orders) == 2, f"not one order for each scheme: {text}")
    require(all(0.8 <= order <= 1.2 for order in orders), f"orders of the height: {orders}")
    rows = table(percuss.path("study", "study.csv"))
    require(len(rows) == 8, f"{len(rows)} rows")
    require({row["scheme/type"] for row in rows} == {"moreau jean", "generalized alpha"}, str(rows))
    errors = [float(row["error_height"]) for row in rows]
    require(errors[0] > errors[3] > 0, f"errors {errors}")
    require(runs.contents(percuss.path("study", "study.png"))[:4] == b"\x89PNG", "study.png")
    with open(percuss.path("study", "step_size=2e-3_type=moreau_jean", "run.json"),
              encoding="utf-8") as stream:
        require(json.load(stream)["status"] == "done", "a run of the study is not done")


def references(percuss):
    """Against the finest run, another run, and a table."""
    short = ("--set", "time/end time=0.4", "--no-plot", "--norm", "max", "--vary",
             "time/step size=2e-3,1e-3")
    os.makedirs(percuss.path("finest"))
    with open(percuss.path("finest", "study.png"), "wb"):
        pass  # of an older study
    percuss("study", BALL, *short, "--reference", "finest", "--output", "finest")
    require(not os.path.exists(percuss.path("finest", "study.png")), "an old picture, or a new one")
    rows = table(percuss.path("finest", "study.csv"))
    require(rows[1]["error_velocity"] == "", "the finest run has an error")
    require(float(rows[0]["error_velocity"]) < 1e-9, "free fall is not exact")
    require("error_first_contact" not in rows[0], "not marked as exact")
    folder = percuss.path("finest", "step_size=1e-3")
    for reference in (folder, os.path.join(folder, "exact.csv")):
        percuss("study", BALL, *short, "--reference", reference, "--output", "given")
        rows = table(percuss.path("given", "study.csv"))
        require(float(rows[1]["error_height"]) < 1e-9, f"{reference}: {rows[1]}")
    text, errors = percuss("study", BALL, "--vary", "time/step size=1e-3", "--reference", "finest",
                           "--no-plot", "--output", "one", code=2)
    require("1 run." in text and "first contact (exact)" in text, text)
    require("no two runs" in errors, errors)


def wrong_values(percuss):
    """All values are read before the first run."""
    for arguments, message in (
            (("model/ball/restitution=0.5,2,1",), "--vary \"model/ball/restitution=2\""),
            (("time/step sise=1,2",), "did you mean 'step size'"),
            (("output/directory=a,b",), "names the folders"),
            (("time/step size=1e-3", "--jobs", "0"), "a whole number of at least 1"),
            (("time/step size=1e-3", "--jobs", "0"), "percuss study --help")):
        errors = percuss("study", BALL, "--output", "wrong", "--vary", *arguments, code=2)[1]
        require(message in errors and "--set" not in errors, errors)
        require(len(errors.splitlines()) == 1, errors)
    require(not os.path.exists(percuss.path("wrong")), "a run has started")


def failed_runs(percuss):
    """They do not stop a study; it ends with the code of the first."""
    text, errors = percuss("study", UNBALANCED, "--vary",
                           "linear solver/cg/tolerance=1e-12,1e-3,1e-13", "--output", "failed",
                           code=6)
    require("1 of 3 runs failed" in errors, errors)
    require(text.count("failed with code 6") == 1, text)
    rows = table(percuss.path("failed", "study.csv"))
    require([row["exit_code"] for row in rows] == ["0", "6", "0"], str(rows))
    require("balance" in rows[1]["message"], rows[1]["message"])
    text, errors = percuss("study", BALL, "--vary", "output/probes=a = height of 0;b = height of 7",
                           "--output", "failed", code=2)
    require("--vary \"output/probes=b = height of 7\"" in text and "--set" not in text, text)
    rows = table(percuss.path("failed", "study.csv"))
    require(rows[0]["force_variation"] == "", "a ball has a contact force")


def interrupted_study(percuss):
    """A signal to the study ends its runs; those that are done have a table."""
    study = subprocess.Popen([percuss.program, "study", BALL, "--vary",
                              "time/step size=1e-3,1e-8,2e-8", "--jobs", "1", "--set",
                              "output/table interval=1000", "--output", "long"],
                             cwd=percuss.folder, env=ENVIRONMENT, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    begin = time.time()
    path = percuss.path("long", "step_size=1e-8", "run.json")
    while time.time() < begin + SECONDS and not os.path.exists(path):
        time.sleep(0.02)
    study.send_signal(signal.SIGINT)
    text, errors = study.communicate(timeout=SECONDS)
    require(study.returncode == 75, f"exit code {study.returncode}: {errors}")
    with open(path, encoding="utf-8") as stream:
        require(json.load(stream)["status"] == "stopped", f"{path} is not stopped")
    rows = table(percuss.path("long", "study.csv"))
    require([row["exit_code"] for row in rows] == ["0", "75", "75"], str(rows))
    require([row["message"] for row in rows] == ["", "stopped", "not started"], str(rows))
    require("not started" in text, text)


def one_process_only(percuss):
    errors = percuss("study", BALL, "--vary", "time/step size=1", code=2,
                     before=("mpirun", "-q", "--oversubscribe", "-n", "2"))[1]
    require("without mpirun" in errors and len(errors.splitlines()) == 1, errors)


def pictures(percuss):
    ball, other = (percuss.path("study", f"step_size={size}_type=moreau_jean")
                   for size in ("2e-3", "1e-3"))
    percuss("plot", ball)
    require(runs.contents(ball, "plot.png")[:4] == b"\x89PNG", "plot.png is no PNG")
    percuss("plot", ball, other, "--output", "a/two.svg", "--label", "it's", "--title", "T_1",
            "--quantity", "phase", "--quantity", "force", "--size", "700x300")
    text = runs.contents(percuss.path("a", "two.svg"))
    require(text[:5] == b"<?xml" and b"it's" in text.replace(b"&apos;", b"'") and b"T_1" in text,
            "two.svg")
    errors = percuss("plot", ball, "--quantity", "space-time", code=2)[1]
    require("nothing to plot" in errors, errors)
    errors = percuss("plot", ball, "--time-range", "5:6", code=2)[1]
    require("the runs end at 4 s" in errors, errors)
    percuss("plot", ball, "--quantity", "energy", "--output", "A.PNG")
    require(runs.contents(percuss.path("A.PNG"))[:4] == b"\x89PNG", "A.PNG is no PNG")
    errors = percuss(code=2)[1]
    require("no command. Commands: " in errors, errors)
    errors = percuss("plot", ball, code=5, environment=dict(ENVIRONMENT, PATH=percuss.folder))[1]
    require("gnuplot-nox" in errors, errors)


def comparisons(percuss):
    ball, other = (percuss.path("study", f"step_size={size}_type=moreau_jean")
                   for size in ("2e-3", "1e-3"))
    require("Alike" in percuss("compare", ball, ball, "--tolerance", "0")[0], "not alike")
    text = percuss("compare", ball, other, code=6)[0]
    require("differs" in text and "residual" not in text, text)
    percuss("compare", ball, other, "--tolerance", "2")


def main():
    tests = (order_of_the_ball, references, wrong_values, failed_runs, interrupted_study,
             one_process_only, pictures, comparisons)
    n_failed = 0
    with tempfile.TemporaryDirectory() as folder:
        percuss = Percuss(sys.argv[1], folder)
        for test in tests:
            try:
                test(percuss)
            except runs.Failure as failure:
                n_failed += 1
                print(f"{test.__name__}: {failure}")
    print(f"{len(tests)} tests, {n_failed} failed")
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
