// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// The parameter files of small systems with known answers.

namespace Percuss::Test
{
  namespace
  {
    const Overrides quiet = {"output/field interval=0",
                             "output/table interval=1"};

    Overrides
    quiet_with(const Overrides &more)
    {
      Overrides overrides = quiet;
      overrides.insert(overrides.end(), more.begin(), more.end());
      return overrides;
    }

    /// The ends of the first steps with an impulse after one without.
    std::vector<double>
    impacts(const FinishedRun &run)
    {
      std::vector<double> times;
      const auto          time    = run.column("contacts", "time");
      const auto          impulse = run.column("contacts", "total_impulse");
      for (std::size_t i = 1; i < time.size(); ++i)
        if (impulse[i] > 0 && impulse[i - 1] == 0)
          times.push_back(time[i]);
      return times;
    }

    TEST(RigidPendulum, HitsTheWallAtTheExactTimes)
    {
      // Complete elliptic integrals.
      const std::vector<double> exact   = {0.59196049,
                                           1.69395598,
                                           2.75526056,
                                           3.79382989,
                                           4.81895273,
                                           5.83587092,
                                           6.84769086,
                                           7.85630770};
      const auto                compare = [&](const std::string &file,
                               const std::string &scheme,
                               const double       h) {
        const FinishedRun run("benchmark/" + file,
                              quiet_with(
                                {"scheme/type=" + scheme,
                                 "time/step size=" + std::to_string(h)}));
        const auto        times = impacts(run);
        ASSERT_EQ(times.size(), exact.size()) << scheme;
        // Each impact is found up to a step late, and order 1 adds its own.
        for (std::size_t i = 0; i < exact.size(); ++i)
          EXPECT_NEAR(times[i], exact[i], 2 * h * static_cast<double>(i + 1))
            << scheme << ", impact " << i;
        const auto   time = run.column("probes", "time");
        const auto   rate = run.column("probes", "angular_velocity");
        double       after = 0;
        unsigned int n     = 0;
        for (std::size_t i = 1; i < time.size() && n < exact.size(); ++i)
          if (time[i] >= times[n])
            {
              after = rate[i];
              EXPECT_NEAR(after, 4.42944692 * std::pow(0.8, n + 1), 20 * h)
                << scheme;
              ++n;
            }
      };
      for (const std::string scheme : {"moreau",
                                       "symmetric moreau",
                                       "variational moreau",
                                       "moreau jean",
                                       "generalized alpha"})
        compare("rigid_pendulum.prm", scheme, 5e-4);
      for (const std::string scheme : {"position velocity generalized alpha",
                                       "decoupled generalized alpha"})
        compare("rigid_pendulum_cartesian.prm", scheme, 5e-4);
    }

    /// Equal masses on equal rods of 1 m, from both angles pi/4: when the lower
    /// mass is first at x = -0.2 m. Equations of motion by hand, steps of
    /// Runge-Kutta.
    double
    first_impact_of_double_pendulum()
    {
      using Point     = std::vector<double>; // angles, rates
      const auto rate = [](const Point &x) {
        const double g = 9.81, s = std::sin(x[0] - x[1]),
                     c   = std::cos(x[0] - x[1]);
        const double r1  = -s * x[3] * x[3] - 2 * g * std::sin(x[0]);
        const double r2  = s * x[2] * x[2] - g * std::sin(x[1]);
        const double det = 2 - c * c;
        return Point{x[2], x[3], (r1 - c * r2) / det, (2 * r2 - c * r1) / det};
      };
      const auto moved = [](const Point &x, const Point &slope, double h) {
        Point y = x;
        for (unsigned int i = 0; i < 4; ++i)
          y[i] += h * slope[i];
        return y;
      };
      const double h = 1e-4;
      Point        x = {std::atan(1.), std::atan(1.), 0, 0};
      for (double t = 0; t < 5; t += h)
        {
          const Point a = rate(x), b = rate(moved(x, a, h / 2)),
                      c = rate(moved(x, b, h / 2)), d = rate(moved(x, c, h));
          for (unsigned int i = 0; i < 4; ++i)
            x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
          if (std::sin(x[0]) + std::sin(x[1]) < -0.2)
            return t + h;
        }
      return 0;
    }

    // The system of the guide doc/guide/write_a_system.md, which has no C++.
    TEST(DoublePendulum, HitsTheWall)
    {
      const double h     = 1e-3;
      const double exact = first_impact_of_double_pendulum();
      for (const std::string scheme : {"moreau",
                                       "symmetric moreau",
                                       "variational moreau",
                                       "moreau jean",
                                       "generalized alpha"})
        {
          const FinishedRun run("tutorial/double_pendulum.prm",
                                quiet_with({"scheme/type=" + scheme}));
          const auto        times = impacts(run);
          ASSERT_EQ(times.size(), 3u) << scheme;
          EXPECT_NEAR(times[0], exact, 3 * h) << scheme;
          EXPECT_LT(run.values.at("final energy"),
                    run.values.at("initial energy"));
          for (const double gap : run.column("probes", "gap"))
            EXPECT_GT(gap, -5 * h) << scheme;
        }
    }

