// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tools.h"

// Meshes that follow waves and contacts.

namespace Percuss::Test
{
  namespace
  {
    const std::string file     = "benchmark/adaptive_bar_2d.prm";
    const std::string settings = "model/solid 2d/adaptation/";

    /// One large cell over the height, two levels, steps of twice the size.
    Overrides
    small_bar(const Overrides &others)
    {
      Overrides result = {"model/solid 2d/bodies/bar/cells=20, 1",
                          "model/solid 2d/bodies/bar/size=0.2, 0.01",
                          settings + "levels=2",
                          "time/step size=4.8e-7",
                          "output/field interval=0"};
      result.insert(result.end(), others.begin(), others.end());
      return result;
    }

    /// The balance of all that energy.csv has, row by row.
    void
    expect_balance(const FinishedRun &run)
    {
      const auto get = [&](const std::string &name) {
        return run.column("energy", name);
      };
      const auto total = get("total"), external = get("work_external"),
                 contact = get("work_contact"), friction = get("work_friction"),
                 damping = get("work_damping"),
                 lost    = get("algorithmic_dissipation"),
                 gained  = get("mesh_change");
      for (std::size_t i = 0; i < total.size(); ++i)
        EXPECT_NEAR(total[i],
                    total[0] + external[i] + damping[i] + contact[i] +
                      friction[i] - lost[i] + gained[i],
                    1e-9 * total[0]);
    }

    /// A front is a few of the smallest cells wide: 5 of 80 in a bar. The mean
    /// force over the plateau of the contact does not see that.
    TEST(Adaptation, FollowsTheWavesOfABar)
    {
      const FinishedRun run(file, small_bar({}));
      const double      duration = 77.0899e-6, force = 809.444 / 2;
      const auto        times  = run.column("probes", "time");
      const auto        forces = run.column("probes", "force");
      double            sum    = 0;
      unsigned int      n      = 0;
      for (std::size_t i = 0; i < times.size(); ++i)
        if (times[i] > 0.1 * duration && times[i] < 0.9 * duration)
          {
            sum += forces[i];
            ++n;
          }
      EXPECT_NEAR(sum / n, force, 0.01 * force);
      EXPECT_NEAR(run.values.at("contact impulse"),
                  duration * force,
                  0.01 * duration * force);
      // J/m - 1.
      EXPECT_NEAR(run.column("probes", "speed").back(), 1, 0.02);
      EXPECT_NEAR(run.values.at("last contact") -
                    run.values.at("first contact"),
                  duration,
                  5. / 80 * duration);
      expect_balance(run);
    }

    /// Cells that are halved make the stable step half as long as that of the
    /// start, from where the waves run until the mesh is joined again: steps
    /// are halved meanwhile. As in solid_explicit.cc, fronts of spacing d are
    /// (x d^2/8)^(1/3) wide after a way x, and end the contact after 2 L; here
    /// d is that of the cells that nobody has halved.
    TEST(Adaptation, ExplicitStepsAreHalvedWhereCellsAre)
    {
      const double L = 0.2, c = 5188.745, force = 809.444 / 2, d = 0.2 / 40;
      const double h     = 6e-7; // 0.62 d/c; cells are halved once
      const double front = std::cbrt(2 * L * d * d / 8) / c;
      const FinishedRun run(file,
                            small_bar({"model/solid 2d/bodies/bar/cells=40, 2",
                                       "model/solid 2d/mass matrix=lumped",
                                       settings + "levels=1",
                                       settings + "contact distance=0",
                                       "scheme/type=central differences",
                                       "time/step size=6e-7"}));
      const auto        json =
        nlohmann::json::parse(std::ifstream(run.folder.path / "run.json"));
      EXPECT_GT(json.at("halved_steps"), 20);
      EXPECT_GT(json.at("meshes"), 2);
      EXPECT_NEAR(run.values.at("contact impulse"),
                  2 * L / c * force,
                  force * (front + h));
      EXPECT_NEAR(run.values.at("last contact") -
                    run.values.at("first contact"),
                  2 * L / c,
                  front + h);
      expect_balance(run);
    }

