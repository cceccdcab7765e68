// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/contact_step.h>
#include <percuss/steppers/effective_matrix.h>
#include <percuss/steppers/kept_tangent.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// The equation of a step with the velocity at its end as unknown,
  /// @f[ R(v_{k+1}) = D^T\lambda, @f]
  /// with contacts at velocity level. For a linear model R is linear, with the
  /// constant matrix of ImplicitStep::set_constant(). Joints of the model add
  /// their impulse j on the right and hold at a position of the equation's
  /// choice.
  class StepEquation
  {
  public:
    virtual ~StepEquation() = default;

    /// Sets what of @p end follows from the start, before its velocity is
    /// known.
    virtual void
    prepare(const State &begin, State &end) const = 0;

    /// Sets what of @p end follows from its velocity.
    virtual void
    move(const State &begin, State &end) const = 0;

    /// R at the present @p end.
    virtual void
    residual(const State &begin, const State &end, Vector &r) const = 0;

    /// Adds dR/dv at the present @p end.
    virtual void
    add_tangent(const State  &begin,
                const State  &end,
                SparseMatrix &tangent) const = 0;

    /// With joints: where they act, so that the step has the impulse
    /// j = G(q)^T mu, and where they must hold, with dq/dv = factor.
    struct JointPlaces
    {
      const Vector &of_impulse, &of_constraint;
      double        factor;
    };
    virtual JointPlaces
    joint_places(const State &begin, const State &end) const;

    /// Where the contacts are placed and found active.
    virtual Configuration
    contact_place(const State &begin, const State &end) const = 0;

    /// Part of a step that the activation looks ahead.
    virtual double
    look_ahead() const = 0;
  };



  /// Solves such equations by Newton's method. Each iteration solves the
  /// contact problem of the linearised equation,
  /// @f[ S v = S v_i - R(v_i) + D^T\lambda, \qquad S = R'(v_i), @f]
  /// so that it converges as fast as without contacts; a linear model takes
  /// one. A large S stays as long as it serves, see KeptTangent, and with it
  /// its factors and the response of the contacts. Where contacts are many,
  /// v - v_k and the impulses are found at once, see ContactResponse.
  class ImplicitStep
  {
  public:
    explicit ImplicitStep(const TimeStepper::Context &context);

    /// For a linear model without joints: S = m M + c C + k K.
    void
    set_constant(double h, double m, double c, double k);

    /// For other models.
    void
    set_step_size(double h);

    /// Adds the impulses to an initial state, as its first memory, and those
    /// of joints where there are some, as "joint impulse".
    void
    start(State &state) const;

    /// From a guess of the velocity in @p end.
    void
    solve(const StepEquation &equation,
          const State        &begin,
          State              &end,
          StepReport         &report) const;

    /// x = S^{-1} b.
    LinearReport
    solve_linear(const Vector &b, Vector &x) const
    {
      return matrix.solve(b, x);
    }

    double
    stiffness_ratio() const
    {
      return matrix.stiffness_ratio();
    }

    std::string
    solver_description() const;

    std::string
    delassus_description() const
    {
      return contact.description();
    }

  private:
    /// Iterates until the velocity has converged; false where it does not.
    bool
    converge(const StepEquation &equation,
             const State        &begin,
             State              &end,
             StepReport         &report) const;

    /// One iteration; returns whether the velocity has converged.
    bool
    iterate(const StepEquation &equation,
            bool                is_first,
            const State        &begin,
            State              &end,
            StepReport         &report) const;

    /// Finds the residual r and the tangent; false where they are not finite,
    /// or the tangent is singular.
    bool
    linearize(const StepEquation &equation,
              const State        &begin,
              const State        &end,
              StepReport         &report) const;

    /// The same with joints.
    bool
    linearize_with_joints(const StepEquation &equation,
                          const State        &begin,
                          const State        &end) const;

    /// Solves the linearised equation for v_free, and then for the impulses
    /// and the velocity v_free with them.
    void
    solve_in_turn(const StepEquation &equation,
                  const State        &begin,
                  State              &end,
                  StepReport         &report) const;

    /// Solves it for both at once, where contacts are active; else false.
    bool
    solve_at_once(const StepEquation &equation,
                  const State        &begin,
                  State              &end,
                  StepReport         &report) const;

    /// change = S^-1 r, and mu with joints.
    LinearReport
    solve_free(const StepEquation &equation,
               const State        &begin,
               const State        &end) const;

    /// change = response to an impulse of contacts, and what the joints do.
    LinearReport
    respond(const Vector &impulse) const;

    const MechanicalModel            &model;
    const BilateralConstraints *const joints;
    const bool                        is_constant; ///< the matrix
    mutable std::vector<double>       mu, mu_of_contacts;
    mutable TangentSolver::Border     G_impulse;

    EffectiveMatrix       matrix;
    ContactStep           contact;
    mutable KeptTangent   kept;
    mutable Vector        r, change, v_free, v_guess, guess_of_impulses;
    mutable double        scale        = 0; ///< of velocities, in m/s
    mutable unsigned long n_iterations = 0, n_tangents = 0; ///< of all steps
  };
} // namespace Percuss
