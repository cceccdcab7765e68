// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/alpha_step.h>
#include <percuss/steppers/contact_response.h>

#include <string>

namespace Percuss
{
  /// Newmark's scheme with the contact force inside the acceleration (V.
  /// Acary, seminar slides 2013, equations (43) to (45)), which is what one
  /// would write down without thinking of jumps:
  /// @f[ M a_{k+1} = f_{k+1} + D^T r_{k+1}. @f]
  /// An impulse in a step then lives on in the next one, through a_k. The
  /// classes derived from this one are counterexamples: they show why
  /// impulses must be kept apart.
  ///
  /// With mu = h gamma r_{k+1} and S = M + beta h^2 K + gamma h C, contacts
  /// change the velocity by S^{-1} D^T mu and the position by h beta/gamma
  /// times that. The impulse of the step is
  /// lambda = h [(1-gamma) r_k + gamma r_{k+1}].
  class NaiveNewmark : public TimeStepper
  {
  public:
    struct Parameters
    {
      double gamma = 0.5;
      double beta  = 0.25;

      void
      declare(ParameterSection &section);
    };

    NaiveNewmark(const Parameters &parameters, const Context &context);

    void
    set_step_size(double h) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override;

    std::string
    linear_solver_description() const override
    {
      return smooth.solver_description();
    }

  protected:
    /// Called by set_step_size(): velocity = S^{-1} impulse.
    virtual void
    set_response(double h, const ContactResponse::Response &response) = 0;

    /// Finds @p mu for the free motion in @p end.
    virtual void
    solve_contacts(const State &begin,
                   const State &end,
                   Vector      &mu,
                   StepReport  &report) const = 0;

    const MechanicalModel &model;
    const ContactSet      &contacts;
    AlphaStep              smooth;

  private:
    mutable Vector mu, impulse, change;
  };
} // namespace Percuss
