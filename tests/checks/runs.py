# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs of a small bar that are interrupted, and their comparison."""
import os
import signal
import subprocess
import xml.etree.ElementTree

PARAMETERS = """
subsection model
  set type = bar
  subsection bar
    set elements         = 300
    set initial velocity = -0.1
    subsection left end
      set condition = wall
      set gap       = 1e-5
    end
  end
end
subsection time
  set step size = 1e-6
  set end time  = {n_steps}e-6
end
subsection output
  set field interval = 25
  set probes         = left = velocity at 0; right = displacement at 1
end
subsection checkpoint
  set step interval = {checkpoint_interval}
end
"""
TABLES = ("energy.csv", "contacts.csv", "probes.csv", "space_time.csv", "exact.csv")
SECONDS = 60


class Failure(Exception):
    """A run did not do what it must."""


class Program:
    """The program, in a folder with one parameter file."""

    def __init__(self, build_folder, folder, n_steps, checkpoint_interval,
                 file="bar.prm"):
        self.path = os.path.join(os.path.abspath(build_folder), "percuss")
        self.folder = folder
        self.file = file  # another one than bar.prm may be anywhere
        with open(os.path.join(folder, "bar.prm"), "w", encoding="utf-8") as stream:
            stream.write(PARAMETERS.format(n_steps=n_steps,
                                           checkpoint_interval=checkpoint_interval))

    def start(self, results, *options, n_ranks=1):
        """A process that writes into a folder of results."""
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           HWLOC_COMPONENTS=os.environ.get("HWLOC_COMPONENTS", "-gl"))
        if n_ranks == 1:  # spares MPI the search for networks
            environment.update(OMPI_MCA_pml="ob1", OMPI_MCA_btl="self")
        mpi = ["mpirun", "-q", "--oversubscribe", "-n", str(n_ranks)] if n_ranks > 1 else []
        return subprocess.Popen(mpi + [self.path, "run", self.file, "--output", results, *options],
                                cwd=self.folder, env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def run(self, results, *options, code=0, n_ranks=1):
        """Runs to the end and returns stderr."""
        process = self.start(results, *options, n_ranks=n_ranks)
        return finish(process, code)

    def results(self, name):
        return os.path.join(self.folder, name)


def finish(process, code):
    """Waits for a process, which must end with the given code."""
    try:
        errors = process.communicate(timeout=SECONDS)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        raise Failure(f"not finished after {SECONDS} s: {process.args}") from None
    if process.returncode != code:
        raise Failure(f"exit code {process.returncode} instead of {code}: {process.args}: {errors}")
    return errors


def contents(*path):
    with open(os.path.join(*path), "rb") as stream:
        return stream.read()


def elements(path, name):
    """The elements of that name in an XML file, which must be well-formed."""
    try:
        return list(xml.etree.ElementTree.parse(path).iter(name))
    except xml.etree.ElementTree.ParseError as error:
        raise Failure(f"{path}: {error}") from None


def frames(results):
    """(time, file) of the series of fields."""
    return [(data.get("timestep"), data.get("file"))
            for data in elements(os.path.join(results, "solution.pvd"), "DataSet")]


def fields(path):
    """The arrays of a VTU file, encoded as they are."""
    return [(array.get("Name"), array.text) for array in elements(path, "DataArray")]


def compare_tables(results, reference):
    """Tables of two runs are alike, bit for bit."""
    for table in TABLES:
        if not os.path.exists(os.path.join(reference, table)):
            continue  # models without a line, or without a known motion
        if contents(results, table) != contents(reference, table):
            raise Failure(f"{results}/{table} differs from the run without interruption")


def compare(results, reference):
    """Tables and fields of two runs are alike, bit for bit."""
    compare_tables(results, reference)
    listed = frames(results)
    if listed != frames(reference):
        raise Failure(f"{results}/solution.pvd lists other frames")
    written = sorted("solution/" + name for name in os.listdir(os.path.join(results, "solution")))
    if written != sorted(file for _, file in listed):
        raise Failure(f"{results}/solution holds other files than solution.pvd lists")
    for _, file in listed:
        if fields(os.path.join(results, file)) != fields(os.path.join(reference, file)):
            raise Failure(f"{results}/{file} differs from the run without interruption")
