#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The pictures of a solid: its fields, and its surface in contact.

Usage: solid_output_test.py BUILD_DIR

A block that flies is rigid, so that its fields are those of a thrown stone. When it
hits the floor, fields are those of probes, the law of the contact holds in each point,
and the tractions add up to the forces of the tables. The picture is the same on one
rank and on several, in one file and in several.
"""
import csv
import json
import math
import os
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from vtu import n_pieces, read, run

QUADRILATERAL, HEXAHEDRON = 9, 12
FILE = "benchmark/block_drop_3d.prm"
BODY = "model/solid 3d/bodies/block/"
STEP, GRAVITY, FRICTION = 2e-4, 9.81, 0.3
VELOCITY = (0.1, 0.0, -1.0)
SIZE, CELLS, HEIGHT = (0.2, 0.1, 0.1), (4, 2, 2), 0.001
PLACES = ((0, 0, HEIGHT), (0.2, 0.1, HEIGHT), (0.1, 0.05, 0.05 + HEIGHT), (0.2, 0, 0.1 + HEIGHT))
# Files have numbers with 24 binary digits: half a unit of the last one is 6e-8 of the number.
SINGLE = 6e-8
# The solvers stop at 1e-10 of the largest velocity and less; what they leave is below this, in m/s.
SOLVER = 1e-8
COMMON = (BODY + "cells=" + ", ".join(map(str, CELLS)), BODY + f"corner=0, 0, {HEIGHT}",
          BODY + f"initial velocity=x = {VELOCITY[0]}; z = {VELOCITY[2]}",
          f"time/step size={STEP}", "time/end time=0.008", "output/table interval=1",
          "output/field interval=4",
          "output/probes=" + "; ".join(
              [f"{what[0]}{d}{i} = {what} {d} of block at " + ", ".join(map(str, place))
               for what in ("displacement", "velocity") for d in "xyz"
               for i, place in enumerate(PLACES)] +
              [f"force {d} = contact force {d} of floor" for d in "xyz"]))
# Integrals of the shape functions of an edge.
WEIGHTS = {1: (1 / 2, 1 / 2), 2: (1 / 6, 4 / 6, 1 / 6)}


class Problems(list):
    """What is wrong, with the place where it was found."""
    where = ""

    def expect(self, holds, text):
        if not holds:
            self.append(f"{self.where}: {text}")


def table(folder, name):
    """The rows of a table, each as {column: number}."""
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as stream:
        rows = list(csv.reader(line for line in stream if not line.startswith("#")))
    return [dict(zip(rows[0], map(float, row))) for row in rows[1:]]


def frames(folder, name):
    """(time, file) of a series."""
    root = ElementTree.parse(os.path.join(folder, name + ".pvd")).getroot()
    return [(float(data.get("timestep")), os.path.join(folder, data.get("file")))
            for data in root.iter("DataSet")]


def points(path):
    """The points of a picture, each as {field: values}, and its cells as lists of them."""
    arrays, n_points, n_cells = read(path)
    if len(arrays["points"]) != 3 * n_points or len(arrays["types"]) != n_cells:
        raise ValueError(f"{path} is not whole")
    result = [{} for _ in range(n_points)]
    for name, values in arrays.items():
        if name not in ("connectivity", "offsets", "types"):
            n = len(values) // n_points
            for i, point in enumerate(result):
                point[name] = values[n * i:n * (i + 1)]
    ends = (0,) + arrays["offsets"]
    cells = [[result[i] for i in arrays["connectivity"][begin:end]]
             for begin, end in zip(ends, ends[1:])]
    return result, cells, arrays["types"]


def norm(x):
    return math.sqrt(sum(a * a for a in x))


def minus(x, y):
    return tuple(a - b for a, b in zip(x, y))


def check_flight(solution, time, problems):
    """q = v t - g t^2 / 2 and v - g t, which the scheme meets exactly for constant loads."""
    fall = (0, 0, GRAVITY * time)
    for point in solution:
        velocity = minus(VELOCITY, fall)
        way = tuple(v * time + g * time / 2 for v, g in zip(velocity, fall))
        problems.expect(norm(minus(point["displacement"], way)) <= SINGLE * norm(way) + SOLVER * time,
                        f"displacement {point['displacement']} in flight instead of {way}")
        problems.expect(norm(minus(point["velocity"], velocity)) <= SINGLE * norm(velocity) + SOLVER,
                        f"velocity {point['velocity']} in flight instead of {velocity}")
        problems.expect(norm(point["contact_force"]) == 0, "a contact force in flight")


def check_probes(solution, row, problems):
    """Probes have the numbers of the state, at places of the body that does not move."""
    for i, place in enumerate(PLACES):
        found = [point for point in solution if norm(minus(point["points"], place)) < 1e-6]
        problems.expect(len(found) > 0, f"no point at {place}")
        for point in found:
            for what in ("displacement", "velocity"):
                expected = tuple(row[f"{what[0]}{d}{i}"] for d in "xyz")
                # Sums of shape functions times velocities of 1 m/s are rounded at 1e-15.
                problems.expect(norm(minus(point[what], expected)) <= SINGLE * norm(expected) + 1e-14,
                                f"{what} {point[what]} at {place} instead of {expected}")


def check_forces_of_nodes(solution, forces, problems):
    """The forces of all nodes together are those of the contact; only the bottom has some."""
    nodes = {tuple(round(x, 6) for x in point["points"]): point for point in solution}
    total = [sum(point["contact_force"][d] for point in nodes.values()) for d in range(3)]
    # The sum of |f| is at most 3 times that of the pressure.
    problems.expect(norm(minus(total, forces)) <= 3 * SINGLE * abs(forces[2]),
                    f"forces of nodes {total} instead of {forces}")
    problems.expect(all(norm(point["contact_force"]) == 0 for place, point in nodes.items()
                        if place[2] > HEIGHT + 1e-6), "contact forces above the bottom")


def check_law(point, velocity, problems):
    """Signorini's and Coulomb's laws between the velocity after a step and its forces."""
    (pressure,), (status,), friction = point["pressure"], point["status"], point["friction"]
    (gap,), z = point["gap"], point["points"][2]
    problems.expect(abs(gap - z) <= 2 * SINGLE * abs(z), f"gap {gap} at the height {z}")
    # On the level of velocities a node may pass the floor in the first step only.
    problems.expect(gap >= -STEP * (abs(VELOCITY[2]) + 1e-2), f"gap {gap}")
    problems.expect(pressure >= 0 and status in (0, 1, 2), f"pressure {pressure}, status {status}")
    problems.expect(friction[2] == 0, f"friction {friction} across the floor")
    sliding = velocity[:2]
    largest = FRICTION * pressure
    if status == 0:
        problems.expect(pressure == 0 and norm(friction) == 0, f"pressure {pressure} of open points")
        return
    problems.expect(pressure > 0, "no pressure where points touch")
    problems.expect(norm(friction) <= largest * (1 + 3 * SINGLE), f"friction {friction}")
    problems.expect(abs(velocity[2]) <= SINGLE + SOLVER, f"velocity {velocity} with pressure")
    if status == 1:
        problems.expect(norm(sliding) <= SINGLE + SOLVER, f"{velocity} where points stick")
    else:
        problems.expect(norm(friction) >= largest * (1 - 1e-6 - 3 * SINGLE), f"friction {friction}")
        # v_T = -|v_T| f / |f|; f has an error of the solvers' tolerance, as v has.
        against = tuple(-norm(sliding) * f / norm(friction) for f in friction[:2])
        problems.expect(norm(minus(sliding, against)) <= 1e-6, f"{sliding} along {friction}")


def check_surface(surface, solution, forces, penetration, degree, problems):
    """The law at each point, and integrals: faces are p + 1 times p + 1 points, row by row."""
    total, n = [0.0, 0.0, 0.0], degree + 1
    face = SIZE[0] / CELLS[0] * SIZE[1] / CELLS[1]
    problems.expect(len(surface) == CELLS[0] * CELLS[1] * n * n, f"{len(surface)} points")
    for i, point in enumerate(surface):
        area = WEIGHTS[degree][i % n] * WEIGHTS[degree][i // n % n] * face
        for d, traction in enumerate(point["friction"][:2] + point["pressure"]):
            total[d] += area * traction
        # The same place in the body as it is.
        distance, nearest = min(
            ((norm(minus(point["points"], tuple(map(sum, zip(each["points"], each["displacement"]))))),
              each) for each in solution), key=lambda pair: pair[0])
        problems.expect(distance < 1e-7, f"{distance} m between surface and body")
        check_law(point, nearest["velocity"], problems)
    problems.expect(norm(minus(total, forces)) <= 3 * SINGLE * abs(forces[2]),
                    f"tractions add up to {total} N instead of {forces}")
    deepest = max(0.0, -min(point["gap"][0] for point in surface))
    problems.expect(abs(deepest - penetration) <= SINGLE * deepest,
                    f"depth {deepest} instead of {penetration}")


def check_run(folder, degree, problems):
    """All frames; returns how many points of the surface have each status."""
    probes, contacts = table(folder, "probes"), table(folder, "contacts")
    solutions, surfaces = frames(folder, "solution"), frames(folder, "contact")
    problems.expect(len(solutions) == len(surfaces) == len(probes[::4]) and
                    all(abs(time - row["time"]) + abs(time - other) < 1e-9 for (time, _), (other, _), row
                        in zip(solutions, surfaces, probes[::4])), "times of the series")
    counts = [0, 0, 0]
    for step, (time, file), (_, surface_file) in zip(range(0, 1000, 4), solutions, surfaces):
        problems.where = f"degree {degree}, step {step}"
        solution, cells, types = points(file)
        n_cells = CELLS[0] * CELLS[1] * CELLS[2] * degree**3
        problems.expect(types == (HEXAHEDRON,) * n_cells, f"cells {types}")
        problems.expect({len(cell) for cell in cells} == {8}, "cells have other corners")
        lengths = {name: len(values) for name, values in solution[0].items()}
        problems.expect(lengths == {"points": 3, "displacement": 3, "velocity": 3,
                                    "contact_force": 3, "stress": 1, "body": 1}, f"{lengths}")
        surface, _, types = points(surface_file)
        problems.expect(types == (QUADRILATERAL,) * (CELLS[0] * CELLS[1] * degree**2), f"{types}")
        row, of_contact = probes[step], contacts[step]
        forces = tuple(row[f"force {d}"] for d in "xyz")
        problems.expect(abs(forces[2] - of_contact["total_force"]) <= 1e-12 * forces[2],
                        f"force {forces} instead of {of_contact['total_force']}")
        if -VELOCITY[2] * time + GRAVITY * time**2 / 2 < HEIGHT:
            check_flight(solution, time, problems)
        check_probes(solution, row, problems)
        check_forces_of_nodes(solution, forces, problems)
        check_surface(surface, solution, forces, of_contact["max_penetration"], degree, problems)
        for point in surface:
            counts[point["status"][0]] += 1
    return counts


def centre(cell):
    return tuple(sum(x) / len(cell) for x in zip(*(corner["points"] for corner in cell)))


def compare(cells, reference, largest, problems):
    """Cells of two pictures have the same values in the same corners."""
    found = [(centre(cell), cell) for cell in cells]
    expected = [(centre(cell), cell) for cell in reference]
    problems.expect(len(found) == len(expected), f"{len(found)} cells")
    for place, cell in expected:
        other = min(found, key=lambda pair, place=place: norm(minus(pair[0], place)))
        found.remove(other)
        for name, scale in largest.items():
            # Velocities of 1 m/s are known to 1e-8; what follows from them, by steps and cells that
            # are small but not tiny, to a hundred times that.
            problems.expect(all(norm(minus(a[name], b[name])) <= 100 * SOLVER * scale
                                for a, b in zip(cell, other[1])), f"{name} at {place}")


def check_ranks(build, reference, problems):
    """On 2 and 4 ranks, one file of each or fewer."""
    for n_ranks, n_files in ((2, 0), (2, 1), (4, 1), (4, 2)):
        problems.where = f"{n_ranks} ranks, {n_files} files"
        with tempfile.TemporaryDirectory() as folder:
            run(build, FILE, folder, *COMMON, f"output/field files={n_files}", n_ranks=n_ranks)
            names = os.listdir(os.path.join(folder, "solution"))
            n = n_files or n_ranks
            ends = [".vtu"] if n == 1 else [".pvtu"] + [f".{i}.vtu" for i in range(n)]
            expected = [f"{name}_{step:08}{end}" for name in ("contact", "solution")
                        for step in range(0, 41, 4) for end in ends]
            problems.expect(sorted(names) == sorted(expected), f"files {sorted(names)}")
            problems.expect({n_pieces(os.path.join(folder, "solution", name)) for name in names
                             if name.endswith(".vtu")} == {n_ranks // n}, "pieces")
            for series in ("solution", "contact"):
                files, others = frames(folder, series), frames(reference, series)
                problems.expect([time for time, _ in files] == [time for time, _ in others], "times")
                pictures = [points(file)[1] for _, file in others]
                largest = {name: max(norm(corner[name]) for cells in pictures for cell in cells
                                     for corner in cell) for name in pictures[0][0][0]}
                for (_, file), cells in zip(files, pictures):
                    compare(points(file)[1], cells, largest, problems)


def check_tensor(build, problems):
    """Cauchy's stress, in the fields that the file asks for: uniaxial with small strains, and simple
    shear of a neo-Hookean block, F = (1, 0.2; 0, 1): mu (F F^T - I) with det F = 1."""
    E, nu, strain = 2e11, 0.3, 1e-4
    mu, small = E / (2 * (1 + nu)), -nu * strain
    shear = ((0.04 * mu, 0.2 * mu, 0), (0.2 * mu, 0, 0), (0, 0, 0))
    cases = (("linear", f"x = {strain}*x; y = {small}*y; z = {small}*z", ((E * strain, 0, 0), (0,) * 3, (0,) * 3)),
             ("neo hooke", "x = 0.2*y", shear))
    for law, displacement, expected in cases:
        problems.where = f"stress tensor, {law}"
        with tempfile.TemporaryDirectory() as folder:
            run(build, FILE, folder, *COMMON, BODY + "material=", BODY + f"law={law}",
                BODY + f"young modulus={E}", BODY + f"poisson ratio={nu}", BODY + "density=7800",
                BODY + f"initial displacement={displacement}", "time/end time=1e-8", "time/step size=1e-8",
                "model/solid 3d/fields=stress_tensor, velocity, stress")
            solution, _, _ = points(frames(folder, "solution")[0][1])
        expected = tuple(number for row in expected for number in row)
        # sqrt(3/2) of the norm of the deviator
        third = sum(expected[::4]) / 3
        equivalent = math.sqrt(1.5) * norm(s - (third if i % 4 == 0 else 0) for i, s in enumerate(expected))
        for point in solution:
            problems.expect(set(point) == {"points", "stress_tensor", "velocity", "stress"}, f"{set(point)}")
            # Gradients over edges of 0.05 m are rounded at 1e-13, which the moduli multiply.
            problems.expect(norm(minus(point["stress_tensor"], expected)) <= SINGLE * norm(expected) + 1e-13 * E,
                            f"{point['stress_tensor']} instead of {expected}")
            problems.expect(abs(point["stress"][0] - equivalent) <= SINGLE * equivalent + 1e-13 * E,
                            f"equivalent stress {point['stress']} instead of {equivalent}")


def check_run_file(build, problems):
    """run.json says how products and solutions are made: doc/linear_solvers.md, doc/models/solid.md."""
    matrix_free = ("model/solid 3d/operator=matrix-free", "linear solver/type=cg",
                   "linear solver/cg/preconditioner=jacobi")
    for cells, degree, others, products, solver in (
            ("4, 2, 2", 1, (), "assembled", "MUMPS"),                  # 135 unknowns
            ("16, 8, 8", 1, (), "assembled", "CG with icc"),            # 4131
            ("4, 2, 2", 2, matrix_free, "matrix-free", "jacobi"),
            ("22, 11, 11", 2, ("linear solver/type=cg", "linear solver/cg/preconditioner=jacobi"),
             "matrix-free", "jacobi")):                                # 71415
        problems.where = f"{cells} cells of degree {degree}"
        with tempfile.TemporaryDirectory() as folder:
            run(build, FILE, folder, BODY + "cells=" + cells, f"model/solid 3d/degree={degree}",
                "output/field interval=0", "time/end time=4e-4", *others)
            with open(os.path.join(folder, "run.json"), encoding="utf-8") as stream:
                found = json.load(stream)
        problems.expect(found.get("operator", "").split(",")[0] == products,
                        f"operator {found.get('operator')}")
        problems.expect(solver.lower() in found["linear_solver"].lower(),
                        f"linear solver {found['linear_solver']}")


def main():
    build, problems = sys.argv[1], Problems()
    for degree in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            run(build, FILE, folder, *COMMON, f"model/solid 3d/degree={degree}")
            counts = check_run(folder, degree, problems)
            problems.expect(min(counts) > 0, f"{counts} points are open, stick and slide")
            if degree == 1:
                check_ranks(build, folder, problems)
    check_tensor(build, problems)
    check_run_file(build, problems)
    print("\n".join(problems[:20]) or "pictures of solids are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
