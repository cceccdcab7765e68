// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>

#include "tools.h"

// Solids on several ranks.

namespace Percuss::Test
{
  namespace
  {
    void
    compare(const std::string &file, const Overrides &overrides)
    {
      const FinishedRun serial(file, overrides);
      const FinishedRun shared(file, overrides, MPI_COMM_WORLD);
      for (const auto &[name, value] : serial.values)
        EXPECT_NEAR(shared.values.at(name), value, 1e-8 * (1 + std::abs(value)))
          << name;
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
        return;
      for (const auto &column : read_csv(serial.folder.path / "probes.csv"))
        {
          const auto other = shared.column("probes", column.first);
          ASSERT_EQ(other.size(), column.second.size());
          for (std::size_t i = 0; i < other.size(); ++i)
            EXPECT_NEAR(other[i], column.second[i], 1e-8) << column.first;
        }
    }

    TEST(SolidOnRanks, IsThatOfOneRank)
    {
      compare("benchmark/block_drop_3d.prm",
              {"time/end time=0.12",
               "model/solid 3d/bodies/block/cells=4, 2, 2",
               "output/field interval=200"});
      compare("benchmark/bouncing_bar_as_solid.prm",
              {"time/end time=1.2",
               "model/solid 3d/degree=2",
               "model/solid 3d/bodies/bar/cells=1, 1, 10",
               "linear solver/type=cg",
               "output/field interval=100"});
    }

    const char *const two_blocks = R"(
subsection model
  set type = solid 3d
  subsection solid 3d
    set gravity           = z = -9.81
    set stiffness damping = 2e-4
    subsection bodies
      subsection block
        set size             = 0.2, 0.1, 0.1
        set cells            = 4, 2, 2
        set corner           = 0, 0, 0.002
        set young modulus    = 1e6
        set density          = 1100
        set initial velocity = x = 0.5
      end
      subsection ball
        set mesh          = ball
        set radius        = 0.1
        set centre        = 0, 1, 0.1015
        set young modulus = 1e6
        set density       = 1100
      end
    end
    subsection contacts
      subsection floor
        set on       = block bottom
        set friction = 0.3
      end
      subsection wall
        set on      = block right
        set normal  = -1, 0, 0
        set through = 0.211, 0, 0
      end
      subsection ground
        set on = ball surface
      end
    end
    subsection refinement
      subsection corner
        set where = x + z - 0.1
      end
    end
  end
end
subsection scheme
  set type = generalized alpha
end
subsection contact
  set law = coulomb
end
subsection time
  set step size = 2e-4
end
subsection output
  set field interval = 0
  set table interval = 10
end
)";

    /// The end of a run, which goes on from a checkpoint or writes one. Ranks
    /// without a communicator wait.
    std::unique_ptr<Simulation>
    go(const Settings            &settings,
       const Simulation::Options &options,
       MPI_Comm                   on)
    {
      std::unique_ptr<Simulation> result;
      if (on != MPI_COMM_NULL)
        {
          result = std::make_unique<Simulation>(settings, options, on);
          EXPECT_EQ(result->run(), ExitCode::done);
        }
      MPI_Barrier(MPI_COMM_WORLD);
      return result;
    }

    /// Stops in the impact on some ranks and goes on from there on others; the
    /// state must be that of one rank without a stop, to the tolerance of the
    /// solvers.
    void
    stop_and_go_on(const MPI_Comm  before,
                   const MPI_Comm  after,
                   const Settings &to_the_impact,
                   const Settings &to_the_end,
                   const State    &reference)
    {
      const TemporaryFolder folder;
      go(to_the_impact, {folder.path}, before);
      Simulation::Options options{folder.path};
      options.resume   = true;
      const auto whole = go(to_the_end, options, after);
      if (!whole)
        return;
      const State &state      = whole->final_state();
      const auto [begin, end] = state.q.get_partitioner()->local_range();
      double in_q = 0, in_v = 0;
      for (auto i = begin; i < end; ++i)
        {
          in_q = std::max(in_q, std::abs(state.q(i) - reference.q(i)));
          in_v = std::max(in_v, std::abs(state.v(i) - reference.v(i)));
        }
      EXPECT_LE(in_q, 1e-10);
      EXPECT_LE(in_v, 1e-7);
    }

    /// Contacts of three sections and two bodies, smaller cells in a corner,
    /// and accelerations in memory.
    TEST(SolidOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const std::string     file = (folder.path / "blocks.prm").string();
      std::ofstream(file) << two_blocks;
      Settings to_the_impact, to_the_end;
      for (Settings *const each : {&to_the_impact, &to_the_end})
        each->tree.assign(read_parameter_file(file, MPI_COMM_SELF),
                          {parse_override(each == &to_the_end ?
                                            "time/end time=0.03" :
                                            "time/end time=0.024")});
      const auto serial = go(to_the_end, {folder.path}, MPI_COMM_SELF);
      const int rank = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
      const int n    = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
      for (const int n_others : {1, (n + 1) / 2})
        {
          MPI_Comm others;
          MPI_Comm_split(MPI_COMM_WORLD,
                         rank < n_others ? 0 : MPI_UNDEFINED,
                         rank,
                         &others);
          const State &reference = serial->final_state();
          stop_and_go_on(
            others, MPI_COMM_WORLD, to_the_impact, to_the_end, reference);
          stop_and_go_on(
            MPI_COMM_WORLD, others, to_the_impact, to_the_end, reference);
          if (others != MPI_COMM_NULL)
            MPI_Comm_free(&others);
        }
    }

    /// A turning, curved obstacle with friction; its surface is written.
    TEST(SolidOnRanks, TurningObstacle)
    {
      compare("benchmark/conveyor_belt.prm",
              {"time/end time=0.05",
               "model/solid 2d/contacts/belt/obstacle=sphere",
               "model/solid 2d/contacts/belt/centre=0.08, -0.5",
               "model/solid 2d/contacts/belt/radius=0.5",
               "model/solid 2d/contacts/belt/pivot=0.08, -0.5",
               "model/solid 2d/contacts/belt/turning=-2*t",
               "output/field interval=25",
               "output/probes=speed = velocity x of block at 0.1, 0.05; "
               "force = contact force x of belt; "
               "width = contact area of belt; "
               "spread = contact spread of belt"});
    }
  } // namespace
} // namespace Percuss::Test
