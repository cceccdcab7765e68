// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

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
                            {"time/step size=1e-3",
                             "time/end time=0.06",
                             "output/field interval=30",
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
                             "time/step size=1e-3",
                             "time/end time=0.12",
                             "output/field interval=0"});
    }

    /// The parameter file with half of the block refined, for runs.
    class RefinedStuds
    {
    public:
      RefinedStuds()
        : folder(MPI_COMM_SELF)
      {
        const auto file = folder.path / "refined_studs.prm";
        std::ofstream(file) << "include " << parameter_files()
                            << "/benchmark/block_on_studs.prm\n"
                               "subsection model\nsubsection solid 3d\n"
                               "subsection refinement\nsubsection a\n"
                               "set where = x + y\nset levels = 1\n"
                               "end\nend\nend\nend\n";
        absolute = file;
        path     = std::filesystem::relative(file, parameter_files());
      }

      std::string absolute, path;

    private:
      TemporaryFolder folder;
    };

    /// Faces with hanging nodes pass on a uniform pressure uniformly: that of a
    /// block at rest on a plane.
    TEST(SolidWeightedOnRanks, WithHangingNodesOnAPlane)
    {
      const RefinedStuds file;
      for (const std::string degree : {"1", "2"})
        {
          const Overrides overrides = {
            "model/solid 3d/degree=" + degree,
            "model/solid 3d/bodies/block/poisson ratio=0",
            "model/solid 3d/bodies/block/corner=-0.1, -0.1, 0",
            studs + "obstacle=plane",
            studs + "friction=0",
            "contact/law=signorini",
            "scheme/moreau jean/theta=1",
            "time/step size=0.02",
            "output/field interval=0",
            "output/probes=inside = contact pressure of studs at 0, 0, 0; "
            "corner = contact pressure of studs at 0.1, 0.1, 0; "
            "largest = largest contact pressure of studs; "
            "force = contact force z of studs; "
            "area = contact area of studs"};
          const FinishedRun run(file.path, overrides, MPI_COMM_WORLD);
          if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
            continue;
          const double pressure = 1100 * 9.81 * 0.1;
          for (const std::string probe : {"inside", "corner", "largest"})
            EXPECT_NEAR(run.column("probes", probe).back(),
                        pressure,
                        1e-6 * pressure)
              << probe << " " << degree;
          EXPECT_NEAR(run.column("probes", "force").back(),
                      0.04 * pressure,
                      1e-6 * pressure);
          EXPECT_NEAR(run.column("probes", "area").back(), 0.04, 1e-12);
        }
    }

    /// The same with a block on it that slides, in a file for runs: rows of
    /// weighted constraints stay, those of the pairs do not.
    class SlidingOnStuds
    {
    public:
      SlidingOnStuds()
        : folder(MPI_COMM_SELF)
      {
        const auto file = folder.path / "sliding_on_studs.prm";
        std::ofstream(file)
          << "include " << refined.absolute
          << "\nsubsection model\nsubsection solid 3d\n"
             "subsection bodies\nsubsection upper\n"
             "set corner = -0.09, -0.06, 0.11\nset size = 0.1, 0.13, 0.05\n"
             "set cells = 3, 2, 1\nset density = 1100\n"
             "set young modulus = 1e6\nset poisson ratio = 0.4\n"
             "set initial velocity = x = 1; y = -0.2\nend\nend\n"
             "subsection contacts\nsubsection between\n"
             "set on = upper bottom\nset with = block top\n"
             "set pairs = of the motion\nset friction = 0.2\n"
             "set search distance = 0.05\nend\nend\nend\nend\n";
        path = std::filesystem::relative(file, parameter_files());
      }

      std::string path;

    private:
      RefinedStuds    refined;
      TemporaryFolder folder;
    };

    TEST(SolidWeightedOnRanks, WithTwoBodies)
    {
      const SlidingOnStuds file;
      compare_with_one_rank(file.path,
                            {"time/step size=1e-3",
                             "time/end time=0.06",
                             "output/field interval=30",
                             "output/probes="
                             "upper = velocity x of upper at 0, 0, 0.13; "
                             "studs = contact force z of studs; "
                             "between = contact force z of between; "
                             "across = contact force x of between"});
    }

    /// From 1 mm above the studs: both contacts carry from 25 ms on.
    TEST(SolidWeightedOnRanks, TwoBodiesGoOnFromACheckpointOfOtherRanks)
    {
      const SlidingOnStuds file;
      Settings             to_the_middle, to_the_end;
      for (Settings *const each : {&to_the_middle, &to_the_end})
        assign(*each,
               file.path,
               {"model/solid 3d/bodies/block/corner=-0.1, -0.1, 0.001",
                "model/solid 3d/bodies/upper/corner=-0.09, -0.06, 0.101",
                "time/step size=1e-3",
                std::string("time/end time=") +
                  (each == &to_the_end ? "0.034" : "0.028"),
                "output/field interval=0"});
      go_on_with_other_ranks(to_the_middle, to_the_end);
    }

    /// With friction and an obstacle that moves.
    TEST(SolidWeightedOnRanks, WithHangingNodesOnStuds)
    {
      const RefinedStuds file;
      compare_with_one_rank(file.path,
                            {studs + "motion=x = 0.05*t",
                             studs + "search distance=0.1",
                             "time/step size=1e-3",
                             "time/end time=0.06",
                             "output/field interval=0"});
    }
  } // namespace
} // namespace Percuss::Test
