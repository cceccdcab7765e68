// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Pairs of faces in space that follow the motion, on several ranks.

namespace Percuss::Test
{
  namespace
  {
    const std::string of = "model/solid 3d/";

    /// A fast and short slide.
    Overrides
    slide(const std::string &end_time)
    {
      return {of + "bodies/lower/cells=8, 6, 1",
              of + "bodies/upper/cells=3, 3, 1",
              of + "bodies/upper/initial velocity=x = 4; y = 3",
              "time/end time=" + end_time,
              "output/table interval=1",
              "output/field interval=0"};
    }

    /// 40 steps, in which the block slides over four faces.
    TEST(SolidSlidingInSpaceOnRanks, BlockOnBlockIsThatOfOneRank)
    {
      compare_with_one_rank("benchmark/sliding_blocks_3d.prm", slide("0.04"));
    }

    /// Twice as fast as in the file: until the prongs rub.
    TEST(SolidSlidingInSpaceOnRanks, ForkIsThatOfOneRank)
    {
      compare_with_one_rank("benchmark/clapping_fork_3d.prm",
                            {of + "bodies/fork/initial velocity="
                                  "x = -6*tanh(200*x)*max(z, 0)^2/0.12^2; "
                                  "y = 2*tanh(200*x)*max(z, 0)^2/0.12^2",
                             "time/end time=0.004",
                             "output/field interval=0"});
    }

    /// The search after the stop finds what the one before knew.
    TEST(SolidSlidingInSpaceOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      const std::string file = "benchmark/sliding_blocks_3d.prm";
      Settings          to_the_stop, to_the_end;
      assign(to_the_stop, file, slide("0.012"));
      assign(to_the_end, file, slide("0.02"));
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
