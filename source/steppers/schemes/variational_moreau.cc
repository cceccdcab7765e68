// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/node_step.h>

namespace Percuss
{
  namespace
  {
    /// The variational Moreau-type scheme (Capobianco and Eugster 2018,
    /// equation (63)): the discrete Euler-Lagrange equations of a trapezoidal
    /// rule for the action of an element,
    /// @f[ \tfrac12 [p(q_{k+1}, v_{k+1}) + p(q_{k+2}, v_{k+1}) - p(q_k, v_k)
    ///     - p(q_{k+1}, v_k)] - \tfrac h2 [b(q_{k+1}, v_k)
    ///     + b(q_{k+1}, v_{k+1})] = D(q_{k+1})^T\lambda @f]
    /// with q_{k+1} = q_k + h v_k, p = dT/dv and b = dL/dq + f. At the first
    /// node, which has half an element,
    /// @f[ \tfrac12 [p(q_0, v_0) + p(q_1, v_0) - h\,b(q_0, v_0)]
    ///     - p(q_0, v_\text{initial}) = D(q_0)^T\lambda. @f]
    /// Order 1 with impacts, 2 in smooth motion, which is symplectic.
    class VariationalMoreau : public NodeStep
    {
    public:
      VariationalMoreau(const Parameters &parameters, const Context &context)
        : NodeStep(parameters, context)
        , q_next(model.partition())
      {}

    protected:
      double
      implicit_part() const override
      {
        return 0.5;
      }

      void
      residual(const State &begin, const State &end, Vector &r) const override
      {
        const Configuration after = {end.time, end.q, end.v};
        model.evaluate(Term::momentum, after, r);
        r *= 0.5;
        add(Term::momentum, next_node(end), 0.5, r);
        add(Term::gradient, after, -h / 2, r);
        const Configuration before = {end.time, end.q, begin.v};
        add(Term::momentum, {begin.time, begin.q, begin.v}, -0.5, r);
        add(Term::momentum, before, -0.5, r);
        add(Term::gradient, before, -time_before(begin), r);
      }

      /// J = M(q_{k+1}) (v_{k+1} - v_k) less the change of the mean momenta of
      /// the elements, plus the forces b of the node.
      void
      impulse(const Term   term,
              const State &begin,
              const State &end,
              Vector      &J) const override
      {
        if (term != Term::force)
          {
            NodeStep::impulse(term, begin, end, J);
            return;
          }
        const double        t0 = begin.time, t1 = end.time;
        const Configuration before = {t1, end.q, begin.v};
        const Configuration after  = {t1, end.q, end.v};
        J                          = 0.;
        add(Term::gradient, before, time_before(begin), J);
        add(Term::gradient, after, h / 2, J);
        add(Term::momentum, after, 0.5, J);
        add(Term::momentum, next_node(end), -0.5, J);
        add(Term::momentum, before, -0.5, J);
        add(Term::momentum, {t0, begin.q, begin.v}, 0.5, J);
      }

      void
      add_tangent(const State &,
                  const State  &end,
                  SparseMatrix &tangent) const override
      {
        const Configuration after = {end.time, end.q, end.v};
        const Configuration next  = next_node(end);
        model.add_derivative(
          Term::momentum, Argument::velocity, after, 0.5, tangent);
        model.add_derivative(
          Term::momentum, Argument::velocity, next, 0.5, tangent);
        model.add_derivative(
          Term::momentum, Argument::position, next, h / 2, tangent);
        model.add_derivative(
          Term::gradient, Argument::velocity, after, -h / 2, tangent);
      }

    private:
      /// Where the next element ends.
      Configuration
      next_node(const State &end) const
      {
        q_next = end.q;
        q_next.add(h, end.v);
        return {end.time + h, q_next, end.v};
      }

      mutable Vector q_next;
    };

    const Registration<TimeStepper, VariationalMoreau> registration(
      "variational moreau",
      "Moreau-type variational integrator, impacts at the nodes of "
      "time; for any Lagrangian system",
      {{"order", "1 with impacts, 2 in smooth motion"},
       {"energy",
        "symplectic in smooth motion: bounded oscillation without "
        "drift"},
       {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
