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
  {
    if (!has_half_kick && model.constraints() != nullptr)
      throw EntryError("scheme/type",
                       "with joints the scheme needs 'start = half kick'");
  }



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
      {
        highest_frequency = std::sqrt(largest_ratio(
          [this](const Vector &x) { return model.stiffness_norm(x); },
          [this, zero = Vector(model.partition())](const Vector &x, Vector &y) {
            model.internal_forces(x, zero, y);
          }));
        // Damping that is taken explicitly limits steps as well.
        if (implicit_part() == 0 && model.has_damping())
          highest_frequency = std::max(highest_frequency,
                                       largest_ratio(
                                         [this](const Vector &x) {
                                           Vector y(x);
                                           model.damping_forces(x, y);
                                           return x * y;
                                         },
                                         [this](const Vector &x, Vector &y) {
                                           model.damping_forces(x, y);
                                         }));
      }
    if (h * highest_frequency > 2)
      throw StepTooLong("is " + shortest_text(h) +
                        " s, above the stable steps of this explicit scheme "
                        "on this model, below " +
                        shortest_text(2 / highest_frequency) + " s");
  }



  double
  NodeStep::largest_ratio(
    const std::function<double(const Vector &)>         &norm,
    const std::function<void(const Vector &, Vector &)> &multiply) const
  {
    constexpr unsigned int n_iterations = 40;
    Vector                 x(model.partition()), product(model.partition());
    // Neighbours move against each other in the highest modes.
    const auto first = x.get_partitioner()->local_range().first;
    for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
      x.local_element(i) = ((first + i) % 2 == 0 ? 1 : -1) *
                           (1 + 0.1 * std::sin(static_cast<double>(first + i)));
    double ratio = 0;
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        const double mass = model.mass_norm(x);
        if (mass <= 0)
          break;
        x /= std::sqrt(mass);
        ratio = std::max(ratio, norm(x));
        multiply(x, product);
        (void)implicit.solve_linear(product, x);
      }
    return ratio;
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
    // From a step on another mesh, which may have had another size: its forces
    // have acted up to its lead.
    const bool goes_on = state.lead != 0;
    implicit.start(state);
    if (goes_on)
      return;
    state.lead = time_after();
    if (!has_half_kick)
      return;
    State begin = state;
    begin.lead  = h; // no element before the node
    StepReport report;
    is_starting = true;
    try
      {
        implicit.solve(*this, begin, state, report);
      }
    catch (...)
      {
        is_starting = false;
        throw;
      }
    is_starting = false;
    if (!report.converged)
      throw Error(ExitCode::solver,
                  std::string("The velocity of the first element could not be "
                              "computed: ") +
                    (report.is_finite ? "is the mass matrix singular, or do "
                                        "joints depend on each other?" :
                                        "forces, mass or joints are not finite "
                                        "numbers at the start."));
  }



  void
  NodeStep::advance(const State &begin, State &end, StepReport &report) const
  {
    // The velocity of the element is such that joints hold after a step of the
    // size that was planned.
    if (model.constraints() != nullptr &&
        std::abs(h - 2 * begin.lead) > 1e-12 * h)
      {
        report.converged = false;
        return;
      }
    GeneralStep::advance(begin, end, report);
    end.lead = time_after();
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
  NodeStep::impulse(const Term   term,
                    const State &begin,
                    const State &end,
                    Vector      &J) const
  {
    const bool is_explicit = implicit_part() == 0;
    J                      = 0.;
    add(term,
        {end.time, end.q, begin.v},
        time_before(begin) + (is_explicit ? time_after() : 0),
        J);
    if (!is_explicit)
      add(term, {end.time, end.q, end.v}, time_after(), J);
  }



  void
  ExplicitNodeStep::residual(const State &begin,
                             const State &end,
                             Vector      &r) const
  {
    model.evaluate(Term::momentum, {end.time, end.q, end.v}, r);
    add(Term::momentum, {end.time, end.q, begin.v}, -1, r);
    add(Term::force,
        {end.time, end.q, begin.v},
        -time_before(begin) - time_after(),
        r);
  }



  void
  ExplicitNodeStep::add_tangent(const State &,
                                const State  &end,
                                SparseMatrix &tangent) const
  {
    model.add_derivative(
      Term::momentum, Argument::velocity, {end.time, end.q, end.v}, 1, tangent);
  }
} // namespace Percuss
