// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools.h"

// The reactions of supports of solids, by the balance of forces and momenta.

namespace Percuss::Test
{
  namespace
  {
    const std::string solid = "model/solid 2d/";
    const std::string block = solid + "bodies/block/";

    Overrides
    operator+(Overrides a, const Overrides &b)
    {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    }

    constexpr double mass = 2, step = 0.01;

    /// With a lumped mass no momentum is between free nodes and held ones.
    const std::string file   = "benchmark/held_block_2d.prm";
    const Overrides   common = {"output/field interval=0"};

    /// Forces along x and y at each time: those of loads, and of supports.
    struct Forces
    {
      explicit Forces(const FinishedRun &run)
      {
        const auto column = [&](const std::string &name) {
          return run.column("probes", name);
        };
        time            = column("time");
        momentum[0]     = column("px");
        momentum[1]     = column("py");
        contact[0]      = column("fx");
        contact[1]      = column("fy");
        const auto wall = column("wx"), wall_y = column("wy"),
                   roof = column("ry");
        for (std::size_t i = 0; i < time.size(); ++i)
          {
            const double t = time[i];
            // Damping by the mass brakes all free nodes, and only those move.
            other[0].push_back(mass * std::sin(7 * t) - 3 * std::sin(5 * t) +
                               2 * t - 0.3 * momentum[0][i] + wall[i]);
            other[1].push_back(-5 * mass + 1 - 0.3 * momentum[1][i] +
                               wall_y[i] + roof[i]);
          }
      }

      std::vector<double> time, momentum[2], contact[2], other[2];
    };

    /// The momentum changes by the forces that the scheme weighs: those at the
    /// end of a step with theta. Round-off is that of forces up to 1e3 from
    /// cells and their momenta over the step, 1e-13 each.
    TEST(SolidReactions, BalanceTheMomentumInEachStep)
    {
      for (const double theta : {1., 0.5})
        {
          const FinishedRun run(file,
                                common + Overrides{"scheme/moreau jean/theta=" +
                                                   shortest_text(theta)});
          ASSERT_EQ(run.code, ExitCode::done);
          const Forces forces(run);
          for (std::size_t i = 1; i < forces.time.size(); ++i)
            for (unsigned int d = 0; d < 2; ++d)
              {
                const auto &p = forces.momentum[d], &f = forces.other[d];
                EXPECT_NEAR((p[i] - p[i - 1]) / step,
                            theta * f[i] + (1 - theta) * f[i - 1] +
                              forces.contact[d][i],
                            1e-10)
                  << theta << ", step " << i;
              }
          const auto largest = [&](const std::string &name) {
            const auto all = run.column("probes", name);
            return *std::max_element(all.begin(), all.end());
          };
          EXPECT_GT(largest("fy"), 1);
          EXPECT_GT(largest("wy"), 1);
        }
    }

    /// A support that moves with a constant acceleration carries its own mass
    /// too.
    TEST(SolidReactions, OfSupportsThatMove)
    {
      const FinishedRun run(file,
                            common +
                              Overrides{solid + "supports/wall/motion=x = "
                                                "0.5*t^2; y = -0.25*t^2",
                                        solid + "supports/roof/directions=x",
                                        solid + "mass damping=0",
                                        solid + "contacts/floor/friction=0",
                                        "output/probes=px = momentum x; rx = "
                                        "reaction x of roof; wx = reaction x "
                                        "of wall; fx = contact force x of "
                                        "floor",
                                        solid + "supports/roof/on=block right",
                                        "scheme/moreau jean/theta=1"});
      ASSERT_EQ(run.code, ExitCode::done);
      const auto t = run.column("probes", "time");
      const auto p = run.column("probes", "px"), w = run.column("probes", "wx"),
                 r = run.column("probes", "rx"), f = run.column("probes", "fx");
      for (std::size_t i = 1; i < t.size(); ++i)
        EXPECT_NEAR((p[i] - p[i - 1]) / step,
                    mass * std::sin(7 * t[i]) - 3 * std::sin(5 * t[i]) +
                      2 * t[i] + w[i] + r[i] + f[i],
                    1e-10)
          << i;
    }

    /// At rest the supports carry weight and loads, also with a consistent mass
    /// and large strains. A step of backward Euler leaves 1/(omega h) of the
    /// motion, with omega h of 1e4 of the slowest mode: 1e-12 after three. The
    /// forces are of the order of 10 N.
    TEST(SolidReactions, CarryTheWeightAtRest)
    {
      for (const std::string law : {"linear", "neo hooke"})
        for (const std::string degree : {"1", "2"})
          {
            const FinishedRun run(
              file,
              common + Overrides{solid + "mass matrix=consistent",
                                 solid + "degree=" + degree,
                                 solid + "gravity=x = 1; y = -5",
                                 solid + "loads/push/pressure=3 + y",
                                 solid + "loads/pull/traction=x = 2; y = 1",
                                 solid + "contacts/floor/through=0, -9",
                                 block + "law=" + law,
                                 block + "initial velocity=",
                                 "scheme/moreau jean/theta=1",
                                 "time/step size=1000",
                                 "time/end time=3000"});
            ASSERT_EQ(run.code, ExitCode::done);
            EXPECT_NEAR(run.column("probes", "wx").back(),
                        -1 * mass + 3.5 - 2,
                        1e-8)
              << law << degree;
            EXPECT_NEAR(run.column("probes", "wy").back() +
                          run.column("probes", "ry").back(),
                        5 * mass - 1,
                        1e-8)
              << law << degree;
          }
    }
  } // namespace
} // namespace Percuss::Test
