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
    class Moreau : public ExplicitNodeStep
    {
    public:
      using ExplicitNodeStep::ExplicitNodeStep;
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
