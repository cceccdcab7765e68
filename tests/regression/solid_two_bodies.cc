// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tools.h"

// Two elastic bodies in contact, in time.

namespace Percuss::Test
{
  namespace
  {
    /// A probe of the pressure for each node of a side with 4 x 5 faces.
    std::string
    pressure_probes(const unsigned int degree)
    {
      std::string        probes;
      const unsigned int n_x = 4 * degree, n_y = 5 * degree;
      for (unsigned int i = 0; i <= n_x; ++i)
        for (unsigned int j = 0; j <= n_y; ++j)
          probes += "p" + std::to_string(i * (n_y + 1) + j) +
                    " = contact pressure of joint at " +
                    std::to_string(static_cast<double>(i) / n_x) + ", " +
                    std::to_string(static_cast<double>(j) / n_y) + ", 0.5; ";
      return probes;
    }

    /// The uniform state of stress. The contact law holds to 1e-14 of
    /// velocities; pressures follow from them by the inverse of the contacts'
    /// response, whose condition number is some hundred to some thousand.
    TEST(SolidTwoBodies, PatchTestInTime)
    {
      for (const unsigned int degree : {1, 2})
        {
          const FinishedRun run("benchmark/contact_patch_test.prm",
                                {"model/solid 3d/degree=" +
                                   std::to_string(degree),
                                 "output/probes=" + pressure_probes(degree) +
                                   "top = displacement z of upper at 0.3, 0.7, "
                                   "1; corner = displacement x of lower at 1, "
                                   "1, 0.5; upper_corner = displacement y of "
                                   "upper at 1, 1, 0.5",
                                 "output/field interval=0"});
          EXPECT_NEAR(run.column("probes", "top").back(), -1e-3, 1e-13);
          EXPECT_NEAR(run.column("probes", "corner").back(), 3e-4, 1e-13);
          EXPECT_NEAR(run.column("probes", "upper_corner").back(), 3e-4, 1e-13);
          EXPECT_NEAR(run.column("contacts", "total_force").back(), 1e6, 1e-4);
          const unsigned int n_nodes = (4 * degree + 1) * (5 * degree + 1);
          for (unsigned int i = 0; i < n_nodes; ++i)
            EXPECT_NEAR(run.column("probes", "p" + std::to_string(i)).back(),
                        1e6,
                        1e-10 * 1e6)
              << degree << ", node " << i;
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
    /// below mu m g, and above it slides with the rest of the force. At first
    /// both swing. The lowest mode is shear of both, H = 0.15 m, with
    /// omega = pi/2 c/H = 1890/s, c = sqrt(G/rho) = 180 m/s, damped by
    /// b omega^2/2 = 357/s: of the velocity a H/c = 3e-3 m/s at most, exp(-8.9)
    /// is left after 25 ms, 4e-7 m/s, and 6e-11 m/s after 50 ms.
    TEST(SolidTwoBodies, StickAndSlip)
    {
      const auto speeds = [](const std::string &force) {
        const FinishedRun run(
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
        const auto time  = run.column("probes", "time");
        const auto speed = run.column("probes", "speed");
        for (std::size_t i = 0; i < time.size(); ++i)
          if (std::abs(time[i] - 0.025) < 1e-9)
            return std::pair<double, double>(speed[i], speed.back());
        return std::pair<double, double>(NAN, NAN);
      };
      const auto sticks = speeds("2"), slides = speeds("4");
      EXPECT_NEAR(sticks.first, 0, 4e-7);
      EXPECT_NEAR(sticks.second, 0, 1e-9);
      EXPECT_NEAR(slides.second - slides.first, (4 - 0.3 * 10) * 0.025, 4e-7);
      // It sticks for up to a quarter of a period, and then catches up with
      // the mean.
      EXPECT_NEAR(slides.second, (4 - 0.3 * 10) * 0.05, 0.15 / 180);
    }
  } // namespace
} // namespace Percuss::Test
