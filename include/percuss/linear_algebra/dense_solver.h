// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/linear_solver.h>

#include <vector>

namespace Percuss
{
  /// LU factorisation by LAPACK of small matrices that change from step to step
  /// and need not be symmetric. One rank has all rows; the others have none.
  class DenseSolver
  {
  public:
    /// @returns whether the matrix is regular, on this rank
    bool
    factorize(const SparseMatrix &matrix);

    /// A x = b. After a successful factorize().
    void
    solve(const Vector &b, Vector &x) const;

  private:
    int                 n = 0;
    std::vector<double> entries; ///< by columns
    std::vector<int>    pivots;
  };
} // namespace Percuss
