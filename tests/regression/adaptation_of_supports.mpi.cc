// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Meshes that change where supports move, on several ranks.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/adaptive_driven_bar_2d.prm";

    TEST(AdaptationOfSupportsOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank(file,
                            {"time/end time=1.44e-5",
                             "output/field interval=20"});
    }

    /// Stops between two looks at the mesh, which is not that of the start.
    TEST(AdaptationOfSupportsOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings to_the_stop, to_the_end;
      assign(to_the_stop,
             file,
             {"time/end time=2.4e-6", "output/field interval=0"});
      assign(to_the_end,
             file,
             {"time/end time=5.76e-6", "output/field interval=0"});
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
