// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/symmetric_blocks.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// Incomplete Cholesky factors of a matrix with a block, or a number times
  /// the identity, for each pair of nodes, without fill,
  /// @f[ A \approx V^T D V, \qquad V_{ij} = 0 \text{ where } A_{ij} = 0, @f]
  /// with ones on the diagonal of V; on several ranks those of each rank's own
  /// part. They are in single precision: conjugate gradients do not see the
  /// difference, and less memory is read. Four numbers are treated at once.
  class IncompleteCholesky
  {
  public:
    explicit IncompleteCholesky(
      const std::shared_ptr<const BlockPattern> &pattern);

    /// Factorises a matrix with this pattern. Where a pivot is not positive,
    /// the diagonal is raised before; false where that does not help.
    bool
    factorise(const SymmetricBlocks &A);

    /// The same for numbers, in the places of the pattern.
    bool
    factorise(const std::vector<double> &A);

    /// z = (V^T D V)^-1 r, of this rank.
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

    /// Takes what row @p k, already with its inverse pivot, stands for out of
    /// the rows after it, and scales it.
    template <typename Entry>
    void
    eliminate(unsigned int k);

    template <typename Entry>
    void
    substitute(const double *r, double *z) const;

    /// work <- V^-T work, and work <- V^-1 D^-1 work.
    template <typename Entry>
    void
    substitute_forward() const;
    template <typename Entry>
    void
    substitute_backward() const;

    std::shared_ptr<const BlockPattern> pattern;
    std::vector<unsigned int>           end_of_own; ///< columns of a row
    bool                                has_numbers = false; ///< no blocks
    /// In the places of the pattern: D^-1 on the diagonal, V right of it.
    std::vector<float> values;
    /// The entries of each node, at the first of four places.
    mutable std::vector<float> work;
  };
} // namespace Percuss
