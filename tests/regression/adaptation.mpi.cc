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
      for (const std::string scheme : {"generalized alpha", "moreau jean"})
        compare_with_one_rank(file,
                              {"scheme/type=" + scheme,
                               "time/end time=1.2e-5",
                               "output/field interval=25"},
                              1e-6);
    }

    /// Stops between two looks at the mesh, which is not that of the start.
    TEST(AdaptationOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings to_the_stop, to_the_end;
      assign(to_the_stop,
             file,
             {"time/end time=7.68e-6", "output/field interval=0"});
      assign(to_the_end,
             file,
             {"time/end time=1.152e-5", "output/field interval=0"});
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
