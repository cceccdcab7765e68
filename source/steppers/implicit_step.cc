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
    for (Vector *vector : {&r, &change, &v_free, &v_guess})
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
    kept.drop();
    contact.set_changing_response(
      h,
      [this](const Vector &impulse, Vector &velocity) {
        return matrix.solve(impulse, velocity);
      },
      joints == nullptr ? matrix.changing_inverse() :
                          ContactResponse::Inverse());
  }



  void
  ImplicitStep::start(State &state) const
  {
    contact.start(state);
    if (joints != nullptr)
      state.memory.push_back(
        {"joint impulse", Vector(model.partition()), State::Kind::load});
  }



  /// A step that fails with a tangent that was kept has another try with new
  /// ones.
  void
  ImplicitStep::solve(const StepEquation &equation,
                      const State        &begin,
                      State              &end,
                      StepReport         &report) const
  {
    const StepReport before = report;
    const bool       keeps  = matrix.is_large() && joints == nullptr;
    kept.begin_step(!keeps);
    if (keeps)
      v_guess = end.v;
    if (converge(equation, begin, end, report) || !kept.has_served())
      return;
    report = before;
    end.v  = v_guess;
    kept.begin_step(true);
    (void)converge(equation, begin, end, report);
  }



  bool
  ImplicitStep::converge(const StepEquation &equation,
                         const State        &begin,
                         State              &end,
                         StepReport         &report) const
  {
    constexpr unsigned int most_iterations = 30;
    equation.prepare(begin, end);
    equation.move(begin, end);
    guess_of_impulses = impulses(begin);
    for (unsigned int i = 0; i < most_iterations && report.converged; ++i)
      {
        const bool is_done = iterate(equation, i == 0, begin, end, report);
        equation.move(begin, end);
        if (is_done || is_constant)
          return report.converged;
      }
    report.converged = false;
    return false;
  }



  bool
  ImplicitStep::linearize(const StepEquation &equation,
                          const State        &begin,
                          const State        &end,
                          StepReport         &report) const
  {
    equation.residual(begin, end, r);
    if (is_constant)
      return true;
    if (!std::isfinite(r.l1_norm()))
      {
        report.is_finite = false;
        return false;
      }
    if (!kept.is_due())
      return true;
    kept.drop();
    const auto add = [&](SparseMatrix &tangent) {
      equation.add_tangent(begin, end, tangent);
    };
    if (joints == nullptr ? !matrix.set_tangent(add) :
                            !linearize_with_joints(equation, begin, end))
      return false;
    contact.invalidate_response(); // which reads the new matrix
    ++n_tangents;
    kept.renew();
    return true;
  }



  bool
  ImplicitStep::linearize_with_joints(const StepEquation &equation,
                                      const State        &begin,
                                      const State        &end) const
  {
    const auto            places = equation.joint_places(begin, end);
    TangentSolver::Border G      = joints->dense_jacobian(places.of_constraint);
    G *= places.factor;
    G_impulse      = joints->dense_jacobian(places.of_impulse);
    mu             = joints->residuals(places.of_constraint);
    const auto add = [&](SparseMatrix &tangent) {
      equation.add_tangent(begin, end, tangent);
    };
    return matrix.set_tangent(add, G_impulse, G);
  }



  /// Without contacts a part of the residual may stay: it is the next
  /// iteration's. With contacts impulses are the difference of both.
  LinearReport
  ImplicitStep::solve_free(const StepEquation &equation,
                           const State        &begin,
                           const State        &end) const
  {
    constexpr double part = 1e-3;
    if (joints == nullptr)
      return !is_constant && !kept.is_of_iterate() &&
                 contact.count_active(equation.contact_place(begin, end),
                                      equation.look_ahead()) == 0 ?
               matrix.solve_roughly(r, change, part) :
               matrix.solve(r, change);
    // S x - G^T y = R, G x = g: the velocity changes by -x, and mu = -y.
    matrix.solve(r, change, mu);
    for (double &multiplier : mu)
      multiplier *= -1;
    return {true, 0};
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



  void
  ImplicitStep::solve_in_turn(const StepEquation &equation,
                              const State        &begin,
                              State              &end,
                              StepReport         &report) const
  {
    report.add(solve_free(equation, begin, end));
    v_free = end.v;
    v_free -= change;
    if (contact.solve(equation.contact_place(begin, end),
                      equation.look_ahead(),
                      v_free,
                      guess_of_impulses,
                      end.memory.front().values,
                      report))
      {
        report.add(respond(contact.impulse()));
        v_free += change;
      }
    if (joints == nullptr)
      return;
    Vector &j = end.recall("joint impulse");
    j         = 0.;
    for (unsigned int i = 0; i < mu.size(); ++i)
      for (unsigned int k = 0; k < G_impulse.n(); ++k)
        j.local_element(k) += G_impulse(i, k) * mu[i];
  }



  /// S (v - v_k) = S (v_i - v_k) - R(v_i) + D^T lambda: the unknown has the
  /// size of what happens in a step in all iterations, and so the contact
  /// solver the same measure of its precision.
  bool
  ImplicitStep::solve_at_once(const StepEquation &equation,
                              const State        &begin,
                              State              &end,
                              StepReport         &report) const
  {
    if (!contact.begin_motion(equation.contact_place(begin, end),
                              equation.look_ahead(),
                              begin.v,
                              guess_of_impulses,
                              end,
                              report))
      return false;
    v_free = end.v;
    v_free -= begin.v;
    matrix.multiply(v_free, change);
    change -= r;
    report.add(contact.solve_motion(change, v_free, end));
    v_free += begin.v;
    return true;
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
    ++n_iterations;
    report.contact = {};
    if (is_constant || !contact.is_applied() ||
        !solve_at_once(equation, begin, end, report))
      solve_in_turn(equation, begin, end, report);
    if (!kept.is_exact_step())
      guess_of_impulses = end.memory.front().values;
    change = v_free;
    change -= end.v;
    if (is_first)
      scale = std::max(begin.v.linfty_norm(), change.linfty_norm());
    end.v.swap(v_free);
    const double size = std::max(scale, end.v.linfty_norm());
    return kept.is_last(size > 0 ? change.linfty_norm() / size : 0);
  }



  std::string
  ImplicitStep::solver_description() const
  {
    return matrix.description() +
           (n_tangents == 0 || !matrix.is_large() ?
              "" :
              ": " + std::to_string(n_tangents) + " tangents in " +
                std::to_string(n_iterations) + " iterations");
  }
} // namespace Percuss
