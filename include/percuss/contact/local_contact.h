// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>

namespace Percuss
{
  /// One contact with Coulomb friction, all others held: find lambda with
  /// @f[ \xi = W\lambda + c, \qquad -\xi_N \in N_{\mathbb R_+}(\lambda_N),
  ///     \qquad -\xi_T \in N_{D(\mu\lambda_N)}(\lambda_T), \qquad
  ///     -\xi_R \in N_{D(\mu_r\lambda_N)}(\lambda_R). @f]
  struct LocalContact
  {
    unsigned int n_directions                    = 1;
    double       friction                        = 0; ///< as the law uses it
    double       rolling_friction                = 0; ///< likewise
    double       W[largest_block][largest_block] = {};

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
