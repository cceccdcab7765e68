// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/implicit_step.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  StepEquation::JointPlaces
  StepEquation::joint_places(const State &, const State &end) const
  {
    Assert(false, dealii::ExcPureFunctionCalled());
    return {end.q, end.q, 1};
  }



  ImplicitStep::ImplicitStep(const TimeStepper::Context &context)
    : model(context.model)
    , joints(model.constraints())
    , is_constant(model.is_linear() && joints == nullptr)
    , matrix(context)
    , contact(context)
  {
    for (Vector *vector : {&r, &change, &v_free})
      vector->reinit(model.partition());
  }



  void
  ImplicitStep::set_constant(const double h,
                             const double m,
                             const double c,
                             const double k)
  {
    matrix.set_constant(m, c, k);
    contact.set_response(
      h,
      [this](const Vector &impulse, Vector &velocity) {
        return matrix.solve(impulse, velocity);
      },
      matrix.inverse());
  }



  void
  ImplicitStep::set_step_size(const double h)
  {
    contact.set_changing_response(h,
                                  [this](const Vector &impulse,
                                         Vector       &velocity) {
                                    return matrix.solve(impulse, velocity);
                                  });
  }



  void
  ImplicitStep::start(State &state) const
  {
    contact.start(state);
    if (joints != nullptr)
      state.memory.push_back(
        {"joint impulse", Vector(model.partition()), State::Kind::load});
  }



  void
  ImplicitStep::solve(const StepEquation &equation,
                      const State        &begin,
                      State              &end,
                      StepReport         &report) const
  {
    constexpr unsigned int n_iterations = 30;
    equation.prepare(begin, end);
    equation.move(begin, end);
    for (unsigned int i = 0; i < n_iterations && report.converged; ++i)
      {
        const bool is_done = iterate(equation, i == 0, begin, end, report);
        equation.move(begin, end);
        if (is_done || is_constant)
          return;
      }
    report.converged = false;
  }



  bool
  ImplicitStep::linearize(const StepEquation &equation,
                          const State        &begin,
                          const State        &end,
                          StepReport         &report) const
  {
    const auto add = [&](SparseMatrix &tangent) {
      equation.add_tangent(begin, end, tangent);
    };
    equation.residual(begin, end, r);
    if (!is_constant && !std::isfinite(r.l1_norm()))
      {
        report.is_finite = false;
        return false;
      }
    if (is_constant)
      {
        report.add(matrix.solve(r, change));
        return true;
      }
    contact.invalidate_response();
    if (joints == nullptr)
      {
        if (!matrix.set_tangent(add))
          return false;
        report.add(matrix.solve(r, change));
        return true;
      }
    const auto            places = equation.joint_places(begin, end);
    TangentSolver::Border G      = joints->dense_jacobian(places.of_constraint);
    G *= places.factor;
    G_impulse = joints->dense_jacobian(places.of_impulse);
    if (!matrix.set_tangent(add, G_impulse, G))
      return false;
    // S x - G^T y = R, G x = g: the velocity changes by -x, and mu = -y.
    mu = joints->residuals(places.of_constraint);
    matrix.solve(r, change, mu);
    for (double &multiplier : mu)
      multiplier *= -1;
    return true;
  }



  LinearReport
  ImplicitStep::respond(const Vector &impulse) const
  {
    if (joints == nullptr)
      return matrix.solve(impulse, change);
    mu_of_contacts.assign(mu.size(), 0.);
    matrix.solve(impulse, change, mu_of_contacts);
    for (std::size_t i = 0; i < mu.size(); ++i)
      mu[i] += mu_of_contacts[i];
    return {true, 1};
  }



  bool
  ImplicitStep::iterate(const StepEquation &equation,
                        const bool          is_first,
                        const State        &begin,
                        State              &end,
                        StepReport         &report) const
  {
    if (!linearize(equation, begin, end, report))
      {
        report.converged = false;
        return false;
      }
    v_free = end.v;
    v_free -= change;
    if (is_first)
      scale = std::max(begin.v.linfty_norm(), change.linfty_norm());
    report.contact          = {};
    const bool has_impulses = contact.solve(equation.contact_place(begin, end),
                                            equation.look_ahead(),
                                            v_free,
                                            impulses(begin),
                                            end.memory.front().values,
                                            report);
    if (has_impulses)
      {
        report.add(respond(contact.impulse()));
        v_free += change;
      }
    if (joints != nullptr)
      {
        Vector &j = end.recall("joint impulse");
        j         = 0.;
        for (unsigned int i = 0; i < mu.size(); ++i)
          for (unsigned int k = 0; k < G_impulse.n(); ++k)
            j.local_element(k) += G_impulse(i, k) * mu[i];
      }
    change = v_free;
    change -= end.v;
    end.v.swap(v_free);
    // Newton's method squares the error: what is left is far below round-off.
    return change.linfty_norm() <= 1e-9 * std::max(scale, end.v.linfty_norm());
  }
} // namespace Percuss
