// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "lagrangian_drawing.h"

#include <percuss/mechanics/vtu.h>

namespace Percuss
{
  namespace
  {
    enum Kind : unsigned int
    {
      point,
      line,
      arrow
    };
  }



  LagrangianDrawing::LagrangianDrawing(const LagrangianParameters &parameters,
                                       const LagrangianNames      &names)
  {
    unsigned int       part = 0;
    const FormulaEntry points("drawing/points", parameters.drawing.points);
    for (const auto &item : points.items())
      {
        const unsigned int number = add_point(points, item.text, names);
        segments.push_back({point, part++, number, number});
      }
    const FormulaEntry lines("drawing/lines", parameters.drawing.lines);
    for (const auto &item : lines.items())
      {
        const auto pieces = lines.split(item.text, "->");
        if (pieces.size() < 2)
          lines.refuse("'" + item.name +
                       "' has one point only; write '0, 0 -> x, y'.");
        unsigned int from = add_point(lines, pieces[0], names);
        for (std::size_t i = 1; i < pieces.size(); ++i)
          {
            const unsigned int to = add_point(lines, pieces[i], names);
            segments.push_back({line, part, from, to});
            from = to;
          }
        ++part;
      }
    const FormulaEntry arrows("drawing/arrows", parameters.drawing.arrows);
    for (const auto &item : arrows.items())
      {
        const auto pieces = arrows.split(item.text, "->");
        if (pieces.size() != 2)
          arrows.refuse("'" + item.name +
                        "' is no arrow; write 'x, y -> 0, -m*g'.");
        const unsigned int from = add_point(arrows, pieces[0], names);
        const unsigned int to   = add_point(arrows, pieces[1], names);
        for (unsigned int i = 0; i < 3; ++i)
          coordinates[3 * to + i] += coordinates[3 * from + i];
        segments.push_back({arrow, part++, from, to});
      }
    compiled = CompiledFormulas(coordinates, names.all);
    places.resize(coordinates.size());
  }



  unsigned int
  LagrangianDrawing::add_point(const FormulaEntry    &entry,
                               const std::string     &piece,
                               const LagrangianNames &names)
  {
    const auto pieces = entry.split(piece, ",");
    if (pieces.size() < 2 || pieces.size() > 3)
      entry.refuse("a point has two or three coordinates, as 'x, y'.");
    for (const auto &coordinate : pieces)
      coordinates.push_back(entry.formula(coordinate, names.all));
    if (pieces.size() == 2)
      coordinates.emplace_back(0.);
    return static_cast<unsigned int>(coordinates.size() / 3 - 1);
  }



  std::string
  LagrangianDrawing::write(const double      *variables,
                           const FieldFolder &folder,
                           const std::string &name,
                           const double       time,
                           const MPI_Comm     communicator) const
  {
    FieldPatches<1, 3> fields;
    fields.vectors = {"arrow"};
    fields.names   = {"kind", "part"};
    if (variables != nullptr)
      {
        compiled.evaluate(variables, places.data());
        for (const Segment &segment : segments)
          {
            auto patch = FieldPatches<1, 3>::make_patch();
            patch.data.reinit(5, 2);
            patch.patch_index =
              static_cast<unsigned int>(fields.patches.size());
            for (unsigned int i = 0; i < 3; ++i)
              {
                const double from    = places[3 * segment.from + i];
                const double to      = places[3 * segment.to + i];
                patch.vertices[0][i] = from;
                patch.vertices[1][i] = to;
                if (segment.kind == arrow)
                  patch.data(i, 0) = static_cast<float>(to - from);
              }
            for (unsigned int end = 0; end < 2; ++end)
              {
                patch.data(3, end) = static_cast<float>(segment.kind);
                patch.data(4, end) = static_cast<float>(segment.part);
              }
            fields.patches.push_back(patch);
          }
      }
    return write_vtu(fields, folder, name, time, communicator);
  }
} // namespace Percuss
