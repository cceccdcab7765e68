// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools.h"

// Supports of solids that move, in time.

namespace Percuss::Test
{
  namespace
  {
    const std::string solid = "model/solid 2d/";
    const std::string block = solid + "bodies/beam/";
    const std::string wall  = solid + "contacts/stop/";
    const std::string base  = solid + "supports/root/";

    Overrides
    operator+(Overrides a, const Overrides &b)
    {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    }

    /// Lumped where the scheme needs it.
    Overrides
    scheme(const std::string &name)
    {
      return {"scheme/type=" + name,
              solid + "mass matrix=" +
                (name == "central differences" ? "lumped" : "consistent")};
    }

    Overrides
    times(const double h, const double end)
    {
      return {"time/step size=" + shortest_text(h),
              "time/end time=" + shortest_text(end)};
    }

    /// A unit square without contacts.
    const std::string file   = "benchmark/shaken_beam_2d.prm";
    const Overrides   common = {solid + "degree=1",
                                solid + "plane=strain",
                                block + "size=1, 1",
                                block + "young modulus=3",
                                block + "poisson ratio=0",
                                block + "density=2",
                                base + "motion=",
                                wall + "obstacle=plane",
                                wall + "through=9, 0",
                                wall + "normal=-1, 0",
                                wall + "on=beam right",
                                wall + "search distance=1",
                                // Then loads count with the mean of both ends.
                                "scheme/generalized alpha/spectral radius=1",
                                "output/probes=",
                                "output/field interval=0",
                                "output/table interval=1"};

    /// Of second order, and with one of first order.
    const std::vector<std::string> schemes = {"moreau jean",
                                              "generalized alpha",
                                              "central differences"};
    const std::vector<std::string> more    = {"moreau jean",
                                              "generalized alpha",
                                              "central differences",
                                              "schatzman paoli"};

    double
    last(const FinishedRun &run,
         const std::string &table,
         const std::string &column)
    {
      return run.column(table, column).back();
    }

    /// d'Alembert: u = U(t - x/c) with c = 1 in a bar whose end moves by U =
    /// t^4; energy and work are the integral of E U'^2/c = 3 U'^2.
    void
    check_wave(const std::string &name)
    {
      std::vector<double> h, displacement, energy, work;
      const double        T = 0.8, W = 3 * 16 * std::pow(T, 7) / 7;
      for (const unsigned int n : {20, 40, 80})
        {
          const FinishedRun run(
            file,
            common + scheme(name) + times(0.4 / n, T) +
              Overrides{block + "density=3",
                        block + "poisson ratio=0",
                        block + "cells=" + std::to_string(n) + ", 1",
                        base + "directions=x",
                        base + "motion=x = t^4",
                        "output/probes=u = displacement x of beam at 0.25, 0"});
          h.push_back(1. / n);
          displacement.push_back(
            std::abs(last(run, "probes", "u") - std::pow(T - 0.25, 4)));
          energy.push_back(std::abs(last(run, "energy", "total") - W));
          work.push_back(std::abs(last(run, "energy", "work_external") - W));
        }
      EXPECT_GT(observed_order(h, displacement), 1.8) << name;
      EXPECT_GT(observed_order(h, energy), 1.8) << name;
      EXPECT_GT(observed_order(h, work), 1.8) << name;
      EXPECT_LT(displacement.back(), 1e-3) << name;
      EXPECT_LT(energy.back(), 1e-3 * W) << name;
      EXPECT_LT(work.back(), 1e-3 * W) << name;
    }

    TEST(SolidMotion, WaveOfADrivenEnd)
    {
      for (const std::string &name : schemes)
        check_wave(name);
    }

    const Overrides shaken = {block + "cells=4, 4",
                              "output/probes=u = displacement x of beam at 1, "
                              "0.5; v = mean velocity x"};

    /// In the frame of an accelerated base the same block has a weight.
    /// Second-order schemes integrate a constant acceleration exactly.
    TEST(SolidMotion, AcceleratedBaseIsAWeight)
    {
      for (const std::string &name : schemes)
        {
          const auto both = common + scheme(name) + times(5e-3, 1) + shaken;
          const FinishedRun moved(file,
                                  both +
                                    Overrides{base + "motion=x = 0.15*t^2"});
          const FinishedRun held(file,
                                 both + Overrides{solid + "gravity=x = -0.3"});
          const auto        u = moved.column("probes", "u");
          const auto        r = held.column("probes", "u");
          const auto        v = moved.column("probes", "v");
          const auto        w = held.column("probes", "v");
          const auto        t = moved.column("probes", "time");
          ASSERT_EQ(u.size(), r.size());
          for (std::size_t i = 0; i < u.size(); ++i)
            {
              EXPECT_NEAR(u[i], r[i] + 0.15 * t[i] * t[i], 1e-11) << name;
              EXPECT_NEAR(v[i], w[i] + 0.3 * t[i], 1e-10) << name;
            }
        }
    }

