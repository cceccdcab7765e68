// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/alpha_step.h>

namespace Percuss
{
  namespace
  {
    /// The generalized-alpha method of J. Chung and G. M. Hulbert (J. Appl.
    /// Mech. 60, 1993), with Newmark's and HHT's as special cases; V. Acary,
    /// seminar slides 2013, equations (31), (38) and (41). There are no
    /// contacts: bodies pass through walls. It is the yardstick for smooth
    /// motion, and shows what a contact adds. Order 2.
    class SmoothGeneralizedAlpha : public TimeStepper
    {
    public:
      using Parameters = AlphaParameters;

      SmoothGeneralizedAlpha(const Parameters &parameters,
                             const Context    &context)
        : contacts(context.model.contacts())
        , smooth(parameters.coefficients(), context)
      {}

      void
      set_step_size(const double h) override
      {
        smooth.set_step_size(h);
      }

      void
      start(State &state) const override
      {
        state.memory.push_back(
          {"impulse", Vector(contacts.partition()), State::Kind::contact});
        smooth.start(state);
        smooth.start_filter(state);
      }

      void
      advance(const State &begin, State &end, StepReport &report) const override
      {
        smooth.advance(begin, end, report);
        smooth.remember(begin, end);
      }

      EnergyPromise
      promise() const override
      {
        return smooth.promise();
      }

      std::vector<std::pair<std::string, std::string>>
      facts() const override
      {
        if (contacts.partition()->size() == 0)
          return {};
        return {{"contacts", "ignored by this scheme"}};
      }

      std::string
      linear_solver_description() const override
      {
        return smooth.solver_description();
      }

    private:
      const ContactSet &contacts;
      AlphaStep         smooth;
    };

    const Registration<TimeStepper, SmoothGeneralizedAlpha>
      registration("smooth generalized alpha",
                   "Newmark, HHT or Chung and Hulbert without contacts",
                   {{"order", "2 in smooth motion"},
                    {"energy", "as generalized alpha, without the impacts"},
                    {"penetration", "unbounded: contacts are ignored"}});
  } // namespace
} // namespace Percuss
