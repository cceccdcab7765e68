// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/contact_step.h>
#include <percuss/steppers/theta_step.h>

#include <string>

namespace Percuss
{
  /// A step of Moreau's family with contacts at velocity level, for any
  /// weights.
  class MoreauStep : public TimeStepper
  {
  public:
    MoreauStep(const ThetaWeights &weights, const Context &context)
      : motion(weights, context)
      , contact(context)
    {
      invertible_mass(context.model); // an impact law needs a mass
    }

    void
    set_step_size(const double h) override
    {
      motion.set_step_size(h);
      contact.set_response(
        h,
        [this](const Vector &impulse, Vector &velocity) {
          return motion.respond(impulse, velocity);
        },
        motion.inverse());
    }

    void
    start(State &state) const override
    {
      contact.start(state);
    }

    void
    advance(const State &begin, State &end, StepReport &report) const override
    {
      if (contact.is_applied())
        advance_with_motion(begin, end, report);
      else
        {
          motion.solve_free(begin, end, report);
          if (contact.solve(begin, end.v, end, report))
            motion.add_impulse(contact.impulse(), end, report);
        }
      motion.move(begin, end);
    }

    EnergyPromise
    promise() const override
    {
      return motion.promise();
    }

    bool
    treats_friction() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return motion.solver_description();
    }

    std::string
    delassus_description() const override
    {
      return contact.description();
    }

  private:
    /// Velocity and impulses at once.
    void
    advance_with_motion(const State &begin,
                        State       &end,
                        StepReport  &report) const
    {
      if (contact.begin_motion(begin, end, report))
        {
          report.add(contact.solve_motion(motion.load(begin),
                                          motion.guess_change(begin),
                                          end));
          motion.finish(begin, end);
        }
      else
        motion.solve_free(begin, end, report);
    }

    ThetaStep   motion;
    ContactStep contact;
  };
} // namespace Percuss
