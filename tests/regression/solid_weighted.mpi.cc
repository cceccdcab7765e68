// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "ranks.h"

// Weighted constraints on several ranks: rows have degrees of freedom of nodes
// around theirs, of other ranks too.

namespace Percuss::Test
{
  namespace
  {
    const std::string studs = "model/solid 3d/contacts/studs/";

    TEST(SolidWeightedOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank("benchmark/block_on_studs.prm",
                            {"time/end time=0.1",
                             "output/field interval=50",
                             "output/probes=top = position z of block at 0.05, "
                             "0.05, 0.11; force = contact force z of studs; "
                             "area = contact area of studs"});
      // Planes at rest, by methods that apply the response without its entries.
      compare_with_one_rank("benchmark/block_drop_3d.prm",
                            {"model/solid 3d/contacts/floor/constraints="
                             "weighted",
                             "model/solid 3d/contacts/floor/friction=0",
                             "contact/law=signorini",
                             "contact/delassus matrix=matrix free",
                             "model/solid 3d/bodies/block/cells=4, 2, 2",
                             "time/end time=0.12",
                             "output/field interval=0"});
    }

    /// Faces with hanging nodes, which others hold: the total force is the
    /// weight, whatever hangs.
    TEST(SolidWeightedOnRanks, WithHangingNodes)
    {
      for (const std::string degree : {"1", "2"})
        {
          const Overrides overrides = {
            "model/solid 2d/degree=" + degree,
            "model/solid 2d/bodies/block/poisson ratio=0",
            "model/solid 2d/refinement/a/where=x - 0.07",
            "model/solid 2d/refinement/a/levels=1",
            "model/solid 2d/contacts/belt/constraints=weighted",
            "model/solid 2d/contacts/belt/friction=0",
            "scheme/moreau jean/theta=1",
            "time/step size=0.01",
            "output/field interval=0",
            "output/probes=least = contact pressure of belt at 0.12, 0; "
            "largest = largest contact pressure of belt; "
            "force = contact force y of belt"};
          const std::string file = "benchmark/conveyor_belt.prm";
          compare_with_one_rank(file, overrides, 1e-6);
          const FinishedRun run(file, overrides, MPI_COMM_WORLD);
          if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
            return;
          const double pressure = 1000 * 9.81 * 0.1;
          EXPECT_NEAR(run.column("probes", "largest").back(),
                      pressure,
                      1e-6 * pressure);
          EXPECT_NEAR(run.column("probes", "least").back(),
                      pressure,
                      1e-6 * pressure);
          EXPECT_NEAR(run.column("probes", "force").back(),
                      0.2 * pressure,
                      1e-6 * pressure);
        }
    }

    /// In space with hanging nodes on edges and faces, friction and an obstacle
    /// that moves.
    TEST(SolidWeightedOnRanks, WithHangingNodesInSpace)
    {
      compare_with_one_rank("benchmark/block_on_studs.prm",
                            {"model/solid 3d/refinement/a/where=x + y",
                             "model/solid 3d/refinement/a/levels=1",
                             studs + "motion=x = 0.05*t",
                             studs + "search distance=0.1",
                             "time/end time=0.07",
                             "output/field interval=0"});
    }
  } // namespace
} // namespace Percuss::Test
