// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "delays.h"

#include <algorithm>

// Runs with delays on several ranks.

namespace Percuss::Test
{
  namespace
  {
    /// Of all positions and velocities.
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

    struct Case
    {
      std::string file;
      Overrides   entries;
      double      tolerance; ///< round-off times steps and velocities
    };

    /// The sensor is on the last rank, delayed damping on all; the bar hits the
    /// wall. The short delay is iterated for.
    const std::vector<Case> cases = {
      {"benchmark/delayed_bar.prm",
       {"time/end time=1.6",
        "model/bar/elements=40",
        step_size(4e-3),
        "model/bar/feedback/damper/actuator=force at L/3",
        "model/bar/delayed stiffness damping=1e-4",
        "model/bar/damping delay=0.01 + 0.005*sin(t)"},
       1e-9},
      {"benchmark/delayed_bar.prm",
       {"time/end time=1.2",
        "model/bar/elements=40",
        step_size(4e-3),
        "model/bar/feedback/damper/delay=0.001"},
       1e-9},
      {"benchmark/delayed_beam.prm", {"time/end time=0.1"}, 1e-8},
      {"benchmark/delayed_two_constraints.prm",
       {"time/end time=2", step_size(2e-3)},
       1e-10}};

    TEST(DelaysOnRanks, AreThoseOfOneRank)
    {
      for (const Case &each : cases)
        {
          const FinishedRun serial(each.file, each.entries);
          const FinishedRun shared(each.file, each.entries, MPI_COMM_WORLD);
          EXPECT_LE(largest_difference(end_of(shared), end_of(serial)),
                    each.tolerance)
            << each.file;
        }
    }

    /// Written by all ranks, read by each one alone.
    TEST(DelaysOnRanks, GoOnWithAnotherNumberOfRanks)
    {
      const Case       &each = cases[0];
      const FinishedRun whole(each.file, each.entries);
      const FinishedRun half(each.file,
                             with(each.entries, {"time/end time=0.8"}),
                             MPI_COMM_WORLD);
      Settings          settings;
      assign(settings, each.file, each.entries);
      const TemporaryFolder own(MPI_COMM_SELF);
      std::filesystem::copy(half.folder.path,
                            own.path,
                            std::filesystem::copy_options::recursive);
      Simulation::Options options{own.path};
      options.resume = true;
      Simulation rest(settings, options, MPI_COMM_SELF);
      EXPECT_EQ(rest.run(), ExitCode::done);
      double largest = 0;
      for (unsigned int i = 0; i < rest.final_state().q.size(); ++i)
        largest =
          std::max(largest,
                   std::abs(rest.final_state().q(i) - end_of(whole).q(i)));
      EXPECT_LE(largest, each.tolerance);
      EXPECT_EQ(rest.final_state().history.size(),
                end_of(whole).history.size());
    }
  } // namespace
} // namespace Percuss::Test
