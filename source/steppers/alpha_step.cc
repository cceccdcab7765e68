// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/diagonal_matrix.h>
#include <percuss/steppers/alpha_step.h>

namespace Percuss
{
  void
  AlphaParameters::declare(ParameterSection &section)
  {
    section.add_choice("parameter set",
                       parameter_set,
                       "Which entries below choose the coefficients",
                       {"chung hulbert", "hht", "newmark"});
    section.add("spectral radius",
                spectral_radius,
                "With 'chung hulbert': damping of the highest frequency, 1 "
                "for none, 0 for all within a step",
                Range::between(0, 1));
    section.add("alpha",
                alpha,
                "With 'hht': weight of the old forces",
                Range::between(0, 1. / 3));
    section.add("gamma",
                gamma,
                "With 'newmark': 1/2 conserves the energy of smooth motion",
                Range::between(0.5, 1));
    section.add("beta",
                beta,
                "With 'newmark': at least gamma/2",
                Range::between(0, 1));
    section.matters_with("spectral radius", "parameter set", "chung hulbert");
    section.matters_with("alpha", "parameter set", "hht");
    section.matters_with("gamma", "parameter set", "newmark");
    section.matters_with("beta", "parameter set", "newmark");
    section.require("beta", [this]() {
      return parameter_set == "newmark" && 2 * beta < gamma ?
               "is below gamma/2, and long steps would be unstable" :
               std::string();
    });
  }



  AlphaCoefficients
  AlphaParameters::coefficients() const
  {
    AlphaCoefficients c{0, 0, gamma, beta};
    if (parameter_set == "chung hulbert")
      {
        const double r = spectral_radius;
        c.alpha_m      = (2 * r - 1) / (r + 1);
        c.alpha_f      = r / (r + 1);
      }
    else if (parameter_set == "hht")
      c.alpha_f = alpha;
    if (parameter_set != "newmark")
      {
        c.gamma = 0.5 + c.alpha_f - c.alpha_m;
        c.beta  = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
      }
    return c;
  }



  AlphaStep::AlphaStep(const AlphaCoefficients    &coefficients,
                       const TimeStepper::Context &context)
    : alpha_m(coefficients.alpha_m)
    , alpha_f(coefficients.alpha_f)
    , gamma(coefficients.gamma)
    , beta(coefficients.beta)
    , model(context.model)
    , make_linear_solver(context.make_linear_solver)
    , M(TimeStepper::invertible_mass(model))
  {
    constexpr unsigned int small = 3000;
    if (M->has_blocks() && model.partition()->size() > small &&
        !is_diagonal(*M))
      {
        auto iterations = std::make_unique<MassSolver>(model, *M);
        mass_iterations = iterations.get();
        mass_solver     = std::move(iterations);
        M               = nullptr;
      }
    else
      mass_solver = make_linear_solver(*M);
    for (Vector *vector : {&q_star, &f, &z})
      vector->reinit(model.partition());
  }



  void
  AlphaStep::set_step_size(const double step_size)
  {
    h      = step_size;
    solver = nullptr;
    S      = nullptr;
    guess.clear();
    S               = model.assemble(1 - alpha_m,
                       (1 - alpha_f) * gamma * h,
                       (1 - alpha_f) * beta * h * h);
    solver          = make_linear_solver(*S);
    stiffness_ratio = S->largest_diagonal_ratio(model.masses());
  }



  std::optional<AlphaStep::Response>
  AlphaStep::response() const
  {
    const auto damping = model.proportional_damping();
    if (!damping || stiffness_of_impulses() < 0)
      return {};
    const double per_force = (1 - alpha_f) * h; // of C and K
    const double m         = 1 - alpha_m + per_force * gamma * damping->mass;
    const double k     = per_force * (beta * h + gamma * damping->stiffness);
    const double theta = k > 0 ? stiffness_of_impulses() / k : 0;
    const double s     = 1 - alpha_m - theta * m;
    return s > 0 ? std::make_optional(Response{s, theta}) : std::nullopt;
  }



  void
  AlphaStep::start(State &state) const
  {
    model.internal_forces(state.q, state.v, f);
    f.sadd(-1, 1, model.dead_load());
    model.add_driving_load(state.time, 1, f);
    Vector a(model.partition());
    if (!mass_solver->solve(f, a).converged)
      throw Error(ExitCode::solver,
                  "The linear solver failed to compute the initial "
                  "acceleration.");
    state.memory.push_back({"acceleration", a});
  }