    /// Moreau's forces act up to the middle of the next step, the lead of a
    /// state. Where the mesh has changed the size of the steps, they have acted
    /// up to the middle of the old one: weight and impulses are all that the
    /// momentum has, to the tolerance of the mass solver.
    TEST(Adaptation, LeadsSurviveOtherSteps)
    {
      const double      h = 6e-7, g = -1e4, mass = 7800 * 0.2 * 0.01 * 1e-3;
      const FinishedRun run(file,
                            small_bar({"model/solid 2d/bodies/bar/cells=40, 2",
                                       "model/solid 2d/mass matrix=lumped",
                                       "model/solid 2d/gravity=x = -1e4",
                                       settings + "levels=1",
                                       settings + "contact distance=0",
                                       "scheme/type=moreau",
                                       "time/step size=6e-7",
                                       "time/end time=3e-5"}));
      const auto        json =
        nlohmann::json::parse(std::ifstream(run.folder.path / "run.json"));
      EXPECT_GT(json.at("halved_steps"), 0);
      double impulse = 0;
      for (const double force : run.column("probes", "force"))
        impulse += force * h;
      const State &state = run.simulation->final_state();
      EXPECT_NEAR(state.lead, h / 4, 1e-12 * h); // small cells, half steps
      EXPECT_GT(impulse, 0.1 * mass);
      const auto speed = run.column("probes", "speed"); // from the lead h/2 on
      EXPECT_NEAR(speed.back() - speed[0],
                  g * (state.time + state.lead - h / 2) + impulse / mass,
                  1e-9);
    }

    /// A plate on a pin, with two levels and steps of twice the size. Its
    /// momentum is that of the force at the pin, through all changes of the
    /// mesh: the sum of solves with residuals of 1e-10 or less. The upper side
    /// is at rest relative to the others until the pressure wave arrives, up to
    /// what the mesh lets through: velocities of c times the strain jump.
    TEST(Adaptation, WavesOfAPlateArriveInTime)
    {
      const FinishedRun run("benchmark/adaptive_plate_2d.prm",
                            {settings + "levels=2",
                             "time/step size=2.6e-7",
                             "time/end time=2.34e-5",
                             "output/probes=top = velocity y of plate at 0, "
                             "0.1; mean = mean velocity y",
                             "output/field interval=0"});
      EXPECT_EQ(run.code, ExitCode::done);
      const double mass = 7800 * 0.2 * 0.1,
                   c    = std::sqrt(2.1e11 * 0.7 / (1.3 * 0.4) / 7800);
      const auto time   = run.column("probes", "time");
      const auto top    = run.column("probes", "top");
      const auto n      = static_cast<double>(time.size());
      EXPECT_NEAR(run.column("probes", "mean").back(),
                  run.values.at("contact impulse") / mass - 1,
                  n * 1e-10);
      for (std::size_t i = 0; i < time.size(); ++i)
        if (time[i] < 0.1 / c)
          {
            EXPECT_NEAR(top[i], -1, c * 1e-5) << time[i];
          }
      // Afterwards it is slowed down by more.
      EXPECT_GT(top.back(), -1 + 2 * c * 1e-5);
      expect_balance(run);
    }

    /// The mean over time of what a probe differs by: the velocity of the free
    /// end.
    double
    difference(const FinishedRun &run,
               const FinishedRun &other,
               const std::string &probe = "right")
    {
      const auto here  = run.column("probes", probe);
      const auto there = other.column("probes", probe);
      double     sum   = 0;
      for (std::size_t i = 0; i < here.size(); ++i)
        sum += std::abs(here[i] - there[i]) / static_cast<double>(here.size());
      return sum;
    }

    class AdaptationOf : public testing::TestWithParam<std::string>
    {};

    /// As with small cells everywhere. Jumps of 5 % of the wave are
    /// let through, and as much of its velocity, 1 m/s.
    TEST_P(AdaptationOf, IsAsGoodAsSmallCells)
    {
      const auto run = [](Overrides overrides) {
        overrides.push_back("time/end time=4.8e-5");
        overrides.push_back("scheme/type=" + GetParam());
        return FinishedRun(file, small_bar(overrides));
      };
      const FinishedRun fine = run(
        {settings + "interval=0", "model/solid 2d/bodies/bar/refinements=2"});
      const FinishedRun coarse  = run({settings + "interval=0"});
      const FinishedRun adapted = run({});
      const FinishedRun better  = run({settings + "strain jump=2e-6"});
      const double      error   = difference(adapted, fine);
      EXPECT_LE(error, 0.05);
      EXPECT_LE(difference(better, fine), 0.5 * error);
      EXPECT_GE(difference(coarse, fine), 3 * error);
    }

    INSTANTIATE_TEST_SUITE_P(Schemes,
                             AdaptationOf,
                             testing::Values("moreau jean",
                                             "generalized alpha"));

    /// The front has passed 0.31 of the bar; the layers and cells of growing
    /// size around it take up to 0.2 more. At least the front has small cells:
    /// 4 rows of them over a large cell and the layers.
    TEST(Adaptation, HasLargeCellsBeforeTheFront)
    {
      const FinishedRun run(file, small_bar({"time/end time=1.2e-5"}));
      const auto size = run.simulation->mechanical_model().partition()->size();
      EXPECT_LE(size, 0.51 * 2 * 81 * 5); // small cells everywhere
      EXPECT_GE(size, 2 * 8 * 5);
    }

