// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_matrix.h>
#include <percuss/linear_algebra/vector.h>

#include <deal.II/lac/full_matrix.h>

#include <vector>

namespace Percuss
{
  /// The velocities that joints allow, and the motions:
  /// @f[ v = P(q)\,\nu, \qquad G_B(q)\,P(q) = 0 @f]
  /// for any q, whether joints hold there or not. Matrices do not reach from
  /// rank to rank: the velocities v of a rank follow from the rank's own nu.
  class NullSpace
  {
  public:
    virtual ~NullSpace() = default;

    /// Which rank owns which of the independent velocities nu.
    virtual const Partition &
    partition() const = 0;

    /// P(q): a row for each coordinate of this rank, columns are local numbers
    /// of nu. The pattern is always the same.
    virtual void
    matrix(const Vector &q, SparseMatrix::Rows &P) const = 0;

    /// Moves @p q, where joints hold, by finite increments along nu such that
    /// they hold again, to round-off: the nodal reparametrisation
    /// q <- F(nu, q), with dF/dnu = P(q) at nu = 0.
    virtual void
    displace(const Vector &nu, Vector &q) const = 0;
  };



  /// Joints: @f[ g_B(q) = 0, \qquad G_B(q) = \partial g_B / \partial q. @f]
  /// A joint concerns coordinates of its own rank only.
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

    /// G_B(q): a row for each constraint, columns are local numbers of
    /// coordinates. The pattern is always the same.
    virtual void
    jacobian(const Vector &q, SparseMatrix::Rows &G) const = 0;

    /// G_B(q) with all its zeros, for small models.
    dealii::FullMatrix<double>
    dense_jacobian(const Vector &q) const;

    /// (d/dt G_B) v = v . (d^2 g_B/dq^2) v for each constraint, in m/s^2.
    virtual std::vector<double>
    curvature(const Vector &q, const Vector &v) const = 0;

    /// Adds @p factor times the sum of mu_j d^2 g_j/dq^2 to a matrix that
    /// MechanicalModel::make_tangent() has made. Models that do not know it
    /// leave it out, which costs iterations.
    virtual void
    add_hessian(const Vector & /*q*/,
                const std::vector<double> & /*mu*/,
                double /*factor*/,
                SparseMatrix & /*matrix*/) const
    {}

    /// The velocities that the joints allow, where the model knows them.
    virtual const NullSpace *
    null_space() const
    {
      return nullptr;
    }
  };
} // namespace Percuss
