// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// Two elastic bodies in contact, in time.

namespace Percuss::Test
{
  namespace
  {
    /// The uniform state of stress, to round-off.
    TEST(SolidTwoBodies, PatchTestInTime)
    {
      for (const std::string degree : {"1", "2"})
        {
          const FinishedRun run("benchmark/contact_patch_test.prm",
                                {"model/solid 3d/degree=" + degree,
                                 "output/field interval=0"});
          EXPECT_NEAR(run.column("probes", "top").back(), -1e-3, 1e-13);
          EXPECT_NEAR(run.column("probes", "corner").back(), 3e-4, 1e-13);
          EXPECT_NEAR(run.column("probes", "upper_corner").back(), 3e-4, 1e-13);
          EXPECT_NEAR(run.column("contacts", "total_force").back(), 1e6, 1e-4);
        }
    }

    /// They exchange their velocities; the mean of a free bar over the period
    /// 2L/c of all its modes is that of the rigid motion. The momentum stays.
    TEST(SolidTwoBodies, EqualBarsExchangeTheirVelocities)
    {
      const FinishedRun run("benchmark/two_bars_as_solids.prm",
                            {"output/field interval=0"});
      const auto        time    = run.column("probes", "time");
      const auto        mean_of = [&](const std::string &name) {
        const auto u    = run.column("probes", name);
        const auto last = u.size() - 1;
        const auto from = static_cast<std::size_t>(
          std::lower_bound(time.begin(), time.end(), 0.25 - 1e-9) -
          time.begin());
        return (u[last] - u[from]) / (time[last] - time[from]);
      };
      EXPECT_NEAR(mean_of("first"), 0, 2e-3);
      EXPECT_NEAR(mean_of("second"), 0.1, 2e-3);
      EXPECT_NEAR(run.values.at("contact impulse"), 0.01, 2e-4);
      for (const double v : run.column("probes", "mean"))
        EXPECT_NEAR(v, 0.05, 1e-12);
      // In the middle of the contact.
      const auto ends = run.column("probes", "end");
      EXPECT_NEAR(ends[ends.size() * 2 / 9], 0.05, 2e-3);
    }

    /// A block on a block under its weight and a horizontal force: it sticks
    /// below mu m g, and above it slides with the rest of the force.
    TEST(SolidTwoBodies, StickAndSlip)
    {
      const auto run = [](const std::string &force) {
        return FinishedRun(
          "benchmark/two_blocks.prm",
          {"model/solid 3d/gravity=z=-10; x=" + force,
           "model/solid 3d/bodies/lower/cells=6, 3, 1",
           "model/solid 3d/bodies/upper/cells=2, 2, 2",
           "model/solid 3d/bodies/upper/corner=0.05, 0.01, 0.05",
           "model/solid 3d/bodies/upper/initial velocity=x=0",
           "model/solid 3d/materials/rubber/young modulus=1e8",
           "model/solid 3d/contacts/floor/friction=10",
           "output/probes=speed = velocity x of upper at 0.1, 0.06, 0.1",
           "time/end time=0.05",
           "output/field interval=0"});
      };
      EXPECT_NEAR(run("2").column("probes", "speed").back(), 0, 2e-3);
      EXPECT_NEAR(run("4").column("probes", "speed").back(),
                  (4 - 0.3 * 10) * 0.05,
                  2e-3);
    }
  } // namespace
} // namespace Percuss::Test
