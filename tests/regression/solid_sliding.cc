// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tools.h"

// Bodies that slide far on each other, turn, or touch themselves.

namespace Percuss::Test
{
  namespace
  {
    /// Rigid blocks: the upper one is slowed down by mu g and drags the lower
    /// one, 24 times as heavy, until both have the same velocity. In the run
    /// the blocks enter each other by some ways of a step, g h^2 = 1e-5 m. That
    /// tilts the upper one and its contact forces, by up to 2e-4 m / 0.1 m:
    /// 0.01 m/s in 0.5 s.
    TEST(SolidSliding, BlockOnLongBlock)
    {
      const FinishedRun run("benchmark/sliding_blocks.prm",
                            {"output/field interval=0"});
      const auto        time  = run.column("probes", "time");
      const auto        upper = run.column("probes", "upper");
      const auto        lower = run.column("probes", "lower");
      const double      a = 0.3 * 9.81, v = 1.5, common = v / 25;
      const double      stop = v / (a * 25 / 24);
      for (std::size_t i = 0; i < time.size(); ++i)
        if (std::abs(time[i] - stop) > 0.02)
          {
            const bool slides = time[i] < stop;
            EXPECT_NEAR(upper[i], slides ? v - a * time[i] : common, 0.01);
            EXPECT_NEAR(lower[i], slides ? a * time[i] / 24 : common, 0.01);
          }
      EXPECT_NEAR(run.column("probes", "place").back(),
                  v * stop - a * stop * stop / 2 + common * (0.6 - stop),
                  0.01 * 0.6);
      // Round-off of K q with the displacement of the upper block.
      for (const double mean : run.column("probes", "momentum"))
        EXPECT_NEAR(mean, common, 1e-10);
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
              "contact/delassus matrix=matrix free"})
          {
            const FinishedRun run(
              "benchmark/sliding_blocks.prm",
              {more,
               "scheme/type=" + scheme,
               "model/solid 2d/bodies/lower/cells=12, 1",
               "model/solid 2d/bodies/upper/cells=1, 1",
               "model/solid 2d/materials/rubber/young modulus=1e6",
               "model/solid 2d/bodies/upper/initial velocity=x=4",
               "time/step size=4e-4",
               "time/end time=0.02",
               "output/field interval=0"});
            EXPECT_EQ(run.code, ExitCode::done) << scheme << more;
            const auto upper = run.column("probes", "upper");
            EXPECT_NEAR(upper.back(), 4 - 0.3 * 9.81 * 0.02, 0.02)
              << scheme << more;
            for (const double mean : run.column("probes", "momentum"))
              EXPECT_NEAR(mean, 4. / 25, 1e-9) << scheme << more;
          }
    }

    /// The prongs meet at an angle of up to 0.3 with faces of 5 mm. Gaps are
    /// means over faces, so that tips may pass each other by the half of what
    /// the gap changes along a face, and by their way in a step.
    TEST(SolidSliding, ForkClapsAgainstItself)
    {
      const FinishedRun run("benchmark/clapping_fork.prm",
                            {"output/field interval=0"});
      const auto        left    = run.column("probes", "left");
      const auto        right   = run.column("probes", "right");
      const double      deepest = 0.3 * 5e-3 / 2 + 6 * 5e-5;
      for (std::size_t i = 0; i < left.size(); ++i)
        EXPECT_GE(right[i] - left[i], -deepest);
      EXPECT_LE(run.values.at("max penetration"), deepest);
      // Both give up their speed, in the mean over the prong a third of 3 m/s.
      EXPECT_GT(run.values.at("contact impulse"), 1.2 * 0.5);
      for (const double mean : run.column("probes", "momentum"))
        EXPECT_NEAR(mean, 0, 1e-12);
    }
  } // namespace
} // namespace Percuss::Test
