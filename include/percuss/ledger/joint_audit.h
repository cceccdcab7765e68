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

    /// Of a state with the memories "joint force" and "joint impulse", or one
    /// of them.
    /// Collective.
    Violations
    measure(const State &state) const;

  private:
    const MechanicalModel &model;
  };
} // namespace Percuss
