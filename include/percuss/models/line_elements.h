// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/lac/full_matrix.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// Stiffness and mass of a run of equal elastic line elements of degree p,
  /// applied without a matrix. Arrays hold the nodes from left to right,
  /// n_elements * p + 1 values.
  class LineElements
  {
  public:
    struct Parameters
    {
      unsigned int degree  = 1;
      double       length  = 1; ///< of one element, in m
      double       EA      = 1; ///< in N
      double       density = 1; ///< per length, in kg/m
      bool         lumped  = false;
    };

    static constexpr unsigned int highest_degree = 6;

    static std::unique_ptr<LineElements>
    make(const Parameters &parameters);

    virtual ~LineElements() = default;

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

    /// Values (or derivatives with respect to the coordinate, in 1/m) of the
    /// shape functions at @p xi in [0, 1].
    std::vector<double>
    shape_values(double xi) const;
    std::vector<double>
    shape_derivatives(double xi) const;

  protected:
    explicit LineElements(const Parameters &parameters);

    const Parameters           parameters;
    dealii::FullMatrix<double> K, M;
    /// Rows: square roots of EA times quadrature weight, times the strain.
    dealii::FullMatrix<double> B;
  };
} // namespace Percuss
