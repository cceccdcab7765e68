# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a run of the model 'multibody' in ParaView.

    pvbatch doc/gallery/show_multibody.py RESULTS_FOLDER OUTPUT.png [T0 T1 N]
    pvbatch doc/gallery/show_multibody.py RESULTS_FOLDER FOLDER/ [T0 T1 N]
    PERCUSS_RUN=RESULTS_FOLDER paraview --script=doc/gallery/show_multibody.py

A picture overlays N times from T0 to T1 (default: 7 times of the whole run), early
ones paler. A folder, with a slash at its end, gets one picture for each time, for a
film. Beams are tubes, coloured by their bending moment; joints are small balls, point
masses larger ones; arrows are reactions of joints and forces of contacts (in films and
in ParaView's window). The camera looks along y, or along the direction in which the system is
thinnest.
"""

import math
import os
import sys

from paraview.simple import *

BEAM, RIGID, JOINT, CONTACT, MASS = range(5)
DARK = [0.15, 0.15, 0.15]
COLOURS = {RIGID: [0.55, 0.58, 0.62], JOINT: [0.15, 0.15, 0.15], CONTACT: [0.85, 0.33, 0.0],
           MASS: [0.70, 0.13, 0.13], "reaction": [0.10, 0.42, 0.66]}


def arguments():
    """Folder, picture or None, and the numbers after it."""
    words = sys.argv[1:]
    folder = words[0] if words else os.environ.get("PERCUSS_RUN")
    if not folder or not os.path.exists(os.path.join(folder, "solution.pvd")):
        sys.exit("show_multibody.py: name a folder of results that has a solution.pvd"
                 " (set 'output/field interval' above 0).")
    return folder, words[1] if len(words) > 1 else None, [float(w) for w in words[2:5]]


def paint(display, colour, opacity=1):
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour
    display.Opacity = opacity


def is_empty(source):
    source.UpdatePipeline()
    return source.GetDataInformation().GetNumberOfPoints() == 0


class System:
    """The run in one view."""

    def __init__(self, folder, view):
        self.view = view
        self.fields = PVDReader(FileName=os.path.join(folder, "solution.pvd"))
        self.times = list(self.fields.TimestepValues)
        bounds = [math.inf, -math.inf] * 3
        self.moment, self.force = 0.0, 0.0
        for time in self.times:
            self.fields.UpdatePipeline(time)
            here = self.fields.GetDataInformation().GetBounds()
            bounds = [(min, max)[i % 2](bounds[i], here[i]) for i in range(6)]
            self.moment = max(self.moment, self.largest("section_moment"))
            self.force = max(self.force, self.largest("reaction_force"),
                             self.largest("contact_force"))
        self.bounds = bounds
        self.size = max(bounds[i + 1] - bounds[i] for i in (0, 2, 4))

    def largest(self, name):
        array = self.fields.PointData.GetArray(name)
        return max(abs(bound) for bound in array.GetRange(-1)) if array else 0

    def at(self, wanted):
        time = min(self.times, key=lambda t: abs(t - wanted))
        return time, ForceTime(Input=self.fields, ForcedTime=time)

    def of_kind(self, source, kind):
        part = Threshold(Input=source)
        part.Scalars = ["CELLS", "kind"]
        part.LowerThreshold, part.UpperThreshold = kind - 0.5, kind + 0.5
        return ExtractSurface(Input=part)

    def show(self, source, opacity, with_arrows):
        """Returns how the beams look."""
        look = self.show_beams(source, opacity)
        bodies = self.of_kind(source, RIGID)
        if not is_empty(bodies):
            paint(Show(bodies, self.view), COLOURS[RIGID], opacity)
        for kind, diameter in ((JOINT, 0.012), (MASS, 0.035)):
            self.show_balls(source, kind, diameter * self.size, opacity)
        if with_arrows:
            self.show_arrows(source, JOINT, "reaction_force", COLOURS["reaction"])
            self.show_arrows(source, CONTACT, "contact_force", COLOURS[CONTACT])
        return look

    def show_beams(self, source, opacity):
        """Tubes, which are at least as thick as a line that can be seen."""
        beams = self.of_kind(source, BEAM)
        if is_empty(beams):
            return None
        thick = Calculator(Input=beams, ResultArrayName="tube",
                           Function=f"max(radius, {0.004 * self.size})")
        bending = Calculator(Input=thick, ResultArrayName="bending", Function=(
            "sqrt(section_moment_X*section_moment_X + section_moment_Y*section_moment_Y)"))
        tube = Tube(Input=bending, Scalars=["POINTS", "tube"], NumberofSides=16,
                    VaryRadius="By Absolute Scalar")
        look = Show(tube, self.view)
        ColorBy(look, ("POINTS", "bending"))
        look.Opacity = opacity
        table = GetColorTransferFunction("bending")
        table.AutomaticRescaleRangeMode = "Never"
        table.ApplyPreset("Viridis (matplotlib)", True)
        table.RescaleTransferFunction(0, self.moment)
        return look

    def show_balls(self, source, kind, diameter, opacity):
        points = self.of_kind(source, kind)
        if is_empty(points):
            return
        balls = Glyph(Input=points, GlyphType="Sphere", GlyphMode="All Points",
                      ScaleFactor=diameter, ScaleArray=["POINTS", "No scale array"])
        balls.GlyphType.ThetaResolution = balls.GlyphType.PhiResolution = 24
        paint(Show(balls, self.view), COLOURS[kind], opacity)

    def show_arrows(self, source, kind, field, colour):
        points = self.of_kind(source, kind)
        if self.force == 0 or is_empty(points):
            return
        arrows = Glyph(Input=points, GlyphType="Arrow", GlyphMode="All Points",
                       OrientationArray=["POINTS", field], ScaleArray=["POINTS", field],
                       VectorScaleMode="Scale by Magnitude",
                       ScaleFactor=0.25 * self.size / self.force)
        paint(Show(arrows, self.view), colour)

    def set_camera(self):
        """Looks along y; along z or x where the system is thinner in this direction."""
        low, high = self.bounds[0::2], self.bounds[1::2]
        extent = [b - a for a, b in zip(low, high)]
        axis = min((1, 2, 0), key=lambda c: round(extent[c] / self.size, 3))
        right, up = {0: (1, 2), 1: (0, 2), 2: (0, 1)}[axis]
        middle = [(a + b) / 2 for a, b in zip(low, high)]
        middle[up] -= 0.03 * self.size
        position = list(middle)
        position[axis] += (-5 if axis == 1 else 5) * self.size
        self.view.InteractionMode = "2D"
        self.view.CameraParallelProjection = 1
        self.view.CameraFocalPoint = middle
        self.view.CameraPosition = position
        self.view.CameraViewUp = [float(c == up) for c in range(3)]
        width, height = self.view.ViewSize
        self.view.CameraParallelScale = 0.56 * max(extent[up] + 0.2 * self.size,
                                                   extent[right] * height / width)


def show_title(text, view):
    look = Show(Text(Text=text), view, "TextSourceRepresentation")
    look.WindowLocation = "Upper Center"
    look.Color = DARK
    look.FontSize = 18


def show_color_bar(look, view):
    if look is None:
        return
    bar = GetScalarBar(look.LookupTable, view)
    bar.Title, bar.ComponentTitle = "bending moment in N m", ""
    bar.TitleColor = bar.LabelColor = DARK
    bar.TitleFontSize = bar.LabelFontSize = 16
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Lower Center"
    bar.ScalarBarLength = 0.4
    bar.AutomaticLabelFormat, bar.LabelFormat = 0, "%.2g"
    bar.AddRangeLabels, bar.RangeLabelFormat = 1, "%.2g"
    look.SetScalarBarVisibility(view, True)


def overlay(system, view, wanted, picture):
    """All times in one picture, the last one in full colour."""
    shown = []
    for i, t in enumerate(wanted):
        time, source = system.at(t)
        is_last = i == len(wanted) - 1
        look = system.show(source, 1 if is_last else 0.25 + 0.45 * i / len(wanted), False)
        shown.append(f"{time:.3g}")
    show_color_bar(look, view)
    show_title(f"t = {', '.join(shown)} s; the later, the stronger", view)
    SaveScreenshot(picture, view, CompressionLevel="9")


def film(system, view, wanted, folder):
    """One picture for each time."""
    os.makedirs(folder, exist_ok=True)
    look = system.show(system.fields, 1, True)
    show_color_bar(look, view)
    text = Text()
    label = Show(text, view, "TextSourceRepresentation")
    label.WindowLocation, label.Color, label.FontSize = "Upper Center", DARK, 18
    scene = GetAnimationScene()
    for i, t in enumerate(wanted):
        time = min(system.times, key=lambda other: abs(other - t))
        scene.AnimationTime = view.ViewTime = time
        text.Text = f"t = {time:.3f} s; arrows: joints and contacts, at most {system.force:.3g} N"
        SaveScreenshot(os.path.join(folder, f"frame_{i:04d}.png"), view)


def main():
    folder, picture, times = arguments()
    view = CreateRenderView(ViewSize=[1000, 560], Background=[1, 1, 1],
                            OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
    system = System(folder, view)
    system.set_camera()
    if picture is None:
        show_color_bar(system.show(system.fields, 1, True), view)
        return
    first, last, n = times if times else (system.times[0], system.times[-1], 7)
    wanted = [first + (last - first) * i / max(1, n - 1) for i in range(int(n))]
    if picture.endswith("/"):
        film(system, view, wanted, picture)
    else:
        overlay(system, view, wanted, picture)


main()
