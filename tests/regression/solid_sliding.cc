// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tools.h"

// Bodies that slide far on each other, turn, or touch themselves.

namespace Percuss::Test
{
  namespace
  {
    /// The largest error of the velocities of both blocks against rigid ones:
    /// the upper one is slowed down by mu g and drags the lower one, 24 times
    /// as heavy, until both have the same velocity.
    double
    error_of_sliding(const std::string &h)
    {
      const FinishedRun run("benchmark/sliding_blocks.prm",
                            {"time/step size=" + h, "output/field interval=0"});
      const auto        time  = run.column("probes", "time");
      const auto        upper = run.column("probes", "upper");
      const auto        lower = run.column("probes", "lower");
      const double      a = 0.3 * 9.81, v = 1.5, common = v / 25;
      const double      stop    = v / (a * 25 / 24);
      double            largest = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        if (std::abs(time[i] - stop) > 0.02)
          {
            const bool slides = time[i] < stop;
            largest           = std::max(
              {largest,
                         std::abs(upper[i] - (slides ? v - a * time[i] : common)),
                         std::abs(lower[i] - (slides ? a * time[i] / 24 : common))});
          }
      // Round-off of K q with the displacement of the upper block.
      for (const double mean : run.column("probes", "momentum"))
        EXPECT_NEAR(mean, common, 1e-10);
      EXPECT_LE(run.values.at("max penetration"), std::stod(h) * v / 2);
      return largest;
    }

    /// Bodies enter each other by their way in a step, which tilts the upper
    /// block: of first order in the step size. 0.02 m/s are left of 1.5 m/s,
    /// and of waves.
    TEST(SolidSliding, BlockOnLongBlock)
    {
      const double coarse = error_of_sliding("2e-3");
      EXPECT_LE(coarse, 0.02);
      EXPECT_LE(error_of_sliding("5e-4"), 0.4 * coarse);
    }

    /// Where bodies do not slide, pairs of the start and of the motion are the
    /// same.
    TEST(SolidSliding, PairsOfTheStartAndOfTheMotionAgree)
    {
      const auto run = [](const std::string &pairs) {
        return FinishedRun("benchmark/two_bars_as_solids.prm",
                           {"model/solid 2d/bodies/first/cells=2, 10",
                            "model/solid 2d/bodies/second/cells=3, 10",
                            "model/solid 2d/contacts/ends/pairs=" + pairs,
                            "time/end time=0.15",
                            "output/field interval=0"});
      };
      const auto start  = run("of the start").column("probes", "first");
      const auto motion = run("of the motion").column("probes", "first");
      ASSERT_EQ(start.size(), motion.size());
      for (std::size_t i = 0; i < start.size(); ++i)
        EXPECT_NEAR(start[i], motion[i], 1e-9);
    }

    /// A plane as a formula is an obstacle with directions that change.
    TEST(SolidSliding, TogetherWithOtherObstacles)
    {
      const auto run = [](const std::string &obstacle,
                          const std::string &pairs) {
        return FinishedRun(
          "benchmark/sliding_blocks.prm",
          {"model/solid 2d/bodies/lower/cells=12, 1",
           "model/solid 2d/contacts/floor/obstacle=" + obstacle,
           "model/solid 2d/contacts/floor/distance=y",
           "model/solid 2d/contacts/between/pairs=" + pairs,
           "model/solid 2d/bodies/upper/initial velocity=x=0.01",
           "time/end time=0.02",
           "output/field interval=0"});
      };
      const auto plane   = run("plane", "of the start");
      const auto formula = run("formula", "of the start");
      EXPECT_NEAR(plane.values.at("contact impulse"),
                  formula.values.at("contact impulse"),
                  1e-8);
      EXPECT_NEAR(plane.values.at("final energy"),
                  formula.values.at("final energy"),
                  1e-8);
      const auto motion = run("formula", "of the motion");
      EXPECT_NEAR(run("plane", "of the motion").values.at("final energy"),
                  motion.values.at("final energy"),
                  1e-8);
    }

    /// All schemes whose directions may change, for small and for large
    /// strains, with and without the entries of the response.
    TEST(SolidSliding, Schemes)
    {
      for (const std::string scheme : {"moreau jean",
                                       "generalized alpha",
                                       "moreau",
                                       "symmetric moreau",
                                       "variational moreau"})
        for (const std::string more :
             {"model/solid 2d/materials/rubber/law=st venant kirchhoff",
              "contact/delassus matrix=matrix free",
              "contact/delassus matrix=explicit"})
          {
            const FinishedRun run(
              "benchmark/sliding_blocks.prm",
              {more,
               "scheme/type=" + scheme,
               "model/solid 2d/bodies/lower/cells=12, 1",
               "model/solid 2d/bodies/upper/cells=1, 1",
               "model/solid 2d/materials/rubber/young modulus=1e6",
               "model/solid 2d/bodies/upper/initial velocity=x=4",
               "time/end time=0.08",
               "output/field interval=0"});
            EXPECT_EQ(run.code, ExitCode::done) << scheme << more;
            const auto upper = run.column("probes", "upper");
            EXPECT_NEAR(upper.back(), 4 - 0.3 * 9.81 * 0.08, 0.05)
              << scheme << more;
            for (const double mean : run.column("probes", "momentum"))
              EXPECT_NEAR(mean, 4. / 25, 1e-9) << scheme << more;
          }
    }

    /// The left prong hits the right one as each would hit a mirror.
    TEST(SolidSliding, ForkClapsAgainstItself)
    {
      const FinishedRun itself("benchmark/clapping_fork.prm",
                               {"output/field interval=0"});
      const auto        left  = itself.column("probes", "left");
      const auto        right = itself.column("probes", "right");
      // Of a step, in which the prongs approach each other with 6 m/s.
      const double way = 6 * 5e-5;
      for (std::size_t i = 0; i < left.size(); ++i)
        {
          EXPECT_GE(right[i] - left[i], -way);
          EXPECT_NEAR(right[i], -left[i], way);
        }
      EXPECT_LE(itself.values.at("max penetration"), way);
      EXPECT_GT(itself.values.at("contact impulse"), 0);
    }
  } // namespace
} // namespace Percuss::Test
