# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs that write VTU files, which are read with nothing of the program that wrote them."""
import base64
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib

TYPES = {"Float32": "f", "Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}
HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "..", "..", "parameter_files")


def numbers(array):
    """The values of a DataArray: blocks compressed by zlib, in base 64."""
    text = "".join(array.text.split())
    n_blocks = struct.unpack("<I", base64.b64decode(text[:8])[:4])[0]
    n_header = 4 * (3 + n_blocks)
    n_characters = (n_header + 2) // 3 * 4
    header = struct.unpack(f"<{3 + n_blocks}I", base64.b64decode(text[:n_characters])[:n_header])
    data, contents, position = base64.b64decode(text[n_characters:]), b"", 0
    for size in header[3:]:
        contents += zlib.decompress(data[position:position + size])
        position += size
    code = TYPES[array.get("type")]
    return struct.unpack(f"<{len(contents) // struct.calcsize(code)}{code}", contents)


def plain_numbers(array):
    """The values of a DataArray that is not compressed: their bytes are counted first."""
    data = base64.b64decode("".join(array.text.split()))
    order = "<" if sys.byteorder == "little" else ">"
    if struct.unpack(order + "Q", data[:8])[0] != len(data) - 8:
        raise ValueError(f"{array.get('Name')} is not whole")
    code = TYPES[array.get("type")]
    return struct.unpack(f"{order}{(len(data) - 8) // struct.calcsize(code)}{code}", data[8:])


def add_piece(arrays, piece, decode):
    """Points and cells of a piece come after those of the pieces before."""
    first_point = len(arrays.get("points", ())) // 3
    first_place = len(arrays.get("connectivity", ()))
    first = {"connectivity": first_point, "offsets": first_place}
    for part in piece:
        if part.tag == "CellData":
            continue
        for array in part.iter("DataArray"):
            name = array.get("Name") or "points"
            values = decode(array) if int(piece.get("NumberOfPoints")) > 0 else ()
            if name in first:
                values = tuple(value + first[name] for value in values)
            arrays[name] = arrays.get(name, ()) + values


def read(path):
    """The arrays of a file or a list of files by name, and the numbers of points and cells."""
    root = ElementTree.parse(path).getroot()
    if root.get("type") == "PUnstructuredGrid":
        files = [os.path.join(os.path.dirname(path), piece.get("Source"))
                 for piece in root.iter("Piece")]
    else:
        files = [path]
    arrays, n_points, n_cells = {}, 0, 0
    for file in files:
        root = ElementTree.parse(file).getroot()
        decode = numbers if root.get("compressor") else plain_numbers
        for piece in root.findall("UnstructuredGrid/Piece"):
            add_piece(arrays, piece, decode)
            n_points += int(piece.get("NumberOfPoints"))
            n_cells += int(piece.get("NumberOfCells"))
    return arrays, n_points, n_cells


def n_pieces(path):
    """How many pieces a file has."""
    return len(ElementTree.parse(path).getroot().findall("UnstructuredGrid/Piece"))


def run(build, file, folder, *overrides, n_ranks=1):
    mpirun = ["mpirun", "--oversubscribe", "-n", str(n_ranks)] if n_ranks > 1 else []
    command = mpirun + [os.path.join(build, "percuss"), "run", os.path.join(FILES, file),
               "--output", folder]
    for override in overrides:
        command += ["--set", override]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
