// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>
#include <percuss/linear_algebra/vector.h>

#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// A symmetric positive definite band matrix on one rank, factorised.
  class BandFactorization
  {
  public:
    /// The lower triangle, column by column:
    /// entries[k + column * (width + 1)] = A(column + k, column).
    struct Bands
    {
      unsigned int        n     = 0;
      unsigned int        width = 0;
      std::vector<double> entries;

      Bands(unsigned int n, unsigned int width);

      double &
      operator()(unsigned int row, unsigned int column)
      {
        return entries[row - column + column * (width + 1)];
      }
    };

    /// @throws Error with ExitCode::solver where the matrix is not positive
    /// definite
    static std::unique_ptr<BandFactorization>
    make(Bands &&bands);

    virtual ~BandFactorization() = default;

    /// Solves A x = b; @p b and @p x are different arrays.
    virtual void
    solve(const double *b, double *x) const = 0;

    virtual std::string
    description() const = 0;
  };



  /// A band matrix whose rows are spread over ranks, in one piece each. The
  /// first rows of each rank but the first are separators: without them the
  /// inner rows of the ranks do not feel each other. Each rank factorises its
  /// inner rows; the small matrix of the separators (a Schur complement) is
  /// factorised by all. A solve is two inner solves and one exchange of twice
  /// the bandwidth of numbers from each rank.
  class DistributedBandFactorization
  {
  public:
    /// Whether all ranks have enough rows for @p width. Collective.
    static bool
    is_possible(const SparseMatrix &matrix, unsigned int width);

    /// Collective.
    DistributedBandFactorization(const SparseMatrix &matrix,
                                 unsigned int        width);

    /// Collective.
    void
    solve(const Vector &b, Vector &x) const;

    std::string
    description() const;

  private:
    /// Fills the inner bands and the couplings of this rank.
    BandFactorization::Bands
    split(const SparseMatrix &matrix);

    /// Builds and factorises the matrix of the separators.
    void
    eliminate();

    /// Adds -(couplings to both sides)^T y to @p sides.
    void
    subtract_couplings(const double *y, double *sides) const;

    const unsigned int w;
    const Partition    partition;
    unsigned int       n_active;    ///< ranks with rows; they come first
    unsigned int       n_own   = 0; ///< separators of this rank: 0 or w
    unsigned int       n_inner = 0; ///< inner rows of this rank
    /// Coupling of the first (last) w inner rows to this (the next) rank's
    /// separators, w x w, by rows; and the own separators' block.
    std::vector<double>                left, right, separator_block;
    std::unique_ptr<BandFactorization> inner, separators;
    mutable std::vector<double>        work, sides, all_sides, rhs, solution;
  };
} // namespace Percuss
