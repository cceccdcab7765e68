// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/linear_solver.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// Solves with a large symmetric matrix that changes from step to step, by
  /// the linear solver that the file chooses. A matrix whose values have not
  /// changed is not set up again.
  class ChangingSolver : public LinearSolver
  {
  public:
    using Make =
      std::function<std::unique_ptr<LinearSolver>(const SparseMatrix &)>;

    explicit ChangingSolver(const Make &make)
      : make(make)
    {}

    /// The present values of @p matrix, which outlives the solver or is
    /// replaced by another one.
    /// @returns whether they are finite, and the solver could treat them.
    /// Collective.
    bool
    set(SparseMatrix &matrix);

    /// After a successful set().
    LinearReport
    solve(const Vector &b, Vector &x) const override
    {
      return solver->solve(b, x);
    }

    LinearReport
    improve(const Vector &b, Vector &x) const override
    {
      return solver->improve(b, x);
    }

    /// See UpdatableSolver.
    LinearReport
    solve_roughly(const Vector &b, Vector &x, double reduction) const;

    void
    precondition(const Vector &r, Vector &z) const override
    {
      solver->precondition(r, z);
    }

    bool
    is_iterative() const override
    {
      return solver && solver->is_iterative();
    }

    std::string
    description() const override;

  private:
    /// A solver for the present values, or new values for the present solver.
    bool
    set_up(const SparseMatrix &matrix);

    const Make                    make;
    const SparseMatrix           *known = nullptr;
    std::unique_ptr<LinearSolver> solver;
    std::vector<double>           last; ///< values that were set up
  };
} // namespace Percuss
