// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <array>

namespace Percuss
{
  /// A guess of the solution of a step's linear system, for iterative solvers,
  /// from those of the steps before,
  /// @f[ x_{k+1} \approx 2 x_k - x_{k-1}. @f]
  /// States stay values: another guess changes a step by the tolerance of the
  /// solver only.
  class SolutionGuess
  {
  public:
    /// Forgets all, as after a change of the step size.
    void
    clear()
    {
      n_known = 0;
    }

    /// Guesses the solution of the step from state number @p step; zero where
    /// nothing is known.
    void
    guess(const unsigned int step, Vector &x)
    {
      if (n_known > 0 && step != last_step + 1)
        clear();
      if (n_known == 0)
        x = 0.;
      else if (n_known == 1)
        x = known[0];
      else
        {
          x.equ(2, known[0]);
          x.add(-1, known[1]);
        }
    }

    void
    remember(const unsigned int step, const Vector &x)
    {
      known[1].swap(known[0]);
      known[0]  = x;
      last_step = step;
      n_known   = n_known == 0 ? 1 : 2;
    }

  private:
    std::array<Vector, 2> known; ///< the newest first
    unsigned int          n_known = 0, last_step = 0;
  };
} // namespace Percuss
