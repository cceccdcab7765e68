// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_law.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    void
    project_to_disk(const double radius, double *begin, const double *end)
    {
      double square = 0;
      for (const double *entry = begin; entry != end; ++entry)
        square += *entry * *entry;
      if (square <= radius * radius)
        return;
      const double factor = radius / std::sqrt(square);
      for (double *entry = begin; entry != end; ++entry)
        *entry *= factor;
    }



    /// Unilateral contact with isotropic Coulomb friction, and Newton's impact
    /// law in Moreau's form for both directions,
    /// @f[ \xi_N = u_N^+ + e_N u_N^-, \qquad \xi_T = u_T^+ + e_T u_T^-, @f]
    /// @f[ -\xi_N \in N_{\mathbb R_+}(\lambda_N), \qquad
    ///     -\xi_T \in N_{D(\mu\lambda_N)}(\lambda_T), @f]
    /// where D(r) is the disk of radius r, in the plane an interval. Rolling
    /// friction is of the same form (Acary, Bourrier, Eur. J. Mech. A 85,
    /// 2021),
    /// @f[ \xi_R = u_R^+, \qquad
    ///     -\xi_R \in N_{D(\mu_r\lambda_N)}(\lambda_R). @f]
    /// The impulse that the second inclusion allows depends on the first: the
    /// law has no potential.
    class Coulomb : public ContactLaw
    {
    public:
      struct Parameters
      {
        void
        declare(ParameterSection &)
        {}
      };

      Coulomb(const Parameters &, const Context &)
      {}

      void
      add_shift(const ContactPoint &point,
                const double       *u_before,
                double             *xi) const override
      {
        xi[0] += point.restitution * u_before[0];
        for (unsigned int i = 1; i < std::min(3u, point.n_directions); ++i)
          xi[i] += point.tangential_restitution * u_before[i];
      }

      void
      project(const ContactPoint &point, double *lambda) const override
      {
        lambda[0] = std::max(0., lambda[0]);
        project_to_disk(point.friction * lambda[0],
                        lambda + 1,
                        lambda + std::min(3u, point.n_directions));
        if (point.n_directions > 3)
          project_to_disk(point.rolling_friction * lambda[0],
                          lambda + 3,
                          lambda + point.n_directions);
      }

      double
      friction(const ContactPoint &point) const override
      {
        return point.n_directions > 1 ? point.friction : 0;
      }

      double
      rolling_friction(const ContactPoint &point) const override
      {
        return point.n_directions > 3 ? point.rolling_friction : 0;
      }
    };

    const Registration<ContactLaw, Coulomb>
      registration("coulomb",
                   "no penetration, no adhesion, isotropic dry friction; "
                   "Newton's impact law in normal and tangential direction "
                   "with the coefficients of each contact");
  } // namespace
} // namespace Percuss
