// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <vector>

namespace Percuss
{
  // Several operations on long vectors in one pass over memory, which bounds
  // their time. All results are those of this rank.

  /// The largest |x_i| d_i.
  double
  largest_ratio(const Vector &x, const std::vector<double> &d);

  /// p.q and p.dp.
  struct Products
  {
    double with_other = 0, with_itself = 0;
  };
  Products
  local_products(const Vector              &p,
                 const Vector              &q,
                 const std::vector<double> &d);

  /// x -= s p and r -= s q. Returns the largest |r_i| d_i then.
  double
  step_back(double                     s,
            const Vector              &p,
            const Vector              &q,
            const std::vector<double> &d,
            Vector                    &x,
            Vector                    &r);

  /// r -= s q. Returns the largest |r_i| d_i then.
  double
  step_back(double s, const Vector &q, const std::vector<double> &d, Vector &r);

  /// Fills @p products with those of the @p vectors with @p x.
  void
  local_products(const std::vector<const Vector *> &vectors,
                 const Vector                      &x,
                 double                            *products);

  /// x -= sum_j factors_j vectors_j.
  void
  subtract(const std::vector<const Vector *> &vectors,
           const double                      *factors,
           Vector                            &x);
} // namespace Percuss
