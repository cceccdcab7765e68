// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <algorithm>
#include <limits>

namespace Percuss
{
  /// The relaxation of sweeps over contacts. With large friction they may go
  /// round in circles: it is halved where the changes do not shrink in as many
  /// sweeps as were made before.
  class AdaptiveRelaxation
  {
  public:
    explicit AdaptiveRelaxation(const double relaxation)
      : relaxation(relaxation)
    {}

    double
    factor() const
    {
      return relaxation;
    }

    /// After each sweep, with the largest change of a velocity.
    void
    record(const double change)
    {
      smallest = std::min(smallest, change);
      if (++n_sweeps < next_look)
        return;
      if (smallest > 0.95 * last) // a cycle
        relaxation *= 0.5;
      last     = smallest;
      smallest = std::numeric_limits<double>::max();
      next_look *= 2;
    }

  private:
    double       relaxation;
    unsigned int n_sweeps = 0, next_look = 256;
    double       smallest = std::numeric_limits<double>::max();
    double       last     = std::numeric_limits<double>::max();
  };
} // namespace Percuss
