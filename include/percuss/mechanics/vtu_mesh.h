// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/field_folder.h>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace Percuss
{
  /// A part of a picture in space with cells of several kinds, which share
  /// their points: lines that a tube can follow, surfaces, single points.
  class VtuMesh
  {
  public:
    /// VTK's numbers.
    enum class Cell : std::uint8_t
    {
      vertex        = 1,
      polyline      = 4,
      triangle      = 5,
      polygon       = 7,
      quadrilateral = 9
    };

    /// Values of points or cells.
    struct Field
    {
      std::string         name;
      unsigned int        n_components = 1;
      bool                is_integer   = false;
      std::vector<double> values; ///< component by component of each point
    };

    /// @returns the number of the new point
    unsigned int
    add_point(const std::array<double, 3> &x);

    void
    add_cell(Cell type, const std::vector<unsigned int> &points);

    unsigned int
    n_points() const
    {
      return static_cast<unsigned int>(coordinates.size() / 3);
    }

    unsigned int
    n_cells() const
    {
      return static_cast<unsigned int>(types.size());
    }

    /// Writes FOLDER/NAME.vtu where there is one file, NAME.F.vtu and NAME.pvtu
    /// where there are several, each as a whole, and returns the name of the
    /// file to open. All ranks have the same fields. Collective.
    /// @throws Error with ExitCode::io, for example when the disk is full
    std::string
    write(const FieldFolder &folder,
          const std::string &name,
          double             time,
          MPI_Comm           communicator) const;

    std::vector<Field> point_fields; ///< all points have values
    std::vector<Field> cell_fields;  ///< all cells have values

  private:
    std::string
    piece(double time) const;

    std::string
    record(const std::vector<std::string> &pieces) const;

    std::vector<double>        coordinates;
    std::vector<std::uint64_t> connectivity, offsets;
    std::vector<std::uint8_t>  types;
  };
} // namespace Percuss
