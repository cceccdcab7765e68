// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>

#include <deal.II/distributed/tria.h>

#include <boost/range/iterator_range.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
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
    using Cell          = typename Triangulation::cell_iterator;
    using CellStatus    = typename Triangulation::CellStatus;
    using CellBytes = boost::iterator_range<std::vector<char>::const_iterator>;

    /// As the file asks for, or as describe() told of another mesh of the same
    /// bodies.
    /// @throws Error where the description is none of these bodies
    SolidMesh(const SolidParameters &parameters,
              MPI_Comm               communicator,
              const std::string     &description = "");

    SolidMesh(const SolidMesh &other);

    /// How often cells are halved, in the order of p4est, in a short form. On
    /// rank 0. Collective.
    std::string
    describe() const;

    /// The least level of cells of a body: that of its mesh without sections
    /// 'refinement'.
    int
    first_level(unsigned int body) const;

    /// Whether sections 'refinement' ask for smaller cells.
    bool
    must_be_halved(const Cell &cell) const;

    /// Asks for smaller (positive numbers) and larger cells (negative ones), in
    /// the order of own_cells(). Returns whether that changes the mesh: only
    /// families of cells are joined, and neighbours differ by one level at
    /// most. Collective.
    bool
    flag(const std::vector<int> &wishes);

    /// Does it, and takes data of cells along: @p pack makes bytes of a cell as
    /// it was (the larger one of those that are joined or halved), @p prepare
    /// is called in between, and @p unpack gets them for the cell as it is.
    /// Collective.
    void
    change(
      const std::function<std::vector<char>(const Cell &, CellStatus)> &pack,
      const std::function<void()>                                      &prepare,
      const std::function<void(const Cell &, CellStatus, const CellBytes &)>
        &unpack);

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

    /// The names of the volume of a cell from a file.
    template <typename Cell>
    const std::vector<std::string> &
    volumes_of(const Cell &cell) const
    {
      return parts[cell->material_id()].names;
    }

    /// Those of each body before all refinements, which all ranks have.
    std::vector<unsigned int>
    n_coarse_cells() const;

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

    void
    check_size(const std::string           &name,
               const SolidParameters::Body &body) const;

    /// The coarse cells of all bodies.
    void
    make_coarse_cells();

    /// As the sections 'refinement' ask for.
    void
    refine_locally();

    /// As describe() told.
    void
    refine_as(const std::string &description);

    /// Halves cells of this rank as long as some are too large on any rank.
    void
    halve(const std::function<bool(const Cell &)> &is_too_large);

    /// Where cells lie on the curve of p4est: the coarse cell and the children
    /// in it, digits of dim bits, the largest cell first.
    using Place = std::pair<dealii::types::coarse_cell_id, std::uint64_t>;
    static Place
    place_of(const Cell &cell);

    /// Where a section asks for smaller cells.
    struct Region
    {
      std::string      side; ///< empty for none
      unsigned int     body = 0;
      bool             has_formula;
      CompiledFormulas where;
      unsigned int     n_levels;
    };

    Region
    make_region(const std::string                 &name,
                const SolidParameters::Refinement &entries) const;

    static bool
    is_inside(const Cell &cell, const Region &region);

    /// Whether a cell has a face on a side; where that is empty, all have.
    bool
    touches(const Cell &cell, unsigned int body, const std::string &side) const;

    struct Part
    {
      unsigned int             body, material;
      std::vector<std::string> names; ///< of the volume of a file
    };

    /// Of faces at the boundary, whose boundary number is that of the side.
    struct Side
    {
      unsigned int             body;
      std::vector<std::string> names;
    };

    const SolidParameters parameters;
    std::vector<Region>   regions;
    std::vector<Part>     parts;
    std::vector<Side>     sides;
    Triangulation         triangulation;
    bool                  curved = false;
  };
} // namespace Percuss
