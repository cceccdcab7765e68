// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/dense_solver.h>

#include <deal.II/lac/lapack_templates.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  bool
  DenseSolver::factorize(const SparseMatrix &matrix)
  {
    const SparseMatrix::Rows &rows = matrix.rows();
    n                              = static_cast<int>(rows.start.size()) - 1;
    if (n == 0)
      return true;
    entries.assign(static_cast<std::size_t>(n) * n, 0.);
    pivots.resize(n);
    for (int row = 0; row < n; ++row)
      for (PetscInt k = rows.start[row]; k < rows.start[row + 1]; ++k)
        {
          entries[row + static_cast<std::size_t>(rows.columns[k]) * n] =
            rows.values[k];
          if (!std::isfinite(rows.values[k]))
            return false;
        }
    int info = 0;
    dealii::getrf(&n, &n, entries.data(), &n, pivots.data(), &info);
    return info == 0;
  }



  void
  DenseSolver::solve(const Vector &b, Vector &x) const
  {
    if (n == 0)
      return;
    std::copy(b.begin(), b.end(), x.begin());
    const char no_transpose = 'N';
    const int  one          = 1;
    int        info         = 0;
    dealii::getrs(&no_transpose,
                  &n,
                  &one,
                  entries.data(),
                  &n,
                  pivots.data(),
                  x.begin(),
                  &n,
                  &info);
  }
} // namespace Percuss
