// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/work_space.h>
#include <percuss/steppers/nonsmooth_alpha.h>

namespace Percuss
{
  namespace
  {
    constexpr double jump_tolerance = 1e-12; // of residuals
  }



  NonsmoothAlpha::NonsmoothAlpha(const AlphaCoefficients &coefficients,
                                 const Context           &context)
    : model(context.model)
    , smooth(coefficients, context)
    , contact(context)
  {
    jump.reinit(model.partition());
  }



  ContactResponse::Inverse
  NonsmoothAlpha::invert()
  {
    share_of_jump.reset();
    const auto response = smooth.response();
    if (!response)
      {
        // S^-1 (M + kappa K) M^-1 is symmetric where C = a M + b K, and
        // positive for steps of explicit schemes that are stable.
        ContactResponse::Inverse none;
        none.is_symmetric =
          smooth.stiffness_of_impulses() < 0 && model.proportional_damping();
        return none;
      }
    if (response->of_M != 0)
      share_of_jump.emplace(
        model,
        response->of_S,
        response->of_M,
        ShareOfJump::Mass{[this](const Vector &b, Vector &x) {
                            return smooth.improve_mass(b, x, jump_tolerance);
                          },
                          [this](const Vector &r, Vector &z) {
                            smooth.precondition_mass(r, z);
                          }});
    return {&smooth.matrix(),
            &smooth.linear_solver(),
            response->of_S,
            share_of_jump ? &*share_of_jump : nullptr};
  }



  void
  NonsmoothAlpha::set_step_size(const double h)
  {
    smooth.set_step_size(h);
    jump = 0.;
    guess_of_jump.clear();
    contact.set_response(
      h,
      [this](const Vector &impulse, Vector &velocity) {
        const LinearReport report = respond(impulse);
        velocity                  = v_change;
        return report;
      },
      invert());
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
    for (Vector *vector : {&f, &v_change})
      make_room(*vector, model.partition());
    const LinearReport first = smooth.solve_mass(impulse, jump);
    f.equ(1 - smooth.alpha_m, impulse);
    if (const double kappa = smooth.stiffness_of_impulses(); kappa != 0)
      {
        model.internal_forces(jump,
                              make_room(zero, model.partition()),
                              v_change);
        f.add(kappa, v_change);
      }
    const LinearReport second = smooth.solve(f, v_change);
    return {first.converged && second.converged,
            first.n_iterations + second.n_iterations};
  }



  void
  NonsmoothAlpha::advance_with_motion(const State &begin,
                                      State       &end,
                                      StepReport  &report) const
  {
    if (!contact.begin_motion(begin, end, report))
      {
        smooth.advance(begin, end, report);
        return;
      }
    const Vector &load = smooth.load(begin);
    guess_of_jump.guess(begin.step, jump);
    if (share_of_jump)
      share_of_jump->motion().equ(share_of_jump->theta, jump);
    report.add(contact.solve_motion(load, smooth.guess_change(begin), end));
    if (share_of_jump)
      jump.equ(1 / share_of_jump->theta, share_of_jump->motion());
    else
      report.add(smooth.improve_mass(contact.impulse(), jump, jump_tolerance));
    guess_of_jump.remember(begin.step, jump);
    smooth.finish(begin, end);
    add_jump(end);
  }



  void
  NonsmoothAlpha::add_changes(State &end) const
  {
    const double        h = smooth.step_size();
    const double *const z = v_change.begin(), *const w = jump.begin();
    double *const q_end = end.q.begin(), *const v_end = end.v.begin();
    double *const     a_end    = AlphaStep::acceleration(end).begin();
    const double      ratio    = smooth.beta / smooth.gamma;
    const double      a_from_z = 1 / (h * smooth.gamma);
    const std::size_t n        = end.q.locally_owned_size();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        v_end[i] += z[i];
        a_end[i] += a_from_z * (z[i] - w[i]);
        q_end[i] += h * (ratio * z[i] + (0.5 - ratio) * w[i]);
      }
  }



  void
  NonsmoothAlpha::add_jump(State &end) const
  {
    const double        h        = smooth.step_size();
    const double *const w        = jump.begin();
    double *const       q_end    = end.q.begin();
    double *const       a_end    = AlphaStep::acceleration(end).begin();
    const double        to_q     = h * (0.5 - smooth.beta / smooth.gamma);
    const double        a_from_w = 1 / (h * smooth.gamma);
    const std::size_t   n        = end.q.locally_owned_size();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        a_end[i] -= a_from_w * w[i];
        q_end[i] += to_q * w[i];
      }
  }



  void
  NonsmoothAlpha::advance(const State &begin,
                          State       &end,
                          StepReport  &report) const
  {
    if (contact.is_applied())
      advance_with_motion(begin, end, report);
    else
      {
        smooth.advance(begin, end, report);
        if (contact.solve(begin, end.v, end, report))
          {
            report.add(respond(contact.impulse()));
            add_changes(end);
          }
      }
    smooth.remember(begin, end);
  }
} // namespace Percuss
