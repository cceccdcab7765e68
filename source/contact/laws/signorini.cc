// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_law.h>

#include <algorithm>

namespace Percuss
{
  namespace
  {
    /// Unilateral contact without friction and Newton's impact law in Moreau's
    /// form,
    /// @f[ 0 \le u^+ + e\,u^- \;\perp\; \lambda \ge 0. @f]
    class Signorini : public ContactLaw
    {
    public:
      struct Parameters
      {
        void
        declare(ParameterSection &)
        {}
      };

      Signorini(const Parameters &, const Context &)
      {}

      void
      add_shift(const ContactPoint &point,
                const double       *u_before,
                double             *xi) const override
      {
        xi[0] += point.restitution * u_before[0];
      }

      void
      project(const ContactPoint &point, double *lambda) const override
      {
        lambda[0] = std::max(0., lambda[0]);
        std::fill_n(lambda + 1, point.n_directions - 1, 0.);
      }

      double
      friction(const ContactPoint &) const override
      {
        return 0;
      }

      double
      rolling_friction(const ContactPoint &) const override
      {
        return 0;
      }
    };

    const Registration<ContactLaw, Signorini>
      registration("signorini",
                   "no penetration, no adhesion, no friction; Newton's impact "
                   "law with the restitution of each contact");
  } // namespace
} // namespace Percuss
