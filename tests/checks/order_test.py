#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The orders of the schemes, as "percuss study" finds them.

Usage: order_test.py BUILD_DIR
"""
import os
import sys
import tempfile

import runs
import tree
from study_test import Percuss, require

FILES = os.path.join(tree.REPOSITORY, "parameter_files")
OSCILLATOR = os.path.join(FILES, "benchmark/slides/linear_oscillator.prm")
BALL = os.path.join(FILES, "tutorial/bouncing_ball.prm")

ALPHA = "generalized alpha"
NEWMARK = {"parameter set": "newmark"}

# Scheme, its entries, and the order in smooth motion.
SMOOTH = (
    (ALPHA, {"spectral radius": "1"}, 2),
    (ALPHA, {"spectral radius": "0.8"}, 2),
    (ALPHA, {"spectral radius": "0"}, 2),
    (ALPHA, {"parameter set": "hht", "alpha": "0.1"}, 2),
    (ALPHA, dict(NEWMARK, gamma="0.6", beta="0.3"), 1),
    ("smooth generalized alpha", {}, 2),
    ("moreau jean", {"theta": "0.5"}, 2),
    ("moreau jean", {"theta": "1"}, 1),
    ("dissipative moreau jean", {"theta": "0.5"}, 2),
    ("dissipative moreau jean", {"theta": "1"}, 1),
    ("central differences", {}, 2),
    ("position velocity generalized alpha", {}, 2),
    ("decoupled generalized alpha", {}, 2),
    ("contact stabilized newmark", {}, 2),
    ("schatzman paoli", {}, 1),
    ("naive velocity newmark", {}, 2),
    ("naive position newmark", {}, 2),
)

# Those with a law of impact.
IMPACT = (
    (ALPHA, {"spectral radius": "1"}),
    (ALPHA, {"spectral radius": "0.8"}),
    (ALPHA, {"spectral radius": "0"}),
    ("moreau jean", {"theta": "0.5"}),
    ("moreau jean", {"theta": "1"}),
    ("dissipative moreau jean", {}),
    ("schatzman paoli", {}),
    ("central differences", {}),
    ("position velocity generalized alpha", {}),
    ("decoupled generalized alpha", {}),
)


def order(percuss, file, scheme, entries, steps, *overrides):
    """The least-squares order of the first probe's mean error against the exact motion."""
    arguments = ["study", file, "--vary", "time/step size=" + steps, "--reference", "exact",
                 "--no-plot", "--output", "study", "--set", "scheme/type=" + scheme]
    for name, value in entries.items():
        arguments += ["--set", f"scheme/{scheme}/{name}={value}"]
    for override in overrides:
        arguments += ["--set", override]
    text = percuss(*arguments)[0]
    found = [float(line.split()[2]) for line in text.splitlines() if "least squares" in line]
    require(len(found) == 1, f"no order: {text}")
    return found[0]


def smooth_motion(percuss):
    """Two masses and their spring fall, and vibrate on the way; 7 periods, no impact."""
    for scheme, entries, expected in SMOOTH:
        # A first-order scheme damps by omega^2 h T / 2, which must be small.
        steps = "4e-4,2e-4,1e-4" if expected == 2 else "8e-6,4e-6,2e-6"
        end_time = "0.3" if expected == 2 else "0.06"
        found = order(percuss, OSCILLATOR, scheme, entries, steps, "time/end time=" + end_time,
                      "model/chain/height=1, 1.01", "output/probes=height = height of 0")
        print(f"smooth: {scheme} {entries}: {found}")
        require(abs(found - expected) <= 0.05, f"smooth order of {scheme} {entries}: {found}")


def impacts(percuss):
    """Through the Zeno point of the bouncing ball; single errors scatter by a factor of two."""
    for scheme, entries in IMPACT:
        found = order(percuss, BALL, scheme, entries, "1e-2,4e-3,1e-3,4e-4,1e-4",
                      "output/probes=height = height of 0")
        print(f"impacts: {scheme} {entries}: {found}")
        require(0.8 <= found <= 1.2, f"order of {scheme} {entries} with impacts: {found}")


def main():
    n_failed = 0
    with tempfile.TemporaryDirectory() as folder:
        percuss = Percuss(sys.argv[1], folder)
        for test in (smooth_motion, impacts):
            try:
                test(percuss)
            except runs.Failure as failure:
                n_failed += 1
                print(f"{test.__name__}: {failure}")
    sys.exit(1 if n_failed else 0)


if __name__ == "__main__":
    main()
