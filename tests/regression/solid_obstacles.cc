// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools.h"

// Solids on obstacles that are curved or move, against rigid bodies.

namespace Percuss::Test
{
  namespace
  {
    const std::string of_belt = "model/solid 2d/contacts/belt/";

    /// Friction acts relative to the belt. While all nodes slide, it adds mu
    /// times the impulse of the floor to the momentum: with the mean velocity
    /// w upwards
    ///   v = mu (g t + w),
    /// to the residual of the contact law, 1e-10 of the velocity in each of n
    /// steps. Weight that begins to act suddenly makes waves of up to
    /// |w| <= g H/c, c = sqrt(E/rho) = 100 m/s. A rigid block has 1 m/s from
    /// V/(mu g) on. When friction ceases there, the block swings as a short
    /// cantilever. Its lowest mode has omega = 880/s (shear and bending by
    /// Dunkerley), damped by b omega^2/2 = 390/s: nothing is left of it 0.16 s
    /// later.
    TEST(SolidObstacles, BlockOnABelt)
    {
      const FinishedRun run("benchmark/conveyor_belt.prm",
                            {"output/field interval=0",
                             "output/table interval=1",
                             "output/probes=speed = mean velocity x; "
                             "upwards = mean velocity y",
                             "linear solver/type=direct"});
      EXPECT_EQ(run.code, ExitCode::done);
      const auto   time    = run.column("probes", "time");
      const auto   speed   = run.column("probes", "speed");
      const auto   upwards = run.column("probes", "upwards");
      const double mu = 0.3, g = 9.81, sticks = 1 / (mu * g), h = 1e-3;
      for (std::size_t i = 0; i < time.size(); ++i)
        if (time[i] < sticks - h)
          {
            EXPECT_NEAR(speed[i],
                        mu * (g * time[i] + upwards[i]),
                        1e-10 * static_cast<double>(i + 1))
              << time[i];
            EXPECT_LE(std::abs(upwards[i]), g * 0.1 / 100) << time[i];
          }
      EXPECT_NEAR(speed.back(), 1, 1e-8);
      EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9);
    }

    /// A disc whose lowest corner touches the floor, with friction enough to
    /// grip and the stiffness damping b = @p damping R/c.
    FinishedRun
    gripping_disc(const double damping, const std::string &initial_velocity)
    {
      const std::string model = "model/solid 2d/";
      const double      b     = damping * 0.1 / std::sqrt(2e8 / 1000);
      return FinishedRun("benchmark/spinning_elastic_disc.prm",
                         {model + "materials/polymer/law=linear",
                          model + "stiffness damping=" + std::to_string(b),
                          model + "bodies/disc/centre=0, 0.1",
                          model +
                            "bodies/disc/initial velocity=" + initial_velocity,
                          model + "contacts/floor/friction=10",
                          "scheme/moreau jean/theta=1",
                          "time/step size=" + std::to_string(b / 50),
                          "time/end time=" + std::to_string(b / 2),
                          "output/field interval=0"});
    }

    /// A rigid disc that grips turns about the place of contact after the
    /// impact: the angular momentum about it stays,
    ///   (I + m R^2) Omega = I omega + m R v,   v_x = R Omega,   v_y = 0.
    /// A body whose mode of frequency omega has the damping b omega >> 1
    /// springs off with (b omega)^-2 of its velocity: it is compressed by v/(b
    /// omega^2), and expands with the rate 1/b. All differences from the rigid
    /// disc fall with that, up to a part r ln(1/r), r = v_y/v, of them.
    TEST(SolidObstacles, DiscThatGripsTurnsAsARigidOne)
    {
      const double R = 0.1, n = 32, v = 2.5e-3, omega = 0.075, down = 5e-3;
      const double m = 1000 * n / 2 * std::sin(2 * M_PI / n) * R * R;
      const double I =
        m * R * R / 2 * (1 - 2. / 3 * std::pow(std::sin(M_PI / n), 2));
      const double Omega = (I * omega + m * R * v) / (I + m * R * R);
      std::vector<std::vector<double>> differences;
      for (const double damping : {20., 40.})
        {
          const FinishedRun run =
            gripping_disc(damping,
                          "x = 2.5e-3 + 0.075*(y - 0.1); y = -5e-3 - 0.075*x");
          const auto last = [&run](const std::string &probe) {
            return run.column("probes", probe).back();
          };
          EXPECT_NEAR(-run.column("probes", "spin").front(),
                      I * omega,
                      1e-12 * I * omega);
          differences.push_back({last("v_y") / down,
                                 last("v_x") / (R * Omega) - 1,
                                 last("spin") / (I * Omega) + 1});
        }
      const double r = differences[0][0];
      EXPECT_GT(r, 0);
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_NEAR(differences[0][i] / differences[1][i],
                    4,
                    2 * 4 * r * std::log(1 / r))
          << i;
    }

