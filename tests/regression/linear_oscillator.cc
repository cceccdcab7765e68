// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "tools.h"

// Two masses and a stiff spring: what schemes do to the energy of its vibration
// in the first two impacts. Exact: 12.95297 J.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/slides/linear_oscillator.prm";

    double
    energy_at_0_6(const std::string &step_size, const Overrides &scheme)
    {
      Overrides overrides = {"time/end time=0.6",
                             "time/step size=" + step_size,
                             "output/field interval=0",
                             "output/table interval=1000"};
      overrides.insert(overrides.end(), scheme.begin(), scheme.end());
      return FinishedRun(file, overrides).values.at("final energy");
    }

    Overrides
    moreau_jean(const std::string &theta)
    {
      return {"scheme/type=moreau jean", "scheme/moreau jean/theta=" + theta};
    }

    Overrides
    generalized_alpha(const std::string &rho)
    {
      return {"scheme/generalized alpha/spectral radius=" + rho};
    }

    // Numbers of an independent program, to half of their last digit.
    TEST(LinearOscillator, LosesTheEnergyThatTheReferenceProgramLoses)
    {
      EXPECT_NEAR(energy_at_0_6("1e-3", moreau_jean("1")), 7.54, 5e-3);
      EXPECT_NEAR(energy_at_0_6("1e-3", moreau_jean("0.5")), 12.878, 5e-4);
      EXPECT_NEAR(energy_at_0_6("1e-3", generalized_alpha("0.8")),
                  12.878,
                  5e-4);
      EXPECT_NEAR(energy_at_0_6("1e-3", generalized_alpha("0")), 12.596, 5e-4);
    }

    TEST(LinearOscillator, ConvergesToTheExactEnergy)
    {
      EXPECT_NEAR(energy_at_0_6("1e-5", moreau_jean("1")), 12.851, 5e-4);
      EXPECT_NEAR(energy_at_0_6("1e-5", moreau_jean("0.5")), 12.9532, 5e-5);
      EXPECT_NEAR(energy_at_0_6("1e-5", generalized_alpha("0.8")),
                  12.9532,
                  5e-5);
      EXPECT_NEAR(energy_at_0_6("1e-5", generalized_alpha("0")), 12.9532, 5e-5);
    }

    /// Of the lower height, over 1.1 s: later impacts are sensitive.
    double
    mean_error(const std::string &step_size, const Overrides &scheme)
    {
      Overrides overrides = {"time/end time=1.1",
                             "time/step size=" + step_size,
                             "output/field interval=0"};
      overrides.insert(overrides.end(), scheme.begin(), scheme.end());
      const FinishedRun run(file, overrides);
      const Parts       parts(file, {});
      const auto        time   = run.column("probes", "time");
      const auto        height = run.column("probes", "lower_height");
      State             exact  = parts.model->initial_state();
      double            sum    = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          EXPECT_TRUE(parts.model->exact_state(time[i], exact));
          sum += std::abs(height[i] - exact.q(0));
        }
      return sum / static_cast<double>(time.size());
    }

    // The damping of theta = 1 is a smooth error of order 1. The error of the
    // other schemes is that of the impact times, which depends on where in a
    // step they are: between 1 and 31 m/s times h for 17 sizes from 1 ms down
    // to 4 us. It has a bound of order 1, but no slope between a few sizes.
    TEST(LinearOscillator, FollowsTheExactMotion)
    {
      const std::vector<double> steps = {1e-3, 2.5e-4, 6.25e-5};
      std::vector<double>       errors;
      for (const std::string h : {"1e-3", "2.5e-4", "6.25e-5"})
        errors.push_back(mean_error(h, moreau_jean("1")));
      EXPECT_NEAR(observed_order(steps, errors), 1, 0.1);
      for (const std::string h : {"1e-3", "5e-4", "1.25e-4", "6.25e-5"})
        {
          const double bound = 40 * std::stod(h);
          EXPECT_LT(mean_error(h, moreau_jean("0.5")), bound) << h;
          EXPECT_LT(mean_error(h, generalized_alpha("0.8")), bound) << h;
        }
    }
  } // namespace
} // namespace Percuss::Test
