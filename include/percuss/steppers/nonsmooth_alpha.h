// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/alpha_step.h>
#include <percuss/steppers/contact_step.h>

#include <string>

namespace Percuss
{
  /// The nonsmooth generalized-alpha scheme at velocity level for any
  /// coefficients: the smooth motion by AlphaStep, the impulses apart,
  /// @f[ M w = D^T \lambda, \qquad
  ///     v_{k+1} = \ldots + w, \qquad q_{k+1} = \ldots + \tfrac h2 w. @f]
  /// With z = v_{k+1} - v_k, impulses add to the right-hand side of S z
  /// @f[ (1-\alpha_m) D^T\lambda
  ///     + (1-\alpha_f) h^2 (\beta-\tfrac\gamma2) K w. @f]
  class NonsmoothAlpha : public TimeStepper
  {
  public:
    NonsmoothAlpha(const AlphaCoefficients &coefficients,
                   const Context           &context);

    void
    set_step_size(double h) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override
    {
      return smooth.promise();
    }

    bool
    treats_friction() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return smooth.solver_description();
    }

    std::string
    delassus_description() const override
    {
      return contact.description();
    }

  private:
    /// jump = w and v_change = z of impulses alone.
    LinearReport
    respond(const Vector &impulse) const;

    const MechanicalModel &model;
    AlphaStep              smooth;
    ContactStep            contact;
    mutable Vector         f, jump, v_change;
    Vector                 zero;
  };
} // namespace Percuss
