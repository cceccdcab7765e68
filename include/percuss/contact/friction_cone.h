// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <algorithm>
#include <cmath>

namespace Percuss
{
  /// Coulomb's cone of a contact,
  /// @f[ K = \{ \lambda : |\lambda_T| \le \mu\,\lambda_N \}. @f]
  /// Coulomb's law is (De Saxce, Feng, Math. Comput. Modelling 28, 1998)
  /// @f[ K^* \ni \xi + \mu |\xi_T|\, e_N \perp \lambda \in K: @f]
  /// with the shift held, the condition of a convex problem.
  struct FrictionCone
  {
    unsigned int n_directions;
    double       friction; ///< as the law uses it

    /// Length of the tangential part.
    double
    tangential_norm(const double *x) const
    {
      return n_directions < 2  ? 0 :
             n_directions == 2 ? std::abs(x[1]) :
                                 std::hypot(x[1], x[2]);
    }

    /// mu |xi_T|.
    double
    shift(const double *xi) const
    {
      return friction == 0 ? 0 : friction * tangential_norm(xi);
    }

    /// Replaces @p x by the nearest point of K.
    void
    project(double *x) const
    {
      const double length = friction == 0 ? 0 : tangential_norm(x);
      double       factor = 1; // of the tangential part
      if (friction == 0 || friction * length <= -x[0])
        {
          x[0]   = friction == 0 ? std::max(0., x[0]) : 0;
          factor = 0;
        }
      else if (length > friction * x[0])
        {
          x[0]   = (x[0] + friction * length) / (1 + friction * friction);
          factor = friction * x[0] / length;
        }
      for (unsigned int d = 1; d < n_directions; ++d)
        x[d] *= factor;
    }
  };
} // namespace Percuss
