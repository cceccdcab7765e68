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
    contact.set_changing_response(h,
                                  [this](const Vector &load, Vector &velocity) {
                                    LinearReport report =
                                      mass.solve(load, velocity);
                                    const LinearReport second =
                                      respond(velocity);
                                    velocity.add(c.gamma * h, da_dw);
                                    report.converged &= second.converged;
                                    report.n_iterations += second.n_iterations;
                                    return report;
                                  });
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
    constexpr unsigned int n_iterations = 30;
    end.time                            = begin.time + h;
    end.step                            = begin.step + 1;
    Vector &a                           = AlphaStep::acceleration(end);
    a                                   = AlphaStep::acceleration(begin);
    jump                                = 0.;
    scale                               = 0;
    end.lead                            = begin.lead;
    report.converged &= set_mass(begin);
    if (!report.converged)
      return;
    accelerate(begin, A);
    move(begin, end);
    for (unsigned int i = 0; i < n_iterations && report.converged; ++i)
      if (iterate(begin, end, report))
        return;
    report.converged = false;
  }



  bool
  GeneralAlpha::linearize(const State &begin, const State &end) const
  {
    y = AlphaStep::acceleration(end);
    y.sadd(1 - c.alpha_m, c.alpha_m, AlphaStep::acceleration(begin));
    y.add(-c.alpha_f, A);
    multiply_by_mass(end, y, residual);
    const Configuration after = {end.time, end.q, end.v};
    model.evaluate(Term::force, after, work);
    residual.add(-(1 - c.alpha_f), work);
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
    std::fill_n(jump_matrix->values(), jump_matrix->n_values(), 0.);
    add_by_position(h / 2, *jump_matrix);
    add_by_velocity(1, *jump_matrix);
    return matrix.set_tangent([&](SparseMatrix &tangent) {
      model.add_derivative(
        Term::momentum, Argument::velocity, after, 1 - c.alpha_m, tangent);
      add_by_position(h * h * c.beta, tangent);
      add_by_velocity(h * c.gamma, tangent);
    });
  }



  LinearReport
  GeneralAlpha::respond(const Vector &w) const
  {
    jump_matrix->multiply(w, work);
    const LinearReport report = matrix.solve(work, da_dw);
    da_dw *= -1;
    return report;
  }



  bool
  GeneralAlpha::iterate(const State &begin,
                        State       &end,
                        StepReport  &report) const
  {
    Vector &a = AlphaStep::acceleration(end);
    contact.invalidate_response();
    if (!linearize(begin, end))
      {
        report.is_finite = std::isfinite(residual.l1_norm());
        report.converged = false;
        return false;
      }
    // a_free = a - S_a^{-1} (R - S_w w)
    report.add(respond(jump));
    report.add(matrix.solve(residual, a_free));
    a_free.sadd(-1, 1, a);
    a_free -= da_dw;
    v_free = begin.v;
    v_free.add(h * (1 - c.gamma),
               AlphaStep::acceleration(begin),
               h * c.gamma,
               a_free);
    jump           = 0.;
    report.contact = {};
    if (contact.solve(begin, v_free, end, report))
      {
        report.add(mass.solve(contact.impulse(), jump));
        report.add(respond(jump));
        a_free += da_dw;
      }
    v_free = end.v;
    a.swap(a_free);
    move(begin, end);
    v_free -= end.v;
    a_free -= a;
    scale = std::max({scale, begin.v.linfty_norm(), h * a.linfty_norm()});
    return std::max(v_free.linfty_norm(), h * a_free.linfty_norm()) <=
           1e-9 * std::max(scale, end.v.linfty_norm());
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
