// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>
#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/solution_guess.h>

#include <memory>
#include <string>

namespace Percuss
{
  /// Where a step evaluates what, x_{k+w} = (1-w) x_k + w x_{k+1}.
  struct ThetaWeights
  {
    double force;    ///< theta: of K q and of the loads
    double position; ///< eta: of the velocity that moves the positions
    double damping;  ///< delta: of the velocity that is damped
  };

  /// What the schemes of Moreau's family share, for a linear model:
  /// @f[ M (v_{k+1}-v_k) + h K q_{k+\theta} + C (h v_{k+\delta} + s)
  ///     - h F_{k+\theta} = D^T \lambda, \qquad
  ///     q_{k+1} = q_k + h v_{k+\eta} + s, @f]
  /// where s is zero but for schemes that project positions. Multiplied by
  /// v_{k+eta}, with s = 0:
  /// @f[ \Delta E = \Delta q\cdot F_{k+\theta} - \Delta q\cdot C v_{k+\delta}
  ///     + u_{k+\eta}\cdot\lambda - (\eta-\tfrac12) |\Delta v|_M^2
  ///     - (\theta-\tfrac12) |\Delta q|_K^2. @f]
  class ThetaStep
  {
  public:
    ThetaStep(const ThetaWeights &weights, const TimeStepper::Context &context);

    /// Factorises A = M + h delta C + h^2 theta eta K.
    void
    set_step_size(double step_size);

    /// The velocity of @p end without impulses,
    /// A (v - v_k) = h [F_{k+theta} - K (q_k + theta (h v_k + s))
    ///               - C (v_k + s/h)].
    void
    solve_free(const State  &begin,
               State        &end,
               StepReport   &report,
               const Vector *shift = nullptr) const;

    /// The right-hand side of the same. It stays until the next call.
    const Vector &
    load(const State &begin, const Vector *shift = nullptr) const;

    /// A guess of the change of the velocity from the steps before, for
    /// finish().
    Vector &
    guess_change(const State &begin) const
    {
      guess.guess(begin.step, change);
      return change;
    }

    /// The velocity of @p end with the change.
    void
    finish(const State &begin, State &end) const;

    /// velocity = A^{-1} impulse.
    LinearReport
    respond(const Vector &impulse, Vector &velocity) const
    {
      return solver->solve(impulse, velocity);
    }

    /// For the present step size.
    ContactResponse::Inverse
    inverse() const
    {
      return {A.get(), solver.get()};
    }

    /// Adds A^{-1} impulse to the velocity of @p end.
    void
    add_impulse(const Vector &impulse, State &end, StepReport &report) const;

    /// q = q_k + h v_{k+eta} with the velocity of @p end, and the time.
    void
    move(const State &begin, State &end) const;

    /// For s = 0.
    EnergyPromise
    promise() const;

    double
    step_size() const
    {
      return h;
    }

    std::string
    solver_description() const
    {
      return solver->description();
    }

  private:
    const ThetaWeights                  weights;
    const MechanicalModel              &model;
    const TimeStepper::MakeLinearSolver make_linear_solver;
    double                              h = 0, stiffness_ratio = 1;
    std::unique_ptr<SparseMatrix>       A;
    std::unique_ptr<LinearSolver>       solver;
    mutable Vector                      ahead, f, change;
    mutable SolutionGuess               guess;
  };
} // namespace Percuss
