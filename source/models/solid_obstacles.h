// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <functional>
#include <string>

#include "solid_entries.h"

namespace Percuss
{
  /// A rigid obstacle: the signed distance G of places, positive where bodies
  /// may be, in the frame in which it is at rest, and the motion of that frame,
  /// @f[ x = c + s(t) + R(t)\,(X - c), @f]
  /// with the pivot c. Its gap and normal are
  /// @f[ g = G(X), \qquad n = R\,\nabla G(X); @f]
  /// a formula need not be a distance, and is divided by the length of its
  /// gradient.
  template <int dim>
  class SolidObstacle
  {
  public:
    using Position  = dealii::Point<dim>;
    using Direction = dealii::Tensor<1, dim>;

    /// @p path names the section of the file, for errors.
    SolidObstacle(const SolidParameters          &parameters,
                  const SolidParameters::Contact &contact,
                  const std::string              &path);

    /// What a place sees.
    struct View
    {
      double    gap; ///< in m
      Direction normal;
      /// Of the obstacle's material there, in m/s: a formula of time moves
      /// along its normal.
      Direction velocity;
    };

    /// Where the obstacle is, for all that follows.
    void
    set_time(double time) const;

    View
    view(const Position &x) const;

    /// What no place of a ball falls below, and none exceeds.
    struct Bound
    {
      double gap;   ///< at least, in m
      double speed; ///< of the obstacle's material, at most, in m/s
    };

    /// Distances of shapes change by no more than the way of the place. A
    /// formula need not be a distance: for it intervals of its values and
    /// derivatives in a box around the ball are found.
    Bound
    bound(const Position &centre, double radius) const;

    /// Whether the normal is the same everywhere.
    bool
    is_flat() const
    {
      return is_plane;
    }

    /// Whether the normal is the same everywhere and at all times.
    bool
    is_plane_at_rest() const
    {
      return is_plane && !is_moving;
    }

  private:
    /// In the frame of the obstacle: its distance, its gradient, and in the
    /// velocity what formulas of time add.
    using Distance = std::function<View(const Position &)>;

    void
    read_motion(const SolidParameters          &parameters,
                const SolidParameters::Contact &contact,
                const std::string              &path);

    Distance
    distance_of_formula(const SolidParameters          &parameters,
                        const SolidParameters::Contact &contact,
                        const std::string              &path);

    /// In the frame of the obstacle.
    Bound
    bound_of_formula(const Position &centre, double radius) const;

    /// R x.
    Direction
    turned(const Direction &x) const;
    /// R^T x.
    Direction
    turned_back(const Direction &x) const;
    /// omega x r for an angular velocity 1 about the axis.
    Direction
    spun(const Direction &r) const;

    const bool           is_plane;
    const bool           is_moving;
    CompiledFormulas     formula; ///< G, dG/dx and dG/dt, of a formula
    Distance             distance;
    CompiledFormulas     motion; ///< s, phi and their rates
    Position             pivot;
    dealii::Tensor<1, 3> axis;

    /// At the present time.
    mutable double    time = 0, sine = 0, cosine = 1, rate_of_turning = 0;
    mutable Direction shift, velocity;
  };
} // namespace Percuss