    /// The work of the reaction R = dP/dt, of the body's momentum P = m v, is
    /// the integral of R times the velocity of the base: to the order of the
    /// scheme and of the trapezoidal rule.
    TEST(SolidMotion, WorkIsThatOfTheReaction)
    {
      for (const std::string &name : schemes)
        {
          std::vector<double> h = {1e-2, 5e-3, 2.5e-3}, errors;
          for (const double each : h)
            {
              const FinishedRun run(file,
                                    common + scheme(name) + times(each, 1) +
                                      shaken +
                                      Overrides{base +
                                                "motion=x = 0.1*(1-cos(5*t))"});
              const auto        v = run.column("probes", "v");
              const auto        t = run.column("probes", "time");
              double            W = 0;
              for (std::size_t i = 1; i < v.size(); ++i)
                W += 2 * (v[i] - v[i - 1]) * 0.5 *
                     (std::sin(5 * t[i]) + std::sin(5 * t[i - 1])) / 2;
              const double booked = last(run, "energy", "work_external");
              EXPECT_GT(std::abs(booked), 0.01) << name;
              errors.push_back(std::abs(booked - W));
            }
          EXPECT_GT(observed_order(h, errors), 1.8) << name;
          EXPECT_LT(errors.back(), 1e-3) << name;
        }
    }

    /// A uniform strain that grows steadily, no force
    /// inside, and all that is in the ledger is known.
    TEST(SolidMotion, SteadyStretch)
    {
      // Strains xx = 0.01 t, yy = -0.02 t, gamma = 0.005 t.
      const double mu = 3 / 2.6, lambda = 2 * mu * 0.3 / 0.4;
      const double energy =
        lambda / 2 * 1e-4 + mu * (1e-4 + 4e-4 + 0.5 * 0.25e-4);
      const std::string rate = "x = 0.01*x + 0.005*y; y = -0.02*y";
      for (const std::string &name : more)
        {
          const FinishedRun run(
            file,
            common + scheme(name) + times(0.02, 2) +
              Overrides{block + "cells=2, 2",
                        block + "poisson ratio=0.3",
                        block + "initial velocity=" + rate,
                        solid + "stiffness damping=0.02",

                        base + "on=beam all",
                        base +
                          "motion=x = (0.01*x + 0.005*y)*t; y = -0.02*y*t"});
          EXPECT_NEAR(last(run, "energy", "strain"), 4 * energy, 1e-12) << name;
          EXPECT_NEAR(last(run, "energy", "work_damping"),
                      -0.02 * 2 * energy * 2,
                      1e-12)
            << name;
          EXPECT_NEAR(last(run, "energy", "work_external"),
                      (4 + 0.08) * energy,
                      1e-12)
            << name;
          EXPECT_NEAR(last(run, "energy", "kinetic"),
                      run.column("energy", "kinetic")[0],
                      1e-12)
            << name;
        }
    }

    /// A base that moves steadily with its body does nothing.
    TEST(SolidMotion, SteadyTranslation)
    {
      for (const std::string &name : more)
        {
          const FinishedRun run(file,
                                common + scheme(name) + times(0.02, 1) +
                                  shaken +
                                  Overrides{block + "initial velocity=x = 3",
                                            solid + "stiffness damping=0.02",
                                            base + "motion=x = 3*t"});
          // The round-off of q K q, with q = 3 m and K of the size 3 N/m.
          EXPECT_NEAR(last(run, "probes", "u"), 3, 1e-12) << name;
          EXPECT_NEAR(last(run, "energy", "kinetic"), 9, 1e-11) << name;
          EXPECT_NEAR(last(run, "energy", "strain"), 0, 1e-11) << name;
          EXPECT_NEAR(last(run, "energy", "work_external"), 0, 1e-11) << name;
          EXPECT_NEAR(last(run, "energy", "work_damping"), 0, 1e-11) << name;
        }
    }

