// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/nonsmooth_alpha.h>

namespace Percuss
{
  NonsmoothAlpha::NonsmoothAlpha(const AlphaCoefficients &coefficients,
                                 const Context           &context)
    : model(context.model)
    , smooth(coefficients, context)
    , contact(context)
  {
    for (Vector *vector : {&f, &jump, &v_change, &zero})
      vector->reinit(model.partition());
  }



  void
  NonsmoothAlpha::set_step_size(const double h)
  {
    smooth.set_step_size(h);
    // With gamma = 2 beta the response is symmetric, (1 - alpha_m) S^-1.
    contact.set_response(
      h,
      [this](const Vector &impulse, Vector &velocity) {
        const LinearReport report = respond(impulse);
        velocity                  = v_change;
        return report;
      },
      smooth.gamma == 2 * smooth.beta ? smooth.inverse() :
                                        ContactResponse::Inverse());
  }



  void
  NonsmoothAlpha::start(State &state) const
  {
    contact.start(state);
    smooth.start(state);
    smooth.start_filter(state);
  }



  LinearReport
  NonsmoothAlpha::respond(const Vector &impulse) const
  {
    const double       h     = smooth.step_size();
    const LinearReport first = smooth.solve_mass(impulse, jump);
    const double       factor =
      (1 - smooth.alpha_f) * h * h * (smooth.beta - smooth.gamma / 2);
    f.equ(1 - smooth.alpha_m, impulse);
    if (factor != 0)
      {
        model.internal_forces(jump, zero, v_change);
        f.add(factor, v_change);
      }
    const LinearReport second = smooth.solve(f, v_change);
    return {first.converged && second.converged,
            first.n_iterations + second.n_iterations};
  }



  void
  NonsmoothAlpha::advance(const State &begin,
                          State       &end,
                          StepReport  &report) const
  {
    smooth.advance(begin, end, report);
    if (contact.solve(begin, end.v, end, report))
      {
        report.add(respond(contact.impulse()));
        const double        h = smooth.step_size();
        const double *const z = v_change.begin(), *const w = jump.begin();
        double *const q_end = end.q.begin(), *const v_end = end.v.begin();
        double *const     a_end    = AlphaStep::acceleration(end).begin();
        const double      ratio    = smooth.beta / smooth.gamma;
        const double      a_from_z = 1 / (h * smooth.gamma);
        const std::size_t n        = begin.q.locally_owned_size();
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
          {
            v_end[i] += z[i];
            a_end[i] += a_from_z * (z[i] - w[i]);
            q_end[i] += h * (ratio * z[i] + (0.5 - ratio) * w[i]);
          }
      }
    smooth.remember(begin, end);
  }
} // namespace Percuss
