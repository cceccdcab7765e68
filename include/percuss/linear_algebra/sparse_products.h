// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>

#include <vector>

namespace Percuss
{
  /// @p result is the transpose of @p A, which has @p n_columns columns.
  void
  transpose(const SparseMatrix::Rows &A,
            std::size_t               n_columns,
            SparseMatrix::Rows       &result);



  /// C = A B, again and again for matrices whose patterns stay: the pattern of
  /// C is found once.
  class SparseProduct
  {
  public:
    /// @p n_columns is the number of columns of B, or an upper bound.
    const SparseMatrix::Rows &
    compute(const SparseMatrix::Rows &A,
            const SparseMatrix::Rows &B,
            std::size_t               n_columns);

    const SparseMatrix::Rows &
    result() const
    {
      return C;
    }

  private:
    void
    find_pattern(const SparseMatrix::Rows &A, const SparseMatrix::Rows &B);

    SparseMatrix::Rows  C;
    std::vector<double> row; ///< one value for each column
  };
} // namespace Percuss
