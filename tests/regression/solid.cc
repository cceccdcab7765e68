// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tools.h"

// Solids in time.

namespace Percuss::Test
{
  namespace
  {
    const std::string block_of_bar = "model/solid 3d/bodies/bar/";

    /// With Poisson's ratio 0 sections of a block stay plane: it is a bar, with
    /// the same equations for the same elements. What may differ is the
    /// residual of the contact law, which both runs have to be at most 1e-14 of
    /// the velocity, and the round-off of n steps, each with a linear solve:
    /// n kappa eps of the largest value, where the matrix M + h^2/4 K of these
    /// blocks has the condition number kappa < 200 (27 of the mass of a cell,
    /// twice as much at the ends, and up to 3 by the stiffness at a Courant
    /// number up to 1).
    double
    precision(const FinishedRun &run)
    {
      const double n_steps =
        run.settings.time.end_time / run.settings.time.step_size;
      return n_steps * 200 * std::numeric_limits<double>::epsilon();
    }

    void
    expect_same_motion(const FinishedRun              &solid,
                       const FinishedRun              &bar,
                       const std::vector<std::string> &probes)
    {
      for (const std::string &probe : probes)
        {
          const auto a = solid.column("probes", probe);
          const auto b = bar.column("probes", probe);
          ASSERT_EQ(a.size(), b.size());
          double largest = 0;
          for (const double value : b)
            largest = std::max(largest, std::abs(value));
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], precision(solid) * largest) << probe;
        }
      const double impulse = bar.values.at("contact impulse");
      EXPECT_NEAR(solid.values.at("contact impulse"),
                  impulse,
                  precision(solid) * impulse);
      for (const std::string time : {"first contact", "last contact"})
        EXPECT_NEAR(solid.values.at(time), bar.values.at(time), 1e-12) << time;
    }

    /// Doyen, Ern and Piperno's bouncing bar, through both contacts. Its energy
    /// is that in play, 500 J, less the height of the start.
    TEST(Solid, BlockIsABar)
    {
      const Overrides   common = {"output/field interval=0",
                                  "contact/tolerance=1e-14"};
      const FinishedRun solid("benchmark/bouncing_bar_as_solid.prm", common);
      Overrides         of_bar = common;
      of_bar.insert(of_bar.end(),
                    {"model/bar/elements=50",
                     "time/step size=3.333333333333333e-3",
                     "output/table interval=10"});
      const FinishedRun bar("benchmark/bouncing_bar_gravity.prm", of_bar);
      expect_same_motion(solid, bar, {"lower_end", "middle", "upper_end"});
      EXPECT_GT(solid.values.at("last contact"), 4.2); // of the second contact
      EXPECT_NEAR(solid.values.at("final energy"),
                  bar.values.at("final energy"),
                  precision(solid) * 500);
      // parameter_files/README.md says so.
      EXPECT_NEAR(solid.values.at("final energy"), -6.84439, 5e-6);
    }

    /// The bar of tutorial/impacting_bar.prm (V. Acary's slides) as a block.
    FinishedRun
    flying_block(const Overrides &common, const unsigned int n_elements)
    {
      Overrides overrides = {
        "model/solid 3d/gravity=z = 0",
        block_of_bar + "size=0.02, 0.0157, 1",
        block_of_bar + "cells=1, 1, " + std::to_string(n_elements),
        block_of_bar + "corner=0, 0, 5e-5",
        block_of_bar + "young modulus=2.1e11",
        block_of_bar + "density=7800",
        block_of_bar + "initial velocity=z = -0.1",
        "time/end time=1.5e-3",
        "output/table interval=1",
        "output/probes=contact_velocity = velocity z of bar at 0, 0, 5e-5; "
        "free_end_velocity = velocity z of bar at 0.02, 0.0157, 1.00005; "
        "mean_velocity = mean velocity z"};
      overrides.insert(overrides.end(), common.begin(), common.end());
      return FinishedRun("benchmark/bouncing_bar_as_solid.prm", overrides);
    }

    /// Against the bar, and against the exact motion: contact for 2 L/c, the
    /// force A rho c v, the impulse 2 m v, no loss of energy.
    ///
    /// Elements of length l and Newmark's scheme have waves of the frequency
    ///   omega = c k - alpha k^3,   alpha = c (2 c^2 h^2 - l^2)/24,
    /// so that a front which has run for t = 2 L/c is the integral S of Airy's
    /// function Ai(x/w), w^3 = 3 alpha t = (2 c^2 h^2 - l^2) L/4. At the wall
    /// the force of the plateau F falls as F (1 - 2 S), to zero at S = 1/2,
    /// which is w 0.4096/c late, and the integral of the force lacks F w/c
    /// times 2 int S - 0.4096 = 0.4465. That steps are whole changes times by
    /// h, and the lack, whose integrand is zero at its end, by (c h/w)^2.
    ///
    /// The first impulse stops a mass P/v, by which the first of e = 0 loses
    /// P v/2. On a half infinite mesh it is rho A sqrt(l^2/12 + c^2 h^2/4): the
    /// end's entry of the inverse of M + h^2/4 K. Newmark's scheme keeps the
    /// energy in all other steps, up to the solves.
    TEST(Solid, FlyingBlockIsABarAndReboundsExactly)
    {
      const unsigned int n      = 100;
      const Overrides    common = {"output/field interval=0",
                                   "contact/tolerance=1e-14",
                                   "time/step size=1.9e-6"};
      const FinishedRun  solid  = flying_block(common, n);
      Overrides          of_bar = common;
      of_bar.push_back("model/bar/elements=" + std::to_string(n));
      const FinishedRun bar("tutorial/impacting_bar.prm", of_bar);
      expect_same_motion(
        solid, bar, {"contact_velocity", "free_end_velocity", "mean_velocity"});

      const double h = 1.9e-6, l = 1. / n, L = 1, v = 0.1, m = 7800 * 3.14e-4;
      const double c = std::sqrt(2.1e11 / 7800), step = c * h;
      const double w     = std::cbrt((2 * step * step - l * l) * L / 4);
      const double first = solid.values.at("first contact"),
                   last  = solid.values.at("last contact");
      // The contact takes part from half a step before on, and is listed with
      // the end of the step.
      EXPECT_NEAR(first, 5e-4 + h, h / 2 + 1e-12);
      EXPECT_NEAR(last - first, (2 * L + 0.4096 * w) / c, h);
      const double lack = 0.4465 * w / (2 * L);
      EXPECT_NEAR(1 - solid.values.at("contact impulse") / (2 * m * v),
                  lack,
                  lack * std::pow(step / w, 2));
      const double stopped = std::sqrt(l * l / 12 + step * step / 4) / L;
      EXPECT_NEAR(solid.values.at("final energy"),
                  m * v * v / 2 * (1 - stopped),
                  precision(solid) * m * v * v / 2);
      // The plateau: between the wake of the first front, which has decayed
      // over w, and the second one.
      const auto   time  = solid.column("contacts", "time");
      const auto   force = solid.column("contacts", "total_force");
      const double F     = m / L * c * v;
      double       sum   = 0;
      unsigned int count = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        if (time[i] > 5e-4 + 2 * w / c && time[i] < 5e-4 + (2 * L - 4 * w) / c)
          {
            sum += force[i];
            ++count;
          }
      ASSERT_GT(count, 100u);
      EXPECT_NEAR(sum / count, F, step / (2 * L) * F);
    }

    /// The mean velocity upwards is the impulse J of the contacts over the
    /// mass, less that of the weight. The contact law holds to 1e-10 of the
    /// velocity in each step. Returns what friction can change, mu J/m.
    double
    check_impulse(const FinishedRun &run)
    {
      const double mass = 1100 * 0.2 * 0.1 * 0.1, g = 9.81, mu = 0.3;
      const double end = run.settings.time.end_time,
                   n   = end / run.settings.time.step_size;
      const double J   = run.values.at("contact impulse");
      EXPECT_NEAR(run.column("probes", "upwards").back(),
                  J / mass - g * end,
                  n * 1e-10 * J / mass);
      return mu * J / mass;
    }

    /// The floor is not passed, and the block is as fast as its impulses say.
    TEST(Solid, BlockDropsAndSlides)
    {
      const auto drop = [](const Overrides &more) {
        Overrides overrides = {"output/field interval=0",
                               "output/table interval=1",
                               "time/end time=0.15",
                               "output/probes=forwards = mean velocity x; "
                               "across = mean velocity y; "
                               "upwards = mean velocity z"};
        overrides.insert(overrides.end(), more.begin(), more.end());
        return FinishedRun("benchmark/block_drop_3d.prm", overrides);
      };
      const FinishedRun run = drop({});
      EXPECT_EQ(run.code, ExitCode::done);
      const auto penetration = run.column("contacts", "max_penetration");
      for (const double depth : penetration)
        EXPECT_LE(depth, 2e-4 * 1.2); // a step times the speed
      // Free fall from 0.05 m, which the contact sees half a step before, and
      // lists with the end of its step.
      const double h = 2e-4;
      EXPECT_NEAR(run.values.at("first contact"),
                  std::sqrt(2 * 0.05 / 9.81) + h,
                  h / 2 + 1e-6);
      // Nodes slide along, and across, as the block spreads, or stick.
      const double forwards = run.column("probes", "forwards").back();
      EXPECT_GT(forwards, 0.5 - check_impulse(run));
      EXPECT_LT(forwards, 0.5);
      EXPECT_NEAR(run.column("probes", "across").back(), 0, 750 * 1e-10);
      // Without Poisson's effect nothing moves across, and all nodes of a block
      // that is fast slide forwards.
      const FinishedRun fast =
        drop({"model/solid 3d/bodies/block/poisson ratio=0",
              "model/solid 3d/bodies/block/initial velocity=x = 5"});
      EXPECT_NEAR(5 - fast.column("probes", "forwards").back(),
                  check_impulse(fast),
                  750 * 1e-10 * 5);
    }

    /// Matrices of blocks serve all schemes: the fall is exact up to the start
    /// of two of them, and the ledger closes through the impact.
    TEST(Solid, RunsInEveryScheme)
    {
      for (const auto &plugin : Registry<TimeStepper>::plugins())
        {
          const std::string &scheme = plugin.first;
          if (scheme == "redistributed mass newmark" ||
              scheme == "smooth generalized alpha")
            continue; // the nodes have mass; no contacts
          const FinishedRun run("benchmark/block_drop_3d.prm",
                                {"contact/law=signorini",
                                 "scheme/type=" + scheme,
                                 "model/solid 3d/mass matrix=lumped",
                                 "model/solid 3d/bodies/block/cells=2, 1, 1",
                                 "time/end time=0.11",
                                 "output/table interval=1",
                                 "output/field interval=0"});
          EXPECT_EQ(run.code, ExitCode::done) << scheme;
          EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-9)
            << scheme;
          EXPECT_NEAR(run.column("probes", "top")[450],
                      0.15 - 9.81 * 0.09 * 0.09 / 2,
                      9.81 * 0.09 * 2e-4)
            << scheme;
          EXPECT_GT(run.values.at("contact impulse"), 1) << scheme;
        }
    }
  } // namespace
} // namespace Percuss::Test
