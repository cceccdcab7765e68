// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <memory>
#include <vector>

namespace Percuss
{
  class SparseMatrix;

  /// A symmetric matrix that is known by its products.
  class MatrixOperator
  {
  public:
    virtual ~MatrixOperator() = default;

    virtual const Partition &
    partition() const = 0;

    /// y = A x; both are the entries of this rank. Collective.
    virtual void
    multiply(const double *x, double *y) const = 0;

    /// The entries of this rank's rows on the diagonal.
    virtual std::vector<double>
    diagonal() const = 0;

    /// The same matrix with entries, for those who need them. Collective.
    /// @throws EntryError where there shall be none
    virtual std::unique_ptr<SparseMatrix>
    with_entries() const = 0;
  };
} // namespace Percuss
