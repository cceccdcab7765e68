// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/symmetric_blocks.h>

#include <deal.II/base/types.h>

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Collects symmetric matrices from cells: each rank integrates its own
  /// cells, and sends what belongs to rows of other ranks there. (To know the
  /// neighbours' cells would not do: a node also feels cells that it does not
  /// touch, where nodes hang on it.) A pair of nodes belongs to the row of the
  /// smaller one.
  class SharedRows
  {
  public:
    using Node = dealii::types::global_dof_index;

    /// @p owned are degrees of freedom, @p size of each node.
    SharedRows(unsigned int size, const Partition &owned);

    /// The nodes of a cell feel each other.
    void
    add_pairs(const std::vector<Node> &nodes);

    /// After the last add_pairs(). Collective.
    std::shared_ptr<const BlockPattern>
    make_pattern();

    /// Makes room for entries, all zero.
    void
    start(SymmetricScalars &of_mass, SymmetricBlocks &of_stiffness);

    /// Adds a number and a block to those of a pair i <= j.
    void
    add(Node i, Node j, double of_mass, const double *of_stiffness);

    /// Adds to the matrices what other ranks have for them, and forgets them.
    /// Collective.
    void
    finish();

    /// Where the entry of a pair of nodes is: in the pattern, or among those of
    /// others' rows.
    struct Place
    {
      bool        is_own;
      std::size_t place;
    };

    /// Of a pair i <= j.
    Place
    find(Node i, Node j) const;

    /// How many entries of others' rows this rank has.
    std::size_t
    n_of_others() const
    {
      return n_others;
    }

    /// Sends entries of others' rows, @p n numbers each, to their owners, and
    /// calls @p add(place in the pattern, numbers) for those that this rank
    /// gets. Collective.
    void
    exchange(const std::vector<double>                              &of_others,
             std::size_t                                             n,
             const std::function<void(std::size_t, const double *)> &add) const;

  private:
    /// Entries of others' rows: the numbers of the nodes in all rows, and where
    /// a row begins.
    struct OthersRow
    {
      std::vector<unsigned int> columns;
      std::size_t               start = 0;
    };

    /// Sends entries of others' rows, @p n numbers each, to their owners.
    template <typename Number>
    std::map<unsigned int, std::vector<Number>>
    send(const std::vector<Number> &values, std::size_t n) const;

    /// The pattern of all rows, which are forgotten.
    std::shared_ptr<const BlockPattern>
    join_rows();

    const unsigned int size;
    const Partition    owned;
    const Node         first, end; ///< own nodes
    /// Of own nodes, what comes after the diagonal.
    std::vector<std::vector<unsigned int>> rows;
    std::map<Node, OthersRow>              others;
    std::size_t                            n_others = 0;
    /// Where those of a rank end.
    std::map<unsigned int, std::size_t> end_of_rank;
    /// The places of entries that other ranks send.
    std::map<unsigned int, std::vector<std::size_t>> received;
    std::shared_ptr<const BlockPattern>              pattern;
    SymmetricScalars                                *mass      = nullptr;
    SymmetricBlocks                                 *stiffness = nullptr;
    std::vector<double> others_mass, others_stiffness;
  };

  /// The column of a node in a pattern, or the largest number where this rank
  /// does not have it.
  unsigned int
  find_column(const BlockPattern             &pattern,
              dealii::types::global_dof_index node);
} // namespace Percuss
