// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "folders.h"
#include "ranks.h"

// Pairs of faces that follow the motion, on several ranks: which ranks exchange
// displacements changes while bodies slide.

namespace Percuss::Test
{
  namespace
  {
    TEST(SolidSlidingOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank("benchmark/sliding_blocks.prm",
                            {"time/end time=0.06",
                             "model/solid 2d/bodies/upper/initial velocity=x=4",
                             "output/field interval=20"});
      compare_with_one_rank("benchmark/clapping_fork.prm",
                            {"model/solid 2d/bodies/fork/refinements=0",
                             "time/step size=1e-4",
                             "time/end time=0.012",
                             "output/field interval=0"});
    }

    TEST(SolidSlidingOnRanks, EdgesAndDiscsAreThoseOfOneRank)
    {
      compare_with_one_rank(
        "benchmark/sliding_off_the_edge.prm",
        {"model/solid 2d/bodies/upper/initial velocity=x=12",
         "time/end time=0.016",
         "output/field interval=0"});
      compare_with_one_rank("benchmark/colliding_discs.prm",
                            {"model/solid 2d/contacts/between/friction=0.3",
                             "time/step size=1e-4",
                             "time/end time=0.008",
                             "output/field interval=0"});
    }

    /// Steps in which bodies would pass through each other are halved, on all
    /// ranks.
    TEST(SolidSlidingOnRanks, FastBodiesDoNotPass)
    {
      const std::string of = "model/solid 2d/";
      compare_with_one_rank("benchmark/two_bars_as_solids.prm",
                            {of + "bodies/first/cells=2, 20",
                             of + "bodies/second/cells=3, 20",
                             of + "bodies/second/corner=0, 10.00216",
                             of + "contacts/ends/pairs=of the motion",
                             of + "contacts/ends/search distance=1e-4",
                             "scheme/type=moreau jean",
                             "time/step size=5e-3",
                             "time/end time=0.2",
                             "output/field interval=0"});
    }

    /// The search after the stop finds what the one before knew.
    TEST(SolidSlidingOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings          to_the_middle, to_the_end;
      const std::string file =
        parameter_files() + "/benchmark/sliding_blocks.prm";
      for (Settings *const each : {&to_the_middle, &to_the_end})
        each->tree.assign(
          read_parameter_file(file, MPI_COMM_SELF),
          {parse_override(each == &to_the_end ? "time/end time=0.05" :
                                                "time/end time=0.035"),
           parse_override("model/solid 2d/bodies/upper/initial velocity=x=4"),
           parse_override("output/field interval=0")});
      go_on_with_other_ranks(to_the_middle, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