  void
  AlphaStep::start_filter(State &state) const
  {
    if (!is_filtered())
      return;
    // Before the start all was as it is at the start.
    state.memory.push_back({"filter displacement", Vector(model.partition())});
    f = 0.;
    model.add_driving_load(state.time, 1, f);
    state.memory.push_back({"filter load", f, State::Kind::load});
    model.damping_forces(state.v, f);
    f *= -1;
    state.memory.push_back({"filter damping", f, State::Kind::load});
  }



  void
  AlphaStep::advance(const State &begin, State &end, StepReport &report) const
  {
    load(begin);
    if (solver->is_iterative())
      report.add(solver->improve(f, guess_change(begin)));
    else
      report.add(solver->solve(f, z));
    finish(begin, end);
  }



  const Vector &
  AlphaStep::load(const State &begin) const
  {
    const std::size_t   n = begin.q.locally_owned_size();
    const double *const q = begin.q.begin(), *const v = begin.v.begin();
    const double *const a = acceleration(begin).begin();
    // Forces of a linear model may be blended before they are evaluated.
    const double  from_v = (1 - alpha_f) * h;
    const double  from_a = (1 - alpha_f) * h * h * (0.5 - beta / gamma);
    double *const star   = q_star.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      star[i] = q[i] + from_v * v[i] + from_a * a[i];
    model.internal_forces(q_star, begin.v, f);
    Vector &inertia = q_star; // which has served
    model.multiply_by_mass(acceleration(begin), inertia);
    const double        inertia_factor = h * (1 - alpha_m - gamma);
    const double *const dead           = model.dead_load().begin();
    const double *const Ma             = inertia.begin();
    double *const       b              = f.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      b[i] = h * gamma * (dead[i] - b[i]) + inertia_factor * Ma[i];
    if (model.has_driving_load())
      {
        model.add_driving_load(begin.time, h * gamma * alpha_f, f);
        model.add_driving_load(begin.time + h, h * gamma * (1 - alpha_f), f);
      }
    return f;
  }



  void
  AlphaStep::finish(const State &begin, State &end) const
  {
    if (solver->is_iterative())
      guess.remember(begin.step, z);
    const std::size_t   n = begin.q.locally_owned_size();
    const double *const q = begin.q.begin(), *const v = begin.v.begin();
    const double *const a = acceleration(begin).begin();
    double *const q_end = end.q.begin(), *const v_end = end.v.begin();
    double *const       a_end    = acceleration(end).begin();
    const double        ratio    = beta / gamma;
    const double        a_from_z = 1 / (h * gamma), a_from_a = 1 - 1 / gamma;
    const double *const dv = z.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      {
        v_end[i] = v[i] + dv[i];
        a_end[i] = a_from_z * dv[i] + a_from_a * a[i];
        q_end[i] = q[i] + h * (v[i] + h * (0.5 - ratio) * a[i] + ratio * dv[i]);
      }
    end.time = begin.time + h;
    end.step = begin.step + 1;
  }



  void
  AlphaStep::remember(const State &begin, State &end) const
  {
    if (!is_filtered())
      return;
    Vector &w = end.memory[acceleration_index + 1].values;
    w.equ(0.5, end.q);
    w.add(-0.5, begin.q);
    Vector &load = end.memory[acceleration_index + 2].values;
    load         = 0.;
    model.add_driving_load(begin.time, 1 - gamma, load);
    model.add_driving_load(end.time, gamma, load);
    if (model.has_damping())
      {
        q_star.equ(gamma - 1, begin.v);
        q_star.add(-gamma, end.v);
        model.damping_forces(q_star, end.memory[acceleration_index + 3].values);
      }
  }



  EnergyPromise
  AlphaStep::promise() const
  {
    const double  excess = h * h * (2 * beta - gamma);
    EnergyPromise promise;
    promise.step_size          = h;
    promise.load_weight        = gamma;
    promise.damping_weight     = gamma;
    promise.displacement       = gamma - 0.5;
    promise.acceleration       = (gamma - 0.5) * excess / 2;
    promise.storage            = excess / 4;
    promise.alpha_m            = alpha_m;
    promise.alpha_f            = alpha_f;
    promise.stiffness_ratio    = stiffness_ratio;
    promise.is_filtered        = is_filtered();
    promise.algorithmic_energy = is_filtered() ? "H" : "K";
    if (alpha_m != 0 || (alpha_f != 0 && !is_filtered()))
      return promise;
    promise.promises_dissipation = true;
    promise.hypotheses           = {{"gamma >= 1/2", gamma >= 0.5},
                                    {"2 beta >= gamma", 2 * beta >= gamma}};
    if (is_filtered())
      promise.hypotheses.push_back(
        {"alpha <= gamma - 1/2 <= 1/2",
         alpha_f <= gamma - 0.5 + 1e-15 && gamma <= 1});
    return promise;
  }
} // namespace Percuss
