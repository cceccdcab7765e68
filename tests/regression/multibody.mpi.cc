// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "tools.h"

// Bodies, beams and joints on any number of ranks.

namespace Percuss::Test
{
  namespace
  {
    void
    expect_same_on_ranks(const std::string &file,
                         const Overrides   &overrides,
                         const std::string &probe,
                         const double       tolerance)
    {
      const FinishedRun together(file, overrides, MPI_COMM_WORLD);
      const FinishedRun alone(file, overrides, MPI_COMM_SELF);
      const auto        x = together.column("probes", probe);
      const auto        y = alone.column("probes", probe);
      ASSERT_EQ(x.size(), y.size());
      double largest = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        {
          ASSERT_NEAR(x[i], y[i], tolerance);
          largest = std::max(largest, std::abs(y[i]));
        }
      EXPECT_GT(largest, 1e4 * tolerance);
    }

    TEST(MultibodyOnRanks, SwingsTheSame)
    {
      for (const std::string scheme : {"null space variational",
                                       "energy momentum",
                                       "position velocity generalized alpha"})
        for (const std::string treatment :
             {"multipliers", "null space", "null space with reparametrisation"})
          expect_same_on_ranks("benchmark/three_bar_swing.prm",
                               {"model/multibody/bodies/bar/elements=8",
                                "model/multibody/bodies/bar/degree=2",
                                "time/step size=2e-3",
                                "time/end time=0.02",
                                "scheme/type=" + scheme,
                                "scheme/" + scheme + "/joints=" + treatment},
                               "mid_x",
                               1e-12);
    }

    TEST(MultibodyOnRanks, HitsTheWallTheSame)
    {
      expect_same_on_ranks(
        "benchmark/flexible_pendulum.prm",
        {"model/multibody/bodies/rod/elements=5",
         "model/multibody/bodies/rod/angular velocity=0, 0, -30",
         "scheme/type=energy momentum",
         "time/step size=1e-3",
         "time/end time=0.06"},
        "tip_x",
        1e-9);
    }
  } // namespace
} // namespace Percuss::Test
