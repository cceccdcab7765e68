# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a run of a solid in the plane in ParaView at some times, one below the other, where
it is then: the velocity along y, and the cells.

    pvbatch doc/gallery/show_solid.py RESULTS_FOLDER OUTPUT.png LOWEST HIGHEST [TIME...]

Colours go from the LOWEST to the HIGHEST velocity in m/s. Without times: the first one,
two between, the last one.
"""

import os
import sys

from paraview.simple import *

WIDTH, HEIGHT = 640, 350  # of a picture


def arguments():
    """Folder, picture, range of the velocity, times."""
    words = sys.argv[1:]
    if len(words) < 4 or not os.path.exists(os.path.join(words[0], "solution.pvd")):
        sys.exit("show_solid.py: name a folder of results that has a solution.pvd (set"
                 " 'output/field interval' above 0), a picture and two velocities.")
    numbers = [float(word) for word in words[2:]]
    return words[0], words[1], numbers[:2], numbers[2:]


def make_view(bounds):
    view = CreateView("RenderView")
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    view.CameraParallelProjection = 1
    centre = [(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2]
    view.CameraPosition, view.CameraFocalPoint = centre + [1], centre + [0]
    view.CameraParallelScale = 0.56 * max(bounds[3] - bounds[2],
                                          (bounds[1] - bounds[0]) * HEIGHT / WIDTH)
    return view


def draw_velocity(source, time, limits):
    view = make_view(source.GetDataInformation().GetBounds())
    display = Show(source, view)
    ColorBy(display, ("POINTS", "velocity", "Y"))
    colours = GetColorTransferFunction("velocity")
    colours.ApplyPreset("Cool to Warm (Extended)", True)
    colours.RescaleTransferFunction(*limits)
    display.SetScalarBarVisibility(view, False)
    label = Show(Text(Text=f"t = {1e3 * time:.4g} ms"), view)
    label.Color, label.FontSize = [0, 0, 0], 14
    return view


def draw_cells(source):
    view = make_view(source.GetDataInformation().GetBounds())
    display = Show(source, view)
    display.SetRepresentationType("Wireframe")
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = [0.1, 0.1, 0.1]
    return view


def main():
    folder, picture, limits, times = arguments()
    fields = PVDReader(FileName=os.path.join(folder, "solution.pvd"))
    known = list(fields.TimestepValues)
    if not times:
        times = [known[i * (len(known) - 1) // 3] for i in range(4)]
    times = [min(known, key=lambda t: abs(t - wanted)) for wanted in times]
    layout = CreateLayout("solid")
    cell = 0
    for i, time in enumerate(times):
        row = cell
        if i + 1 < len(times):
            layout.SplitVertical(cell, 1 / (len(times) - i))
            row, cell = 2 * cell + 1, 2 * cell + 2
        source = ForceTime(Input=fields, ForcedTime=time)
        source = WarpByVector(Input=source, Vectors=["POINTS", "displacement"])
        source.UpdatePipeline()
        layout.SplitHorizontal(row, 0.5)
        layout.AssignView(2 * row + 1, draw_velocity(source, time, limits))
        layout.AssignView(2 * row + 2, draw_cells(source))
    size = [2 * WIDTH, HEIGHT * len(times)]
    layout.SetSize(size)
    SaveScreenshot(picture, layout, ImageResolution=size)


main()
