// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/tangent_solver.h>

#include <deal.II/lac/lapack_templates.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  bool
  TangentSolver::fill(const SparseMatrix &A, const unsigned int border)
  {
    const SparseMatrix::Rows &rows   = A.rows();
    const std::size_t         n_rows = rows.start.size() - 1;
    n = n_rows == 0 ? 0 : static_cast<int>(n_rows + border);
    entries.assign(static_cast<std::size_t>(n) * n, 0.);
    pivots.resize(n);
    rhs.resize(n);
    for (std::size_t row = 0; row < n_rows; ++row)
      for (PetscInt k = rows.start[row]; k < rows.start[row + 1]; ++k)
        {
          entries[row + static_cast<std::size_t>(rows.columns[k]) * n] =
            rows.values[k];
          if (!std::isfinite(rows.values[k]))
            return false;
        }
    return true;
  }



  bool
  TangentSolver::factorize()
  {
    if (n == 0)
      return true;
    int info = 0;
    dealii::getrf(&n, &n, entries.data(), &n, pivots.data(), &info);
    return info == 0;
  }



  bool
  TangentSolver::factorize(const SparseMatrix &A)
  {
    return fill(A, 0) && factorize();
  }



  bool
  TangentSolver::factorize(const SparseMatrix &A,
                           const Border       &B,
                           const Border       &G)
  {
    if (!fill(A, B.m()))
      return false;
    const auto        size  = static_cast<std::size_t>(n);
    const std::size_t first = size - B.m();
    for (std::size_t i = 0; i < B.m() && n > 0; ++i)
      for (std::size_t j = 0; j < first; ++j)
        {
          entries[j + (first + i) * size] = -B(i, j);
          entries[first + i + j * size]   = G(i, j);
          if (!std::isfinite(G(i, j)))
            return false;
        }
    return factorize();
  }



  void
  TangentSolver::solve(const Vector &b, Vector &x) const
  {
    std::vector<double> mu;
    solve(b, x, mu);
  }



  void
  TangentSolver::solve(const Vector        &b,
                       Vector              &x,
                       std::vector<double> &mu) const
  {
    if (n == 0)
      return;
    std::fill(rhs.begin(), rhs.end(), 0.);
    const auto border = std::copy(b.begin(), b.end(), rhs.begin());
    std::copy(mu.begin(), mu.end(), border);
    const char no_transpose = 'N';
    const int  one          = 1;
    int        info         = 0;
    dealii::getrs(&no_transpose,
                  &n,
                  &one,
                  entries.data(),
                  &n,
                  pivots.data(),
                  rhs.data(),
                  &n,
                  &info);
    std::copy(rhs.begin(), border, x.begin());
    std::copy(border,
              border + static_cast<std::ptrdiff_t>(mu.size()),
              mu.begin());
  }
} // namespace Percuss
