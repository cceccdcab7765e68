// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_law.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/state.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// Which contacts take part in a step from q_k, v_k with the gap g and the
  /// normal velocity u: those with
  /// @f[ g(q_k) + \gamma h\,u_k \le \text{tolerance}, @f]
  /// and, on request, u_k <= 0 in addition.
  struct Activation
  {
    double look_ahead       = 0.5;   ///< gamma
    double tolerance        = 1e-12; ///< in m; against ties in round-off
    bool   approaching_only = false;
  };



  /// What happened in a step.
  struct [[nodiscard]] StepReport
  {
    bool          converged = true;
    ContactReport contact;
    unsigned int  n_active            = 0; ///< on all ranks
    unsigned int  n_linear_iterations = 0;
  };



  /// The energy balance that a scheme promises for a linear model, exactly:
  /// @f[ \Delta E = \Delta q\cdot F_{k+w} - \Delta q\cdot C v_{k+w}
  ///     + u_{k+c}\cdot\lambda - \mathcal D, @f]
  /// @f[ \mathcal D = a_v |\Delta v|_M^2 + a_q |\Delta q|_K^2
  ///     + a_a |\Delta a|_M^2 + s\,\Delta(a^T M a)
  ///     - \Delta q\cdot (M a_{k+w} - f_{k+w}), @f]
  /// with x_{k+w} = (1-w) x_k + w x_{k+1}, the smooth force f and the
  /// scheme's acceleration a, which obeys
  /// @f[ (1-\alpha_m) M a_{k+1} + \alpha_m M a_k
  ///     = (1-\alpha_f) f_{k+1} + \alpha_f f_k. @f]
  /// The last term of D is zero for alpha_m = alpha_f = 0.
  struct EnergyPromise
  {
    double load_weight    = 0.5; ///< w
    double contact_weight = 0.5; ///< c
    double velocity       = 0;   ///< a_v
    double displacement   = 0;   ///< a_q
    double acceleration   = 0;   ///< a_a, in s^2
    double storage        = 0;   ///< s, in s^2
    double alpha_m        = 0;
    double alpha_f        = 0;

    /// How much larger the scheme's matrix is than the mass matrix, entry by
    /// entry of the diagonal: the square of the Courant number of the finest
    /// element. Round-off of the balance grows with it.
    double stiffness_ratio = 1;
  };



  /// The impulses lambda of this rank's contacts in the step that led to
  /// @p state, in N s. All schemes keep them as the first memory.
  inline const Vector &
  impulses(const State &state)
  {
    return state.memory.front().values;
  }



  /// A pure map from one state to the next. All that depends on the step size
  /// alone is prepared by set_step_size().
  class TimeStepper
  {
  public:
    using MakeLinearSolver =
      std::function<std::unique_ptr<LinearSolver>(const SparseMatrix &)>;

    /// All references outlive the stepper.
    struct Context
    {
      const MechanicalModel &model;
      const ContactLaw      &law;
      const ContactSolver   &contact_solver;
      Activation             activation;
      MakeLinearSolver       make_linear_solver;
    };

    virtual ~TimeStepper() = default;

    /// Assembles and factorises for steps of @p h seconds.
    virtual void
    set_step_size(double h) = 0;

    /// Adds to an initial state what the scheme carries along.
    virtual void
    start(State &state) const = 0;

    /// One step from @p begin to @p end, which has the size of @p begin. Where
    /// the report says that it failed, @p end is meaningless.
    virtual void
    advance(const State &begin, State &end, StepReport &report) const = 0;

    /// For the present step size.
    virtual EnergyPromise
    promise() const = 0;

    /// What solves the linear systems, for run.json.
    virtual std::string
    linear_solver_description() const = 0;
  };
} // namespace Percuss
