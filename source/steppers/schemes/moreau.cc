// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/node_step.h>

namespace Percuss
{
  namespace
  {
    /// Moreau's scheme in the form of time finite elements (Capobianco and
    /// Eugster 2018, equation (59)): with the forces h of the equations of
    /// motion before the node,
    /// @f[ M(q_{k+1}) (v_{k+1}-v_k) - h\,h(q_{k+1}, v_k)
    ///     = D(q_{k+1})^T\lambda, \qquad q_{k+1} = q_k + h v_k. @f]
    /// Order 1 with impacts. In smooth motion order 2 where the mass matrix is
    /// constant and forces do not depend on velocities, else 1.
    class Moreau : public NodeStep
    {
    public:
      using NodeStep::NodeStep;

    protected:
      double
      implicit_part() const override
      {
        return 0;
      }

      void
      residual(const State &begin, const State &end, Vector &r) const override
      {
        const double kick = time_before(begin) + h / 2;
        model.evaluate(Term::momentum, {end.time, end.q, end.v}, r);
        add(Term::momentum, {end.time, end.q, begin.v}, -1, r);
        add(Term::force, {end.time, end.q, begin.v}, -kick, r);
      }

      void
      add_tangent(const State &,
                  const State  &end,
                  SparseMatrix &tangent) const override
      {
        model.add_derivative(Term::momentum,
                             Argument::velocity,
                             {end.time, end.q, end.v},
                             1,
                             tangent);
      }
    };

    const Registration<TimeStepper, Moreau> registration(
      "moreau",
      "Moreau's explicit scheme with impacts at the nodes of time; "
      "for any Lagrangian system",
      {{"order",
        "1 with impacts; in smooth motion 2 where the mass matrix is constant "
        "and forces do not depend on velocities, else 1"},
       {"energy",
        "bounded for separable systems, drifts where the mass "
        "matrix depends on positions"},
       {"penetration", "up to h times the impact velocity"}});
  } // namespace
} // namespace Percuss
