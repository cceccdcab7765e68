// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/contact_step.h>
#include <percuss/steppers/naive_newmark.h>

namespace Percuss
{
  namespace
  {
    /// A counterexample: Newmark's scheme with the contact force inside the
    /// acceleration and the contact law at velocity level (V. Acary, seminar
    /// slides 2013, equation (46)),
    /// @f[ M a_{k+1} = f_{k+1} + D^T r_{k+1}, \qquad
    ///     0 \le u_{k+1} + e u_k \perp r_{k+1} \ge 0. @f]
    /// One step after an impact the velocity is
    /// @f$ |v^-| [e + (1+e)(1-\gamma)/\gamma] @f$ instead of e |v^-|: the
    /// scheme is consistent for gamma = 1 only.
    class NaiveVelocityNewmark : public NaiveNewmark
    {
    public:
      NaiveVelocityNewmark(const Parameters &parameters, const Context &context)
        : NaiveNewmark(parameters, context)
        , contact(context)
      {}

    private:
      void
      set_response(const double                     h,
                   const ContactResponse::Response &response) override
      {
        contact.set_response(h, response);
      }

      void
      solve_contacts(const State &begin,
                     const State &end,
                     Vector      &mu,
                     StepReport  &report) const override
      {
        guess = mu;
        contact.solve(begin, end.v, guess, mu, report);
      }

      ContactStep    contact;
      mutable Vector guess;
    };

    const Registration<TimeStepper, NaiveVelocityNewmark>
      registration("naive velocity newmark",
                   "counterexample: contact force inside the acceleration, law "
                   "at velocity level",
                   {{"order", "none with impacts unless gamma = 1"},
                    {"energy", "created at impacts unless gamma = 1"},
                    {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
