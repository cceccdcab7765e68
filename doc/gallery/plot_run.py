# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots a run: waves, contact force, probes and energy in one picture.

    python3 doc/gallery/plot_run.py RESULTS_FOLDER OUTPUT.png

Needs matplotlib (Debian package python3-matplotlib). Panels for which a run has
no data are left out.
"""

import json
import os
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


class Table:
    """A CSV file of a run: names, a comment line of units, numbers."""

    def __init__(self, path):
        with open(path) as file:
            self.names = file.readline().strip().split(",")
            self.units = file.readline()[1:].strip().split(",")
        self.numbers = np.loadtxt(path, delimiter=",", skiprows=2, ndmin=2)

    def __getitem__(self, name):
        return self.numbers[:, self.names.index(name)]

    def columns(self, unit):
        return [name for name, of in zip(self.names[1:], self.units[1:])
                if of == unit]


class Run:
    def __init__(self, folder):
        self.about = json.load(open(os.path.join(folder, "run.json")))
        self.exact = self.about.get("exact_values", {})
        self.energy = Table(os.path.join(folder, "energy.csv"))
        self.contacts = Table(os.path.join(folder, "contacts.csv"))
        self.probes = Table(os.path.join(folder, "probes.csv"))
        path = os.path.join(folder, "space_time.csv")
        self.space_time = Table(path) if os.path.exists(path) else None
        is_short = self.energy["time"][-1] < 0.1
        self.factor, self.unit = (1000, "ms") if is_short else (1, "s")

    def time(self, table):
        return self.factor * table["time"]


def plot_space_time(run, axes):
    """Velocities, as differences of the displacements of space_time.csv."""
    x = np.array([float(name) for name in run.space_time.names[1:]])
    time = run.space_time["time"]
    velocity = np.diff(run.space_time.numbers[:, 1:], axis=0)
    velocity /= np.diff(time)[:, np.newaxis]
    velocity = 0.5 * (velocity[:, 1:] + velocity[:, :-1])
    largest = np.percentile(np.abs(velocity), 99)
    image = axes.pcolormesh(x, run.factor * time, velocity, cmap="coolwarm",
                            vmin=-largest, vmax=largest, rasterized=True)
    axes.figure.colorbar(image, ax=axes, label="velocity in m/s")
    if {"first contact", "last contact"} <= run.exact.keys():
        first, last = run.exact["first contact"], run.exact["last contact"]
        axes.plot([x[0], x[-1], x[0]],
                  run.factor * np.array([first, (first + last) / 2, last]),
                  "k:", label="exact wave front, slope $1/c$")
        axes.legend(loc="lower right")
    axes.set(xlabel="x in m", ylabel=f"t in {run.unit}", title="Waves")


def plot_force(run, axes):
    axes.plot(run.time(run.contacts), run.contacts["total_force"],
              drawstyle="steps-pre", label=run.about["scheme"])
    names = ("first contact", "last contact", "mean contact force")
    if set(names) <= run.exact.keys():
        first, last, force = (run.exact[name] for name in names)
        end = run.contacts["time"][-1]
        axes.plot(run.factor * np.array([0, first, first, last, last, end]),
                  [0, 0, force, force, 0, 0], "k:", label="exact")
    axes.margins(y=0.2)
    axes.set_ylim(bottom=min(0, run.contacts["total_force"].min()))
    axes.legend(loc="upper left")
    axes.set(xlabel=f"t in {run.unit}", ylabel="contact force in N",
             title="Contact force")


def plot_impulses(run, axes):
    """For rigid bodies, whose impacts have an impulse but no force."""
    impulse = run.contacts["total_impulse"]
    hits = impulse > 0
    axes.semilogy(run.time(run.contacts)[hits], impulse[hits], ".")
    if "first contact" in run.exact:
        axes.axvline(run.factor * run.exact["first contact"], color="k",
                     linestyle=":", label="exact first impact")
        axes.legend(loc="upper right")
    axes.set(xlabel=f"t in {run.unit}", ylabel="impulse of a step in N s",
             title="Impulses", xlim=(0, None))


def plot_probes(run, axes, unit, title, quantity):
    for name in run.probes.columns(unit):
        axes.plot(run.time(run.probes), run.probes[name],
                  label=name.replace("_", " "))
    axes.legend(loc="best")
    axes.set(xlabel=f"t in {run.unit}", ylabel=f"{quantity} in {unit}",
             title=title)


def plot_energy(run, axes):
    time = run.time(run.energy)
    for name in ("kinetic", "strain", "potential"):
        if np.any(run.energy[name] != 0):
            axes.plot(time, run.energy[name], label=name)
    axes.plot(time, run.energy["total"], "k", label="total")
    booked = (run.energy["total"] - run.energy["work_external"]
              - run.energy["work_damping"] - run.energy["work_contact"]
              + run.energy["algorithmic_dissipation"])
    axes.plot(time, booked, "k:", label="total and all losses")
    axes.legend(loc="best")
    axes.set(xlabel=f"t in {run.unit}", ylabel="energy in J", title="Energy")


def panels(run):
    """The functions that have something to plot."""
    if run.space_time is not None and len(run.space_time.numbers) > 2:
        yield plot_space_time
    if run.probes.columns("m"):
        yield lambda run, axes: plot_probes(run, axes, "m", "Motion",
                                           "displacement or height")
    yield plot_impulses if run.about["model"] == "ball" else plot_force
    if run.probes.columns("m/s"):
        yield lambda run, axes: plot_probes(run, axes, "m/s", "Velocity",
                                           "velocity")
    yield plot_energy


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot_run.py RESULTS_FOLDER OUTPUT.png")
    run = Run(sys.argv[1])
    functions = list(panels(run))
    n_rows = (len(functions) + 1) // 2
    figure, grid = plt.subplots(n_rows, 2, figsize=(11, 4 * n_rows),
                                constrained_layout=True, squeeze=False)
    for function, axes in zip(functions, grid.flat):
        function(run, axes)
    for axes in grid.flat[len(functions):]:
        axes.axis("off")
    figure.savefig(sys.argv[2], dpi=100)


main()
