// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/lac/full_matrix.h>

namespace Percuss
{
  /// Stiffness and mass of a run of equal elements on a line, applied without
  /// a matrix. Arrays hold the nodes from left to right, all components of a
  /// node together.
  class ElementRun
  {
  public:
    virtual ~ElementRun() = default;

    /// y = K x.
    virtual void
    apply_stiffness(unsigned int  n_elements,
                    const double *x,
                    double       *y) const = 0;

    /// y = M x.
    virtual void
    apply_mass(unsigned int n_elements, const double *x, double *y) const = 0;

    /// x^T K x, from the strains: a rigid motion gives no round-off.
    virtual double
    stiffness_norm(unsigned int n_elements, const double *x) const = 0;

    /// x^T M x.
    virtual double
    mass_norm(unsigned int n_elements, const double *x) const = 0;

    /// Of one element.
    const dealii::FullMatrix<double> &
    stiffness() const
    {
      return K;
    }

    const dealii::FullMatrix<double> &
    mass() const
    {
      return M;
    }

  protected:
    /// Matrices of @p size rows, filled by the derived class.
    explicit ElementRun(const unsigned int size)
      : K(size, size)
      , M(size, size)
    {}

    dealii::FullMatrix<double> K, M;
  };
} // namespace Percuss
