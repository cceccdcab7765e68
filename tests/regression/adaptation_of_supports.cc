// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>

#include <deal.II/base/numbers.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "folders.h"
#include "regression/changing_meshes.h"
#include "tools.h"

// Meshes that change where supports move.

namespace Percuss::Test
{
  namespace
  {
    const std::string solid = "model/solid 2d/";
    const std::string rule  = solid + "adaptation/";

    double
    last(const FinishedRun &run, const std::string &column)
    {
      return run.column("energy", column).back();
    }

    const std::string bar = "benchmark/adaptive_driven_bar_2d.prm";

    Overrides
    small_bar(const unsigned int n, const double h)
    {
      return {solid + "bodies/bar/size=0.2, 0.01",
              solid + "bodies/bar/cells=" + std::to_string(n) + ", 1",
              "time/step size=" + shortest_text(h),
              "output/field interval=0"};
    }

    /// The pulse at the middle, and its work, with order 2: cells and the jumps
    /// that are allowed are halved together.
    TEST(AdaptationOfSupports, PulseIsThatOfDAlembert)
    {
      const double        c = std::sqrt(2.1e11 / 7800), T = 1e-5;
      const double        work = 2.1e11 * 1e-5 / c * 3 / 8 * T;
      std::vector<double> h, in_work, in_pulse;
      for (const unsigned int n : {30, 60})
        {
          const FinishedRun run(
            bar,
            small_bar(n, 9.6e-6 / n) +
              Overrides{rule + "levels=1",
                        solid + "refinement/entrance/levels=1",
                        rule + "strain jump=" + shortest_text(4e-4 / n),
                        "scheme/generalized alpha/spectral radius=1",
                        "time/end time=2.88e-5"});
          const auto t   = run.column("probes", "time");
          const auto v   = run.column("probes", "middle");
          double     sum = 0;
          for (std::size_t i = 0; i < t.size(); ++i)
            {
              const double s = t[i] - 0.1 / c;
              const double exact =
                s > 0 && s < T ?
                  std::pow(std::sin(dealii::numbers::PI * s / T), 2) :
                  0;
              sum += std::abs(v[i] - exact) / static_cast<double>(t.size());
            }
          h.push_back(1. / n);
          in_pulse.push_back(sum);
          in_work.push_back(std::abs(last(run, "work_external") - work) / work);
          EXPECT_GT(n_meshes(run), 5u);
          check_books(run, std::to_string(n));
        }
      EXPECT_GT(observed_order(h, in_pulse), 1.7);
      EXPECT_GT(observed_order(h, in_work), 1.7);
    }

    /// As with small cells everywhere, the better the smaller the jumps.
    TEST(AdaptationOfSupports, IsAsGoodAsSmallCells)
    {
      const auto run = [](const Overrides &overrides) {
        return FinishedRun(bar,
                           small_bar(20, 4.8e-7) +
                             Overrides{"time/end time=4.8e-5"} + overrides);
      };
      const auto difference = [](const FinishedRun &a, const FinishedRun &b) {
        const auto here  = a.column("probes", "end");
        const auto there = b.column("probes", "end");
        double     sum   = 0;
        for (std::size_t i = 0; i < here.size(); ++i)
          sum += std::abs(here[i] - there[i]);
        return sum / static_cast<double>(here.size());
      };
      const FinishedRun fine = run({rule + "interval=0",
                                    solid + "refinement/entrance/where=1",
                                    solid + "bodies/bar/refinements=2"});
      const FinishedRun coarse =
        run({rule + "interval=0", solid + "refinement/entrance/where=1"});
      const FinishedRun adapted = run({});
      const FinishedRun better  = run({rule + "strain jump=2e-6"});
      const double      error   = difference(adapted, fine);
      EXPECT_LE(error, 0.05);
      EXPECT_LE(difference(better, fine), 0.5 * error);
      EXPECT_GE(difference(coarse, fine), 3 * error);
      EXPECT_NEAR(last(adapted, "work_external"),
                  last(fine, "work_external"),
                  0.01 * last(fine, "work_external"));
    }

    /// A unit square.
    const std::string file   = "benchmark/shaken_beam_2d.prm";
    const std::string block  = solid + "bodies/beam/";
    const std::string base   = solid + "supports/root/";
    const std::string stop   = solid + "contacts/stop/";
    const Overrides   square = {solid + "degree=1",
                                block + "size=1, 1",
                                block + "cells=4, 4",
                                block + "young modulus=3",
                                block + "density=2",
                                "scheme/generalized alpha/spectral radius=1",
                                "output/probes=",
                                "output/field interval=0",
                                "output/table interval=1"};

    /// The parameter file with another support that moves, for runs.
    class TwoSupports
    {
    public:
      TwoSupports()
        : folder(MPI_COMM_SELF)
      {
        const auto two = folder.path / "two_supports.prm";
        std::ofstream(two) << "include " << parameter_files() << "/" << file
                           << "\nsubsection model\nsubsection solid 2d\n"
                              "subsection supports\nsubsection other\n"
                              "set on = beam right\nset directions = x\n"
                              "set motion = x = 0.01*(x - 0.7)*t\n"
                              "end\nend\nend\nend\n";
        path = std::filesystem::relative(two, parameter_files());
      }

