// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>

namespace Percuss
{
  /// Evaluates the balance of momentum that a scheme promises, multiplied by
  /// the mean velocity of the step, see MomentumBalance.
  class MomentumAudit
  {
  public:
    /// In J, on all ranks.
    struct Works
    {
      double inertia  = 0; ///< v_{k+1/2} . M(q_m) (v_{k+1} - v_k)
      double smooth   = 0; ///< v_{k+1/2} . J
      double load     = 0; ///< its part of the loads, and what time does
      double damping  = 0; ///< its part of the damping
      double joints   = 0; ///< v_{k+1/2} . j
      double contact  = 0; ///< v_{k+1/2} . D^T lambda, normal directions
      double friction = 0; ///< the same, tangential directions
      double impulse  = 0; ///< sum of |lambda|, in N s
      /// By how much the balance fails, coordinate by coordinate: the sum of
      /// what is left of the momentum times the velocity.
      double residual = 0;
    };

    explicit MomentumAudit(const MechanicalModel &model);

    /// Collective.
    Works
    measure(const State         &begin,
            const State         &end,
            const StepReport    &report,
            const EnergyPromise &promise) const;

  private:
    void
    add_contacts(const State           &begin,
                 const State           &end,
                 const MomentumBalance &balance,
                 Works                 &works) const;

    const MechanicalModel &model;
    mutable Vector         mean, work, rest, u;
  };
} // namespace Percuss
