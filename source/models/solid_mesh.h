// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/distributed/tria.h>

#include <string>
#include <vector>

#include "solid_entries.h"

namespace Percuss
{
  /// The cells of all bodies, distributed by p4est: all ranks know the coarse
  /// cells, the others are known to the ranks that own them and their
  /// neighbours. Bodies do not share nodes, not even where they touch. A body
  /// has one or more parts, each of one material; the material number of a
  /// cell is the number of its part.
  template <int dim>
  class SolidMesh
  {
  public:
    using Triangulation = dealii::parallel::distributed::Triangulation<dim>;

    SolidMesh(const SolidParameters &parameters, MPI_Comm communicator);

    const Triangulation &
    cells() const
    {
      return triangulation;
    }

    /// The number of the body of a cell.
    template <typename Cell>
    unsigned int
    body_of(const Cell &cell) const
    {
      return parts[cell->material_id()].body;
    }

    /// The number of the material of a cell, see SolidParameters::material().
    template <typename Cell>
    unsigned int
    material_of(const Cell &cell) const
    {
      return parts[cell->material_id()].material;
    }

    /// Those of this rank, in the order of p4est: by coarse cells, and their
    /// children along a curve. It does not depend on the number of ranks.
    std::vector<typename Triangulation::active_cell_iterator>
    own_cells() const;

    /// Whether a face at the boundary belongs to a side of a body.
    bool
    is_on(const typename Triangulation::face_iterator &face,
          unsigned int                                 body,
          const std::string                           &side) const;

    /// The names of the side of a face at the boundary.
    const std::vector<std::string> &
    names_of(const typename Triangulation::face_iterator &face) const
    {
      return sides[face->boundary_id()].names;
    }

    /// Whether cells may have curved edges.
    bool
    is_curved() const
    {
      return curved;
    }

  private:
    /// The coarse cells of a body, with numbers of its sides.
    void
    make_body(const SolidParameters::Body &body,
              dealii::Triangulation<dim>  &coarse) const;

    /// Those of a body, in the order of the numbers that make_body() gives.
    void
    add_parts(unsigned int body);

    void
    set_manifolds();

    /// As the sections 'refinement' ask for.
    void
    refine_locally();

    /// Whether a cell has a face on a side; where that is empty, all have.
    bool
    touches(const typename Triangulation::active_cell_iterator &cell,
            unsigned int                                        body,
            const std::string                                  &side) const;

    struct Part
    {
      unsigned int body, material;
    };

    /// Of faces at the boundary, whose boundary number is that of the side.
    struct Side
    {
      unsigned int             body;
      std::vector<std::string> names;
    };

    const SolidParameters &parameters;
    std::vector<Part>      parts;
    std::vector<Side>      sides;
    Triangulation          triangulation;
    bool                   curved = false;
  };
} // namespace Percuss
