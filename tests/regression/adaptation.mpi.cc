// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Meshes that follow waves, on several ranks.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/adaptive_bar_2d.prm";

    /// Forces are 800 N.
    TEST(AdaptationOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank(
        file, {"time/end time=6.72e-6", "output/field interval=14"}, 1e-6);
    }

    /// Large strains. Forces are 3000 N, velocities are solved for to 1e-9.
    TEST(AdaptationOnRanks, LargeStrainsAreThoseOfOneRank)
    {
      compare_with_one_rank("benchmark/adaptive_rubber_2d.prm",
                            {"time/step size=8e-5",
                             "time/end time=9.6e-4",
                             "model/solid 2d/adaptation/levels=1",
                             "output/field interval=0"},
                            1e-5);
    }

    /// Stops between two looks at the mesh, which is not that of the start.
    TEST(AdaptationOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings to_the_stop, to_the_end;
      assign(to_the_stop,
             file,
             {"time/end time=3.84e-6", "output/field interval=0"});
      assign(to_the_end,
             file,
             {"time/end time=5.76e-6", "output/field interval=0"});
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
