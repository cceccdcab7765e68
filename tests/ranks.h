// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "tools.h"

// Runs on one rank and on several.

namespace Percuss::Test
{
  /// Final values and probes of a run on all ranks are those on one, to
  /// @p tolerance, which is that of the solvers.
  inline void
  compare_with_one_rank(const std::string &file,
                        const Overrides   &overrides,
                        const double       tolerance = 1e-8)
  {
    const FinishedRun serial(file, overrides);
    const FinishedRun shared(file, overrides, MPI_COMM_WORLD);
    for (const auto &[name, value] : serial.values)
      EXPECT_NEAR(shared.values.at(name),
                  value,
                  tolerance * (1 + std::abs(value)))
        << name;
    if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
      return;
    for (const auto &column : read_csv(serial.folder.path / "probes.csv"))
      {
        const auto other = shared.column("probes", column.first);
        ASSERT_EQ(other.size(), column.second.size());
        double largest = 1;
        for (const double value : column.second)
          largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < other.size(); ++i)
          EXPECT_NEAR(other[i], column.second[i], tolerance * largest)
            << column.first;
      }
  }

  /// The end of a run, which goes on from a checkpoint or writes one. Ranks
  /// without a communicator wait.
  inline std::unique_ptr<Simulation>
  run_on(const Settings            &settings,
         const Simulation::Options &options,
         const MPI_Comm             communicator)
  {
    std::unique_ptr<Simulation> result;
    if (communicator != MPI_COMM_NULL)
      {
        result = std::make_unique<Simulation>(settings, options, communicator);
        EXPECT_EQ(result->run(), ExitCode::done);
      }
    MPI_Barrier(MPI_COMM_WORLD);
    return result;
  }

  /// Stops on some ranks and goes on from there on others; the state must be
  /// that of one rank without a stop, to the tolerance of the solvers.
  inline void
  stop_and_go_on(const MPI_Comm  before,
                 const MPI_Comm  after,
                 const Settings &to_the_stop,
                 const Settings &to_the_end,
                 const State    &reference)
  {
    const TemporaryFolder folder;
    run_on(to_the_stop, {folder.path}, before);
    Simulation::Options options{folder.path};
    options.resume   = true;
    const auto whole = run_on(to_the_end, options, after);
    if (!whole)
      return;
    const State &state      = whole->final_state();
    const auto [begin, end] = state.q.get_partitioner()->local_range();
    ASSERT_EQ(state.q.size(), reference.q.size());
    double in_q = 0, in_v = 0;
    for (auto i = begin; i < end; ++i)
      {
        in_q = std::max(in_q, std::abs(state.q(i) - reference.q(i)));
        in_v = std::max(in_v, std::abs(state.v(i) - reference.v(i)));
      }
    EXPECT_LE(in_q, 1e-10);
    EXPECT_LE(in_v, 1e-7);
  }

  /// The same from one rank to all and back, and from half of them to all and
  /// back.
  inline void
  go_on_with_other_ranks(const Settings &to_the_stop,
                         const Settings &to_the_end)
  {
    const TemporaryFolder folder(MPI_COMM_SELF);
    const auto serial = run_on(to_the_end, {folder.path}, MPI_COMM_SELF);
    const int  rank = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    const int  n    = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    for (const int n_others : {1, (n + 1) / 2})
      {
        MPI_Comm others;
        MPI_Comm_split(MPI_COMM_WORLD,
                       rank < n_others ? 0 : MPI_UNDEFINED,
                       rank,
                       &others);
        const State &reference = serial->final_state();
        stop_and_go_on(
          others, MPI_COMM_WORLD, to_the_stop, to_the_end, reference);
        stop_and_go_on(
          MPI_COMM_WORLD, others, to_the_stop, to_the_end, reference);
        if (others != MPI_COMM_NULL)
          MPI_Comm_free(&others);
      }
  }
} // namespace Percuss::Test
