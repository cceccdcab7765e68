// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>
#include <percuss/linear_algebra/vector.h>

#include <string>

namespace Percuss
{
  struct [[nodiscard]] LinearReport
  {
    bool         converged    = true;
    unsigned int n_iterations = 0;
  };

  /// Solves A x = b for a symmetric positive definite matrix that stays the
  /// same for many right-hand sides: all set-up is in the constructor.
  class LinearSolver
  {
  public:
    struct Context
    {
      const SparseMatrix &matrix; ///< outlives the solver
    };

    virtual ~LinearSolver() = default;

    virtual LinearReport
    solve(const Vector &b, Vector &x) const = 0;

    /// What the solver does, for run.json: "LAPACK band Cholesky".
    virtual std::string
    description() const = 0;
  };
} // namespace Percuss