    /// One level, steps of twice the size.
    FinishedRun
    rubber(const Overrides &others)
    {
      Overrides overrides = {settings + "levels=1",
                             "time/step size=8e-5",
                             "time/end time=2.4e-3",
                             "output/field interval=0"};
      overrides.insert(overrides.end(), others.begin(), others.end());
      return FinishedRun("benchmark/adaptive_rubber_2d.prm", overrides);
    }

    /// The mean velocity of the block, whose strains are large, as with small
    /// cells everywhere: the difference is a small part of that of large cells,
    /// and the smaller the smaller the jumps are.
    TEST(Adaptation, LargeStrainsAreThoseOfSmallCells)
    {
      const FinishedRun fine = rubber(
        {settings + "interval=0", "model/solid 2d/bodies/block/refinements=1"});
      const FinishedRun coarse  = rubber({settings + "interval=0"});
      const FinishedRun adapted = rubber({});
      const FinishedRun better  = rubber({settings + "strain jump=0.02"});
      const double      error   = difference(adapted, fine, "speed");
      EXPECT_LE(error, 0.1 * difference(coarse, fine, "speed"));
      EXPECT_LE(difference(better, fine, "speed"), 0.7 * error);
      EXPECT_LT(adapted.simulation->mechanical_model().partition()->size(),
                fine.simulation->mechanical_model().partition()->size());
      expect_balance(adapted);
    }

    TEST(Adaptation, KeepsTheBooksOfLargeStrains)
    {
      for (const std::string scheme :
           {"generalized alpha", "energy momentum", "symmetric moreau"})
        {
          SCOPED_TRACE(scheme);
          const FinishedRun run = rubber({"scheme/type=" + scheme,
                                          "time/step size=2e-5",
                                          "time/end time=4e-4",
                                          settings + "interval=5"});
          EXPECT_EQ(run.code, ExitCode::done);
          expect_balance(run);
          EXPECT_NE(run.column("energy", "mesh_change").back(), 0);
          EXPECT_LE(std::abs(run.column("energy", "mesh_change").back()),
                    0.01 * run.values.at("initial energy"));
        }
    }

    /// A state that leaves a mesh and comes back to it is the same, and is not
    /// one that starts anew.
    TEST(Adaptation, MemoriesSurvive)
    {
      for (const std::string scheme : {"moreau jean",
                                       "schatzman paoli",
                                       "contact stabilized newmark",
                                       "symmetric moreau",
                                       "position velocity generalized alpha",
                                       "generalized alpha"})
        {
          SCOPED_TRACE(scheme);
          const Parts parts(
            file, small_bar({"scheme/type=" + scheme, "time/step size=1e-7"}));
          parts.scheme->set_step_size(1e-7);
          State state = parts.model->initial_state();
          parts.scheme->start(state);
          State end = state;
          for (unsigned int i = 0; i < 8; ++i)
            {
              StepReport report;
              parts.scheme->advance(state, end, report);
              EXPECT_TRUE(report.converged);
              state.swap(end);
            }
          State moved = state;
          parts.scheme->leave(moved);
          parts.scheme->arrive(moved);
          ASSERT_EQ(moved.memory.size(), state.memory.size());
          for (State::Memory &item : moved.memory)
            {
              const Vector &before = state.recall(item.name);
              item.values -= before;
              EXPECT_LE(item.values.linfty_norm(), 1e-12 * before.linfty_norm())
                << item.name;
            }
          EXPECT_GT(impulses(state).linfty_norm(), 0);
        }
    }

    /// Schemes that give nodes half of the next element, too.
    TEST(Adaptation, KeepsTheBooksOfEveryScheme)
    {
      for (const std::string scheme : {"moreau jean",
                                       "moreau",
                                       "symmetric moreau",
                                       "variational moreau",
                                       "schatzman paoli",
                                       "generalized alpha"})
        {
          SCOPED_TRACE(scheme);
          const FinishedRun run(file,
                                small_bar({"scheme/type=" + scheme,
                                           "time/step size=2e-7",
                                           "time/end time=8e-6",
                                           settings + "interval=10"}));
          EXPECT_EQ(run.code, ExitCode::done);
          expect_balance(run);
          const auto gained = run.column("energy", "mesh_change");
          EXPECT_LE(std::abs(gained.back()),
                    0.01 * run.values.at("initial energy"));
        }
    }
  } // namespace
} // namespace Percuss::Test
