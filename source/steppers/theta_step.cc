// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/theta_step.h>

namespace Percuss
{
  ThetaStep::ThetaStep(const ThetaWeights         &weights,
                       const TimeStepper::Context &context)
    : weights(weights)
    , model(context.model)
    , make_linear_solver(context.make_linear_solver)
    , ahead(model.partition())
    , f(model.partition())
    , change(model.partition())
  {}



  void
  ThetaStep::set_step_size(const double step_size)
  {
    h      = step_size;
    solver = nullptr;
    A      = nullptr;
    guess.clear();
    const auto masses = model.masses();
    A                 = model.assemble(1,
                       h * weights.damping,
                       h * h * weights.force * weights.position);
    solver            = make_linear_solver(*A);
    stiffness_ratio   = A->largest_diagonal_ratio(masses);
  }



  void
  ThetaStep::solve_free(const State        &begin,
                        State              &end,
                        StepReport         &report,
                        const Vector *const shift) const
  {
    load(begin, shift);
    if (solver->is_iterative())
      report.add(solver->improve(f, guess_change(begin)));
    else
      report.add(solver->solve(f, change));
    finish(begin, end);
  }



  const Vector &
  ThetaStep::load(const State &begin, const Vector *const shift) const
  {
    const std::size_t   n     = begin.q.locally_owned_size();
    const double        theta = weights.force;
    const double *const q = begin.q.begin(), *const v = begin.v.begin();
    double *const position = ahead.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      position[i] = q[i] + h * theta * v[i];
    if (shift == nullptr)
      model.internal_forces(ahead, begin.v, f);
    else
      {
        // K (q_k + theta (h v_k + s)) + C (v_k + s/h)
        ahead.add(theta, *shift);
        change.equ(1 / h, *shift);
        change += begin.v;
        model.internal_forces(ahead, change, f);
      }
    const double *const dead = model.dead_load().begin();
    double *const       b    = f.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      b[i] = h * (dead[i] - b[i]);
    if (model.has_driving_load())
      {
        model.add_driving_load(begin.time, h * (1 - theta), f);
        model.add_driving_load(begin.time + h, h * theta, f);
      }
    return f;
  }



  void
  ThetaStep::finish(const State &begin, State &end) const
  {
    if (solver->is_iterative())
      guess.remember(begin.step, change);
    const std::size_t   n     = begin.q.locally_owned_size();
    const double *const v     = begin.v.begin();
    const double *const dv    = change.begin();
    double *const       v_end = end.v.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      v_end[i] = v[i] + dv[i];
  }



  void
  ThetaStep::add_impulse(const Vector &impulse,
                         State        &end,
                         StepReport   &report) const
  {
    report.add(solver->solve(impulse, change));
    end.v += change;
  }



  void
  ThetaStep::move(const State &begin, State &end) const
  {
    const std::size_t   n   = begin.q.locally_owned_size();
    const double        eta = weights.position;
    const double *const q = begin.q.begin(), *const v = begin.v.begin();
    const double *const v_end = end.v.begin();
    double *const       q_end = end.q.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      q_end[i] = q[i] + h * ((1 - eta) * v[i] + eta * v_end[i]);
    end.time = begin.time + h;
    end.step = begin.step + 1;
  }



  EnergyPromise
  ThetaStep::promise() const
  {
    EnergyPromise promise;
    promise.step_size       = h;
    promise.load_weight     = weights.force;
    promise.damping_weight  = weights.damping;
    promise.contact_weight  = weights.position;
    promise.velocity        = weights.position - 0.5;
    promise.displacement    = weights.force - 0.5;
    promise.stiffness_ratio = stiffness_ratio;
    return promise;
  }
} // namespace Percuss
