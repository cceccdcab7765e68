# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a run of a solid in space in ParaView at some times, side by side, where it is then:
the speed, and the cells.

    pvbatch doc/gallery/show_solid_3d.py RESULTS_FOLDER OUTPUT.png CAMERA HEIGHT TIME...

CAMERA is the direction from the middle of the bodies to the eye, as "0,-3,2"; z points
upwards. HEIGHT is that of a picture, in m.
"""

import os
import sys

from paraview.simple import *

WIDTH, PIXELS = 320, 480  # of a picture


def arguments():
    """Folder, picture, direction, height, times."""
    words = sys.argv[1:]
    if len(words) < 5 or not os.path.exists(os.path.join(words[0], "solution.pvd")):
        sys.exit("show_solid_3d.py: name a folder of results that has a solution.pvd (set"
                 " 'output/field interval' above 0), a picture, a direction, a height and times.")
    direction = [float(word) for word in words[2].split(",")]
    return words[0], words[1], direction, float(words[3]), [float(word) for word in words[4:]]


def draw(source, time, direction, height):
    view = CreateView("RenderView")
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    view.CameraParallelProjection = 1
    bounds = source.GetDataInformation().GetBounds()
    centre = [(bounds[2 * d] + bounds[2 * d + 1]) / 2 for d in range(3)]
    view.CameraFocalPoint = centre
    view.CameraPosition = [c + d for c, d in zip(centre, direction)]
    view.CameraViewUp = [0, 0, 1]
    view.CameraParallelScale = height / 2
    display = Show(source, view)
    display.SetRepresentationType("Surface With Edges")
    ColorBy(display, ("POINTS", "velocity", "Magnitude"))
    display.SetScalarBarVisibility(view, False)
    label = Show(Text(Text=f"t = {1e3 * time:.4g} ms"), view)
    label.Color, label.FontSize = [0, 0, 0], 14
    return view


def main():
    folder, picture, direction, height, times = arguments()
    fields = PVDReader(FileName=os.path.join(folder, "solution.pvd"))
    known = list(fields.TimestepValues)
    times = [min(known, key=lambda t: abs(t - wanted)) for wanted in times]
    layout = CreateLayout("solid")
    cell = 0
    for i, time in enumerate(times):
        here = cell
        if i + 1 < len(times):
            layout.SplitHorizontal(cell, 1 / (len(times) - i))
            here, cell = 2 * cell + 1, 2 * cell + 2
        source = ForceTime(Input=fields, ForcedTime=time)
        source = WarpByVector(Input=source, Vectors=["POINTS", "displacement"])
        source.UpdatePipeline()
        layout.AssignView(here, draw(source, time, direction, height))
    size = [WIDTH * len(times), PIXELS]
    layout.SetSize(size)
    SaveScreenshot(picture, layout, ImageResolution=size)


main()
