// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// Solids with large strains and rotations in time.

namespace Percuss::Test
{
  namespace
  {
    /// A block that flies, tumbles and swings, of a given law.
    Overrides
    tumbling_block(const std::string &law, const std::string &scheme)
    {
      const std::string block = "model/solid 3d/bodies/block/";
      return {"model/solid 3d/gravity=z = 0",
              "model/solid 3d/stiffness damping=0",
              "model/solid 3d/contacts/floor/through=0, 0, -1000",
              block + "corner=0, 0, 0",
              block + "size=1, 0.5, 0.3",
              block + "cells=3, 2, 1",
              block + "law=" + law,
              block + "young modulus=100",
              block + "poisson ratio=0.3",
              block + "density=1",
              block + "initial velocity=x = 1 - 3*y + x; y = 3*x + 2*z; z = "
                      "-2*y + y*x",
              "scheme/type=" + scheme};
    }

    /// Energy, momenta and angular momenta.
    std::vector<double>
    invariants(const Parts &parts, const State &state)
    {
      std::vector<double> result = {parts.model->energy(state).total()};
      for (const std::string axis : {"x", "y", "z"})
        for (const std::string quantity :
             {"mean velocity ", "angular momentum "})
          result.push_back(
            parts.model->make_probe("a", quantity + axis).value(state));
      return result;
    }

    /// Largest changes of the energy, and of the momenta, in @p n steps.
    std::pair<double, double>
    drift(const Overrides &overrides, const double h, const unsigned int n)
    {
      const Parts parts("benchmark/block_drop_3d.prm", overrides);
      parts.scheme->set_step_size(h);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      State                     end    = state;
      const auto                before = invariants(parts, state);
      std::pair<double, double> result = {0, 0};
      for (unsigned int i = 0; i < n; ++i)
        {
          StepReport report;
          parts.scheme->advance(state, end, report);
          EXPECT_TRUE(report.converged);
          state.swap(end);
          const auto now = invariants(parts, state);
          result.first =
            std::max(result.first, std::abs(now[0] / before[0] - 1));
          for (unsigned int k = 1; k < now.size(); ++k)
            result.second =
              std::max(result.second, std::abs(now[k] - before[k]));
        }
      return result;
    }

    TEST(LargeStrainsInTime, FreeBodyKeepsItsEnergyAndMomenta)
    {
      for (const std::string law : {"st venant kirchhoff", "neo hooke"})
        {
          const auto [energy, momenta] =
            drift(tumbling_block(law, "energy momentum"), 0.02, 100);
          EXPECT_LE(energy, 1e-10) << law;
          EXPECT_LE(momenta, 1e-10) << law;
        }
    }

    /// Symplectic schemes keep the momenta, and the energy in bounds.
    TEST(LargeStrainsInTime, EnergyStaysInBounds)
    {
      for (const std::string scheme :
           {"null space variational", "symmetric moreau"})
        {
          const auto [energy, momenta] =
            drift(tumbling_block("neo hooke", scheme), 0.004, 100);
          EXPECT_LE(energy, 0.02) << scheme;
          EXPECT_GE(energy, 1e-9) << scheme; // else the test is blind
        }
    }

    /// The position at time 0.08 with steps of the size @p h.
    Vector
    position(const std::string &scheme, const double h)
    {
      Overrides overrides = tumbling_block("neo hooke", scheme);
      overrides.push_back("model/solid 3d/bodies/block/cells=2, 1, 1");
      const Parts parts("benchmark/block_drop_3d.prm", overrides);
      parts.scheme->set_step_size(h);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      State end = state;
      for (int i = 0; i < std::lround(0.08 / h); ++i)
        {
          StepReport report;
          parts.scheme->advance(state, end, report);
          EXPECT_TRUE(report.converged);
          state.swap(end);
        }
      return state.q;
    }

    /// The fastest wave crosses the block's height of 0.3 m in 0.026 s.
    TEST(LargeStrainsInTime, SmoothMotionHasOrderTwo)
    {
      for (const std::string scheme :
           {"moreau jean", "generalized alpha", "energy momentum"})
        {
          const Vector        exact = position(scheme, 0.00025);
          std::vector<double> steps = {0.004, 0.002, 0.001}, errors;
          for (const double h : steps)
            {
              Vector q = position(scheme, h);
              q -= exact;
              errors.push_back(q.linfty_norm());
            }
          EXPECT_NEAR(observed_order(steps, errors), 2, 0.2) << scheme;
        }
    }

    /// What a rigid disc does that slides: friction takes mu times the normal
    /// impulse, from the velocity and from the spin. The corner of the polygon
    /// that touches the floor turns away from below the centre, by omega R t,
    /// so that the normal force has an arm between those of the first and the
    /// last contact.
    TEST(LargeStrainsInTime, SpinningDiscIsThrownForward)
    {
      const FinishedRun run("benchmark/spinning_elastic_disc.prm",
                            {"output/field interval=0"});
      EXPECT_EQ(run.code, ExitCode::done);
      const auto v_x  = run.column("probes", "v_x");
      const auto v_y  = run.column("probes", "v_y");
      const auto spin = run.column("probes", "spin");
      // A polygon of 32 corners.
      const double mu = 0.1, R = 0.1, omega = 30;
      const double m = 1000 * 16 * std::sin(M_PI / 16) * R * R;
      const double J = m * (v_y.back() - v_y.front());
      EXPECT_GT(v_y.back(), 1.6); // of 2 m/s, the rest swings
      EXPECT_LE(v_y.back(), 2.0);
      EXPECT_NEAR((v_x.back() - v_x.front()) * m / J, mu, 1e-6);
      const auto time    = run.column("contacts", "time");
      const auto active  = run.column("contacts", "n_active");
      const auto touches = [](const double n) { return n > 0; };
      const auto first   = std::find_if(active.begin(), active.end(), touches);
      const auto last =
        std::find_if(active.rbegin(), active.rend(), touches).base() - 1;
      const double arm = (spin.back() - spin.front()) / J;
      EXPECT_LE(arm, mu * R - omega * R * time[first - active.begin()]);
      EXPECT_GE(arm, mu * R - omega * R * time[last - active.begin()]);
    }
  } // namespace
} // namespace Percuss::Test
