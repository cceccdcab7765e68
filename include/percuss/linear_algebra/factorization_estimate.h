// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>

namespace Percuss
{
  /// What a factorisation by MUMPS would take, from its order of elimination.
  struct FactorizationEstimate
  {
    double n_entries    = 0; ///< of the factor, on all ranks
    double n_operations = 0; ///< to compute it
  };

  /// Finds the order, and computes no factor. Of symmetric positive definite
  /// matrices with entries. Collective.
  FactorizationEstimate
  estimate_factorization(const SparseMatrix &matrix);
} // namespace Percuss
