// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/linear_solver.h>

namespace Percuss
{
  /// A linear solver whose matrix may take new values, as tangents do.
  class UpdatableSolver : public LinearSolver
  {
  public:
    /// Takes the present values of the matrix, which need not be positive
    /// definite any more; what depends on the pattern alone is kept. Fails
    /// where the solver finds that it cannot treat them. Collective.
    [[nodiscard]] virtual bool
    update() = 0;

    /// Solves A x = b until the residual is @p reduction times @p b, or better:
    /// for iterations around it.
    virtual LinearReport
    solve_roughly(const Vector &b, Vector &x, const double /*reduction*/) const
    {
      return solve(b, x);
    }
  };
} // namespace Percuss
