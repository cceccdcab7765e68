// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include "tools.h"

// The chain of masses over a floor, and its exact motion for two masses.

namespace Percuss::Test
{
  namespace
  {
    Overrides
    chain(const Overrides &more = {})
    {
      Overrides overrides = {"model/type=chain"};
      for (const std::string &entry : more)
        overrides.push_back("model/chain/" + entry);
      return overrides;
    }

    State
    exact_state(const MechanicalModel &model, const double time)
    {
      State state = model.initial_state();
      EXPECT_TRUE(model.exact_state(time, state)) << time;
      return state;
    }

    double
    exact_energy(const MechanicalModel &model, const double time)
    {
      return model.energy(exact_state(model, time)).total();
    }

    double
    exact_value(const MechanicalModel &model,
                const std::string     &name,
                const double           end_time)
    {
      for (const ExactValue &value : model.exact_values(end_time))
        if (value.name == name)
          return value.value;
      throw std::out_of_range("no exact value " + name);
    }

    // An independent event-driven program, accurate to 1e-9.
    TEST(Chain, ExactMotionIsThatOfAnIndependentProgram)
    {
      const Parts parts("", chain());
      const auto &model = *parts.model;
      const State half = exact_state(model, 0.5), one = exact_state(model, 1);
      EXPECT_NEAR(half.q(0), .09201266, 1e-8);
      EXPECT_NEAR(half.q(1), .09503866, 1e-8);
      EXPECT_NEAR(half.v(0), 4.46504313, 1e-8);
      EXPECT_NEAR(half.v(1), 1.46176045, 1e-8);
      EXPECT_NEAR(one.q(0), .33587907, 1e-8);
      EXPECT_NEAR(one.q(1), .31457404, 1e-8);
      EXPECT_NEAR(one.v(0), -1.85999622, 1e-8);
      EXPECT_NEAR(one.v(1), -2.21320020, 1e-8);
      EXPECT_NEAR(exact_energy(model, 0.2), 20, 1e-12);
      EXPECT_NEAR(exact_energy(model, 0.46), 16.4, 1e-10);
      EXPECT_NEAR(exact_energy(model, 0.6), 12.9529733, 5e-8);
      EXPECT_NEAR(exact_energy(model, 1.1), 12.9529733, 5e-8);
      EXPECT_NEAR(exact_energy(model, 1.5), 10.609912, 5e-7);
      EXPECT_NEAR(exact_energy(model, 2), 5.901302, 5e-7);
      EXPECT_NEAR(exact_value(model, "final energy", 2), 5.901302, 5e-7);
      EXPECT_NEAR(exact_value(model, "first contact", 2),
                  std::sqrt(0.2),
                  1e-12);
      // Back in time, after later phases are known.
      EXPECT_NEAR(exact_energy(model, 0.2), 20, 1e-12);
    }

    TEST(Chain, ExactImpactsAreThoseOfAnIndependentProgram)
    {
      const std::vector<std::pair<double, double>> impacts = {
        {0.4472135955, -4.472135955},
        {0.466722060614, -4.37608825674},
        {1.12247000078, -1.74881936083},
        {1.13518158392, -2.39717305845},
        {1.14327884757, -1.85013645852},
        {1.15284660513, -0.888365032256},
        {1.68182906222, -4.17587715699},
        {1.88280056229, -2.95313348528}};
      const Parts parts("", chain());
      for (const auto &[time, velocity] : impacts)
        {
          // The position is continuous and the velocity jumps.
          const State before = exact_state(*parts.model, time - 1e-8);
          const State after  = exact_state(*parts.model, time + 1e-8);
          EXPECT_NEAR(before.v(0), velocity, 2e-5) << time;
          EXPECT_NEAR(after.v(0), -0.8 * velocity, 2e-5) << time;
          EXPECT_NEAR(before.q(0), -velocity * 1e-8, 2e-9) << time;
          EXPECT_NEAR(after.q(0), -0.8 * velocity * 1e-8, 2e-9) << time;
        }
    }

