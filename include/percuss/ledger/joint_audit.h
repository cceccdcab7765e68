// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/mechanical_model.h>

namespace Percuss
{
  /// Looks at the joints of a state as the model knows them: whether they hold
  /// at position and velocity level, and whether the force and the impulse that
  /// the scheme books for them are those of joints, G^T times something. (The
  /// energy balance believes the scheme in this.)
  class JointAudit
  {
  public:
    struct Violations
    {
      double position = 0; ///< max |g_B| / |G|, in m
      double velocity = 0; ///< max |G v| / |G|, in m/s
      /// Part of force and impulse outside of the range of G^T, relative.
      double force = 0;
    };

    explicit JointAudit(const MechanicalModel &model)
      : model(model)
    {}

    /// Of the step from @p begin to @p end, with the memories "joint force" and
    /// "joint impulse", or one of them. These belong to the end of the step,
    /// but for a part "joint impulse at start", or "joint impulse at middle"
    /// for all of it. Impulses are known up to @p round_off. Collective.
    Violations
    measure(const State &begin, const State &end, double round_off = 0) const;

  private:
    /// The part of @p x that is not G(q)^T times something, less the round-off,
    /// relative to it.
    double
    outside_of_joints(const Vector &q, const Vector &x, double round_off) const;

    double
    force_violation(const State &begin,
                    const State &end,
                    double       round_off) const;

    const MechanicalModel &model;
  };
} // namespace Percuss
