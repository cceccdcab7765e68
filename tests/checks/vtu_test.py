#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""VTU files hold what ParaView needs: points, cells of the right kind, fields.

Usage: vtu_test.py BUILD_DIR

Reads the files back with nothing of the program that wrote them.
"""
import os
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from vtu import read, run

VERTEX, LINE, POLYLINE, QUADRILATERAL = 1, 3, 4, 9


def check(path, n_points, n_cells, cell_type, fields):
    arrays, found_points, found_cells = read(path)
    problems = []
    if (found_points, found_cells) != (n_points, n_cells):
        problems.append(f"{found_points} points and {found_cells} cells")
    if len(arrays["points"]) != 3 * n_points:
        problems.append("points are missing")
    if arrays["types"] != (cell_type,) * n_cells:
        problems.append(f"types of cells: {arrays['types'][:5]}")
    if len(arrays["offsets"]) != n_cells or \
            arrays["offsets"][-1] != len(arrays["connectivity"]):
        problems.append("offsets do not fit")
    if max(arrays["connectivity"]) != n_points - 1:
        problems.append("connectivity does not fit")
    for name, n_components in fields.items():
        if len(arrays.get(name, ())) != n_components * n_points:
            problems.append(f"field {name} is missing")
    return [f"{os.path.basename(path)}: {problem}" for problem in problems], arrays


def points_of(files):
    """The points of a multibody system: {(kind, body, rounded x): {field: values}}."""
    points = {}
    for file in files:
        arrays, n_points, _ = read(file)
        fields = [name for name in arrays
                  if name not in ("points", "connectivity", "offsets", "types")]
        for i in range(n_points):
            x = tuple(round(value, 6) + 0.0 for value in arrays["points"][3 * i:3 * i + 3])
            points[arrays["kind"][i], arrays["body"][i], x] = {
                name: arrays[name][len(arrays[name]) // n_points * i:
                                   len(arrays[name]) // n_points * (i + 1)] for name in fields}
    return points


def check_swing(build):
    """A line, two boxes, four joints and a mass; the same on one rank and on two."""
    problems, found = [], []
    for n_ranks, n_files in ((1, 1), (2, 2), (2, 1)):
        with tempfile.TemporaryDirectory() as folder:
            run(build, "benchmark/three_bar_swing.prm", folder, "time/end time=0.05",
                "output/field interval=100", f"output/field files={n_files}", n_ranks=n_ranks)
            solution = os.path.join(folder, "solution")
            first = ["solution_00000100" + (f".{number}" if n_files > 1 else "") + ".vtu"
                     for number in range(n_files)]
            files = [os.path.join(solution, name) for name in first]
            found.append(points_of(files))
            if n_files > 1:
                record = ElementTree.parse(
                    os.path.join(solution, "solution_00000100.pvtu")).getroot()
                pieces = [piece.get("Source") for piece in record.iter("Piece")]
                if pieces != first:
                    problems.append(f"pieces of the swing {pieces}")
            types = [kind for file in files for kind in read(file)[0]["types"]]
            if [types.count(kind) for kind in (POLYLINE, QUADRILATERAL, VERTEX)] != \
                    [n_ranks, 12, 5]:
                problems.append(f"cells of the swing on {n_ranks} ranks: {types}")
    kinds = [sum(kind == wanted for kind, _, _ in found[0]) for wanted in range(5)]
    if kinds != [33, 16, 4, 0, 1]:
        problems.append(f"points of the swing by kinds: {kinds}")
    # Sections have little inertia: their angular velocities are the least certain.
    tolerances = {name: 1e-2 if name == "angular_velocity" else 1e-5
                  for name in next(iter(found[0].values()))}
    for other in found[1:]:
        if sorted(found[0]) != sorted(other):
            problems.append("points of the swing differ on one rank and on two")
            continue
        for name, tolerance in tolerances.items():
            difference = max(abs(a - b) for key in found[0]
                             for a, b in zip(found[0][key][name], other[key][name]))
            if difference > tolerance:
                problems.append(f"{name} of the swing differs by {difference} on two ranks")
    return problems


def main():
    build, problems = sys.argv[1], []
    problems += check_swing(build)
    with tempfile.TemporaryDirectory() as folder:
        run(build, "tutorial/impacting_bar.prm", folder, "model/bar/elements=10",
            "model/bar/degree=3", "time/step size=1e-5", "time/end time=6e-4",
            "output/field interval=20", "output/space-time points=5")
        found, arrays = check(os.path.join(folder, "solution", "solution_00000060.vtu"), 31, 30,
                              LINE, {"displacement": 3, "velocity": 3, "contact_force": 3,
                                     "stress": 1})
        problems += found
        # In contact the wall pushes node 0 to the right, and nothing else.
        force = arrays["contact_force"]
        if not (force[0] > 100 and all(value == 0 for value in force[1:])):
            problems.append(f"contact force {force[:4]}")
        x = arrays["points"][0::3]
        if list(x) != sorted(x) or abs(x[-1] - 1) > 1e-6:
            problems.append("points do not run from 0 to 1")
        found, arrays = check(os.path.join(folder, "space_time.vtu"), 3 * 4 * 4, 3 * 4,
                              QUADRILATERAL, {"displacement": 1, "x": 1, "time": 1})
        problems += found
    with tempfile.TemporaryDirectory() as folder:
        run(build, "tutorial/bouncing_ball.prm", folder, "model/ball/masses=4",
            "time/end time=0.02")
        found, arrays = check(os.path.join(folder, "solution", "solution_00000020.vtu"), 4, 4,
                              VERTEX, {"velocity": 3, "contact_force": 3, "mass": 1})
        problems += found
    with tempfile.TemporaryDirectory() as folder:
        run(build, "benchmark/slides/linear_oscillator.prm", folder, "time/end time=0.02")
        found, arrays = check(os.path.join(folder, "solution", "solution_00000020.vtu"), 2, 2,
                              VERTEX, {"velocity": 3, "contact_force": 3, "mass": 1})
        problems += found
        # One above the other.
        x, y = arrays["points"][0::3], arrays["points"][1::3]
        if x != (0, 0) or abs(y[1] - y[0] - 0.1) > 1e-6:
            problems.append(f"points of the chain {arrays['points']}")
    with tempfile.TemporaryDirectory() as folder:
        run(build, "benchmark/rigid_pendulum_exact.prm", folder, "time/end time=0.02")
        found, arrays = check(os.path.join(folder, "solution", "solution_00000000.vtu"), 2, 1,
                              LINE, {"velocity": 3, "contact_force": 3, "mass": 1})
        problems += found
        # From the pivot to the mass.
        if any(abs(a - b) > 1e-6 for a, b in zip(arrays["points"], (0, 0, 0, 1, 0, 0))):
            problems.append(f"points of the pendulum {arrays['points']}")
    with tempfile.TemporaryDirectory() as folder:
        run(build, "benchmark/beam_in_a_cage.prm", folder, "time/end time=1e-4",
            "model/beam/initial displacement=y = 0.001*x^2; z = -0.002*x^2")
        found, arrays = check(os.path.join(folder, "solution", "solution_00000000.vtu"), 17, 16,
                              LINE, {"displacement": 3, "rotation": 3, "velocity": 3,
                                     "contact_force": 3, "bending_moment": 1, "shear_force": 1,
                                     "bending_moment_z": 1, "shear_force_z": 1,
                                     "axial_force": 1, "torque": 1})
        problems += found
        # At x = 0.4: w = 0.001 x^2 turns about z by w' = 0.002 x; EI w'' with EI = 8.96.
        tip = arrays["displacement"][-3:] + arrays["rotation"][-3:] + \
            arrays["bending_moment"][-1:] + arrays["points"][-3:]
        expected = (0, 1.6e-4, -3.2e-4, 0, 1.6e-3, 8e-4, 8.96 * 0.002, 0.4, 0, 0)
        if any(abs(a - b) > 1e-6 for a, b in zip(tip, expected)):
            problems.append(f"tip of the beam {tip}")
    print("\n".join(problems) or "VTU files are whole")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
