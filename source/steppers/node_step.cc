// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/node_step.h>

namespace Percuss
{
  void
  NodeStep::Parameters::declare(ParameterSection &section)
  {
    section.add_choice("start",
                       start,
                       "The velocity of the first element: the initial one "
                       "after half a kick, or the initial one itself ('as "
                       "given', of lower order)",
                       {"half kick", "as given"});
  }



  NodeStep::NodeStep(const Parameters &parameters, const Context &context)
    : GeneralStep(context)
    , has_half_kick(parameters.start == "half kick")
  {}



  void
  NodeStep::set_step_size(const double step_size)
  {
    h = step_size;
    if (model.is_linear())
      implicit.set_constant(h, 1, h * implicit_part(), 0);
    else
      implicit.set_step_size(h);
  }



  void
  NodeStep::start(State &state) const
  {
    implicit.start(state);
    if (!has_half_kick)
      return;
    const State begin = state;
    StepReport  report;
    is_starting = true;
    implicit.solve(*this, begin, state, report);
    is_starting = false;
    if (!report.converged)
      throw Error(ExitCode::solver,
                  "The velocity of the first element could not be computed; a "
                  "smaller step size or 'start = as given' may help.");
  }



  void
  NodeStep::prepare(const State &begin, State &end) const
  {
    if (is_starting)
      return;
    const std::size_t   n = begin.q.locally_owned_size();
    const double *const q = begin.q.begin(), *const v = begin.v.begin();
    double *const q_end = end.q.begin();
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
      q_end[i] = q[i] + h * v[i];
    end.time = begin.time + h;
  }



  void
  NodeStep::load_impulse(const Term   term,
                         const State &begin,
                         const State &end,
                         Vector      &J) const
  {
    model.evaluate(term, {end.time, end.q, begin.v}, J);
    J *= h * (1 - implicit_part());
    if (implicit_part() > 0)
      add(term, {end.time, end.q, end.v}, h * implicit_part(), J);
  }



  void
  NodeStep::add(const Term           term,
                const Configuration &at,
                const double         factor,
                Vector              &r) const
  {
    model.evaluate(term, at, work);
    r.add(factor, work);
  }
} // namespace Percuss