    TEST(SlidingBlock, StopsWhereItShould)
    {
      // v0 / (mu g) and v0^2 / (2 mu g) have the same number for v0 = 2.
      const double exact = 2 / (0.3 * 9.81);
      for (const std::string scheme : {"moreau jean",
                                       "generalized alpha",
                                       "moreau",
                                       "symmetric moreau",
                                       "variational moreau",
                                       "schatzman paoli"})
        {
          const FinishedRun run("benchmark/sliding_block.prm",
                                quiet_with({"scheme/type=" + scheme}));
          const auto        time = run.column("probes", "time");
          const auto        x    = run.column("probes", "position");
          const auto        v    = run.column("probes", "velocity");
          EXPECT_NEAR(x.back(), exact, 2e-3) << scheme;
          for (std::size_t i = 0; i < time.size(); ++i)
            {
              const double expected = std::max(0., 2 - 0.3 * 9.81 * time[i]);
              EXPECT_NEAR(v[i], expected, 2e-3) << scheme << time[i];
            }
          EXPECT_LT(run.values.at("max penetration"), 1e-15) << scheme;
          // All energy goes into friction.
          EXPECT_NEAR(run.column("energy", "work_friction").back(), -2, 1e-2);
        }
    }

    TEST(Incline, SlidesOrSticks)
    {
      const FinishedRun slides("benchmark/incline.prm", quiet);
      EXPECT_NEAR(slides.column("probes", "velocity").back(), 1.50671632, 1e-8);
      EXPECT_NEAR(slides.column("probes", "position").back(), 0.75335816, 1e-8);
      const FinishedRun sticks("benchmark/incline.prm",
                               quiet_with(
                                 {"model/lagrangian/contacts/friction=0.6"}));
      for (const double v : sticks.column("probes", "velocity"))
        EXPECT_NEAR(v, 0, 1e-15);
      EXPECT_NEAR(sticks.column("probes", "position").back(), 0, 1e-13);
    }

    TEST(SpinningBall, SlidesAndThenRolls)
    {
      const FinishedRun run("benchmark/spinning_ball.prm",
                            quiet_with({"time/step size=1e-4"}));
      const auto        time = run.column("probes", "time");
      const auto        v    = run.column("probes", "velocity");
      const auto        spin = run.column("probes", "spin");
      const auto        slip = run.column("probes", "sliding");
      const double      hit  = impacts(run).at(0);
      EXPECT_NEAR(hit, std::sqrt(2 * 0.9 / 9.81), 2e-4);
      const auto after = static_cast<std::size_t>(std::lround(hit / 1e-4));
      EXPECT_NEAR(std::abs(v[after]), 0.840428, 1e-3);
      EXPECT_NEAR(spin[after], 28.989288, 2e-2);
      double end_of_sliding = 0;
      for (std::size_t i = after; i < time.size(); ++i)
        if (slip[i] > 1e-9)
          end_of_sliding = time[i];
      EXPECT_NEAR(end_of_sliding - hit, 0.299767, 3e-4);
      EXPECT_NEAR(std::abs(v.back()), 1.428571, 1e-3);
      EXPECT_NEAR(spin.back(), 14.285714, 1e-2);
    }

    TEST(BallChain, FollowsMoreausLaw)
    {
      const auto velocities = [](const Overrides &more) {
        const FinishedRun run("benchmark/ball_chain.prm", quiet_with(more));
        return std::vector<double>{run.column("probes", "v1").back(),
                                   run.column("probes", "v2").back(),
                                   run.column("probes", "v3").back()};
      };
      const auto compare = [](const std::vector<double> &found,
                              const std::vector<double> &expected) {
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_NEAR(found[i], expected[i], 1e-12);
      };
      const std::string e = "model/lagrangian/contacts/restitution=";
      compare(velocities({e + "1"}), {-1. / 3, 2. / 3, 2. / 3});
      compare(velocities({e + "0.5"}), {0, 0.5, 0.5});
      compare(velocities({e + "0"}), {1. / 3, 1. / 3, 1. / 3});
      compare(velocities(
                {"model/lagrangian/initial position=x2 = 0.01; x3 = 0.02"}),
              {0, 0, 1});
    }

    TEST(PainleveRod, FollowsTheSlidingMotion)
    {
      // The equations of the sliding rod, integrated to 1e-10 by another
      // program.
      const std::vector<double> exact = {31.05138701,
                                         31.35368854,
                                         32.83546451,
                                         42.54583942};
      std::vector<double>       h     = {4e-4, 2e-4, 1e-4, 5e-5}, error;
      for (const double step : h)
        {
          const FinishedRun run("benchmark/painleve_rod.prm",
                                quiet_with(
                                  {"time/step size=" + std::to_string(step)}));
          const auto        angle = run.column("probes", "angle");
          for (unsigned int i = 0; i < 4; ++i)
            {
              const auto row =
                static_cast<std::size_t>(std::lround(0.2 * (i + 1) / step));
              EXPECT_NEAR(angle.at(row), exact[i], 300 * step);
            }
          error.push_back(std::abs(angle.back() - exact[3]));
          EXPECT_NEAR(run.column("probes", "velocity").back(),
                      13.65892721,
                      200 * step);
          EXPECT_NEAR(run.column("probes", "angular_velocity").back(),
                      2.44951002,
                      200 * step);
        }
      EXPECT_NEAR(observed_order(h, error), 1, 0.2);
    }

