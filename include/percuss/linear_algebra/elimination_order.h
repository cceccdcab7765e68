// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/symmetric_blocks.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace Percuss
{
  /// The order in which nodes are eliminated on all ranks at once, in levels
  /// (after D. Hysom and A. Pothen, SIAM J. Sci. Comput. 22, 2001). A node has
  /// level 0 where it feels none of a lower rank, else one more than those of
  /// lower ranks that it feels: nodes of one level on different ranks do not
  /// feel each other. Level 1 is at the faces between ranks, higher ones are
  /// where three and more of them meet. Within a level, and on one rank, the
  /// order is that of the pattern.
  class EliminationOrder
  {
  public:
    explicit EliminationOrder(
      const std::shared_ptr<const BlockPattern> &pattern);

    const std::shared_ptr<const BlockPattern> pattern;

    /// The first row of each level, of this rank, and the end.
    std::vector<unsigned int> levels;

    /// On all ranks.
    unsigned int
    n_levels() const
    {
      return static_cast<unsigned int>(levels.size() - 1);
    }

    /// Where the row of an own node stands.
    unsigned int
    row(const unsigned int node) const
    {
      return rows.empty() ? node : rows[node];
    }

    /// Of each row: the diagonal, then what comes later; ascending. Others'
    /// rows have numbers after this rank's.
    const unsigned int *
    start() const
    {
      return rows.empty() ? pattern->start.data() : own_start.data();
    }
    const unsigned int *
    columns() const
    {
      return rows.empty() ? pattern->columns.data() : own_columns.data();
    }

    /// Copies entries of @p n_values in the places of the pattern to those of
    /// this order.
    void
    arrange(const std::vector<double> &A,
            unsigned int               n_values,
            std::vector<float>        &values) const;

    /// The number of a row on all ranks, this rank's or another's.
    unsigned int
    global(const unsigned int row) const
    {
      return row < pattern->n_rows() ? first_row + row :
                                       others[row - pattern->n_rows()];
    }

    /// The place of a pair of such numbers, the first one of this rank, or -1.
    std::ptrdiff_t
    find_global(unsigned int first, unsigned int second) const;

    /// The rank of a row that is not this rank's.
    unsigned int
    owner(const unsigned int row) const
    {
      return owners[row - pattern->n_rows()];
    }

    /// @p n numbers for each row, with those of others.
    Partition
    partition(unsigned int n) const;

  private:
    /// The level of each node of this rank. Collective.
    std::vector<unsigned int>
    find_levels() const;

    void
    number_rows();

    /// For the numbers of their rows.
    void
    ask_others();

    void
    arrange_columns();

    /// Calls for each place of the pattern with the rows of the pair.
    template <typename Call>
    void
    for_pairs(const Call &call) const;

    std::ptrdiff_t
    find(unsigned int first, unsigned int second) const;

    unsigned int              first_row = 0;
    std::vector<unsigned int> rows; ///< of nodes, own and others; or none
    std::vector<unsigned int> others, owners;         ///< of others' rows
    std::vector<unsigned int> own_start, own_columns; ///< on several ranks
  };
} // namespace Percuss
