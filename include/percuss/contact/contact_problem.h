// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_law.h>
#include <percuss/contact/contact_set.h>
#include <percuss/contact/delassus_operator.h>
#include <percuss/linear_algebra/vector.h>

#include <vector>

namespace Percuss
{
  /// Find the impulses lambda, zero outside the active contacts, with
  /// @f[ \xi = W \lambda + b, \qquad
  ///     (\xi_i, \lambda_i) \text{ obeys the law for all active } i, @f]
  /// where xi_i and lambda_i are the block of contact i: its normal and its
  /// tangential directions. W belongs to all candidates, active or not.
  ///
  /// This is the cone problem of Coulomb's law, in the plane and in space;
  /// without friction a linear complementarity problem, and for symmetric W
  /// the quadratic programme with bounds min 1/2 lambda.W lambda + b.lambda,
  /// lambda >= 0. At position level it is the same with gaps for velocities.
  struct ContactProblem
  {
    const DelassusOperator          &W;
    const ContactLaw                &law;
    const std::vector<ContactPoint> &points; ///< candidates of this rank
    std::vector<unsigned int>        active; ///< of this rank, ascending
    Vector                           b;      ///< in m/s, or m
  };

  /// On all ranks.
  struct ActiveSize
  {
    unsigned int n_rows = 0; ///< of active contacts
    /// Most directions of one with friction, or that can roll.
    unsigned int frictional_block = 1;
  };

  ActiveSize
  active_size(const ContactProblem &problem);

  /// How far @p lambda is from a solution, relative to the largest active |b_i|
  /// or |(W lambda)_i|:
  /// @f[ \max_i w_i\, |\lambda_i -
  ///     \mathrm{proj}(\lambda_i - \xi_i / w_i)|_\infty / \max_i \{|b_i|,
  ///     |(W\lambda)_i|\}, @f]
  /// with the largest entry w_i of the diagonal of W in the block of contact i.
  /// Round-off counts: an error has the round-off of the sums, epsilon times
  /// the largest sum_j |W_ij lambda_j| in the block, added to it. Where W is
  /// only applied, that of w_i lambda_i is all that is known. Collective.
  double
  natural_residual(const ContactProblem &problem, const Vector &lambda);

  /// The same for known xi = W lambda + b, where b leaves out a free motion
  /// that is not known: what the impulses alone do, w_i |lambda_i|, stands
  /// beside the velocities as their measure. Collective.
  double
  natural_residual(const ContactProblem &problem,
                   const Vector         &lambda,
                   const Vector         &xi);

  /// What one contact adds to natural_residual(), in m/s:
  /// @f[ w\, |\lambda - \mathrm{proj}(\lambda - \xi / w)|_\infty, @f]
  /// but not less than the round-off of w lambda; infinity where an entry is
  /// not finite.
  double
  law_violation(const ContactLaw   &law,
                const ContactPoint &point,
                double              w,
                const double       *lambda,
                const double       *xi);

  /// The active part of a problem, the same on all ranks: a row for each
  /// direction of an active contact. The points know their first row.
  struct GatheredProblem
  {
    std::vector<unsigned int> row_start = {0};
    std::vector<unsigned int> columns; ///< numbers of rows
    std::vector<double>       values;
    std::vector<double>       b;
    std::vector<double>       lambda;
    std::vector<ContactPoint> points;
    unsigned int              first_owned = 0; ///< row of the calling rank

    /// Rows.
    unsigned int
    size() const
    {
      return static_cast<unsigned int>(b.size());
    }
  };

  /// Needs the entries of W.
  GatheredProblem
  gather(const ContactProblem &problem, const Vector &lambda);

  /// Puts this rank's part of the gathered impulses back.
  void
  scatter(const GatheredProblem &gathered,
          const ContactProblem  &problem,
          Vector                &lambda);
} // namespace Percuss
