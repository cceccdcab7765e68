// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "tools.h"

// The same run on all ranks together and on each rank alone.

namespace Percuss::Test
{
  namespace
  {
    /// The largest difference of the positions and velocities to those of a
    /// serial run.
    double
    largest_difference(const State &shared, const State &serial)
    {
      double largest          = 0;
      const auto [begin, end] = shared.q.get_partitioner()->local_range();
      for (auto i = begin; i < end; ++i)
        {
          largest = std::max(largest, std::abs(shared.q(i) - serial.q(i)));
          largest = std::max(largest, std::abs(shared.v(i) - serial.v(i)));
        }
      return dealii::Utilities::MPI::max(largest, MPI_COMM_WORLD);
    }

    void
    compare(const std::string &file,
            const Overrides   &overrides,
            const double       state_tolerance,
            const double       energy_tolerance)
    {
      const FinishedRun serial(file, overrides);
      const FinishedRun shared(file, overrides, MPI_COMM_WORLD);
      EXPECT_LE(largest_difference(shared.simulation->final_state(),
                                   serial.simulation->final_state()),
                state_tolerance);
      for (const auto &[name, value] : serial.values)
        EXPECT_NEAR(shared.values.at(name),
                    value,
                    energy_tolerance * (1 + std::abs(value)))
          << name;
      const double scale = std::abs(serial.values.at("initial energy"));
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
        {
          const auto a = serial.column("energy", "total");
          const auto b = shared.column("energy", "total");
          ASSERT_EQ(a.size(), b.size());
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], energy_tolerance * (1 + scale));
        }
    }

    const Overrides small_bar = {"model/bar/elements=60",
                                 "time/step size=5e-6",
                                 "output/field interval=100"};

    Overrides
    with(Overrides overrides, const Overrides &more)
    {
      overrides.insert(overrides.end(), more.begin(), more.end());
      return overrides;
    }

    TEST(Ranks, BarBeforeContact)
    {
      compare("tutorial/impacting_bar.prm",
              with(small_bar,
                   {"time/end time=4e-4",
                    "model/bar/initial displacement=1e-6*sin(5*x)",
                    "model/bar/stiffness damping=1e-6",
                    "model/bar/mass damping=10",
                    "model/bar/gravity=-9.81",
                    "model/bar/right end/condition=force",
                    "model/bar/right end/force=100*sin(1e4*t)"}),
              1e-10,
              1e-10);
    }

    TEST(Ranks, BarThroughContact)
    {
      for (const std::string &solver : Registry<ContactSolver>::names())
        {
          compare("tutorial/impacting_bar.prm",
                  with(small_bar,
                       {"contact/solver=" + solver,
                        // some solvers need a symmetric matrix
                        "scheme/type=moreau jean"}),
                  1e-8,
                  1e-8);
        }
    }

    // The Delassus matrix with its entries on one rank, and applied by linear
    // solves on several.
    TEST(Ranks, BarThroughContactWithoutEntriesOfTheDelassusMatrix)
    {
      // The second is Newmark's method: its matrix is symmetric.
      const std::vector<Overrides> schemes = {
        {"scheme/type=moreau jean"},
        {"scheme/type=generalized alpha",
         "scheme/generalized alpha/parameter set=newmark"}};
      for (const Overrides &scheme : schemes)
        for (const std::string solver : {"automatic",
                                         "mprgp",
                                         "active set",
                                         "petsc tao",
                                         "accelerated gradient"})
          {
            SCOPED_TRACE(scheme.front() + ", " + solver);
            const Overrides overrides =
              with(with(small_bar, scheme), {"contact/solver=" + solver});
            const FinishedRun explicit_run("tutorial/impacting_bar.prm",
                                           overrides);
            const FinishedRun applied(
              "tutorial/impacting_bar.prm",
              with(overrides, {"contact/delassus matrix=matrix free"}),
              MPI_COMM_WORLD);
            EXPECT_LE(
              largest_difference(applied.simulation->final_state(),
                                 explicit_run.simulation->final_state()),
              1e-8);
            EXPECT_GT(explicit_run.values.at("contact impulse"), 0.1);
            EXPECT_NEAR(applied.values.at("contact impulse"),
                        explicit_run.values.at("contact impulse"),
                        1e-8);
            std::ifstream     file(applied.folder.path / "run.json");
            const std::string delassus =
              nlohmann::json::parse(file).at("delassus_matrix");
            EXPECT_NE(delassus.find("matrix-free"), std::string::npos)
              << delassus;
          }
    }

    TEST(Ranks, BarThroughContactWithEveryScheme)
    {
      for (const std::string &scheme : Registry<TimeStepper>::names())
        {
          const std::string mass =
            scheme == "central differences"        ? "lumped" :
            scheme == "redistributed mass newmark" ? "redistributed" :
                                                     "consistent";
          // This counterexample doubles round-off in each step of contact.
          const std::string end_time =
            scheme == "naive position newmark" ? "5.2e-4" : "1e-3";
          compare("tutorial/impacting_bar.prm",
                  with(small_bar,
                       {"scheme/type=" + scheme,
                        "time/step size=1.5e-6",
                        "time/end time=" + end_time,
                        "model/bar/mass matrix=" + mass,
                        "model/bar/right end/condition=wall",
                        "model/bar/right end/gap=1e-5",
                        "model/bar/mass damping=10"}),
                  1e-8,
                  1e-8);
        }
    }

    TEST(Ranks, BarBetweenTwoWallsWithConjugateGradients)
    {
      compare("tutorial/impacting_bar.prm",
              with(small_bar,
                   {"linear solver/type=cg",
                    "model/bar/degree=3",
                    "model/bar/elements=20",
                    "model/bar/right end/condition=wall",
                    "model/bar/right end/gap=1e-5",
                    "contact/solver=petsc vi"}),
              1e-7,
              1e-7);
    }

    TEST(Ranks, BarsOfHigherDegreeWithBandSolversAndMumps)
    {
      for (const std::string degree : {"2", "3", "6"})
        for (const std::string widest_band : {"16", "0"})
          compare("tutorial/impacting_bar.prm",
                  with(small_bar,
                       {"model/bar/degree=" + degree,
                        "model/bar/elements=12",
                        "linear solver/type=direct",
                        "linear solver/direct/widest band=" + widest_band}),
                  1e-8,
                  1e-8);
    }

    TEST(Ranks, MoreRanksThanElements)
    {
      compare("tutorial/impacting_bar.prm",
              with(small_bar,
                   {"model/bar/elements=2",
                    "scheme/type=moreau jean",
                    "model/bar/left end/restitution=1"}),
              1e-9,
              1e-9);
    }

    // The stops lie inside elements; with two and with four ranks such an
    // element would be divided.
    const Overrides small_beam = {"time/step size=2e-6",
                                  "time/end time=2e-3",
                                  "output/field interval=500",
                                  "output/table interval=10",
                                  "model/beam/mass damping=10",
                                  "model/beam/stiffness damping=1e-7",
                                  "model/beam/stops/gaps=+y at 0.43*L = 1e-5; "
                                  "-y at L = 1e-5; -y at 0.49*L = 1e-6; "
                                  "-y at 0.74*L = 2e-6"};

    const Overrides loads_in_plane = {
      "model/beam/gravity=0,-9.81,0",
      "model/beam/base motion=y = 0.01*sin(100*t)",
      "model/beam/point forces=y at 0.74*L = sin(1000*t)",
      "output/probes=tip = deflection at L; m = bending moment at 0.24*L; "
      "i = impulse of -y at 0.49*L"};

    TEST(Ranks, BeamThroughContactWithEveryScheme)
    {
      for (const std::string &scheme : Registry<TimeStepper>::names())
        {
          // Beams do not redistribute their masses. The naive scheme doubles
          // round-off in each step of contact.
          if (scheme == "redistributed mass newmark" ||
              scheme == "naive position newmark")
            continue;
          SCOPED_TRACE(scheme);
          compare("benchmark/pipe_between_stops.prm",
                  with(with(small_beam, loads_in_plane),
                       {"scheme/type=" + scheme,
                        scheme == "central differences" ?
                          "model/beam/mass matrix=lumped" :
                          "model/beam/mass matrix=consistent"}),
                  1e-8,
                  1e-8);
        }
    }

    TEST(Ranks, BeamInSpaceThroughContact)
    {
      for (const std::string widest_band : {"16", "0"})
        for (const std::string n_elements : {"20", "3"})
          {
            SCOPED_TRACE(widest_band + ", " + n_elements);
            compare(
              "benchmark/pipe_between_stops.prm",
              with(small_beam,
                   {"model/beam/motion=space",
                    "model/beam/theory=timoshenko",
                    "model/beam/elements=" + n_elements,
                    "model/beam/gravity=1,-9.81,3",
                    "model/beam/base motion=y = 0.01*sin(100*t); x = 0.1*t^3",
                    "model/beam/point forces=z at 0.74*L = sin(1000*t)",
                    "model/beam/right end/mass=0.01",
                    "model/beam/right end/rotary inertia=1e-5",
                    "linear solver/type=direct",
                    "linear solver/direct/widest band=" + widest_band,
                    "model/beam/stops/gaps=-y at L = 1e-5; "
                    "+z at 0.49*L = 1e-6; +z at 0.74*L = 2e-6",
                    "output/probes=tip = deflection z at L; "
                    "m = bending moment z at 0.24*L; f = axial force at L/2"}),
              1e-8,
              1e-8);
          }
    }

    TEST(Ranks, Balls)
    {
      compare("tutorial/bouncing_ball.prm",
              {"model/ball/masses=5",
               "model/ball/mass=1, 2, 3, 4, 5",
               "model/ball/height=1, 0.5, 0.1, 2, 0.7",
               "model/ball/restitution=0, 0.5, 1, 0.3, 0.9",
               "output/field interval=0",
               "output/table interval=10",
               "output/probes=a = height of 0; b = velocity of 4",
               "time/step size=1e-2",
               "time/end time=2"},
              1e-10,
              1e-9);
    }

    TEST(Ranks, BallsAtPositionLevel)
    {
      for (const std::string scheme :
           {"schatzman paoli", "position velocity generalized alpha"})
        compare("tutorial/bouncing_ball.prm",
                {"model/ball/masses=5",
                 "model/ball/height=1, 0.5, 0.1, 2, 0.7",
                 "scheme/type=" + scheme,
                 "output/field interval=0",
                 "output/probes=",
                 "time/step size=1e-2",
                 "time/end time=2"},
                1e-10,
                1e-9);
    }

    // All coordinates are on rank 0.
    TEST(Ranks, LagrangianSystems)
    {
      for (const std::string scheme : {"moreau",
                                       "symmetric moreau",
                                       "variational moreau",
                                       "moreau jean",
                                       "generalized alpha"})
        {
          compare("benchmark/spring_pendulum.prm",
                  {"scheme/type=" + scheme,
                   "output/field interval=100",
                   "output/energy limits=true",
                   "time/end time=1.2"},
                  1e-10,
                  1e-9);
          compare("benchmark/woodpecker_toy.prm",
                  {"scheme/type=" + scheme,
                   "output/field interval=0",
                   "output/table interval=10",
                   "time/end time=0.02"},
                  1e-10,
                  1e-9);
        }
      compare("benchmark/painleve_rod.prm",
              {"output/field interval=0", "time/end time=0.05"},
              1e-9,
              1e-9);
      for (const std::string scheme :
           {"variational moreau", "position velocity generalized alpha"})
        compare("benchmark/rigid_pendulum_cartesian.prm",
                {"scheme/type=" + scheme,
                 "output/field interval=0",
                 "time/end time=1"},
                1e-10,
                1e-9);
    }

    // All coordinates are on rank 0.
    TEST(Ranks, ChainOfMasses)
    {
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        for (const std::string solver : {"direct", "cg"})
          compare("benchmark/slides/linear_oscillator.prm",
                  {"model/chain/masses=5",
                   "model/chain/mass=1, 2, 3, 4, 5",
                   "model/chain/spring damping=2",
                   "scheme/type=" + scheme,
                   "linear solver/type=" + solver,
                   "output/field interval=100",
                   "output/probes=a = height of 4; f = spring force 1",
                   "time/end time=0.6"},
                  1e-10,
                  1e-9);
    }

    TEST(Ranks, Pendulum)
    {
      for (const std::string scheme : {"position velocity generalized alpha",
                                       "decoupled generalized alpha"})
        compare("benchmark/rigid_pendulum_exact.prm",
                {"time/end time=0.8", "scheme/type=" + scheme},
                1e-12,
                1e-12);
    }

    TEST(Ranks, CheckpointsCanBeReadByAnotherNumberOfRanks)
    {
      const TemporaryFolder folder;
      Settings              settings;
      assign(settings, "tutorial/impacting_bar.prm", small_bar);
      const auto model   = settings.model.build({MPI_COMM_WORLD});
      State      written = model->initial_state();
      for (const auto i : written.q.locally_owned_elements())
        {
          written.q(i) = 1. / (1. + i);
          written.v(i) = -1. * i;
        }
      written.time = 0.1;
      written.step = 7;
      Checkpoints checkpoints(folder.path / "checkpoints", MPI_COMM_WORLD);
      checkpoints.write(written, {{"answer", 42}});

      const auto  serial_model = settings.model.build({MPI_COMM_SELF});
      State       read         = serial_model->initial_state();
      std::string warnings;
      Checkpoints reader(folder.path / "checkpoints", MPI_COMM_SELF);
      const auto  notes = reader.read(read, warnings);
      EXPECT_EQ(notes.at("answer"), 42);
      EXPECT_EQ(warnings, "");
      EXPECT_EQ(read.time, 0.1);
      EXPECT_EQ(read.step, 7u);
      for (unsigned int i = 0; i < read.q.size(); ++i)
        {
          EXPECT_EQ(read.q(i), 1. / (1. + i));
          EXPECT_EQ(read.v(i), -1. * i);
        }
    }
  } // namespace
} // namespace Percuss::Test
