// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/node_step.h>

namespace Percuss
{
  namespace
  {
    /// The symmetric Moreau-type scheme (Capobianco and Eugster 2018, equation
    /// (61)): the forces of a node are the mean of those before and after it,
    /// @f[ M(q_{k+1}) (v_{k+1}-v_k) - \tfrac h2 [h(q_{k+1}, v_k)
    ///     + h(q_{k+1}, v_{k+1})] = D(q_{k+1})^T\lambda, \qquad
    ///     q_{k+1} = q_k + h v_k. @f]
    /// At the first node, which has half an element,
    /// @f[ M(q_0) (v_0 - v_\text{initial}) - \tfrac h2 h(q_0, v_0)
    ///     = D(q_0)^T\lambda. @f]
    /// Order 1 with impacts, 2 in smooth motion.
    class SymmetricMoreau : public NodeStep
    {
    public:
      using NodeStep::NodeStep;

    protected:
      double
      implicit_part() const override
      {
        return 0.5;
      }

      void
      residual(const State &begin, const State &end, Vector &r) const override
      {
        const Configuration before = {end.time, end.q, begin.v};
        const Configuration after  = {end.time, end.q, end.v};
        model.evaluate(Term::momentum, after, r);
        add(Term::momentum, before, -1, r);
        add(Term::force, after, -h / 2, r);
        add(Term::force, before, -time_before(begin), r);
      }

      void
      add_tangent(const State &,
                  const State  &end,
                  SparseMatrix &tangent) const override
      {
        const Configuration after = {end.time, end.q, end.v};
        model.add_derivative(
          Term::momentum, Argument::velocity, after, 1, tangent);
        model.add_derivative(
          Term::force, Argument::velocity, after, -h / 2, tangent);
      }
    };

    const Registration<TimeStepper, SymmetricMoreau> registration(
      "symmetric moreau",
      "Moreau-type scheme, symmetric in time, impacts at the nodes "
      "of time; for any Lagrangian system",
      {{"order", "1 with impacts, 2 in smooth motion"},
       {"energy", "bounded oscillation without drift"},
       {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
