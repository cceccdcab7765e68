// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// Solids in time.

namespace Percuss::Test
{
  namespace
  {
    /// With Poisson's ratio 0 a block is a bar.
    TEST(Solid, BlockIsABar)
    {
      const Overrides common = {"time/end time=2.5", "output/field interval=0"};
      const FinishedRun solid("benchmark/bouncing_bar_as_solid.prm", common);
      Overrides         of_bar = common;
      of_bar.insert(of_bar.end(),
                    {"model/bar/elements=50",
                     "time/step size=3.333333333333333e-3",
                     "output/table interval=10"});
      const FinishedRun bar("benchmark/bouncing_bar_gravity.prm", of_bar);
      for (const std::string probe : {"lower_end", "middle", "upper_end"})
        {
          const auto a = solid.column("probes", probe);
          const auto b = bar.column("probes", probe);
          ASSERT_EQ(a.size(), b.size());
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], 1e-9);
        }
      EXPECT_NEAR(solid.values.at("contact impulse"),
                  bar.values.at("contact impulse"),
                  1e-7);
    }

    /// Friction slows the block down by mu times the normal impulse while it
    /// slides, and the floor is not passed.
    TEST(Solid, BlockDropsAndSlides)
    {
      const FinishedRun run("benchmark/block_drop_3d.prm",
                            {"output/field interval=0",
                             "output/table interval=1",
                             "time/end time=0.15"});
      EXPECT_EQ(run.code, ExitCode::done);
      const auto penetration = run.column("contacts", "max_penetration");
      for (const double depth : penetration)
        EXPECT_LE(depth, 2e-4 * 1.2); // a step times the speed
      // Free fall from 0.05 m.
      const auto active = run.column("contacts", "n_active");
      const auto time   = run.column("contacts", "time");
      double     first  = 0;
      for (std::size_t i = 0; i < active.size() && first == 0; ++i)
        if (active[i] > 0)
          first = time[i];
      EXPECT_NEAR(first, std::sqrt(2 * 0.05 / 9.81), 3e-4);
      EXPECT_LT(run.column("probes", "speed").back(), 0.3);
      EXPECT_GT(run.column("probes", "speed").back(), 0);
    }

    /// Matrices of blocks serve all schemes: the fall is exact up to the start
    /// of two of them, and the ledger closes through the impact.
    TEST(Solid, RunsInEveryScheme)
    {
      for (const auto &plugin : Registry<TimeStepper>::plugins())
        {
          const std::string &scheme = plugin.first;
          if (scheme == "redistributed mass newmark" ||
              scheme == "smooth generalized alpha")
            continue; // the nodes have mass; no contacts
          const FinishedRun run("benchmark/block_drop_3d.prm",
                                {"contact/law=signorini",
                                 "scheme/type=" + scheme,
                                 "model/solid 3d/mass matrix=lumped",
                                 "model/solid 3d/bodies/block/cells=2, 1, 1",
                                 "time/end time=0.11",
                                 "output/table interval=1",
                                 "output/field interval=0"});
          EXPECT_EQ(run.code, ExitCode::done) << scheme;
          EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9)
            << scheme;
          EXPECT_NEAR(run.column("probes", "top")[450],
                      0.15 - 9.81 * 0.09 * 0.09 / 2,
                      9.81 * 0.09 * 2e-4)
            << scheme;
          EXPECT_GT(run.values.at("contact impulse"), 1) << scheme;
        }
    }
  } // namespace
} // namespace Percuss::Test
