// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>

#include <vector>

namespace Percuss
{
  /// A linear model that computes a few rows of its matrices without the
  /// others: what schemes that never assemble a matrix need at contacts.
  class PartialRows
  {
  public:
    virtual ~PartialRows() = default;

    /// The rows of m M + k K that belong to the degrees of freedom @p own of
    /// this rank (local numbers, ascending, free ones), one after the other,
    /// with global columns. Collective.
    virtual SparseMatrix::Rows
    rows_of(const std::vector<unsigned int> &own, double m, double k) const = 0;

    /// These rows of @p all.
    static SparseMatrix::Rows
    choose(const SparseMatrix::Rows &all, const std::vector<unsigned int> &own)
    {
      SparseMatrix::Rows result;
      for (const unsigned int i : own)
        {
          for (PetscInt k = all.start[i]; k < all.start[i + 1]; ++k)
            {
              result.columns.push_back(all.columns[k]);
              result.values.push_back(all.values[k]);
            }
          result.start.push_back(static_cast<PetscInt>(result.columns.size()));
        }
      return result;
    }
  };
} // namespace Percuss
