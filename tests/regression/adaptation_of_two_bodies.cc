// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "folders.h"
#include "regression/changing_meshes.h"
#include "tools.h"

// Meshes that change where two bodies touch each other.

namespace Percuss::Test
{
  namespace
  {
    const std::string solid = "model/solid 2d/";
    const std::string rule  = solid + "adaptation/";

    /// Bars of half the length, with fewer cells: contact until 2 L/c = 0.1 s.
    const std::string bars  = "benchmark/adaptive_two_bars_2d.prm";
    const std::string pairs = solid + "contacts/ends/pairs=";
    const Overrides   small = {solid + "bodies/first/size=1, 5",
                               solid + "bodies/first/cells=1, 10",
                               solid + "bodies/second/size=1, 5",
                               solid + "bodies/second/corner=0, 5",
                               solid + "bodies/second/cells=2, 10",
                               "output/probes=free = velocity y of first at 0.5, "
                                 "0; force = contact force y of ends; mean = mean "
                                 "velocity",
                               "output/field interval=0"};

    class AdaptationOfPairs : public testing::TestWithParam<std::string>
    {};

    /// The mean over the plateau does not see the few cells of a front; the
    /// impulse does, and there are 40 small ones in a bar.
    TEST_P(AdaptationOfPairs, BarsExchangeTheirVelocities)
    {
      const FinishedRun run(bars,
                            small + Overrides{pairs + GetParam(),
                                              "time/end time=0.15"});
      const auto        t   = run.column("probes", "time");
      const auto        f   = run.column("probes", "force");
      double            sum = 0, n = 0;
      for (std::size_t i = 0; i < t.size(); ++i)
        if (t[i] > 0.01 && t[i] < 0.09)
          {
            sum += f[i];
            n += 1;
          }
      EXPECT_NEAR(sum / n, 0.05, 0.01 * 0.05);
      EXPECT_NEAR(run.values.at("contact impulse"), 0.005, 0.005 / 40);
      for (const double v : run.column("probes", "mean"))
        EXPECT_NEAR(v, 0.05, 1e-11);
      EXPECT_GT(n_meshes(run), 10u);
      check_books(run, "");
    }

    /// The velocity of the free end as with small cells everywhere, the better
    /// the smaller the jumps. The wave has 0.05 m/s, of which jumps of 10 % are
    /// let through.
    TEST_P(AdaptationOfPairs, AreAsGoodAsSmallCells)
    {
      const auto run = [](const Overrides &overrides) {
        return FinishedRun(bars,
                           small + overrides +
                             Overrides{pairs + GetParam(),
                                       "time/end time=0.075"});
      };
      const auto difference = [](const FinishedRun &a, const FinishedRun &b) {
        const auto here  = a.column("probes", "free");
        const auto there = b.column("probes", "free");
        double     sum   = 0;
        for (std::size_t i = 0; i < here.size(); ++i)
          sum += std::abs(here[i] - there[i]);
        return sum / static_cast<double>(here.size());
      };
      const FinishedRun fine    = run({rule + "interval=0",
                                       solid + "bodies/first/refinements=2",
                                       solid + "bodies/second/refinements=2"});
      const FinishedRun coarse  = run({rule + "interval=0"});
      const FinishedRun adapted = run({});
      const FinishedRun better  = run({rule + "strain jump=1e-5"});
      const double      error   = difference(adapted, fine);
      EXPECT_LE(error, 0.1 * 0.05);
      EXPECT_LE(difference(better, fine), 0.5 * error);
      EXPECT_GE(difference(coarse, fine), 3 * error);
    }

    INSTANTIATE_TEST_SUITE_P(Pairs,
                             AdaptationOfPairs,
                             testing::Values("of the start", "of the motion"));

    TEST(AdaptationOfTwoBodies, EverySchemeKeepsItsBooks)
    {
      const std::vector<std::string> of_motion = {"moreau jean",
                                                  "generalized alpha",
                                                  "symmetric moreau"};
      const std::vector<std::string> of_start  = {
         "moreau jean",
         "generalized alpha",
         "moreau",
         "contact stabilized newmark",
         "decoupled generalized alpha",
         "energy momentum",
         "position velocity generalized alpha",
         "schatzman paoli"};
      for (const std::string which : {"of the start", "of the motion"})
        for (const std::string &scheme :
             which == "of the start" ? of_start : of_motion)
          {
            SCOPED_TRACE(which + ", " + scheme);
            const FinishedRun run(bars,
                                  small + Overrides{pairs + which,
                                                    "scheme/type=" + scheme,
                                                    rule + "interval=5",
                                                    rule + "layers=1",
                                                    rule + "levels=1",
                                                    "time/step size=1e-3",
                                                    "time/end time=0.05"});
            EXPECT_EQ(run.code, ExitCode::done);
            check_books(run, "");
            EXPECT_GT(n_meshes(run), 3u);
            const auto gained = run.column("energy", "mesh_change");
            EXPECT_LE(std::abs(gained.back()),
                      0.01 * run.values.at("initial energy"));
          }
    }

