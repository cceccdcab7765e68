// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/alpha_step.h>
#include <percuss/steppers/contact_response.h>

#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// A change of the motion at the end of a step.
  struct AlphaMotion
  {
    Vector q, v, a;          ///< position, velocity, acceleration
    Vector position_impulse; ///< p, in N s^2
    Vector joint_impulse;    ///< j, in N s; empty without joints
    Vector joint_force;      ///< r, in N; empty without joints

    AlphaMotion(const Partition &partition, bool has_joints);

    void
    clear();

    /// Adds this change to @p end.
    void
    apply_to(State &end) const;
  };



  /// How the end of a generalized-alpha step responds to multipliers at
  /// position level, M U = D^T nu + ..., and at velocity level,
  /// M W = D^T Lambda + ...: all linear once the joints are linearised.
  class CorrectedMotion
  {
  public:
    virtual ~CorrectedMotion() = default;

    virtual void
    set_step_size(double h) = 0;

    /// Adds all memories but the impulses to an initial state.
    virtual void
    start(State &state) const = 0;

    /// The step without contacts.
    virtual void
    advance(const State &begin, State &end, StepReport &report) const = 0;

    /// The change due to D^T nu.
    virtual LinearReport
    respond_to_position(const Vector &load, AlphaMotion &change) const = 0;

    /// The change due to D^T Lambda.
    virtual LinearReport
    respond_to_velocity(const Vector &load, AlphaMotion &change) const = 0;

    /// Whether Lambda moves positions.
    virtual bool
    is_coupled() const = 0;

    /// Linearises the joints at @p end anew; returns whether they were good
    /// enough. Collective.
    virtual bool
    linearize(const State &end) const = 0;

    virtual EnergyPromise
    promise() const = 0;

    virtual std::string
    solver_description() const = 0;
  };



  /// What such motions of models without joints share.
  class FreeMotion : public CorrectedMotion
  {
  public:
    FreeMotion(const AlphaCoefficients    &coefficients,
               const TimeStepper::Context &context);

    void
    set_step_size(const double h) override
    {
      smooth.set_step_size(h);
    }

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    bool
    linearize(const State &) const override
    {
      return true;
    }

    EnergyPromise
    promise() const override
    {
      return smooth.promise();
    }

    std::string
    solver_description() const override
    {
      return smooth.solver_description();
    }

  protected:
    const MechanicalModel &model;
    AlphaStep              smooth;
    mutable Vector         f; ///< work space
    Vector                 zero;
  };



  /// Generalized-alpha schemes that correct positions and velocities, each with
  /// multipliers of its own (O. Bruels, V. Acary, A. Cardona, Comput. Methods
  /// Appl. Mech. Engrg. 281, 2014):
  /// @f[ q_{k+1} = \tilde q + U, \quad v_{k+1} = \tilde v + W, \qquad
  ///     M U = D^T\nu + G_B^T\nu_B, \quad M W = D^T\Lambda + G_B^T\Lambda_B,@f]
  /// @f[ 0 \le g(q_{k+1}) \perp \nu \ge 0, \qquad
  ///     0 \le u_{k+1} + e u_k \perp \Lambda \ge 0
  ///     \text{ where } \nu > 0 \text{ or } g(q_{k+1}) \le 0. @f]
  /// Bodies do not penetrate, and joints hold at both levels.
  class CorrectedAlpha : public TimeStepper
  {
  public:
    CorrectedAlpha(std::unique_ptr<CorrectedMotion> motion,
                   const Context                   &context);

    void
    set_step_size(double h) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override;

    bool
    treats_joints() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return motion->solver_description();
    }

  private:
    /// Both Delassus matrices; with joints, only where they are needed.
    void
    set_responses() const;

    /// Finds nu and Lambda for the free motion in @p end, and applies them.
    void
    solve_contacts(const State &begin, State &end, StepReport &report) const;

    /// Solves for nu and Lambda in turn where Lambda moves positions.
    void
    iterate(const State &begin, const State &end, StepReport &report) const;

    /// Solves for nu, where @p is_moved with the positions that Lambda has
    /// moved by from_velocities. Without a closed contact it touches no vector
    /// of the model's size.
    void
    solve_positions(const State &end, bool is_moved, StepReport &report) const;

    /// Solves for Lambda.
    void
    solve_velocities(const State &begin,
                     const State &end,
                     StepReport  &report) const;

    const MechanicalModel           &model;
    const ContactSet                &contacts;
    const ContactLaw                &law;
    const double                     tolerance;
    std::unique_ptr<CorrectedMotion> motion;
    mutable ContactResponse          positions, velocities;
    mutable AlphaMotion              from_positions, from_velocities, of_unit;
    mutable Vector nu, lambda, lambda_guess, residual, residual_before;
    mutable Vector b, change, u_before, load;
    mutable std::vector<unsigned int> closed;
  };
} // namespace Percuss
