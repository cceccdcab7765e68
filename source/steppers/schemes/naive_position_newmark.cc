// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/naive_newmark.h>

namespace Percuss
{
  namespace
  {
    /// A counterexample: Newmark's scheme with the contact force inside the
    /// acceleration and the contact law at position level (V. Acary, seminar
    /// slides 2013, equation (45)),
    /// @f[ M a_{k+1} = f_{k+1} + D^T r_{k+1}, \qquad
    ///     0 \le g(q_{k+1}) \perp r_{k+1} \ge 0. @f]
    /// No impact law is met: how a body rebounds depends on where in a step it
    /// hits. The contact velocity of an elastic body oscillates from step to
    /// step.
    class NaivePositionNewmark : public NaiveNewmark
    {
    public:
      NaivePositionNewmark(const Parameters &parameters, const Context &context)
        : NaiveNewmark(parameters, context)
        , delassus(context)
        , gap(contacts.partition())
      {}

      std::vector<std::pair<std::string, std::string>>
      facts() const override
      {
        if (contacts.largest_restitution() == 0)
          return {};
        return {{"restitution", "ignored by this counterexample"}};
      }

    private:
      void
      set_response(double, const ContactResponse::Response &response) override
      {
        delassus.set(response);
      }

      void
      solve_contacts(const State &,
                     const State &end,
                     Vector      &mu,
                     StepReport  &report) const override
      {
        contacts.gaps(end.q, gap);
        gap *= smooth.gamma / (smooth.beta * smooth.step_size());
        report.add(delassus.solve_all(gap, mu));
      }

      ContactResponse delassus;
      mutable Vector  gap;
    };

    const Registration<TimeStepper, NaivePositionNewmark>
      registration("naive position newmark",
                   "counterexample: contact force inside the acceleration, law "
                   "at position level",
                   {{"order", "none with impacts of rigid bodies"},
                    {"energy", "created or destroyed at impacts"},
                    {"penetration", "none"}});
  } // namespace
} // namespace Percuss
