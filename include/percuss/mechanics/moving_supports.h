// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/state.h>

namespace Percuss
{
  struct EnergyPromise;

  /// Parts of a model with a constant mass that move as functions of time: its
  /// motion is q + l(t), where q is zero at these parts and l elsewhere.
  /// Schemes see q with the driving load
  /// @f[ -(M \ddot l + C \dot l + K l), @f]
  /// and for a linear model their balance is that of the energy of q alone; the
  /// ledger adds what follows, which is exact for any scheme. In a model that
  /// is not linear K l is no load, but forces are those at q + l. Functions are
  /// collective.
  class MovingSupports
  {
  public:
    virtual ~MovingSupports() = default;

    /// By how much the energy of q + l is above that of q, in J,
    /// @f[ S = v\cdot M\dot l + \tfrac12\dot l\cdot M\dot l + q\cdot K l
    ///     + \tfrac12 l\cdot K l - f_\text{dead}\cdot l; @f]
    /// without the terms of K where the model is not linear. With the work of
    /// the driving load on q its change is the work of the supports' reactions
    /// and that of the damping that q does not have.
    virtual double
    energy(const State &state) const = 0;

    /// Where the model is not linear, the work of the supports on the strain
    /// energy in a step, in J, by the forces there at both ends.
    virtual double
    strain_work(const State &begin, const State &end) const = 0;

    /// The work of the damping that q does not have in a step, in J, where that
    /// of q is -dq . C v_{k+d},
    /// @f[ -\Delta l\cdot C (v_{k+d} + \dot l_{k+d})
    ///     - \Delta q\cdot C\dot l_{k+d}. @f]
    virtual double
    damping_work(const State         &begin,
                 const State         &end,
                 const EnergyPromise &promise) const = 0;

    /// The algorithmic dissipation of q + l in a step less that of q, in J: of
    /// the terms of the promise with differences of velocities and positions.
    virtual double
    dissipation(const State         &begin,
                const State         &end,
                const EnergyPromise &promise) const = 0;
  };
} // namespace Percuss
