// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "ranks.h"

// Solids on several ranks.

namespace Percuss::Test
{
  namespace
  {
    TEST(SolidOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank("benchmark/block_drop_3d.prm",
                            {"time/end time=0.12",
                             "model/solid 3d/bodies/block/cells=4, 2, 2",
                             "output/field interval=200"});
      compare_with_one_rank("benchmark/bouncing_bar_as_solid.prm",
                            {"time/end time=1.2",
                             "model/solid 3d/degree=2",
                             "model/solid 3d/bodies/bar/cells=1, 1, 10",
                             "linear solver/type=cg",
                             "output/field interval=100"});
    }

    /// Through contact, with each preconditioner, solved to 1e-12.
    TEST(SolidOnRanks, PreconditionersSolveOnAllRanks)
    {
      for (const std::string name :
           {"jacobi", "chebyshev", "icc", "hypre", "gamg"})
        compare_with_one_rank("scaling/block_3d.prm",
                              {"model/solid 3d/bodies/block/cells=6, 6, 6",
                               "linear solver/type=cg",
                               "linear solver/cg/preconditioner=" + name,
                               "time/step size=2e-5",
                               "time/end time=2e-4",
                               "output/field interval=0"});
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
      go_on_with_other_ranks(to_the_impact, to_the_end);
    }

    /// A turning, curved obstacle with friction; its surface is written.
    TEST(SolidOnRanks, TurningObstacle)
    {
      compare_with_one_rank(
        "benchmark/conveyor_belt.prm",
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
