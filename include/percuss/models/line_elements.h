// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/models/element_run.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// Equal elastic line elements of degree p, with one displacement at each
  /// node: arrays have n_elements * p + 1 values.
  class LineElements : public ElementRun
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

    /// Values (or derivatives with respect to the coordinate, in 1/m) of the
    /// shape functions at @p xi in [0, 1].
    std::vector<double>
    shape_values(double xi) const;
    std::vector<double>
    shape_derivatives(double xi) const;

  protected:
    explicit LineElements(const Parameters &parameters);

    const Parameters parameters;
    /// Rows: square roots of EA times quadrature weight, times the strain.
    dealii::FullMatrix<double> B;
  };
} // namespace Percuss