      std::string path;

    private:
      TemporaryFolder folder;
    };

    /// A block is stretched steadily while a ball passes below it, and the
    /// cells above the ball are small.
    FinishedRun
    stretched_block(const std::string &rate, const Overrides &overrides)
    {
      const TwoSupports two_supports;
      return FinishedRun(two_supports.path,
                         square +
                           Overrides{"time/end time=2",
                                     block + "initial velocity=x = " + rate,
                                     base + "directions=x",
                                     base + "motion=x = " + rate + "*t",
                                     solid + "supports/other/motion=x = " +
                                       rate + "*t",
                                     stop + "obstacle=sphere",
                                     stop + "centre=-0.2, -0.5",
                                     stop + "radius=0.3",
                                     stop + "motion=x = 0.7*t",
                                     rule + "interval=2",
                                     rule + "levels=2",
                                     rule + "contact distance=0.3"} +
                           overrides);
    }

    /// Strains stay uniform, and all that is in the ledger is known.
    TEST(AdaptationOfSupports, SteadyStretchIsExact)
    {
      // Strains xx = 0.01 t, yy = -0.003 t, plane stress: sigma = E 0.01 t.
      const double energy = 0.5 * 3 * 1e-4;
      for (const std::string name :
           {"moreau jean", "generalized alpha", "energy momentum"})
        {
          const FinishedRun run = stretched_block(
            "0.01*(x - 0.7)",
            {"scheme/type=" + name,
             "time/step size=0.05",
             solid + "stiffness damping=0.02",
             block + "initial velocity=x = 0.01*(x - 0.7); y = -0.003*y"});
          EXPECT_NEAR(last(run, "strain"), 4 * energy, 1e-12) << name;
          EXPECT_NEAR(last(run, "work_damping"), -0.02 * 2 * energy * 2, 1e-12)
            << name;
          EXPECT_NEAR(last(run, "work_external"), (4 + 0.08) * energy, 1e-12)
            << name;
          EXPECT_NEAR(last(run, "mesh_change"), 0, 1e-12) << name;
          EXPECT_GT(n_meshes(run), 8u) << name;
          check_books(run, name);
        }
    }

    /// St. Venant and Kirchhoff's law without lateral contraction: stretched by
    /// 1.6. The work is that of the trapezoidal rule, by the formula of
    /// Euler and Maclaurin.
    TEST(AdaptationOfSupports, LargeStretchIsExact)
    {
      const double E_xx = (1.6 * 1.6 - 1) / 2, energy = 1.5 * E_xx * E_xx;
      // h^2/12 times the change of dP/dt, of P = 1.5 (F^3 - F), dF/dt = 0.3.
      const double      error = 0.05 * 0.05 / 12 * 0.09 * 4.5 * (1.6 * 1.6 - 1);
      const FinishedRun run =
        stretched_block("0.3*(x - 0.7)",
                        {"scheme/type=moreau jean",
                         "time/step size=0.05",
                         solid + "plane=strain",
                         block + "law=st venant kirchhoff",
                         block + "poisson ratio=0"});
      EXPECT_NEAR(last(run, "strain"), energy, 1e-9);
      EXPECT_NEAR(last(run, "work_external"), energy + error, 1e-9);
      EXPECT_NEAR(last(run, "mesh_change"), 0, 1e-9);
      EXPECT_GT(n_meshes(run), 8u);
      check_books(run, "large");
    }

    /// A shaken block that hits a wall.
    TEST(AdaptationOfSupports, EverySchemeKeepsItsBooks)
    {
      const Overrides at_a_wall = {solid + "gravity=y = -1",
                                   solid + "mass damping=0.1",
                                   solid + "stiffness damping=0.005",
                                   stop + "obstacle=plane",
                                   stop + "on=beam right",
                                   stop + "through=1.05, 0",
                                   stop + "normal=-1, 0",
                                   base +
                                     "motion=x = 0.1*sin(6*t); y = 0.03*t*y^2",
                                   rule + "interval=7",
                                   rule + "levels=1",
                                   rule + "strain jump=0.05",
                                   "time/step size=0.01",
                                   "time/end time=1"};
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
        {
          const FinishedRun run(
            file,
            square + at_a_wall +
              Overrides{"scheme/type=" + name,
                        "scheme/generalized alpha/spectral radius=0.7",
                        solid + "mass matrix=" +
                          (name == "central differences" ? "lumped" :
                                                           "consistent")});
          check_books(run, name);
          EXPECT_GT(n_meshes(run), 2u) << name;
          EXPECT_GT(last(run, "work_external"), 0.01) << name;
          EXPECT_LT(last(run, "work_contact"), 0) << name;
        }
    }
  } // namespace
} // namespace Percuss::Test
