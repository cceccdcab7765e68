// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Meshes in space that follow waves and contacts, on several ranks.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/adaptive_block_3d.prm";

    Overrides
    small_block(const std::string &degree, const std::string &end_time)
    {
      return {"model/solid 3d/degree=" + degree,
              "model/solid 3d/bodies/block/cells=4, 4, 2",
              "model/solid 3d/contacts/stud/centre=0.03, 0.03, -0.02",
              "model/solid 3d/bodies/block/initial velocity=z = -10",
              "model/solid 3d/adaptation/levels=1",
              "model/solid 3d/adaptation/layers=0",
              "model/solid 3d/adaptation/interval=4",
              "model/solid 3d/adaptation/strain jump=4e-5",
              "time/step size=8e-7",
              "time/end time=" + end_time,
              "output/field interval=0"};
    }

    /// Forces are tens of kN.
    TEST(AdaptationInSpaceOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank(file, small_block("1", "1.6e-5"), 1e-6);
      compare_with_one_rank(file, small_block("2", "6.4e-6"), 1e-6);
    }

    /// Stops between two looks at the mesh, which is not that of the start.
    TEST(AdaptationInSpaceOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings to_the_stop, to_the_end;
      assign(to_the_stop, file, small_block("1", "8e-6"));
      assign(to_the_end, file, small_block("1", "1.28e-5"));
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
