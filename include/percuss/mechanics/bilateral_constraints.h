// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/lac/full_matrix.h>

#include <vector>

namespace Percuss
{
  /// Joints of a small model, all of whose coordinates live on one rank:
  /// @f[ g_B(q) = 0, \qquad G_B(q) = \partial g_B / \partial q. @f]
  /// The other ranks have neither coordinates nor constraints.
  class BilateralConstraints
  {
  public:
    virtual ~BilateralConstraints() = default;

    /// On this rank.
    virtual unsigned int
    size() const = 0;

    /// g_B(q), in m.
    virtual std::vector<double>
    residuals(const Vector &q) const = 0;

    /// G_B(q): a row for each constraint, a column for each coordinate.
    virtual dealii::FullMatrix<double>
    jacobian(const Vector &q) const = 0;

    /// (d/dt G_B) v = v . (d^2 g_B/dq^2) v for each constraint, in m/s^2.
    virtual std::vector<double>
    curvature(const Vector &q, const Vector &v) const = 0;
  };
} // namespace Percuss
