// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "tools.h"

// The counterexamples fail in the way they are known to fail.

namespace Percuss::Test
{
  namespace
  {
    /// The velocities after the first impact of a ball dropped from 1 m with
    /// e = 0.9 and h = 1 ms: before, in the step of the impact, one later.
    std::vector<double>
    rebound(const Overrides &scheme)
    {
      Overrides overrides = {"model/type=ball",
                             "time/step size=1e-3",
                             "time/end time=0.5",
                             "output/probes=velocity = velocity of 0"};
      overrides.insert(overrides.end(), scheme.begin(), scheme.end());
      const FinishedRun run("", overrides);
      const auto        velocity = run.column("probes", "velocity");
      for (std::size_t i = 1; i + 1 < velocity.size(); ++i)
        if (velocity[i] > 0)
          return {velocity[i - 1], velocity[i], velocity[i + 1]};
      return {0, 0, 0};
    }

    TEST(NaiveVelocityNewmark, ReboundsFasterThanItHit)
    {
      // |v| (e + (1 + e) (1 - gamma) / gamma) one step after the impact; the
      // weight acts besides.
      for (const auto &[gamma, next] : std::vector<std::pair<double, double>>{
             {0.5, 12.4155}, {0.75, 6.7924}, {1, 3.9809}})
        {
          const auto v = rebound(
            {"scheme/type=naive velocity newmark",
             "scheme/naive velocity newmark/gamma=" + std::to_string(gamma),
             "scheme/naive velocity newmark/beta=" +
               std::to_string(gamma / 2)});
          EXPECT_NEAR(v[0], -4.4341, 5e-5) << gamma;
          EXPECT_NEAR(v[1], 3.9907, 5e-5) << gamma;
          EXPECT_NEAR(v[2], next, 5e-5) << gamma;
        }
    }

    TEST(NaiveVelocityNewmark, IsMendedByImpulsesOfTheirOwn)
    {
      const auto v =
        rebound({"scheme/type=generalized alpha",
                 "scheme/generalized alpha/parameter set=newmark"});
      EXPECT_NEAR(v[1], 3.9907, 5e-5);
      EXPECT_NEAR(v[2], 3.9907 - 9.81e-3, 1e-4);
    }

    TEST(NaivePositionNewmark, ReboundsAsTheStepFallsOnTheImpact)
    {
      // How fast the ball leaves depends on where in the step it hits, from a
      // rest to more than it had: no restitution at all.
      double least = 1e300, most = 0;
      for (int i = 0; i < 20; ++i)
        {
          const FinishedRun run("",
                                {"model/type=ball",
                                 "model/ball/height=" +
                                   std::to_string(1 + 2e-4 * i),
                                 "scheme/type=naive position newmark",
                                 "scheme/naive position newmark/gamma=1",
                                 "scheme/naive position newmark/beta=0.5",
                                 "time/step size=1e-3",
                                 "time/end time=0.46"});
          const double      velocity = run.simulation->final_state().v(0);
          least                      = std::min(least, velocity);
          most                       = std::max(most, velocity);
        }
      EXPECT_GT(most - least, 2);
    }
  } // namespace
} // namespace Percuss::Test
