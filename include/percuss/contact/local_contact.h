// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// One contact with Coulomb friction, all others held: find lambda with
  /// @f[ \xi = W\lambda + c, \qquad -\xi_N \in N_{\mathbb R_+}(\lambda_N),
  ///     \qquad -\xi_T \in N_{D(\mu\lambda_N)}(\lambda_T). @f]
  struct LocalContact
  {
    unsigned int n_directions = 1;
    double       friction     = 0; ///< as the law uses it
    double       W[3][3]      = {};

    /// Replaces @p lambda by a solution, of several by the nearest one, so
    /// that an answer to the whole problem is left as it is. Returns false and
    /// changes nothing where it finds none.
    bool
    solve(const double *c, double *lambda) const;

    /// @p xi = W lambda + c.
    void
    velocity(const double *c, const double *lambda, double *xi) const;
  };
} // namespace Percuss
