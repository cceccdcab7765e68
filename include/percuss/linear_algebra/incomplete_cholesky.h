// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/elimination_order.h>
#include <percuss/linear_algebra/symmetric_blocks.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace Percuss
{
  struct BlockRows;

  /// Incomplete Cholesky factors of a matrix with a block, or a number times
  /// the identity, for each pair of nodes, without fill,
  /// @f[ A \approx V^T D V, \qquad V_{ij} = 0 \text{ where } A_{ij} = 0, @f]
  /// with ones on the diagonal of V, in an EliminationOrder of all ranks. They
  /// are in single precision: conjugate gradients do not see the difference,
  /// and less memory is read. Four numbers are treated at once.
  class IncompleteCholesky
  {
  public:
    explicit IncompleteCholesky(
      const std::shared_ptr<const BlockPattern> &pattern);

    /// Factorises a matrix with this pattern. Where a pivot is not positive,
    /// the diagonal is raised before; false where that does not help.
    /// Collective.
    bool
    factorise(const SymmetricBlocks &A);

    /// The same for numbers, in the places of the pattern.
    bool
    factorise(const std::vector<double> &A);

    /// z = (V^T D V)^-1 r; both are the entries of this rank. Collective.
    void
    apply(const double *r, double *z) const;

  private:
    template <typename Entry>
    bool
    factorise_entries(const std::vector<double> &A);

    /// With the diagonal times 1 + @p shift.
    template <typename Entry>
    bool
    try_to_factorise(const std::vector<double> &A, double shift);

    /// Inverts the pivots of rows and eliminates them. False where a pivot is
    /// not positive, on any rank.
    template <typename Entry>
    bool
    eliminate_rows(unsigned int begin, unsigned int end);

    /// Takes what row @p k, already with its inverse pivot, stands for out of
    /// the rows after it, and scales it.
    template <typename Entry>
    void
    eliminate(unsigned int k);

    /// What a row takes out of row @p i, given as V_ki.
    template <typename Entry>
    void
    subtract_own(unsigned int i,
                 const float *V,
                 unsigned int begin,
                 unsigned int end);
    template <typename Entry>
    void
    subtract_others(unsigned int i,
                    const float *V,
                    unsigned int begin,
                    unsigned int end);

    /// Brings what was taken out of other ranks' rows to them.
    template <typename Entry>
    void
    send_others();

    template <unsigned int size>
    void
    substitute(const double *r, double *z) const;

    /// Of the factors.
    BlockRows
    rows(unsigned int level) const;

    const std::shared_ptr<const BlockPattern> pattern;
    const EliminationOrder                    order;
    bool has_numbers = false; ///< no blocks
    /// In the places of the order: D^-1 on the diagonal, V right of it.
    std::vector<float> values;
    /// What is taken out of pairs of rows of another rank.
    std::map<std::pair<unsigned int, unsigned int>, std::vector<float>> taken;
    /// The entries of each node, at the first of four places.
    mutable dealii::LinearAlgebra::distributed::Vector<float> work;
  };
} // namespace Percuss
