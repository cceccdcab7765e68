// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/implicit_step.h>

#include <algorithm>

namespace Percuss
{
  ImplicitStep::ImplicitStep(const TimeStepper::Context &context)
    : model(context.model)
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
    contact.set_response(h, [this](const Vector &impulse, Vector &velocity) {
      return matrix.solve(impulse, velocity);
    });
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
        if (is_done || model.is_linear())
          return;
      }
    report.converged = false;
  }



  bool
  ImplicitStep::iterate(const StepEquation &equation,
                        const bool          is_first,
                        const State        &begin,
                        State              &end,
                        StepReport         &report) const
  {
    equation.residual(begin, end, r);
    if (!model.is_linear())
      {
        contact.invalidate_response();
        const bool is_regular = matrix.set_tangent([&](SparseMatrix &tangent) {
          equation.add_tangent(begin, end, tangent);
        });
        if (!is_regular)
          {
            report.converged = false;
            return false;
          }
      }
    report.add(matrix.solve(r, change));
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
        report.add(matrix.solve(contact.impulse(), change));
        v_free += change;
      }
    change = v_free;
    change -= end.v;
    end.v.swap(v_free);
    // Newton's method squares the error: what is left is far below round-off.
    return change.linfty_norm() <= 1e-9 * std::max(scale, end.v.linfty_norm());
  }
} // namespace Percuss
