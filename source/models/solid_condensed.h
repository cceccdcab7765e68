// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/symmetric_blocks.h>
#include <percuss/linear_algebra/vector.h>

#include <memory>
#include <vector>

#include "solid_free_nodes.h"
#include "solid_rows.h"

namespace Percuss
{
  /// Forces and tangents of cells with hanging nodes: with the weights T of
  /// free nodes, the sums of T^T f and T^T K T over the own cells of all ranks.
  /// (A node also feels cells that it does not touch, where nodes hang on it:
  /// what belongs to others is sent to them.)
  template <int dim>
  class CondensedCells
  {
  public:
    /// @p rows has made @p pattern; @p relevant has all free nodes of own
    /// cells.
    CondensedCells(std::unique_ptr<SharedRows>                rows,
                   const std::shared_ptr<const BlockPattern> &pattern,
                   const Partition                           &relevant);

    /// The next own cell.
    void
    add_cell(const FreeNodes &free);

    /// Adds the forces on the nodes of a cell, direction by direction.
    void
    add_force(std::size_t cell, const std::vector<double> &force) const;

    /// Adds those of all cells since the last call to own nodes. Collective.
    void
    finish_forces(Vector &f) const;

    /// Adds blocks of pairs a <= b of nodes of a cell, [a][b], column by column
    /// within each, to blocks of the pattern; but not to rows and columns of
    /// fixed degrees of freedom.
    void
    add_blocks(std::size_t                cell,
               const std::vector<double> &blocks_of_cell,
               const std::vector<bool>   &is_fixed,
               double                    *blocks) const;

    /// Adds what other ranks have since the last call. Collective.
    void
    finish_blocks(const std::vector<bool> &is_fixed, double *blocks) const;

  private:
    /// Where a pair of free nodes i <= j has its block.
    struct Pair
    {
      SharedRows::Place at;
      bool              is_upper; ///< or it is the transpose
    };

    struct Cell
    {
      FreeNodes                 free;
      std::vector<unsigned int> forces; ///< first entries, as in `relevant`
      std::vector<Pair>         pairs;
    };

    /// T^T K T of a cell, of pairs i <= j.
    const double *
    condense(const Cell &cell, const std::vector<double> &blocks_of_cell) const;

    /// Adds a block to one of the pattern, where nothing is fixed.
    void
    add_block(std::size_t              place,
              const double            *block,
              bool                     is_upper,
              const std::vector<bool> &is_fixed,
              double                  *blocks) const;

    const std::unique_ptr<const SharedRows>   rows;
    const std::shared_ptr<const BlockPattern> pattern;
    const Partition                           relevant;
    std::vector<unsigned int>                 row_of_place;
    std::vector<Cell>                         cells;
    mutable Vector                            forces;
    mutable std::vector<double>               of_others, condensed;
  };
} // namespace Percuss
