// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "regression/changing_meshes.h"

// Meshes in space that follow waves and contacts.

namespace Percuss::Test
{
  namespace
  {
    const std::string file  = "benchmark/adaptive_block_3d.prm";
    const std::string solid = "model/solid 3d/";
    const std::string block = solid + "bodies/block/";
    const std::string stud  = solid + "contacts/stud/";
    const std::string rule  = solid + "adaptation/";

    const double density = 7800, c = std::sqrt(2.1e11 / density);

    /// A column of 20 large and 40 small cells without Poisson's ratio falls
    /// flat on a plane: the exact motion is that of a bar. A small cell is 2.5
    /// mm long, a wave passes it in a step.
    FinishedRun
    flat_impact(const Overrides &others)
    {
      return FinishedRun(file,
                         Overrides{block + "size=0.005, 0.005, 0.1",
                                   block + "cells=1, 1, 20",
                                   rule + "levels=1",
                                   block + "poisson ratio=0",
                                   stud + "obstacle=plane",
                                   stud + "normal=0, 0, 1",
                                   rule + "layers=4",
                                   rule + "strain jump=1e-5",
                                   rule + "contact distance=1e-6",
                                   "time/step size=4.8e-7",
                                   "time/end time=5.28e-5",
                                   "output/probes=force = contact force z of "
                                   "stud; speed = mean velocity z; "
                                   "top = velocity z of block at 0, 0, 0.1",
                                   "output/field interval=0"} +
                           others);
    }

    /// Force rho c v A for the time 2 L / c, rebound with v. The mean force
    /// over the plateau does not see the front, which is a few of the smallest
    /// cells wide: 5 of 40. The impulse sees it at the end: a part of a cell.
    void
    check_flat_impact(const FinishedRun &run)
    {
      const double force = density * c * 2.5e-5, duration = 2 * 0.1 / c;
      const auto   times  = run.column("probes", "time");
      const auto   forces = run.column("probes", "force");
      double       sum = 0, n = 0;
      for (std::size_t i = 0; i < times.size(); ++i)
        if (times[i] > 0.1 * duration && times[i] < 0.9 * duration)
          {
            sum += forces[i];
            n += 1;
          }
      EXPECT_NEAR(sum / n, force, 0.01 * force);
      EXPECT_NEAR(run.values.at("contact impulse"),
                  duration * force,
                  duration * force / 40);
      // J/m - v, twice as large as the impulse's relative error.
      EXPECT_NEAR(run.column("probes", "speed").back(), 1, 2. / 40);
      EXPECT_NEAR(run.values.at("last contact") -
                    run.values.at("first contact"),
                  duration,
                  5. / 40 * duration);
      EXPECT_GT(n_meshes(run), 10u);
      check_books(run, "");
    }

    TEST(AdaptationInSpace, FlatImpact)
    {
      check_flat_impact(flat_impact({}));
    }

    /// Nodes of degree 2 are as far apart with half as many cells.
    TEST(AdaptationInSpace, FlatImpactOfDegreeTwo)
    {
      check_flat_impact(flat_impact({solid + "degree=2",
                                     block + "cells=1, 1, 10",
                                     rule + "interval=6",
                                     rule + "layers=3"}));
    }

    /// Without matrices, on meshes with hanging nodes too.
    TEST(AdaptationInSpace, FlatImpactWithoutMatrices)
    {
      const FinishedRun run = flat_impact({solid + "degree=2",
                                           solid + "operator=matrix-free",
                                           block + "cells=1, 1, 10",
                                           rule + "interval=6",
                                           rule + "layers=3"});
      check_flat_impact(run);
    }

    /// Strains are v/c = 2e-4, and change forces by so much.
    TEST(AdaptationInSpace, FlatImpactWithLargeStrains)
    {
      for (const std::string law : {"neo hooke", "st venant kirchhoff"})
        check_flat_impact(flat_impact({block + "law=" + law}));
    }

    /// As SolidSlidingInSpace.BlockOnBlock, whose bounds hold here too, before
    /// the block stops. The mesh of the lower block follows the upper one over
    /// two cells, and momenta survive that. With each mesh the pressure finds
    /// its distribution anew, as at the start: there are waves as then.
    TEST(AdaptationInSpace, SmallCellsFollowASlidingBlock)
    {
      const FinishedRun run("benchmark/sliding_blocks_3d.prm",
                            {rule + "interval=5",
                             rule + "levels=1",
                             rule + "layers=0",
                             rule + "contact distance=1e-3",
                             solid + "contacts/between/search distance=0.02",
                             "output/probes="
                             "x = velocity x of upper at 0.132, 0.099, 0.125; "
                             "y = velocity y of upper at 0.132, 0.099, 0.125; "
                             "up = velocity z of upper at 0.132, 0.099, 0.125; "
                             "momentum_x = mean velocity x; "
                             "momentum_y = mean velocity y",
                             "time/end time=0.07",
                             "output/table interval=1",
                             "output/field interval=0"});
      const auto        time = run.column("probes", "time"),
                 x = run.column("probes", "x"), y = run.column("probes", "y"),
                 up   = run.column("probes", "up");
      const double mu = 0.3, g = 9.81, v = 1;
      const double tilt  = 1000 * g * 0.05 / 1e7;
      const double waves = 2 * mu * 0.5 * g / (1000 * 0.1 * 0.3 * 100);
      for (std::size_t i = 0; i < time.size(); ++i)
        if (const double t = time[i]; t > 0.05)
          {
            EXPECT_NEAR(0.8 * x[i] + 0.6 * y[i],
                        v - mu * (g * t + up[i]),
                        tilt * g * t + waves);
            EXPECT_NEAR(0.8 * y[i] - 0.6 * x[i], 0, tilt * g * t + waves);
          }
      for (const double mean : run.column("probes", "momentum_x"))
        EXPECT_NEAR(mean, 0.8 * v / 25, 1e-10);
      for (const double mean : run.column("probes", "momentum_y"))
        EXPECT_NEAR(mean, 0.6 * v / 25, 1e-10);
      EXPECT_GT(n_meshes(run), 2u);
      check_books(run, "", 1e-9); // impulses are solved for
    }

