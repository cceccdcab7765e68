// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/steppers/node_step.h>

#include <algorithm>
#include <cmath>

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
    , q_of_joints(model.partition())
  {}



  NodeStep::JointPlaces
  NodeStep::joint_places(const State &, const State &end) const
  {
    q_of_joints = end.q;
    q_of_joints.add(h, end.v);
    return {end.q, q_of_joints, h};
  }



  EnergyPromise
  NodeStep::promise() const
  {
    EnergyPromise promise          = GeneralStep::promise();
    promise.has_joints             = model.constraints() != nullptr;
    promise.joints_hold_velocities = false;
    return promise;
  }



  void
  NodeStep::set_step_size(const double step_size)
  {
    h = step_size;
    if (!model.is_linear() || model.constraints() != nullptr)
      {
        implicit.set_step_size(h);
        return;
      }
    implicit.set_constant(h, 1, h * implicit_part(), 0);
    if (highest_frequency < 0)
      highest_frequency = estimate_highest_frequency();
    if (h * highest_frequency > 2)
      throw EntryError("time/step size",
                       "is " + shortest_text(h) +
                         " s, above the stable steps of this explicit scheme "
                         "on this model, below " +
                         shortest_text(2 / highest_frequency) + " s");
  }



  double
  NodeStep::estimate_highest_frequency() const
  {
    constexpr unsigned int n_iterations = 40;
    Vector                 x(model.partition()), Kx(model.partition());
    const Vector           zero(model.partition());
    // Neighbours move against each other in the highest modes.
    const auto first = x.get_partitioner()->local_range().first;
    for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
      x.local_element(i) = ((first + i) % 2 == 0 ? 1 : -1) *
                           (1 + 0.1 * std::sin(static_cast<double>(first + i)));
    double square = 0;
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        const double mass = model.mass_norm(x);
        if (mass <= 0)
          break;
        x /= std::sqrt(mass);
        square = std::max(square, model.stiffness_norm(x));
        model.internal_forces(x, zero, Kx);
        (void)implicit.solve_linear(Kx, x);
      }
    return std::sqrt(square);
  }



  std::vector<std::pair<std::string, std::string>>
  NodeStep::facts() const
  {
    if (highest_frequency <= 0)
      return {};
    return {
      {"stable step", "about " + shortest_text(2 / highest_frequency) + " s"}};
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
