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
    load_impulse(Term::force, begin, end, r);
    model.evaluate(Term::momentum, {begin.time, begin.q, end.v}, work);
    r.sadd(-1, 1, work);
    model.evaluate(Term::momentum, {begin.time, begin.q, begin.v}, work);
    r -= work;
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
  GeneralTheta::load_impulse(const Term   term,
                             const State &begin,
                             const State &end,
                             Vector      &J) const
  {
    model.evaluate(term, {begin.time, begin.q, begin.v}, J);
    J *= h * (1 - theta);
    model.evaluate(term, {end.time, end.q, end.v}, work);
    J.add(h * theta, work);
  }
} // namespace Percuss