    /// The time from rest at @p tilt to the impact of a block that rocks about
    /// a corner: dt = dphi / phi', by Gauss's midpoint rule after phi = tilt
    /// (1 - s^2), which takes the square root out of it.
    double
    rocking_time(const double tilt)
    {
      const double b = 0.2, h = 0.8, R = std::hypot(b, h), g = 9.81;
      const double alpha = std::atan2(b, h), p2 = 3 * g / (4 * R);
      const int    n   = 20000;
      double       sum = 0;
      for (int i = 0; i < n; ++i)
        {
          const double s = (i + 0.5) / n, phi = tilt * (1 - s * s);
          const double square =
            2 * p2 * (std::cos(alpha - tilt) - std::cos(alpha - phi));
          sum += 2 * tilt * s / std::sqrt(square) / n;
        }
      return sum;
    }

    TEST(RockingBlock, LosesWhatHousnerSays)
    {
      const double      h = 2e-4;
      const FinishedRun run("benchmark/rocking_block.prm",
                            quiet_with(
                              {"time/step size=2e-4", "time/end time=0.6"}));
      const auto        time  = run.column("probes", "time");
      const auto        phi   = run.column("probes", "angle");
      const auto        rate  = run.column("probes", "angular_velocity");
      const double      first = rocking_time(0.1);
      EXPECT_NEAR(first, 0.374361, 1e-6);
      std::size_t hit = 0;
      while (phi[hit] > 0)
        ++hit;
      EXPECT_NEAR(time[hit], first, 3 * h);
      const double sine = std::sin(std::atan2(0.2, 0.8));
      EXPECT_NEAR(rate[hit + 2] / rate[hit - 3], 1 - 1.5 * sine * sine, 0.01);
      // One corner at least stays on the floor, but for the way of a step.
      const auto left  = run.column("probes", "left_gap");
      const auto right = run.column("probes", "right_gap");
      for (std::size_t i = 0; i < time.size(); ++i)
        EXPECT_NEAR(std::min(left[i], right[i]), 0, 0.25 * h);
    }

    // Four corners bear a cube that needs three: impulses are not unique, the
    // motion is that of a ball.
    TEST(FallingCube, MovesLikeABallAndDoesNotTurn)
    {
      const Overrides   steps = {"time/step size=1e-3", "time/end time=1.5"};
      const FinishedRun ball("tutorial/bouncing_ball.prm", quiet_with(steps));
      for (const std::string solver : {"automatic", "interior point", "mprgp"})
        {
          Overrides overrides = steps;
          overrides.push_back("contact/solver=" + solver);
          const FinishedRun cube("benchmark/falling_cube.prm",
                                 quiet_with(overrides));
          for (const std::string angle : {"roll", "pitch"})
            for (const double value : cube.column("probes", angle))
              EXPECT_NEAR(value, 0, 1e-9) << solver;
          const auto energy   = cube.column("energy", "total");
          const auto expected = ball.column("energy", "total");
          ASSERT_EQ(energy.size(), expected.size());
          for (std::size_t i = 0; i < energy.size(); ++i)
            EXPECT_NEAR(energy[i], expected[i], 1e-8) << solver;
          EXPECT_NEAR(cube.values.at("contact impulse"),
                      ball.values.at("contact impulse"),
                      1e-8);
        }
    }

    // Eight contacts with friction bear three bricks.
    TEST(BrickWall, StandsUntilTheBallArrives)
    {
      for (const std::string solver :
           {"automatic", "newton", "interior point", "lemke"})
        {
          SCOPED_TRACE(solver);
          const FinishedRun run("benchmark/brick_wall.prm",
                                quiet_with({"contact/solver=" + solver,
                                            "time/end time=0.4"}));
          ASSERT_EQ(run.code, ExitCode::done);
          const auto time   = run.column("probes", "time");
          const auto moves  = run.column("probes", "velocity_3");
          const auto ball   = run.column("probes", "ball_velocity");
          const auto energy = run.column("energy", "total");
          // Ball and brick slide on with 1 m/s and (m + mb) / (2 mu m g): the
          // scheme has order 1.
          EXPECT_NEAR(run.column("probes", "x_3").back(), 0.127421, 5e-4);
          EXPECT_NEAR(run.column("probes", "x_1").back(), -0.11, 1e-6);
          EXPECT_NEAR(run.column("probes", "x_2").back(), 0.11, 1e-6);
          for (std::size_t i = 0; i < time.size(); ++i)
            {
              if (time[i] < 0.1 - 1e-9)
                {
                  EXPECT_NEAR(moves[i], 0, 1e-8);
                  EXPECT_EQ(ball[i], 5);
                }
              EXPECT_LE(energy[i], energy[i > 0 ? i - 1 : 0] + 1e-9);
            }
        }
    }
  } // namespace
} // namespace Percuss::Test