    /// A floor that shakes more gently than gravity pulls carries the block. At
    /// its place s(t) the contact has v_{k+1} = s'(t_k), a step late, and the
    /// block is where the floor was a step before: at -h s' above it, and a
    /// constant. While the floor sinks the block would be above it, and falls
    /// on it, which makes the constant -h max|s'|. It does so once: afterwards
    /// the block is between 0 and 2 h max|s'| deep, however long it runs. The
    /// rest is of the order h^2 max|s''|: 1.7 to 2.6 times that for a point
    /// mass by the same rule.
    TEST(SolidObstacles, BlockOnAShakingFloor)
    {
      const FinishedRun run("benchmark/conveyor_belt.prm",
                            {"output/field interval=0",
                             "output/table interval=1",
                             "time/end time=0.94",
                             "model/solid 2d/bodies/block/cells=2, 1",
                             "model/solid 2d/bodies/block/young modulus=1e9",
                             of_belt + "friction=0",
                             of_belt + "motion=y = 0.01*(1 - cos(20*t))"});
      const auto        time   = run.column("probes", "time");
      const auto        height = run.column("probes", "height");
      const double      h = 1e-3, most = 0.2, period = 0.1 * M_PI;
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          const double t = time[i], speed = most * std::sin(20 * t);
          const double above = t <= period / 2     ? -h * speed :
                               t <= 3 * period / 4 ? 0 :
                                                     -h * (speed + most);
          EXPECT_NEAR(height[i] - 0.05 - 0.01 * (1 - std::cos(20 * t)),
                      above,
                      4 * h * h * 20 * most)
            << t;
        }
      EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9);
    }

    /// The energy balance of all schemes that treat directions which change,
    /// with friction where they treat it.
    TEST(SolidObstacles, LedgerClosesInEveryScheme)
    {
      unsigned int n_schemes = 0;
      for (const auto &plugin : Registry<TimeStepper>::plugins())
        {
          const Overrides overrides = {
            "contact/law=signorini",
            "scheme/type=" + plugin.first,
            "model/solid 2d/mass matrix=lumped",
            "model/solid 2d/stiffness damping=0",
            "model/solid 2d/bodies/block/cells=2, 1",
            "model/solid 2d/bodies/block/young modulus=1e5",
            "model/solid 2d/bodies/block/initial velocity=y = -1",
            "time/step size=1e-4",
            "time/end time=0.05",
            "output/table interval=1",
            "output/field interval=0",
            of_belt + "obstacle=sphere",
            of_belt + "centre=0.05, -0.505",
            of_belt + "radius=0.5",
            of_belt + "motion=y = 0.01*sin(100*t)"};
          try
            {
              const FinishedRun run("benchmark/conveyor_belt.prm", overrides);
              EXPECT_EQ(run.code, ExitCode::done) << plugin.first;
              EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9)
                << plugin.first;
              EXPECT_GT(run.values.at("contact impulse"), 1) << plugin.first;
              ++n_schemes;
            }
          catch (const Error &error) // one that says that it does not
            {
              EXPECT_EQ(error.code, ExitCode::usage) << plugin.first;
            }
        }
      EXPECT_GE(n_schemes, 6);
    }

    /// A disc that slides in a bowl swings as a pendulum. It touches with the
    /// n corners of a polygon: from one to the next the direction of its
    /// velocity changes by an angle of order 1/n, and as e = 0, a part 1/n^2 of
    /// its energy is lost, n times. The error of the swing has order 1/n.
    TEST(SolidObstacles, DiscInABowl)
    {
      std::vector<double> errors;
      for (const unsigned int refinements : {3, 4})
        {
          const FinishedRun run("benchmark/disc_in_a_bowl.prm",
                                {"output/field interval=0",
                                 "output/table interval=1",
                                 "time/end time=1.1",
                                 "model/solid 2d/bodies/disc/refinements=" +
                                   std::to_string(refinements)});
          EXPECT_EQ(run.code, ExitCode::done);
          const auto x    = run.column("probes", "centre");
          const auto time = run.column("probes", "time");
          const auto far  = std::min_element(x.begin(), x.end());
          errors.push_back(*far + 0.045);
          EXPECT_NEAR(time[far - x.begin()], 1.9034 / 2, 0.05);
          EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-8);
        }
      EXPECT_GT(errors[1], 0);
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1, 0.4);
    }

    /// The pressure under a block at rest is its weight over its area, for all
    /// degrees, and probes agree with each other.
    TEST(SolidObstacles, PressureOfABlockAtRest)
    {
      for (const unsigned int degree : {1, 2, 3})
        {
          const FinishedRun run(
            "benchmark/conveyor_belt.prm",
            {"output/field interval=0",
             "scheme/moreau jean/theta=1",
             "time/step size=0.01",
             "model/solid 2d/degree=" + std::to_string(degree),
             "model/solid 2d/thickness=0.5",
             "model/solid 2d/bodies/block/poisson ratio=0",
             of_belt + "motion=x = 0",
             of_belt + "friction=0",
             "output/probes=largest = largest contact pressure of belt; "
             "corner = contact pressure of belt at 0, 0; "
             "force = contact force y of belt; "
             "across = contact force x of belt; "
             "area = contact area of belt"});
          const auto last = [&run](const std::string &name) {
            return run.column("probes", name).back();
          };
          const double pressure = 1000 * 9.81 * 0.1;
          EXPECT_NEAR(last("largest"), pressure, 1e-6 * pressure);
          EXPECT_NEAR(last("corner"), pressure, 1e-6 * pressure);
          EXPECT_NEAR(last("force"), 0.1 * pressure, 1e-6 * pressure);
          EXPECT_NEAR(last("across"), 0, 1e-9 * pressure);
          EXPECT_NEAR(last("area"), 0.1, 1e-12);
        }
    }
  } // namespace
} // namespace Percuss::Test
