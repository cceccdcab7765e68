// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/general_alpha.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  GeneralAlpha::GeneralAlpha(const AlphaCoefficients &coefficients,
                             const Context           &context)
    : c(coefficients)
    , model(context.model)
    , matrix(context)
    , mass(context)
    , contact(context)
    , jump_matrix(model.make_tangent())
  {
    invertible_mass(model); // an impact law needs a mass
    for (Vector *vector : {&zero,
                           &A,
                           &A_end,
                           &y,
                           &residual,
                           &work,
                           &jump,
                           &v_free,
                           &a_free,
                           &da_dw})
      vector->reinit(model.partition());
    if (model.has_constant_mass() && jump_matrix->has_blocks())
      mass.set_constant(1, 0, 0);
  }



  void
  GeneralAlpha::set_step_size(const double step_size)
  {
    h = step_size;
    kept.drop();
    contact.set_changing_response(
      h,
      [this](const Vector &load, Vector &velocity) {
        LinearReport       report = mass.solve(load, velocity);
        const LinearReport second = respond(velocity);
        velocity.add(c.gamma * h, da_dw);
        report.converged &= second.converged;
        report.n_iterations += second.n_iterations;
        return report;
      },
      invert());
  }



  ContactResponse::Inverse
  GeneralAlpha::invert()
  {
    share_of_jump.reset();
    const auto damping = model.proportional_damping();
    if (!matrix.is_large() || !mass.is_constant() || !damping ||
        damping->stiffness != 0 || c.beta == 0)
      return {};
    const double m =
      1 - c.alpha_m + (1 - c.alpha_f) * h * c.gamma * damping->mass;
    const double theta = 1 - c.gamma / (2 * c.beta);
    const double s     = 1 - c.alpha_m - theta * m;
    if (theta < 0 || s <= 0)
      return {};
    const LinearSolver &of_mass = *mass.inverse().solver;
    if (theta > 0)
      share_of_jump.emplace(
        model,
        s,
        theta,
        ShareOfJump::Mass{[&of_mass](const Vector &b, Vector &x) {
                            return of_mass.improve(b, x);
                          },
                          [&of_mass](const Vector &r, Vector &z) {
                            of_mass.precondition(r, z);
                          }});
    ContactResponse::Inverse result = matrix.changing_inverse();
    result.scale                    = s;
    result.second                   = share_of_jump ? &*share_of_jump : nullptr;
    return result;
  }



  void
  GeneralAlpha::start(State &state) const
  {
    contact.start(state);
    if (!set_mass(state))
      throw Error(ExitCode::solver,
                  "The mass matrix is singular at the start.");
    accelerate(state, A);
    state.memory.push_back({"acceleration", A});
  }



  void
  GeneralAlpha::multiply_by_mass(const State  &state,
                                 const Vector &x,
                                 Vector       &result) const
  {
    model.evaluate(Term::momentum, {state.time, state.q, zero}, work);
    model.evaluate(Term::momentum, {state.time, state.q, x}, result);
    result -= work;
  }



  bool
  GeneralAlpha::set_mass(const State &state) const
  {
    return mass.is_constant() || mass.set_tangent([&](SparseMatrix &tangent) {
      model.add_derivative(Term::momentum,
                           Argument::velocity,
                           {state.time, state.q, state.v},
                           1,
                           tangent);
    });
  }



  void
  GeneralAlpha::accelerate(const State &state, Vector &result) const
  {
    model.evaluate(Term::force, {state.time, state.q, state.v}, work);
    (void)mass.solve(work, result);
  }



  void
  GeneralAlpha::move(const State &begin, State &end) const
  {
    const Vector &a_begin = AlphaStep::acceleration(begin);
    const Vector &a_end   = AlphaStep::acceleration(end);
    end.v                 = begin.v;
    end.v.add(h * (1 - c.gamma), a_begin, h * c.gamma, a_end);
    end.v += jump;
    end.q = begin.q;
    end.q.add(h, begin.v, h * h * (0.5 - c.beta), a_begin);
    end.q.add(h * h * c.beta, a_end, h / 2, jump);
  }



  void
  GeneralAlpha::advance(const State &begin,
                        State       &end,
                        StepReport  &report) const
  {
    end.time = begin.time + h;
    end.step = begin.step + 1;
    end.lead = begin.lead;
    report.converged &= set_mass(begin);
    if (!report.converged)
      return;
    const StepReport before = report;
    accelerate(begin, A);
    kept.begin_step(!matrix.is_large());
    if (converge(begin, end, report) || !kept.has_served())
      return;
    // Another try, with new tangents.
    report = before;
    kept.begin_step(true);
    (void)converge(begin, end, report);
  }



  bool
  GeneralAlpha::converge(const State &begin,
                         State       &end,
                         StepReport  &report) const
  {
    constexpr unsigned int n_iterations = 30;
    AlphaStep::acceleration(end)        = AlphaStep::acceleration(begin);
    jump                                = 0.;
    scale                               = 0;
    guess_of_impulses                   = impulses(begin);
    move(begin, end);
    for (unsigned int i = 0; i < n_iterations && report.converged; ++i)
      if (iterate(begin, end, report))
        return report.converged;
    report.converged = false;
    return false;
  }



  void
  GeneralAlpha::find_residual(const State &begin, const State &end) const
  {
    y = AlphaStep::acceleration(end);
    y.sadd(1 - c.alpha_m, c.alpha_m, AlphaStep::acceleration(begin));
    y.add(-c.alpha_f, A);
    multiply_by_mass(end, y, residual);
    model.evaluate(Term::force, {end.time, end.q, end.v}, work);
    residual.add(-(1 - c.alpha_f), work);
  }



  bool
  GeneralAlpha::linearize(const State &end) const
  {
    const Configuration after = {end.time, end.q, end.v};
    // d(M y)/dq - (1-alpha_f) dh/dq, and -(1-alpha_f) dh/dv
    const auto add_by_position = [&](const double  factor,
                                     SparseMatrix &result) {
      model.add_derivative(Term::momentum,
                           Argument::position,
                           {end.time, end.q, y},
                           factor,
                           result);
      model.add_derivative(Term::momentum,
                           Argument::position,
                           {end.time, end.q, zero},
                           -factor,
                           result);
      model.add_derivative(Term::force,
                           Argument::position,
                           after,
                           -(1 - c.alpha_f) * factor,
                           result);
    };
    const auto add_by_velocity = [&](const double  factor,
                                     SparseMatrix &result) {
      model.add_derivative(Term::force,
                           Argument::velocity,
                           after,
                           -(1 - c.alpha_f) * factor,
                           result);
    };
    kept.drop();
    std::fill_n(jump_matrix->values(), jump_matrix->n_values(), 0.);
    add_by_position(h / 2, *jump_matrix);
    add_by_velocity(1, *jump_matrix);
    if (!matrix.set_tangent([&](SparseMatrix &tangent) {
          model.add_derivative(
            Term::momentum, Argument::velocity, after, 1 - c.alpha_m, tangent);
          add_by_position(h * h * c.beta, tangent);
          add_by_velocity(h * c.gamma, tangent);
        }))
      return false;
    contact.invalidate_response(); // which reads the new matrix
    kept.renew();
    return true;
  }



  LinearReport
  GeneralAlpha::respond(const Vector &w) const
  {
    jump_matrix->multiply(w, work);
    const LinearReport report = matrix.solve(work, da_dw);
    da_dw *= -1;
    return report;
  }



  /// a_free = a - S_a^{-1} (R - S_w w).
  void
  GeneralAlpha::solve_in_turn(const State &begin,
                              State       &end,
                              StepReport  &report) const
  {
    const Vector &a = AlphaStep::acceleration(end);
    jump_matrix->multiply(jump, work);
    residual -= work;
    report.add(matrix.solve(residual, a_free));
    a_free.sadd(-1, 1, a);
    v_free = begin.v;
    v_free.add(h * (1 - c.gamma),
               AlphaStep::acceleration(begin),
               h * c.gamma,
               a_free);
    jump = 0.;
    if (contact.solve(
          begin, v_free, guess_of_impulses, end.memory.front().values, report))
      {
        report.add(mass.solve(contact.impulse(), jump));
        report.add(respond(jump));
        a_free += da_dw;
      }
  }



  /// With z = v - v_k and c = h [(1-gamma) a_k + gamma a_i] at the iterate a_i,
  /// w_i the step is
  /// @f[ S_a y = S_a c + h\gamma (S_w w_i - R_i) + s D^T\lambda, \qquad
  ///     M w = D^T\lambda, \qquad z = y + \theta w, @f]
  /// with the factors of AlphaStep::response(), and h gamma (a - a_i) =
  /// z - c - w.
  bool
  GeneralAlpha::solve_at_once(const State &begin,
                              State       &end,
                              StepReport  &report) const
  {
    if (!contact.begin_motion({begin.time, begin.q, begin.v},
                              contact.look_ahead(),
                              begin.v,
                              guess_of_impulses,
                              end,
                              report))
      return false;
    const Vector &a = AlphaStep::acceleration(end);
    jump_matrix->multiply(jump, work);
    residual -= work;
    a_free.equ(h * (1 - c.gamma), AlphaStep::acceleration(begin));
    a_free.add(h * c.gamma, a);
    matrix.multiply(a_free, work);
    work.add(-h * c.gamma, residual);
    v_free = a_free;
    v_free += jump;
    if (share_of_jump)
      share_of_jump->motion().equ(share_of_jump->theta, jump);
    report.add(contact.solve_motion(work, v_free, end));
    if (share_of_jump)
      jump.equ(1 / share_of_jump->theta, share_of_jump->motion());
    else
      report.add(mass.solve(contact.impulse(), jump));
    a_free *= -1;
    a_free += v_free;
    a_free -= jump;
    a_free *= 1 / (h * c.gamma);
    a_free += a;
    return true;
  }



  bool
  GeneralAlpha::iterate(const State &begin,
                        State       &end,
                        StepReport  &report) const
  {
    Vector &a = AlphaStep::acceleration(end);
    find_residual(begin, end);
    if (!std::isfinite(residual.l1_norm()))
      report.is_finite = report.converged = false;
    else if (kept.is_due())
      report.converged &= linearize(end);
    if (!report.converged)
      return false;
    report.contact = {};
    if (!contact.is_applied() || !solve_at_once(begin, end, report))
      solve_in_turn(begin, end, report);
    if (!kept.is_exact_step())
      guess_of_impulses = end.memory.front().values;
    v_free = end.v;
    a.swap(a_free);
    move(begin, end);
    v_free -= end.v;
    a_free -= a;
    scale = std::max({scale, begin.v.linfty_norm(), h * a.linfty_norm()});
    const double change =
      std::max(v_free.linfty_norm(), h * a_free.linfty_norm());
    const double size = std::max(scale, end.v.linfty_norm());
    return kept.is_last(size > 0 ? change / size : 0);
  }



  EnergyPromise
  GeneralAlpha::promise() const
  {
    EnergyPromise promise;
    promise.momentum  = this;
    promise.step_size = h;
    return promise;
  }



  /// J = M(q_k) h [(1-gamma) a_k + gamma a], where a follows from both states:
  /// (1-alpha_m) a = (1-alpha_f) A_{k+1} + alpha_f A_k - alpha_m a_k.
  void
  GeneralAlpha::impulse(const Term   term,
                        const State &begin,
                        const State &end,
                        Vector      &J) const
  {
    if (term != Term::force)
      {
        model.evaluate(term, {begin.time, begin.q, begin.v}, J);
        model.evaluate(term, {end.time, end.q, end.v}, work);
        J.sadd(h * (1 - c.gamma), h * c.gamma, work);
        return;
      }
    const Vector &a_begin = AlphaStep::acceleration(begin);
    set_mass(end);
    accelerate(end, A_end);
    set_mass(begin);
    accelerate(begin, A);
    y.equ((1 - c.alpha_f) / (1 - c.alpha_m), A_end);
    y.add(c.alpha_f / (1 - c.alpha_m),
          A,
          -c.alpha_m / (1 - c.alpha_m),
          a_begin);
    y.sadd(h * c.gamma, h * (1 - c.gamma), a_begin);
    multiply_by_mass(begin, y, J);
  }
} // namespace Percuss
