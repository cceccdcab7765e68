// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <vector>

namespace Percuss
{
  /// The linear complementarity problem: find z with
  /// @f[ 0 \le y = M z + q \;\perp\; z \ge 0. @f]
  /// M is dense and need not be symmetric.
  struct LinearComplementarity
  {
    explicit LinearComplementarity(const unsigned int n)
      : n(n)
      , M(static_cast<std::size_t>(n) * n)
      , q(n)
    {}

    double &
    at(const unsigned int row, const unsigned int column)
    {
      return M[static_cast<std::size_t>(row) * n + column];
    }

    const unsigned int  n;
    std::vector<double> M; ///< row after row
    std::vector<double> q;
  };

  /// Lemke's complementary pivoting with the lexicographic ratio test (Cottle,
  /// Pang, Stone: The Linear Complementarity Problem, section 4.4). Finite, and
  /// exact up to round-off, where M is a P-matrix or positive semidefinite and
  /// the problem has a solution.
  ///
  /// @p z holds a guess: its positive entries are made basic first, by
  /// principal pivots, which leave a problem of the same kind. A guess with
  /// the right positive entries is the solution after that.
  ///
  /// Returns the number of pivots; @p z is a solution unless round-off or a
  /// ray ended the method, which the caller has to find out. The problem is
  /// used up.
  unsigned int
  solve_by_lemke(LinearComplementarity &problem,
                 unsigned int           maximum_pivots,
                 std::vector<double>   &z);
} // namespace Percuss
