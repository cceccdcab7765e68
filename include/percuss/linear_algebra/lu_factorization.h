// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// LU factorisation of a square matrix that one rank has to itself and that
  /// need not be symmetric: by LAPACK where many entries are not zero, by
  /// UMFPACK where few are. Rows with an entry on the diagonal only are solved
  /// first and left out.
  class LuFactorization
  {
  public:
    LuFactorization();
    ~LuFactorization();

    /// @returns whether the matrix is finite and regular
    bool
    factorize(const SparseMatrix::Rows &rows);

    /// Replaces the right-hand side @p x by the solution. After a successful
    /// factorize().
    void
    solve(std::vector<double> &x) const;

    bool
    is_sparse() const
    {
      return sparse;
    }

  private:
    struct Umfpack;

    /// Finds the rows that have an entry on the diagonal only, and splits the
    /// others into what belongs to them and what does not.
    bool
    split(const SparseMatrix::Rows &rows);

    bool
    factorize_dense();

    void
    solve_inner() const;

    bool                        sparse  = false;
    int                         n_inner = 0;
    std::vector<int>            inner_number; ///< of each row, -1 for outer
    std::vector<double>         diagonal;     ///< of outer rows
    SparseMatrix::Rows          inner;        ///< columns are inner numbers
    SparseMatrix::Rows          coupling;     ///< columns are those of all rows
    std::vector<double>         dense;        ///< by columns
    std::vector<int>            pivots;
    mutable std::vector<double> rhs, solution;
    std::unique_ptr<Umfpack>    umfpack;
  };
} // namespace Percuss