    /// Largest violation of M v' = f + D^T lambda, lambda >= 0 where closed,
    /// by central differences away from impacts; energy must not grow.
    void
    check_motion(const MechanicalModel &model, const double end_time)
    {
      const double d      = 1e-5;
      double       energy = model.energy(model.initial_state()).total();
      for (double time = 2 * d; time < end_time; time += 0.0037)
        {
          const State a     = exact_state(model, time - d);
          const State state = exact_state(model, time);
          const State b     = exact_state(model, time + d);
          EXPECT_GE(state.q(0), -1e-12) << time;
          EXPECT_LE(model.energy(state).total(), energy + 1e-9) << time;
          energy = model.energy(state).total();
          Vector force(state.q), change(b.v), inertia(state.q);
          model.internal_forces(state.q, state.v, force);
          change -= a.v;
          change *= 1 / (2 * d);
          model.multiply_by_mass(change, inertia);
          inertia += force;
          inertia -= model.dead_load();
          // What is left is the contact force, or an impact between a and b.
          const bool has_impact = std::abs(inertia(0)) > 1e3;
          EXPECT_NEAR(inertia(1), 0, has_impact ? 1e3 : 0.2) << time;
          if (state.q(0) > 1e-3)
            EXPECT_NEAR(inertia(0), 0, 0.2) << time;
          else
            EXPECT_GE(inertia(0), -0.2) << time;
        }
    }

    TEST(Chain, ExactMotionObeysTheEquationOfMotion)
    {
      for (const Overrides &overrides :
           {chain(),
            chain({"mass=1, 3", "height=0.3, 0.29", "velocity=1, -1"}),
            chain({"restitution=0", "height=0.1"}),
            chain({"restitution=0.3", "mass=2, 0.5", "height=0.1"}),
            chain({"restitution=0.5", "height=0, -0.01"}),
            chain({"restitution=1", "mass=1, 2"})})
        {
          const Parts parts("", overrides);
          check_motion(*parts.model, 0.9);
        }
    }

    // A compressed spring on the floor: q_1 = -m_1 g/k - A cos(omega t) until
    // k q_1 = m_0 g, with omega = 100/s here.
    TEST(Chain, ExactMotionLeavesTheFloorWhenTheSpringPulls)
    {
      const Parts  parts("", chain({"height=0, -0.011"}));
      const double release = std::acos(-0.2) / 100;
      const State  closed  = exact_state(*parts.model, release - 1e-6);
      EXPECT_EQ(closed.q(0), 0);
      EXPECT_EQ(closed.v(0), 0);
      EXPECT_NEAR(closed.q(1), 1e-3, 2e-6);
      const State open = exact_state(*parts.model, release + 1e-3);
      EXPECT_GT(open.q(0), 0);
      EXPECT_GT(open.v(0), 0);
      EXPECT_NEAR(exact_energy(*parts.model, release + 0.01),
                  exact_energy(*parts.model, 0),
                  1e-12);
      // Too little for a release: the spring vibrates for ever.
      const Parts rest("", chain({"height=0, -0.002"}));
      EXPECT_EQ(exact_state(*rest.model, 10).q(0), 0);
      EXPECT_NEAR(exact_state(*rest.model, 10).q(1),
                  -1e-3 - 1e-3 * std::cos(1000.),
                  1e-12);
    }

    TEST(Chain, ExactMotionIsKnownForTwoMassesWithoutDashpot)
    {
      for (const Overrides &overrides : {chain({"masses=3"}),
                                         chain({"masses=1"}),
                                         chain({"spring damping=1"})})
        {
          const Parts parts("", overrides);
          State       state = parts.model->initial_state();
          EXPECT_FALSE(parts.model->exact_state(0.1, state));
          EXPECT_TRUE(parts.model->exact_values(1).empty());
        }
    }

    TEST(Chain, HasProbesOfMassesAndSprings)
    {
      const Parts parts("",
                        chain({"masses=3",
                               "mass=1, 2, 5",
                               "spring stiffness=10, 20",
                               "spring damping=0, 3",
                               "height=1, 2, 4",
                               "velocity=0, 1, 3"}));
      const State state = parts.model->initial_state();
      const auto  value = [&](const std::string &what) {
        return parts.model->make_probe("a", what).value(state);
      };
      EXPECT_EQ(value("height of 1"), 2);
      EXPECT_EQ(value("velocity of 2"), 3);
      EXPECT_EQ(value("mean velocity"), 17. / 8);
      EXPECT_EQ(value("spring force 0"), 10);
      EXPECT_EQ(value("spring force 1"), 46);
      for (const std::string wrong :
           {"height of 3", "spring force 2", "height", "spring force 0 1"})
        EXPECT_THROW(value(wrong), Error) << wrong;
    }
  } // namespace
} // namespace Percuss::Test