    /// The lower block of the parameter file is held from below, so that small
    /// cells are below the upper one only.
    class HeldBlock
    {
    public:
      HeldBlock()
        : folder(MPI_COMM_SELF)
      {
        const auto file = folder.path / "held_block.prm";
        std::ofstream(file) << "include " << parameter_files()
                            << "/benchmark/sliding_blocks.prm\n"
                               "subsection model\nsubsection solid 2d\n"
                               "subsection supports\nsubsection ground\n"
                               "set on = lower bottom\n"
                               "end\nend\nend\nend\n";
        path = std::filesystem::relative(file, parameter_files());
      }

      std::string path;

    private:
      TemporaryFolder folder;
    };

    /// A block slides over eight faces of a longer one: friction slows it down
    /// as a rigid one, up to the inclination p/E of the surface that bends, as
    /// in SolidSliding.BlockOnLongBlock, and the mesh follows it.
    TEST(AdaptationOfTwoBodies, SmallCellsFollowASlidingBlock)
    {
      const HeldBlock block;
      const auto      run = [&](const Overrides &overrides) {
        return FinishedRun(block.path,
                           Overrides{solid + "contacts/floor/on=lower left",
                                     solid + "contacts/floor/through=0, -1",
                                     solid +
                                       "contacts/between/search distance=0.05",
                                     "time/end time=0.3",
                                     "output/table interval=1",
                                     "output/field interval=0"} +
                             overrides);
      };
      const FinishedRun adapted = run({rule + "interval=5",
                                       rule + "levels=1",
                                       rule + "contact distance=1e-3"});
      const FinishedRun fine    = run({solid + "bodies/lower/refinements=1",
                                       solid + "bodies/upper/refinements=1"});
      const FinishedRun coarse  = run({});
      const auto        deepest = [](const FinishedRun &each) {
        const auto depths = each.column("contacts", "max_penetration");
        return *std::max_element(depths.begin(), depths.end());
      };
      const double tilt = 1000 * 9.81 * 0.05 / 1e7;
      EXPECT_NEAR(adapted.column("probes", "upper").back(),
                  1.5 - 0.3 * 9.81 * 0.3,
                  tilt * 9.81 * 0.3);
      EXPECT_LE(deepest(adapted), deepest(coarse));
      EXPECT_GT(n_meshes(adapted), 4u);
      EXPECT_LT(adapted.simulation->mechanical_model().partition()->size(),
                0.6 * fine.simulation->mechanical_model().partition()->size());
      check_books(adapted, "", 1e-9); // impulses are solved for
    }

    /// The sliding block on one with weighted constraints, whose meshes follow
    /// the contact. Halving keeps the motion and joining the momenta, so that
    /// the centre of all moves as forces on it say, in each step and to
    /// round-off: floor and gravity upwards, nothing along. Cells at the floor
    /// stay small; those at the top are halved below the block and joined
    /// behind it.
    TEST(AdaptationOfTwoBodies, MomentaWithWeightedConstraints)
    {
      const double      h = 1e-3, mass = 1000 * (1.2 * 0.1 + 0.1 * 0.05);
      const FinishedRun run("benchmark/sliding_blocks.prm",
                            {solid + "bodies/lower/cells=24, 6",
                             solid + "contacts/floor/constraints=weighted",
                             solid + "contacts/between/search distance=0.05",
                             solid + "bodies/upper/initial velocity=x = 4",
                             rule + "interval=5",
                             rule + "levels=1",
                             rule + "contact distance=1e-3",
                             "time/end time=0.1",
                             "output/probes=along = mean velocity x; "
                             "up = mean velocity y; "
                             "force = contact force y of floor",
                             "output/table interval=1",
                             "output/field interval=0"});
      const auto        along = run.column("probes", "along"),
                 up           = run.column("probes", "up"),
                 force        = run.column("probes", "force");
      const double speed      = 4 * 0.005 / 0.125; // of all, along
      double       sum        = 0;
      for (std::size_t i = 0; i < up.size(); ++i)
        {
          sum += i == 0 ? 0 : (force[i] / mass - 9.81) * h;
          EXPECT_NEAR(up[i], sum, 1e-10);
          EXPECT_NEAR(along[i], speed, 1e-10);
        }
      EXPECT_GT(n_meshes(run), 4u);
      EXPECT_GT(run.values.at("contact impulse"), 0.5 * mass * 9.81 * 0.1);
      check_books(run, "", 1e-9); // impulses are solved for
    }
  } // namespace
} // namespace Percuss::Test
