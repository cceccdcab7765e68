// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include "tools.h"

// The pendulum on a rigid rod: its joint, and its exact motion from rest.

namespace Percuss::Test
{
  namespace
  {
    Overrides
    pendulum(const Overrides &more = {})
    {
      Overrides overrides = {"model/type=pendulum"};
      for (const std::string &entry : more)
        overrides.push_back("model/pendulum/" + entry);
      return overrides;
    }

    double
    value(const MechanicalModel &model,
          const std::string     &what,
          const State           &state)
    {
      return model.make_probe("a", what).value(state);
    }

    State
    exact_state(const MechanicalModel &model, const double time)
    {
      State state = model.initial_state();
      EXPECT_TRUE(model.exact_state(time, state)) << time;
      return state;
    }

    TEST(Pendulum, StartsOnItsCircle)
    {
      const Parts parts("",
                        pendulum({"length=2",
                                  "mass=3",
                                  "initial angle=0.6",
                                  "initial angular velocity=-1.5",
                                  "wall position=-0.1"}));
      const auto &model = *parts.model;
      const State state = model.initial_state();
      EXPECT_NEAR(state.q(0), 2 * std::sin(0.6), 1e-15);
      EXPECT_NEAR(state.q(1), -2 * std::cos(0.6), 1e-15);
      EXPECT_NEAR(value(model, "angle", state), 0.6, 1e-15);
      EXPECT_NEAR(value(model, "angular velocity", state), -1.5, 1e-15);
      EXPECT_NEAR(value(model, "rod violation", state), 0, 1e-15);
      EXPECT_NEAR(state.q * state.v, 0, 1e-15);
      EXPECT_EQ(value(model, "velocity x", state), state.v(0));
      EXPECT_NEAR(model.energy(state).kinetic, 0.5 * 3 * 9, 1e-13);
      EXPECT_NEAR(model.energy(state).potential,
                  -3 * 9.81 * 2 * std::cos(0.6),
                  1e-13);
      Vector gap(model.contacts().partition());
      model.contacts().gaps(state.q, gap);
      EXPECT_NEAR(gap(0), 2 * std::sin(0.6) + 0.1, 1e-15);
      State unknown(state);
      EXPECT_FALSE(model.exact_state(0.1, unknown));
      EXPECT_THROW(value(model, "angel", state), Error);
    }

    TEST(Pendulum, JacobianAndCurvatureAreDerivativesOfTheJoint)
    {
      const Parts parts("", pendulum({"length=2"}));
      const auto *rod = parts.model->constraints();
      ASSERT_NE(rod, nullptr);
      ASSERT_EQ(rod->size(), 1u);
      State state = parts.model->initial_state();
      state.q(0)  = 1.3;
      state.q(1)  = -0.4; // off the circle, too
      state.v(0)  = 0.7;
      state.v(1)  = 1.1;
      EXPECT_NEAR(rod->residuals(state.q)[0],
                  (1.3 * 1.3 + 0.4 * 0.4 - 4) / 4,
                  1e-15);
      const double d        = 1e-4;
      const auto   jacobian = rod->dense_jacobian(state.q);
      const auto   moved    = [&](const Vector &direction, const double step) {
        Vector q(state.q);
        q.add(step, direction);
        return rod->residuals(q)[0];
      };
      for (unsigned int i = 0; i < 2; ++i)
        {
          Vector unit(state.q);
          unit    = 0.;
          unit(i) = 1;
          EXPECT_NEAR((moved(unit, d) - moved(unit, -d)) / (2 * d),
                      jacobian(0, i),
                      1e-11);
        }
      // g_B is quadratic, so that second differences are exact.
      EXPECT_NEAR((moved(state.v, d) - 2 * moved(state.v, 0) +
                   moved(state.v, -d)) /
                    (d * d),
                  rod->curvature(state.q, state.v)[0],
                  1e-7);
    }

    // t_1 = K/omega_0, om_n = e^(n-1) om_1: a list computed elsewhere.
    TEST(Pendulum, ExactImpactsAreThoseOfTheBenchmark)
    {
      const std::vector<std::pair<double, double>> impacts = {
        {.59196049, 4.42944692},
        {1.69395598, 3.54355753},
        {2.75526056, 2.83484603},
        {3.79382989, 2.26787682},
        {4.81895273, 1.81430146},
        {5.83587092, 1.45144117},
        {6.84769086, 1.16115293},
        {7.85630770, .92892235}};
      const Parts parts("", pendulum());
      const auto &model = *parts.model;
      for (const auto &[time, speed] : impacts)
        {
          // Half of the last digit of the list on both sides of the impact.
          const double d      = 6e-9;
          const State  before = exact_state(model, time - d);
          const State  after  = exact_state(model, time + d);
          EXPECT_NEAR(value(model, "angular velocity", before), -speed, 1e-8);
          EXPECT_NEAR(value(model, "angular velocity", after),
                      0.8 * speed,
                      1e-8);
          EXPECT_GE(before.q(0), 0);
          EXPECT_GE(after.q(0), 0);
        }
      EXPECT_NEAR(model.exact_values(1).front().value, .59196049, 5e-9);
      EXPECT_EQ(model.exact_values(1).front().name, "first contact");
      EXPECT_TRUE(model.exact_values(0.5).empty());
    }

    // M q'' = f + G_B^T lambda_B with G_B q'' + curvature = 0, and energies in
    // steps: by central differences, away from impacts.
    TEST(Pendulum, ExactMotionObeysTheEquationOfMotion)
    {
      const Parts parts(
        "",
        pendulum({"length=2", "mass=3", "restitution=0.7", "initial angle=2"}));
      const auto  &model    = *parts.model;
      const double d        = 1e-5;
      double       energy   = model.energy(model.initial_state()).total();
      unsigned int n_losses = 0;
      for (double time = 2 * d; time < 8; time += 0.01)
        {
          const State a     = exact_state(model, time - d);
          const State state = exact_state(model, time);
          const State b     = exact_state(model, time + d);
          EXPECT_NEAR(model.constraints()->residuals(state.q)[0], 0, 1e-14);
          EXPECT_NEAR(state.q * state.v, 0, 1e-12);
          EXPECT_GE(state.q(0), -1e-14);
          const double new_energy = model.energy(state).total();
          if (std::abs(new_energy - energy) > 1e-10)
            {
              ++n_losses;
              EXPECT_LT(new_energy, energy);
              energy = new_energy;
            }
          if (model.energy(a).total() - model.energy(b).total() > 1e-10)
            continue; // an impact in between
          for (unsigned int i = 0; i < 2; ++i)
            EXPECT_NEAR((b.q(i) - a.q(i)) / (2 * d), state.v(i), 1e-7);
          // Along the circle; across it the rod does what it must.
          const double ax = (b.v(0) - a.v(0)) / (2 * d);
          const double ay = (b.v(1) - a.v(1)) / (2 * d);
          const double x = state.q(0) / 2, y = state.q(1) / 2;
          EXPECT_NEAR(-y * ax + x * (ay + 9.81), 0, 1e-6) << time;
          EXPECT_NEAR(x * ax + y * ay +
                        model.constraints()->curvature(state.q, state.v)[0],
                      0,
                      1e-6)
            << time;
        }
      EXPECT_EQ(n_losses, 5u);
    }

    TEST(Pendulum, IsRefusedBehindTheWall)
    {
      EXPECT_THROW(Parts("", pendulum({"initial angle=-0.1"})), Error);
      EXPECT_NO_THROW(
        Parts("", pendulum({"initial angle=-0.1", "wall position=-0.2"})));
    }
  } // namespace
} // namespace Percuss::Test
