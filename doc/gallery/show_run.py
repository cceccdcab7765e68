# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a run of the bar in ParaView.

    pvbatch doc/gallery/show_run.py RESULTS_FOLDER OUTPUT.png
    PERCUSS_RUN=RESULTS_FOLDER paraview --script=doc/gallery/show_run.py

Left: the bar at some times, coloured by its velocity, with displacements
enlarged, the walls, and the contact force as an arrow. Right: the velocity over
x and t. With a picture to write, the script ends; without one, the views
stay open, and the bar at the top follows ParaView's time.
"""

import json
import math
import os
import sys

from paraview.simple import *

ROW = 0.2  # distance between two bars in the picture, per length of the bar
RADIUS = 0.025
DARK = [0.15, 0.15, 0.15]


def arguments():
    """The folder of the results, and the picture to write or None."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    folder = words[0] if words else os.environ.get("PERCUSS_RUN")
    if not folder or not os.path.exists(os.path.join(folder, "solution.pvd")):
        sys.exit("show_run.py: name a folder of results that has a solution.pvd"
                 " (set 'output/field interval' above 0).")
    return folder, words[1] if len(words) > 1 else None


def read_parameters(path):
    """The entries of a parameters.prm as {"model/bar/length": "1"}."""
    entries, sections = {}, []
    for line in open(path):
        line = line.strip()
        if line.startswith("subsection "):
            sections.append(line[len("subsection "):])
        elif line == "end":
            sections.pop()
        elif line.startswith("set "):
            name, value = line[len("set "):].split("=", 1)
            entries["/".join(sections + [name.strip()])] = value.strip()
    return entries


def one_digit(number):
    """1234 -> 1000."""
    power = 10.0 ** math.floor(math.log10(number))
    return power * math.floor(number / power)


def paint(look, color):
    look.ColorArrayName = ["POINTS", ""]
    look.DiffuseColor = look.AmbientColor = color


def snapshots(run, times):
    """Start, three times within the contacts, end; of the written times."""
    values = run["final_values"]
    first = values.get("first contact", times[0])
    last = values.get("last contact", times[-1])
    wanted = [times[0]]
    wanted += [first + part * (last - first) for part in (0.25, 0.5, 0.75)]
    wanted += [times[-1]]
    return [min(times, key=lambda time: abs(time - t)) for t in wanted]


class Bar:
    """The bar in one view."""

    def __init__(self, folder, view):
        self.view = view
        self.parameters = read_parameters(os.path.join(folder, "parameters.prm"))
        self.run = json.load(open(os.path.join(folder, "run.json")))
        if self.run["model"] != "bar":
            sys.exit(f"show_run.py: '{folder}' is not a run of the model 'bar'.")
        self.length = float(self.parameters["model/bar/length"])
        self.fields = PVDReader(FileName=os.path.join(folder, "solution.pvd"))
        self.times = list(self.fields.TimestepValues)
        self.time_unit = (1000, "ms") if self.times[-1] < 0.1 else (1, "s")
        self.largest = {"displacement": 0.0, "velocity": 0.0, "contact_force": 0.0}
        for time in self.times:
            self.fields.UpdatePipeline(time)
            for name in self.largest:
                low, high = self.fields.PointData[name].GetRange(0)
                self.largest[name] = max(self.largest[name], -low, high)
        largest = self.largest["displacement"]
        self.scale = one_digit(0.1 * self.length / largest) if largest > 0 else 1

    def show_row(self, row, time=None):
        """Draws the bar at @p time, or at ParaView's time."""
        y = -row * ROW * self.length
        source = self.fields
        if time is not None:
            source = ForceTime(Input=self.fields, ForcedTime=time)
        moved = Calculator(Input=source, CoordinateResults=1, Function=(
            f"coords + {self.scale}*displacement + {y}*jHat"))
        tube = Tube(Input=ExtractSurface(Input=moved),
                    Radius=RADIUS * self.length, NumberofSides=24)
        look = Show(tube, self.view)
        ColorBy(look, ("POINTS", "velocity", "X"))
        self.show_force(moved)
        factor, unit = self.time_unit
        label = "now" if time is None else f"{factor * time:.4g} {unit}"
        write(self.view, label, 1.06 * self.length, y - 0.015 * self.length)
        return look

    def set_colors(self, look):
        speed = self.largest["velocity"]
        look.LookupTable.AutomaticRescaleRangeMode = "Never"
        look.LookupTable.RescaleTransferFunction(-speed, speed)

    def show_force(self, moved):
        """An arrow of the contact force, below the bar."""
        if self.largest["contact_force"] == 0:
            return
        below = Calculator(Input=moved, CoordinateResults=1, Function=(
            f"coords - {2.2 * RADIUS * self.length}*jHat"))
        arrows = Glyph(Input=below, GlyphType="Arrow")
        arrows.OrientationArray = ["POINTS", "contact_force"]
        arrows.ScaleArray = ["POINTS", "contact_force"]
        arrows.VectorScaleMode = "Scale by Magnitude"
        arrows.ScaleFactor = 0.2 * self.length / self.largest["contact_force"]
        arrows.GlyphMode = "All Points"
        arrows.GlyphType.TipRadius = 0.08
        arrows.GlyphType.ShaftRadius = 0.035
        look = Show(arrows, self.view)
        paint(look, [0.85, 0.33, 0.0])

    def show_walls(self, n_rows):
        for end, x, side in (("left", 0, -1), ("right", self.length, 1)):
            path = f"model/bar/{end} end/"
            if self.parameters[path + "condition"] != "wall":
                continue
            gap = float(self.parameters[path + "gap"])
            height = (n_rows - 0.2) * ROW * self.length
            thickness = 0.02 * self.length
            wall = Box(XLength=thickness, YLength=height, ZLength=0.1 * self.length)
            wall.Center = [x + side * (self.scale * gap + thickness / 2),
                           -(n_rows - 1) / 2 * ROW * self.length, 0]
            paint(Show(wall, self.view), [0.45, 0.45, 0.45])


