// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>

#include <vector>

namespace Percuss
{
  /// A matrix as a list of entries; those of the same place are added.
  struct Triplets
  {
    std::vector<int>    rows, columns;
    std::vector<double> values;

    void
    add(int row, int column, double value);
  };

  /// Compressed rows with ascending columns.
  SparseMatrix::Rows
  compress(const Triplets &entries, unsigned int n_rows);

  /// Eliminates x from
  /// @f[ u = W r + B x + q, \qquad K x = \sigma B^T r + d: \qquad
  ///     W \leftarrow W + \sigma B K^{-1} B^T, \quad
  ///     q \leftarrow q + B K^{-1} d, @f]
  /// where sigma is 1 or -1. Entries of the product that are zero are left
  /// out. Returns false where K is singular.
  bool
  eliminate(const Triplets            &K,
            const Triplets            &B,
            double                     sigma,
            const std::vector<double> &d,
            Triplets                  &W,
            std::vector<double>       &q);

  /// Whether two entries that mirror each other differ by no more than
  /// @p tolerance of the largest one.
  bool
  is_symmetric(const SparseMatrix::Rows &matrix, double tolerance);
} // namespace Percuss
