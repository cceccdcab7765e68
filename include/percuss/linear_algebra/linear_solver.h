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

    /// The same where @p x holds a guess, which iterations start from.
    virtual LinearReport
    improve(const Vector &b, Vector &x) const
    {
      return solve(b, x);
    }

    /// z = P r with a symmetric positive definite P near A^-1 that costs less,
    /// or A^-1 itself.
    virtual void
    precondition(const Vector &r, Vector &z) const
    {
      (void)solve(r, z);
    }

    /// Whether a good guess saves work.
    virtual bool
    is_iterative() const
    {
      return false;
    }

    /// What the solver does, for run.json: "LAPACK band Cholesky".
    virtual std::string
    description() const = 0;
  };
} // namespace Percuss
