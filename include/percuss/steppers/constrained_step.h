// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/constrained_solver.h>
#include <percuss/steppers/contact_step.h>
#include <percuss/steppers/kept_tangent.h>

#include <memory>
#include <string>

namespace Percuss
{
  /// What one-step schemes share that have the position at the end of a step as
  /// unknown, with joints and with contacts at velocity level:
  /// @f[ R(q_{k+1}) = s\,D(q_k)^T\lambda + G_B(q_i)^T\mu, \qquad
  ///     g_B(q_{k+1}) = 0, @f]
  /// and a velocity v_{k+1} that follows from q_{k+1} and lambda. Newton's
  /// method; each iteration solves the contact problem of the linearised step.
  class ConstrainedStep : public TimeStepper, protected MomentumBalance
  {
  public:
    using Parameters = JointParameters;

    ConstrainedStep(const Parameters &parameters, const Context &context);

    void
    set_step_size(double step_size) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override;

    bool
    treats_nonlinear_models() const override
    {
      return true;
    }

    bool
    treats_friction() const override
    {
      return true;
    }

    bool
    treats_joints() const override
    {
      return true;
    }

    std::vector<std::pair<std::string, std::string>>
    facts() const override;

    std::string
    linear_solver_description() const override
    {
      return solver.description();
    }

    std::string
    delassus_description() const override
    {
      return contact.description();
    }

  protected:
    /// @p r = -R at the present position of @p end.
    virtual void
    residual(const State &begin, const State &end, Vector &r) const = 0;

    /// Adds dR/dq.
    virtual void
    add_tangent(const State  &begin,
                const State  &end,
                SparseMatrix &tangent) const = 0;

    /// s: the part of the contacts' impulse in R.
    virtual double
    contact_part() const = 0;

    /// q_i: where the joints act.
    virtual const Vector &
    joint_place(const State &begin, const State &end) const = 0;

    /// The velocity at the end for the position of @p end plus @p x, to first
    /// order, without impulses of contacts. After residual().
    virtual void
    predict_velocity(const State  &begin,
                     const State  &end,
                     const Vector &x,
                     Vector       &v) const = 0;

    /// What an impulse of contacts, and the change @p x of positions that it
    /// causes, change in the velocity.
    virtual LinearReport
    respond(const Vector &impulse, const Vector &x, Vector &v) const = 0;

    /// Sets the velocity of @p end, and what the joints did, for the contacts'
    /// impulse; false where it cannot.
    virtual bool
    finish(const State &begin, const Vector &impulse, State &end) const = 0;

    /// Where the joints' impulse is remembered that the joint audit is to find
    /// at the start or at the middle of the step.
    virtual std::string
    joint_memory() const = 0;

    virtual bool
    joints_hold_velocities() const = 0;

    bool
    has_contacts_of_end() const override
    {
      return false;
    }

    /// (q_k + q_{k+1})/2 and (q_{k+1} - q_k)/h.
    Configuration
    middle(const State &begin, const State &end) const;

    void
    clear(SparseMatrix &matrix) const;

    const MechanicalModel &model;
    ConstrainedSolver      solver;
    double                 h = 0;
    const bool             has_joints;

  private:
    /// Iterates until the position has converged; false where it does not.
    bool
    converge(const State &begin, State &end, StepReport &report) const;

    /// A new tangent for the residual at hand; false where it is singular.
    bool
    linearize(const State &begin, const State &end) const;

    /// One iteration; returns whether the position has converged.
    bool
    iterate(const State &begin,
            bool         has_contacts,
            State       &end,
            StepReport  &report) const;

    const bool                    is_constant; ///< the tangent
    ContactStep                   contact;
    std::unique_ptr<SparseMatrix> tangent;
    mutable Vector                q_middle, v_middle, r, x, v_free, impulse;
    mutable Vector                y, y_of_contacts, guess_of_impulses;
    mutable NewtonProgress        progress;
    mutable KeptTangent           kept;
    double                        round_off = 0; ///< of impulses, in N s
  };
} // namespace Percuss
