// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/mechanics/time_stepper.h>

namespace Percuss
{
  /// Audits each step from the two states and the impulses alone: it computes
  /// energies, works and the algorithmic dissipation that the scheme promises,
  /// and stops the run where the promised balance does not hold.
  ///
  /// The work of the contacts is @f$ \tfrac12 (u_k+u_{k+1})\cdot\lambda @f$ for
  /// all schemes; what a scheme's own identity weighs differently is booked as
  /// algorithmic dissipation.
  class Ledger
  {
  public:
    struct Parameters
    {
      double tolerance = 1e-8;

      void
      declare(ParameterSection section);
    };

    /// Sums since the start, in J.
    struct Works
    {
      double external                = 0; ///< of the driving loads
      double damping                 = 0; ///< <= 0
      double contact                 = 0; ///< <= 0: impact losses
      double algorithmic_dissipation = 0; ///< > 0: lost by the scheme
    };

    Ledger(const Parameters &parameters, const MechanicalModel &model);

    /// Books the energy of @p state without a step.
    void
    open(const State &state);

    /// @throws Error with ExitCode::invariant; the step is then not booked
    void
    record(const State         &begin,
           const State         &end,
           const StepReport    &report,
           const EnergyPromise &promise);

    const Energy &
    energy() const
    {
      return present;
    }

    const Works &
    works() const
    {
      return sums;
    }

    /// Largest residual of a step since the last call, in J.
    double
    take_residual();

    /// Largest residual of any step relative to the energies at hand.
    double
    worst_residual() const
    {
      return worst;
    }

    /// The largest energy or work at hand so far, in J.
    double
    energy_scale() const
    {
      return scale;
    }

    /// What must survive a restart.
    struct Memory
    {
      Works  sums;
      double scale            = 0;
      double largest_residual = 0;
      double worst            = 0;
    };

    Memory
    memory() const
    {
      return {sums, scale, largest_residual, worst};
    }

    void
    restore(const Memory &memory, const State &state);

  private:
    /// Scalar products of a step, summed over the ranks.
    struct Products
    {
      double external      = 0; ///< dq . F_{k+w}
      double damping       = 0; ///< -dq . C v_{k+w}
      double contact       = 0; ///< u_{k+1/2} . lambda
      double contact_shift = 0; ///< (u_{k+1/2} - u_{k+c}) . lambda
      double filter        = 0; ///< dq . (M a_{k+w} - f_{k+w})
      double equilibrium   = 0; ///< dq . residual of the filter's equation
      double impulse       = 0; ///< sum of |lambda|, in N s
    };

    Products
    products(const State         &begin,
             const State         &end,
             const StepReport    &report,
             const EnergyPromise &promise);

    void
    add_contact_products(const State         &begin,
                         const State         &end,
                         const EnergyPromise &promise,
                         Products            &result);

    void
    add_filter_products(const State         &begin,
                        const State         &end,
                        const EnergyPromise &promise,
                        Products            &result);

    /// force = dead load + drive(t) - K q - C v.
    void
    smooth_force(const State &state, Vector &force) const;

    /// The terms of the promise that are squares.
    double
    quadratic_dissipation(const State         &begin,
                          const State         &end,
                          const EnergyPromise &promise);

    /// Compares with the energies at hand: those of the state, the works, and
    /// what the impulses would give to a free body (a body at rest on a wall
    /// has no other).
    /// @throws Error where the balance fails
    void
    judge(double        residual,
          double        tolerance,
          double        impulse,
          const Energy &energy,
          const State  &end);

    const Parameters       parameters;
    const MechanicalModel &model;
    const double           mass; ///< of a motion by 1 in all coordinates
    Energy                 present;
    Works                  sums;
    double                 scale            = 0;
    double                 largest_residual = 0;
    double                 worst            = 0;
    Vector                 dq, work, force, filtered, u_begin, u_end;
  };
} // namespace Percuss
