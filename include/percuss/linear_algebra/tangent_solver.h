// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/linear_solver.h>

#include <deal.II/lac/full_matrix.h>

#include <vector>

namespace Percuss
{
  /// LU factorisation by LAPACK of small matrices that change from step to step
  /// and need not be symmetric. One rank has all rows; the others have none.
  /// The matrix may have a border of constraints,
  /// @f[ \begin{pmatrix} A & -B^T \\ G & 0 \end{pmatrix}
  ///     \begin{pmatrix} x \\ \mu \end{pmatrix}
  ///     = \begin{pmatrix} b \\ c \end{pmatrix}. @f]
  class TangentSolver
  {
  public:
    using Border = dealii::FullMatrix<double>;

    /// @returns whether the matrix is regular, on this rank
    bool
    factorize(const SparseMatrix &A);

    /// With a border: @p B and @p G have a row for each constraint.
    bool
    factorize(const SparseMatrix &A, const Border &B, const Border &G);

    /// A x = b. After a successful factorize(); with a border c is zero.
    void
    solve(const Vector &b, Vector &x) const;

    /// With a border. @p mu holds c before and the multipliers afterwards.
    void
    solve(const Vector &b, Vector &x, std::vector<double> &mu) const;

  private:
    /// Sizes the matrix for @p border constraints and fills in A.
    bool
    fill(const SparseMatrix &A, unsigned int border);

    bool
    factorize();

    int                         n = 0;   ///< with the border
    std::vector<double>         entries; ///< by columns
    std::vector<int>            pivots;
    mutable std::vector<double> rhs;
  };
} // namespace Percuss
