// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/solution_guess.h>

#include <gtest/gtest.h>

#include <string>

#include "tools.h"

// Linear solvers start from the steps before.

namespace Percuss::Test
{
  namespace
  {
    /// Nothing, the last one, a line through the last two; nothing again after
    /// a step that was left out.
    TEST(SolutionGuess, FollowsTheLastTwoSteps)
    {
      SolutionGuess guess;
      Vector        x(make_partition(1, MPI_COMM_SELF));
      const auto    guessed = [&](const unsigned int step) {
        guess.guess(step, x);
        return x.local_element(0);
      };
      const auto remember = [&](const unsigned int step, const double value) {
        x.local_element(0) = value;
        guess.remember(step, x);
      };
      EXPECT_EQ(guessed(4), 0);
      remember(4, 10);
      EXPECT_EQ(guessed(5), 10);
      remember(5, 13);
      EXPECT_EQ(guessed(6), 16);
      remember(6, 15);
      EXPECT_EQ(guessed(7), 17);
      EXPECT_EQ(guessed(9), 0);
    }

    /// What falls freely changes its velocity by the same in each step: the
    /// first one takes iterations, and no other one does.
    TEST(SolutionGuess, FreeFallTakesNoIterations)
    {
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        {
          const Parts parts("scaling/block_3d.prm",
                            {"model/solid 3d/bodies/block/cells=2, 3, 4",
                             "model/solid 3d/contacts/floor/through=0, 0, -1",
                             "model/solid 3d/gravity=z = -9.81",
                             "scheme/type=" + scheme,
                             "linear solver/type=cg",
                             "linear solver/cg/preconditioner=jacobi"});
          parts.scheme->set_step_size(1e-5);
          State begin = parts.model->initial_state();
          parts.scheme->start(begin);
          State end = begin;
          for (unsigned int step = 1; step < 6; ++step)
            {
              StepReport report;
              parts.scheme->advance(begin, end, report);
              end.step = step;
              begin.swap(end);
              EXPECT_TRUE(report.converged);
              EXPECT_EQ(report.n_linear_iterations > 0, step == 1)
                << scheme << step;
            }
        }
    }
  } // namespace
} // namespace Percuss::Test
