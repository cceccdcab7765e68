// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// A pipe on a shaken base, between two stops at its tip.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/pipe_between_stops.prm";

    // From the exact modes.
    constexpr double first_impact = 0.1210982987, impact_velocity = 0.719467;

    /// A bound for the error of the tip's velocity before the first impact.
    /// Mode n, with the frequency omega = 26.244 (beta L/1.8751)^2 and the
    /// share 4.08/(beta L) in the motion of the tip, has at most the velocity
    /// share * 20 * 10/omega^2 under the load 20 sin(10 t). Its phase has the
    /// relative error 0.088 (omega h)^2 of the scheme with the spectral radius
    /// 0.8 and (beta l)^4/1440 of 20 elements.
    double
    velocity_error(const double h)
    {
      double sum = 0;
      for (unsigned int mode = 1; mode <= 20; ++mode)
        {
          const double beta =
            mode == 1 ? 1.8751 : (2 * mode - 1) * dealii::numbers::PI / 2;
          const double omega = 26.244 * std::pow(beta / 1.8751, 2);
          const double phase =
            (0.088 * std::pow(omega * h, 2) + std::pow(beta / 20, 4) / 1440) *
            omega * first_impact;
          sum += 4.08 / beta * 200 / (omega * omega) * std::min(2., phase);
        }
      return sum;
    }

    TEST(PipeBetweenStops, HitsWhenItsModesSay)
    {
      for (const double h : {1e-4, 5e-5})
        {
          const FinishedRun run(file,
                                {"time/end time=0.122",
                                 "time/step size=" + std::to_string(h),
                                 "output/field interval=0"});
          const double      touch = run.values.at("first contact");
          EXPECT_GE(touch, first_impact - h);
          EXPECT_LE(touch, first_impact + 2 * h);
          // The row before is up to 2 h away; the velocity falls by 6.5 m/s^2.
          const auto time     = run.column("probes", "time");
          const auto velocity = run.column("probes", "tip_velocity");
          const auto after =
            std::lower_bound(time.begin(), time.end(), touch - h / 2);
          const auto row = static_cast<std::size_t>(after - time.begin()) - 1;
          EXPECT_NEAR(velocity[row], impact_velocity, 2 * h * 6.5);
          const double slope = (velocity[row] - velocity[row - 1]) / h;
          EXPECT_NEAR(velocity[row] + slope * (first_impact - time[row]),
                      impact_velocity,
                      velocity_error(h));
        }
    }

    TEST(PipeBetweenStops, MovesAsWithAnIndependentProgram)
    {
      // t, deflection and velocity of the tip with h = 0.02 ms, to eight
      // digits: the first impact is at 0.1211 s.
      const std::vector<std::vector<double>> table = {
        {0.001, 3.3338689e-08, 9.9999382e-05},
        {0.05, 0.0056561986, 0.32345597},
        {0.1, 0.034206218, 0.74195053},
        {0.12, 0.049205924, 0.72646292},
        {0.121, 0.049929247, 0.72011207},
        {0.122, 0.050008425, 0},
        {0.124, 0.049991863, 0.00017618824},
        {0.125, 0.049976501, -0.10863909},
        {0.128, 0.049986045, 0.41547564},
        {0.13, 0.049772533, -0.11874959},
        {0.135, 0.049449539, -0.28949734},
        {0.139, 0.049079578, 0.37745007}};
      const FinishedRun run(file,
                            {"time/end time=0.139",
                             "time/step size=2e-5",
                             "output/field interval=0",
                             "output/table interval=50"});
      const auto        tip      = run.column("probes", "tip");
      const auto        velocity = run.column("probes", "tip_velocity");
      for (const auto &row : table)
        {
          const auto i = static_cast<std::size_t>(std::lround(1000 * row[0]));
          EXPECT_NEAR(tip[i], row[1], 1e-9) << row[0];
          EXPECT_NEAR(velocity[i], row[2], 1e-8) << row[0];
        }
    }

    // The numbers of the same program for 2 s and h = 0.1 ms, to half of their
    // last digit.
    TEST(PipeBetweenStops, HasTheImpulseOfAnIndependentProgram)
    {
      const FinishedRun run(file, {"output/field interval=0"});
      EXPECT_NEAR(run.values.at("contact impulse"), 0.3246, 5e-5);
      const auto tip     = run.column("probes", "tip");
      double     squares = 0, largest = 0;
      for (const double w : tip)
        {
          squares += w * w;
          largest = std::max(largest, std::abs(w));
        }
      EXPECT_NEAR(std::sqrt(squares / static_cast<double>(tip.size())),
                  0.0344,
                  5e-5);
      EXPECT_NEAR(largest, 0.0501, 5e-5);
      // The stops share the impulse.
      double sum = 0;
      for (const std::string side : {"upper", "lower"})
        for (const double impulse : run.column("probes", side))
          sum += impulse;
      EXPECT_NEAR(sum, run.values.at("contact impulse"), 1e-12);
    }

    // In space, with any side as the first one, the motion is the same.
    TEST(PipeBetweenStops, MovesInSpaceAsInThePlane)
    {
      const Overrides   shorter = {"time/end time=0.13",
                                   "output/field interval=0"};
      const FinishedRun plane(file, shorter);
      Overrides         turned = shorter;
      turned.insert(turned.end(),
                    {"model/beam/motion=space",
                     "model/beam/base motion=z = -0.2*sin(10*t)",
                     "model/beam/stops/gaps=+z at L = 0.05; -z at L = 0.05",
                     "output/probes=tip = deflection z at L"});
      const FinishedRun space(file, turned);
      const auto        a = plane.column("probes", "tip");
      const auto        b = space.column("probes", "tip");
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], -b[i], 1e-10);
    }
  } // namespace
} // namespace Percuss::Test