    /// Of a run: that the table is a balance, and each step of it.
    void
    check_books(const FinishedRun &run, const std::string &name)
    {
      const auto get = [&run](const std::string &column) {
        return run.column("energy", column);
      };
      const auto total = get("total"), external = get("work_external"),
                 damping = get("work_damping"), contact = get("work_contact"),
                 friction = get("work_friction"), residual = get("residual"),
                 dissipation = get("algorithmic_dissipation");
      const double scale     = run.simulation->energy_ledger().energy_scale();
      for (std::size_t i = 0; i < total.size(); ++i)
        {
          EXPECT_LE(residual[i], 1e-12 * scale) << name;
          EXPECT_NEAR(total[i] - total[0],
                      external[i] + damping[i] + contact[i] + friction[i] -
                        dissipation[i],
                      1e-11 * scale)
            << name;
        }
      EXPECT_GT(*std::max_element(external.begin(), external.end()), 0.01)
        << name;
      EXPECT_LT(contact.back(), 0) << name;
    }

    /// A shaken block that hits a wall.
    TEST(SolidMotion, EverySchemeKeepsItsBooks)
    {
      const Overrides at_a_wall = {"scheme/generalized alpha/spectral "
                                   "radius=0.7",
                                   block + "cells=4, 4",
                                   solid + "gravity=y = -1",
                                   solid + "mass damping=0.1",
                                   solid + "stiffness damping=0.005",
                                   wall + "on=beam right",
                                   wall + "through=1.05, 0",
                                   wall + "normal=-1, 0",
                                   base +
                                     "motion=x = 0.1*sin(6*t); y = 0.03*t"};
      for (const std::string name : {"central differences",
                                     "contact stabilized newmark",
                                     "decoupled generalized alpha",
                                     "dissipative moreau jean",
                                     "energy momentum",
                                     "generalized alpha",
                                     "moreau",
                                     "moreau jean",
                                     "null space variational",
                                     "position velocity generalized alpha",
                                     "schatzman paoli",
                                     "symmetric moreau",
                                     "variational moreau"})
        check_books(
          FinishedRun(file, common + scheme(name) + times(0.01, 1) + at_a_wall),
          name);
    }

    const Overrides large = {block + "law=st venant kirchhoff",
                             block + "poisson ratio=0.3",
                             "time/end time=1"};

    /// The strain energy of a uniform stretch is known; the work of the
    /// supports is booked to the order of the trapezoidal rule.
    TEST(SolidMotion, LargeStretch)
    {
      const double mu = 3 / 2.6, lambda = 2 * mu * 0.3 / 0.4;
      const double E_xx   = (1.3 * 1.3 - 1) / 2;
      const double energy = (lambda / 2 + mu) * E_xx * E_xx;
      for (const std::string name : {"moreau jean", "generalized alpha"})
        {
          const std::vector<double> h = {0.1, 0.05, 0.025};
          std::vector<double>       errors;
          for (const double each : h)
            {
              const FinishedRun run(file,
                                    common + large + scheme(name) +
                                      times(each, 1) +
                                      Overrides{block + "cells=3, 3",
                                                block +
                                                  "initial velocity=x = 0.3*x",
                                                base + "on=beam all",
                                                base + "motion=x = 0.3*x*t"});
              EXPECT_NEAR(last(run, "energy", "strain"), energy, 1e-9) << name;
              errors.push_back(
                std::abs(last(run, "energy", "work_external") - energy));
            }
          EXPECT_GT(observed_order(h, errors), 1.8) << name;
          EXPECT_LT(errors.back(), 1e-3 * energy) << name;
        }
    }

    /// A stiff block whose side turns by a right angle turns as a whole; its
    /// strains are of the size of density times square of speed over Young's
    /// modulus, 1e-4.
    TEST(SolidMotion, LargeRotation)
    {
      const std::string angle = "(pi/2*t^2*(3-2*t))";
      const FinishedRun run(
        file,
        common + large + scheme("moreau jean") + times(0.02, 1) +
          Overrides{block + "cells=3, 3",
                    block + "density=1e-4",
                    base + "motion=x = -sin" + angle + "*y; y = cos" + angle +
                      "*y - y",
                    "output/probes=x = position x of beam at 1, 1; "
                    "y = position y of beam at 1, 1"});
      EXPECT_NEAR(last(run, "probes", "x"), -1, 1e-3);
      EXPECT_NEAR(last(run, "probes", "y"), 1, 1e-3);
    }
  } // namespace
} // namespace Percuss::Test
