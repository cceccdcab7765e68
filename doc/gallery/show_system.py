# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a run of the model 'lagrangian' in ParaView.

    pvbatch doc/gallery/show_system.py RESULTS_FOLDER OUTPUT.png [T0 T1 N]
    PERCUSS_RUN=RESULTS_FOLDER paraview --script=doc/gallery/show_system.py

The drawing of the parameter file: points as spheres, lines as tubes, arrows as
arrows. A picture overlays N times from T0 to T1 (default: 9 times of the whole
run), the last one in full colour. Without a picture to write, the drawing
stays open and follows ParaView's time.
"""

import os
import sys

from paraview.simple import *

POINT, LINE, ARROW = 0, 1, 2
COLOURS = {POINT: [0.70, 0.13, 0.13], LINE: [0.15, 0.15, 0.15], ARROW: [0.10, 0.42, 0.66]}


def arguments():
    """Folder, picture or None, and the numbers after it."""
    words = sys.argv[1:]
    folder = words[0] if words else os.environ.get("PERCUSS_RUN")
    if not folder or not os.path.exists(os.path.join(folder, "solution.pvd")):
        sys.exit("show_system.py: name a folder of results that has a solution.pvd"
                 " (set 'output/field interval' above 0).")
    return folder, words[1] if len(words) > 1 else None, [float(w) for w in words[2:5]]


def of_kind(source, kind):
    part = Threshold(Input=source)
    part.Scalars = ["POINTS", "kind"]
    part.LowerThreshold = kind - 0.5
    part.UpperThreshold = kind + 0.5
    return ExtractSurface(Input=part)


def show(source, view, size, opacity):
    """The drawing at the time of a source."""
    tubes = Tube(Input=of_kind(source, LINE), Radius=0.006 * size)
    spheres = Glyph(Input=of_kind(source, POINT), GlyphType="Sphere", GlyphMode="All Points",
                    ScaleFactor=0.04 * size, ScaleArray=["POINTS", "No scale array"])
    spheres.GlyphType.ThetaResolution = spheres.GlyphType.PhiResolution = 24
    arrows = Glyph(Input=of_kind(source, ARROW), GlyphType="Arrow",
                   GlyphMode="Every Nth Point", Stride=2, ScaleFactor=1,
                   ScaleArray=["POINTS", "arrow"], OrientationArray=["POINTS", "arrow"])
    for kind, part in ((LINE, tubes), (POINT, spheres), (ARROW, arrows)):
        part.UpdatePipeline()
        if part.GetDataInformation().GetNumberOfPoints() == 0:
            continue
        display = Show(part, view)
        display.ColorArrayName = ["POINTS", ""]
        display.AmbientColor = display.DiffuseColor = COLOURS[kind]
        display.Opacity = opacity


def main():
    folder, picture, times = arguments()
    fields = PVDReader(FileName=os.path.join(folder, "solution.pvd"))
    fields.UpdatePipeline()
    view = CreateRenderView(ViewSize=[800, 640], Background=[1, 1, 1],
                            OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
    view.InteractionMode = "2D"
    view.CameraParallelProjection = 1
    bounds = fields.GetDataInformation().GetBounds()
    size = max(bounds[1] - bounds[0], bounds[3] - bounds[2])
    if picture is None:
        show(fields, view, size, 1)
        ResetCamera(view)
        return
    first, last, n = times if times else (fields.TimestepValues[0], fields.TimestepValues[-1], 9)
    for i in range(int(n)):
        wanted = first + (last - first) * i / max(1, n - 1)
        time = min(fields.TimestepValues, key=lambda t: abs(t - wanted))
        is_last = i == int(n) - 1
        show(ForceTime(Input=fields, ForcedTime=time), view, size,
             1 if is_last else 0.12 + 0.2 * i / n)
    ResetCamera(view)
    SaveScreenshot(picture, view, CompressionLevel="9")


main()
