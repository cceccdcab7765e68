// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "ranks.h"

// Two bodies on several ranks: the slave's rows have degrees of freedom of the
// ranks of the master.

namespace Percuss::Test
{
  namespace
  {
    TEST(SolidTwoBodiesOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank("benchmark/contact_patch_test.prm",
                            {"output/field interval=5"});
      compare_with_one_rank("benchmark/two_blocks.prm",
                            {"model/solid 3d/bodies/lower/cells=6, 3, 1",
                             "model/solid 3d/bodies/upper/cells=2, 2, 2",
                             "time/end time=0.03",
                             "output/field interval=0"});
      // By methods that apply the response without its entries.
      compare_with_one_rank("benchmark/two_bars_as_solids.prm",
                            {"model/solid 2d/degree=2",
                             "model/solid 2d/bodies/first/cells=2, 10",
                             "model/solid 2d/bodies/second/cells=3, 10",
                             "contact/delassus matrix=matrix free",
                             "time/end time=0.1",
                             "output/field interval=0"});
    }
  } // namespace
} // namespace Percuss::Test
