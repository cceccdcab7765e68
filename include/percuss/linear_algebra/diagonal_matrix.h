// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>

#include <vector>

namespace Percuss
{
  /// Whether the matrix has positive entries on its diagonal and no others, on
  /// all ranks: its product with a vector without order is that of the
  /// diagonal. Needs no entries. Collective.
  bool
  is_diagonal(const SparseMatrix &matrix);

  /// An upper bound for the largest eigenvalue of M^-1 A, for a symmetric,
  /// positive semidefinite A and the diagonal M of positive @p masses, by
  /// Lanczos's method from a vector without order. After k products the largest
  /// Ritz value theta lies below it by a part of
  /// @f[ \varepsilon = 0.103\,\Bigl(\frac{\ln(n(k-1)^4)}{k-1}\Bigr)^2 @f]
  /// at most, in the mean over all starts and whatever the other eigenvalues
  /// (J. Kuczynski and H. Wozniakowski, SIAM J. Matrix Anal. Appl. 13, 1992,
  /// 1094-1122): the bound is theta/(1-epsilon). Needs no entries. Collective.
  double
  largest_eigenvalue(const SparseMatrix &A, const std::vector<double> &masses);
} // namespace Percuss
