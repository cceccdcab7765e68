// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <vector>

namespace Percuss
{
  /// The exact motion of two masses, one above the other, joined by a spring:
  /// @f[ m_0 \ddot q_0 = k d - m_0 g + \lambda, \quad
  ///     m_1 \ddot q_1 = -k d - m_1 g, \quad d = q_1 - q_0, \quad q_0 \ge 0 @f]
  /// with Newton's impact law for mass 0, in phases with a closed form:
  /// - open: the centre of mass falls, and d oscillates with
  ///   omega^2 = k (m_0 + m_1) / (m_0 m_1);
  /// - closed: q_0 = 0, and q_1 oscillates about -m_1 g / k with
  ///   omega^2 = k / m_1, until the spring pulls mass 0 up, k q_1 > m_0 g.
  /// Impacts and releases are roots, found to round-off. Phases are found when
  /// they are asked for, and kept.
  class TwoMasses
  {
  public:
    struct Parameters
    {
      double mass[2], stiffness, gravity, restitution;
    };

    struct Motion
    {
      double q[2], v[2];
    };

    /// An impact, with the velocity of mass 0 before it.
    struct Impact
    {
      double time, velocity;
    };

    TwoMasses(const Parameters &parameters, const Motion &start);

    /// False where @p time is after more phases than anyone waits for.
    bool
    motion(double time, Motion &result) const;

    /// The impacts up to @p time, as far as the motion is known.
    std::vector<Impact>
    impacts(double time) const;

  private:
    struct Phase
    {
      double begin;
      bool   is_closed;
      Motion start;
      double searched; ///< no event of this phase before this time
    };

    Motion
    evaluate(const Phase &phase, double time) const;

    /// Above zero while the phase lasts: q_0, or the contact force.
    double
    margin(const Phase &phase, double time) const;

    /// The derivative of margin().
    double
    slope(const Phase &phase, double time) const;

    /// Finds the end of the last phase up to about @p time; infinity where
    /// there is none.
    double
    find_end(Phase &phase, double time) const;

    void
    find_phases(double time) const;

    /// The phase after an impact, or after a start on the floor.
    void
    leave_or_stick(double time, Motion motion) const;

    const Parameters            parameters;
    mutable std::vector<Phase>  phases;
    mutable std::vector<Impact> all_impacts;
  };
} // namespace Percuss
