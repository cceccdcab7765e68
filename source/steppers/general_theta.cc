// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/general_theta.h>

namespace Percuss
{
  GeneralTheta::GeneralTheta(const double theta, const Context &context)
    : GeneralStep(context)
    , theta(theta)
    , activation_look_ahead(context.activation.look_ahead)
  {}



  void
  GeneralTheta::set_step_size(const double step_size)
  {
    h = step_size;
    implicit.set_step_size(h);
  }



  void
  GeneralTheta::move(const State &begin, State &end) const
  {
    end.q = begin.q;
    end.q.add(h * (1 - theta), begin.v, h * theta, end.v);
  }



  void
  GeneralTheta::residual(const State &begin, const State &end, Vector &r) const
  {
    model.evaluate(Term::momentum, {begin.time, begin.q, end.v}, r);
    add(Term::momentum, {begin.time, begin.q, begin.v}, -1, r);
    add(Term::force, {begin.time, begin.q, begin.v}, -h * (1 - theta), r);
    add(Term::force, {end.time, end.q, end.v}, -h * theta, r);
  }



  void
  GeneralTheta::add_tangent(const State  &begin,
                            const State  &end,
                            SparseMatrix &tangent) const
  {
    const Configuration after = {end.time, end.q, end.v};
    model.add_derivative(Term::momentum,
                         Argument::velocity,
                         {begin.time, begin.q, end.v},
                         1,
                         tangent);
    model.add_derivative(
      Term::force, Argument::velocity, after, -h * theta, tangent);
    model.add_derivative(
      Term::force, Argument::position, after, -h * h * theta * theta, tangent);
  }



  void
  GeneralTheta::impulse(const Term   term,
                        const State &begin,
                        const State &end,
                        Vector      &J) const
  {
    J = 0.;
    add(term, {begin.time, begin.q, begin.v}, h * (1 - theta), J);
    add(term, {end.time, end.q, end.v}, h * theta, J);
  }
} // namespace Percuss
