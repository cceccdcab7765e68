// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <mpi.h>

#include <deque>
#include <vector>

namespace Percuss
{
  /// Of a fixed-point iteration x = G(x) (D. G. Anderson 1965): the next guess
  /// combines the last results such that their changes f = G(x) - x, combined
  /// alike, are smallest. In n dimensions an affine G is solved after n + 1
  /// results, contraction or not.
  class AndersonAcceleration
  {
  public:
    /// Results that a guess combines with the newest one, and the ranks that
    /// share the numbers.
    AndersonAcceleration(unsigned int depth, MPI_Comm communicator);

    /// From a guess @p x, its @p result G(x), and @p weights for the square of
    /// the changes, the next guess, in place of the old one. Collective.
    void
    improve(std::vector<double>       &x,
            const std::vector<double> &result,
            const std::vector<double> &weights);

  private:
    struct Difference
    {
      std::vector<double> change, result;
    };

    /// The combination of the differences' changes next to @p change.
    std::vector<double>
    coefficients(const std::vector<double> &change,
                 const std::vector<double> &weights) const;

    const unsigned int     depth;
    const MPI_Comm         communicator;
    std::deque<Difference> differences;
    bool                   has_last = false;
    std::vector<double>    last_change, last_result;
  };
} // namespace Percuss