    /// The block on its stud: one level, steps of twice the size, up to the
    /// time in which pressure waves have come back from the top.
    FinishedRun
    on_stud(const Overrides &others)
    {
      return FinishedRun(file,
                         Overrides{rule + "levels=1",
                                   "time/step size=8e-7",
                                   "time/end time=1.6e-5",
                                   "output/field interval=0"} +
                           others);
    }

    /// The mean over time of what the velocities of the bottom and the top
    /// above the stud differ by.
    double
    difference(const FinishedRun &a, const FinishedRun &b)
    {
      double sum = 0, n = 0;
      for (const std::string probe : {"top", "speed"})
        {
          const auto here  = a.column("probes", probe);
          const auto there = b.column("probes", probe);
          for (std::size_t i = 0; i < here.size(); ++i)
            sum += std::abs(here[i] - there[i]);
          n += static_cast<double>(here.size());
        }
      return sum / n;
    }

    /// As with small cells everywhere. Jumps of the strain up to e are let
    /// through, waves of the velocity e c.
    TEST(AdaptationInSpace, IsAsGoodAsSmallCells)
    {
      const double      jump = 2e-5, pressure_wave = 6020;
      const FinishedRun fine =
        on_stud({rule + "interval=0", block + "refinements=1"});
      const FinishedRun coarse  = on_stud({rule + "interval=0"});
      const FinishedRun adapted = on_stud({});
      const FinishedRun better  = on_stud({rule + "strain jump=5e-6"});
      const double      error   = difference(adapted, fine);
      EXPECT_LE(error, jump * pressure_wave);
      EXPECT_LE(difference(better, fine), 0.5 * error);
      EXPECT_GE(difference(coarse, fine), 3 * error);
      EXPECT_LT(adapted.simulation->mechanical_model().partition()->size(),
                fine.simulation->mechanical_model().partition()->size());
    }

    /// Halving keeps the motion and joining the momenta: the centre moves as
    /// the force says, in all directions, in each step and to round-off. A
    /// corner of the block slides along a plane, with friction, and waves run
    /// away from it.
    TEST(AdaptationInSpace, Momenta)
    {
      std::string probes;
      for (const std::string d : {"x", "y", "z"})
        probes += "v" + d + " = mean velocity " + d + "; f" + d +
                  " = contact force " + d + " of stud; ";
      const double      h = 8e-7, mass = density * 0.06 * 0.06 * 0.03;
      const FinishedRun run =
        on_stud({"scheme/type=moreau jean",
                 "contact/law=coulomb",
                 "linear solver/type=direct",
                 stud + "obstacle=plane",
                 stud + "normal=0.2, 0.1, 1",
                 stud + "friction=0.3",
                 block + "initial velocity=x = 2; y = 1; z = -2",
                 "output/probes=" + probes.substr(0, probes.size() - 2)});
      for (const std::string d : {"x", "y", "z"})
        {
          const auto v   = run.column("probes", "v" + d);
          const auto f   = run.column("probes", "f" + d);
          double     sum = 0, largest = 0;
          for (std::size_t i = 1; i < v.size(); ++i)
            {
              sum += f[i] * h / mass;
              largest = std::max(largest, std::abs(f[i]));
              EXPECT_NEAR(v[i], v[0] + sum, 1e-10) << d;
            }
          EXPECT_GT(largest, 10) << d; // there are forces in all directions
        }
      EXPECT_GT(n_meshes(run), 3u);
      check_books(run, "");
    }

    TEST(AdaptationInSpace, EverySchemeKeepsItsBooks)
    {
      for (const std::string scheme :
           {"moreau jean", "symmetric moreau", "generalized alpha"})
        for (const std::string degree : {"1", "2"})
          {
            const std::string name = scheme + ", degree " + degree;
            const FinishedRun run  = on_stud(
              {"scheme/type=" + scheme,
                solid + "degree=" + degree,
                block + "cells=4, 4, 2",
                stud + "centre=0.03, 0.03, -0.02",
                block + "initial velocity=z = -10",
                rule + "interval=5",
                rule + "layers=0",
                rule + "strain jump=4e-6",
               degree == "1" ? "time/step size=2.5e-7" : "time/step size=1e-7",
               degree == "1" ? "time/end time=5e-6" : "time/end time=4e-6"});
            EXPECT_EQ(run.code, ExitCode::done) << name;
            check_books(run, name);
            EXPECT_GT(n_meshes(run), 1u) << name;
            EXPECT_LE(std::abs(run.column("energy", "mesh_change").back()),
                      0.01 * run.values.at("initial energy"))
              << name;
          }
    }
  } // namespace
} // namespace Percuss::Test