def write(view, text, x, y):
    look = Show(Text(Text=text), view, "TextSourceRepresentation")
    look.TextPropMode = "Billboard 3D Text"
    look.BillboardPosition = [x, y, 0]
    look.Color = DARK
    look.FontSize = 20


def show_title(text, view):
    look = Show(Text(Text=text), view, "TextSourceRepresentation")
    look.WindowLocation = "Upper Center"
    look.Color = DARK
    look.FontSize = 20


def show_color_bar(look, view, title, component):
    table = look.LookupTable
    bar = GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = title, component
    bar.TitleColor = bar.LabelColor = DARK
    bar.TitleFontSize = bar.LabelFontSize = 20
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Lower Center"
    bar.ScalarBarLength = 0.5
    bar.AutomaticLabelFormat, bar.LabelFormat = 0, "%.3g"
    bar.AddRangeLabels, bar.RangeLabelFormat = 1, "%.3g"
    look.SetScalarBarVisibility(view, True)


def set_camera(view, center, half_height):
    view.InteractionMode = "2D"
    view.CameraParallelProjection = 1
    view.CameraPosition = [center[0], center[1], 10 * half_height]
    view.CameraFocalPoint = [center[0], center[1], 0]
    view.CameraViewUp = [0, 1, 0]
    view.CameraParallelScale = half_height


def make_view(layout, hint, size):
    view = CreateView("RenderView")
    layout.AssignView(hint, view)
    view.ViewSize = size
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    return view


def show_bars(folder, view, with_present):
    bar = Bar(folder, view)
    times = snapshots(bar.run, bar.times)
    rows = ([None] if with_present else []) + times
    looks = [bar.show_row(row, time) for row, time in enumerate(rows)]
    bar.show_walls(len(rows))
    bar.set_colors(looks[0])
    show_color_bar(looks[0], view, "velocity", "in m/s")
    show_title(f"bar, displacements x {bar.scale:g}; arrow: contact force, "
               f"at most {bar.largest['contact_force']:.4g} N", view)
    middle = -(len(rows) - 1) / 2 * ROW * bar.length
    set_camera(view, (0.57 * bar.length, middle - 0.05 * bar.length),
               (0.1 * len(rows) + 0.1) * bar.length)
    return bar


def show_space_time(folder, view, bar):
    """The velocity over x (to the right) and t (upward)."""
    picture = XMLUnstructuredGridReader(
        FileName=[os.path.join(folder, "space_time.vtu")])
    factor, unit = bar.time_unit
    plane = Calculator(Input=picture, CoordinateResults=1,
                       Function=f"iHat*x + jHat*{factor}*time")
    slopes = Gradient(Input=plane, ScalarArray=["POINTS", "displacement"],
                      ResultArrayName="slope")
    velocity = Calculator(Input=slopes, Function=f"{factor}*slope_Y",
                          ResultArrayName="velocity")
    look = Show(velocity, view)
    look.Representation = "Surface"
    look.Scale = [1 / bar.length, 1 / (factor * bar.times[-1]), 1]
    ColorBy(look, ("POINTS", "velocity"))
    bar.set_colors(look)
    look.Ambient, look.Diffuse = 1.0, 0.0
    show_color_bar(look, view, "velocity", "in m/s")
    show_axes(view.AxesGrid, look.Scale)
    write(view, f"t in {unit}", -0.13, 1.03)
    show_title("velocity over x and t: waves are straight lines", view)
    set_camera(view, (0.46, 0.43), 0.68)


def show_axes(axes, scale):
    axes.Visibility = 1
    axes.DataScale = scale
    axes.XTitle, axes.YTitle, axes.ZTitle = "x in m", "", ""
    axes.AxesToLabel = 1 + 2  # smallest x, smallest y
    axes.GridColor = DARK
    for letter in "XY":
        for part in ("Title", "Label"):
            setattr(axes, f"{letter}{part}Color", DARK)
            setattr(axes, f"{letter}{part}FontSize", 20)


def main():
    folder, picture = arguments()
    layout = CreateLayout("Percuss")
    left = make_view(layout, 0, [900, 800])
    layout.SplitHorizontal(0, 0.55)
    bar = show_bars(folder, left, with_present=picture is None)
    right = make_view(layout, 2, [740, 800])
    if os.path.exists(os.path.join(folder, "space_time.vtu")):
        show_space_time(folder, right, bar)
    layout.SetSize(1640, 800)
    if picture is not None:
        RenderAllViews()
        SaveScreenshot(picture, layout, ImageResolution=[1640, 800])


main()
