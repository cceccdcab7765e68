// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "tools.h"

// Doyen, Ern and Piperno's bouncing bar against its closed-form solution.

namespace Percuss::Test
{
  namespace
  {
    constexpr double L = 10, c = 30, g = 10, h0 = 5, v_f = 10;

    /// The wave that starts when the falling bar touches the wall.
    double
    contact_phase(const double x, const double t)
    {
      const double impact = -v_f * std::min({t, x / c, 2 * L / c - t});
      double       weight = 0;
      if (x > c * t)
        weight = -g * t * t / 2;
      else if (x + c * t <= 2 * L)
        weight = g / (c * c) * (x * x / 2 - x * c * t);
      else
        weight =
          g / (c * c) *
          (x * x - 2 * L * x + 2 * L * L - 2 * L * c * t + c * t * c * t / 2);
      return impact + weight;
    }

    /// Flight with the vibration that contact has left.
    double
    vibrating_flight(const double x, const double s)
    {
      const auto psi = [](double y) {
        y = std::abs(std::remainder(y, 2 * L));
        return g / (c * c) * (y * y - 2 * L * y);
      };
      return v_f * s - g * s * s / 2 + 0.5 * (psi(x - c * s) + psi(x + c * s));
    }

    /// Height of the material point x over its place at rest on the wall.
    double
    exact(const double x, const double time)
    {
      const double t = std::fmod(time, 16. / 3);
      if (t <= 1)
        return h0 - g * t * t / 2;
      if (t <= 5. / 3)
        return contact_phase(x, t - 1);
      if (t <= 11. / 3)
        return vibrating_flight(x, t - 5. / 3);
      if (t <= 13. / 3)
        return contact_phase(x, 13. / 3 - t);
      const double s = t - 13. / 3;
      return v_f * s - g * s * s / 2;
    }

    TEST(BouncingBar, ClosedFormHasTheTabulatedValues)
    {
      EXPECT_NEAR(exact(L / 2, 4. / 3), -2.083333, 1e-6);
      EXPECT_NEAR(exact(L, 4. / 3), -3.888889, 1e-6);
      EXPECT_NEAR(exact(0, 2.0), 1.666667, 1e-6);
      EXPECT_NEAR(exact(L, 3.2), 2.866667, 1e-6);
      EXPECT_NEAR(exact(L / 2, 3.9), -2.25, 1e-6);
    }

    double
    rms_gap_error(const FinishedRun &run)
    {
      const auto time = run.column("probes", "time");
      const auto u    = run.column("probes", "lower_end");
      double     sum  = 0;
      int        n    = 0;
      for (std::size_t i = 0; i < time.size() && time[i] <= 16. / 3; ++i, ++n)
        sum += std::pow(h0 + u[i] - exact(0, time[i]), 2);
      return std::sqrt(sum / n);
    }

    TEST(BouncingBar, FollowsTheExactSolutionForOnePeriod)
    {
      const FinishedRun run("benchmark/bouncing_bar_gravity.prm",
                            {"output/field interval=0"});
      const double      h = run.settings.time.step_size;
      EXPECT_LT(rms_gap_error(run), 0.1);
      EXPECT_NEAR(run.values.at("first contact"), 1, 2 * h);
      // Pressure on the contact rises from 300 to 500; averages over 20 steps.
      const auto time  = run.column("contacts", "time");
      const auto force = run.column("contacts", "total_force");
      for (double t = 1.05; t < 1.6; t += 0.05)
        {
          double sum = 0;
          int    n   = 0;
          for (std::size_t i = 0; i < time.size(); ++i)
            if (std::abs(time[i] - t) < 10 * h)
              {
                sum += force[i];
                ++n;
              }
          EXPECT_NEAR(sum / n, c * (v_f + g * (t - 1)), 15) << t;
        }
      EXPECT_NEAR(run.values.at("contact impulse"), 2 * 266.6667, 0.01 * 533);
    }

    TEST(BouncingBar, ErrorsAreThoseOfTheReferenceProgram)
    {
      // rms gap error of period 1 for other schemes, 200 elements, Courant
      // number 1/2: Moreau-Jean theta = 1 0.458, E/E0 of it 0.823.
      const FinishedRun theta_one("benchmark/bouncing_bar_gravity.prm",
                                  {"output/field interval=0",
                                   "scheme/type=moreau jean",
                                   "scheme/moreau jean/theta=1",
                                   "time/end time=5.3333333333333333"});
      EXPECT_NEAR(rms_gap_error(theta_one), 0.458, 0.02);
      // The program counts the height from the wall: E0 = rho A L g h0 = 500.
      EXPECT_NEAR(1 + theta_one.values.at("final energy") / 500, 0.823, 0.01);
      const FinishedRun elastic("benchmark/bouncing_bar_gravity.prm",
                                {"output/field interval=0",
                                 "model/bar/left end/restitution=1"});
      EXPECT_NEAR(elastic.values.at("final energy") / 500, 0, 1e-12);
    }
  } // namespace
} // namespace Percuss::Test
