// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/nonsmooth_alpha.h>

#include <algorithm>

namespace Percuss
{
  NonsmoothAlpha::NonsmoothAlpha(const AlphaCoefficients &coefficients,
                                 const Context           &context)
    : model(context.model)
    , smooth(coefficients, context)
    , contact(context)
  {
    for (Vector *vector : {&f, &jump, &v_change, &guessed_impulse, &zero})
      vector->reinit(model.partition());
    for (Vector *vector : {&shift, &new_shift, &last_difference})
      vector->reinit(model.contacts().partition());
  }



  void
  NonsmoothAlpha::set_step_size(const double h)
  {
    smooth.set_step_size(h);
    jump = 0.;
    // What is not s S^-1 must be the smaller part.
    const double part = smooth.part_of_mass();
    contact.set_response(
      h,
      [this](const Vector &impulse, Vector &velocity) {
        const LinearReport report = respond(impulse);
        velocity                  = v_change;
        return report;
      },
      part >= 0 && part < 0.5 ? smooth.inverse() : ContactResponse::Inverse());
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



  LinearReport
  NonsmoothAlpha::find_rest(const Vector &impulse) const
  {
    // An old guess is no start for nothing.
    if (impulse.linfty_norm() == 0)
      {
        jump     = 0.;
        v_change = 0.;
        return {};
      }
    model.multiply_by_mass(jump, f);
    if (f.l2_norm() > 10 * impulse.l2_norm())
      jump = 0.;
    // R D^T lambda - s S^-1 D^T lambda; e = epsilon w without damping.
    const double       h       = smooth.step_size();
    const double       epsilon = smooth.part_of_mass();
    const LinearReport first   = smooth.improve_mass(impulse, jump);
    if (epsilon == 0)
      {
        v_change = 0.;
        return first;
      }
    model.internal_forces(jump, zero, v_change);
    f.equ((1 - smooth.alpha_m) * epsilon, impulse);
    f.add((1 - smooth.alpha_f) * h * h * (smooth.beta - smooth.gamma / 2),
          v_change);
    v_change.equ(epsilon, jump);
    const LinearReport second = smooth.improve(f, v_change);
    return {first.converged && second.converged,
            first.n_iterations + second.n_iterations};
  }



  void
  NonsmoothAlpha::advance_with_motion(const State &begin,
                                      State       &end,
                                      StepReport  &report) const
  {
    constexpr unsigned int n_iterations = 50;
    if (!contact.begin_motion(begin, end, report))
      {
        smooth.advance(begin, end, report);
        return;
      }
    const ContactSet &contacts   = model.contacts();
    const Vector     &lambda     = impulses(end);
    const Vector     &load       = smooth.load(begin);
    Vector           &z          = smooth.guess_change(begin);
    double            relaxation = 1;
    bool              is_done    = false;
    contacts.velocities(begin.v, shift);
    const double speed = shift.linfty_norm();
    shift              = 0.;
    if (smooth.part_of_mass() != 0)
      {
        contacts.impulses(lambda, guessed_impulse);
        report.add(find_rest(guessed_impulse));
        contacts.multiply(v_change, shift);
      }
    for (unsigned int i = 0; i < n_iterations && !is_done; ++i)
      {
        report.add(contact.solve_motion(load, &shift, z, end));
        report.add(find_rest(contact.impulse()));
        contacts.multiply(v_change, new_shift);
        new_shift -= shift;
        is_done = new_shift.linfty_norm() <=
                  1e-11 * std::max(speed, contact.largest_velocity(lambda));
        // Aitken's relaxation.
        if (i > 0 && !is_done)
          {
            last_difference -= new_shift;
            const double square = last_difference.norm_sqr();
            if (square > 0)
              relaxation *= 1 + (last_difference * new_shift) / square;
            relaxation = std::clamp(relaxation, 0.1, 1.);
          }
        last_difference = new_shift;
        shift.add(relaxation, new_shift);
      }
    report.converged &= is_done;
    smooth.finish(begin, end);
    add_changes(end);
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
