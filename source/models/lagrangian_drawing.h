// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/field_folder.h>

#include <string>
#include <vector>

#include "lagrangian_entries.h"

namespace Percuss
{
  /// Points, lines and arrows that the file draws a system with, for ParaView.
  class LagrangianDrawing
  {
  public:
    LagrangianDrawing(const LagrangianParameters &parameters,
                      const LagrangianNames      &names);

    /// Writes the drawing at the values of the variables; null on ranks that
    /// do not draw. Each segment has the number of its item as "part", counted
    /// over points, lines and arrows in the order of the file; "kind" is 0 for
    /// a point, 1 for a line and 2 for an arrow, which also has its vector.
    std::string
    write(const double      *variables,
          const FieldFolder &folder,
          const std::string &name,
          double             time,
          MPI_Comm           communicator) const;

  private:
    /// A segment from one point to another, both of three formulas.
    struct Segment
    {
      unsigned int kind, part;
      unsigned int from, to; ///< numbers of points
    };

    /// Reads a point of two or three formulas and returns its number.
    unsigned int
    add_point(const FormulaEntry    &entry,
              const std::string     &piece,
              const LagrangianNames &names);

    std::vector<Formula>        coordinates; ///< three for each point
    std::vector<Segment>        segments;
    CompiledFormulas            compiled;
    mutable std::vector<double> places;
  };
} // namespace Percuss
