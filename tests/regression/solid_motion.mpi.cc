// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "ranks.h"

// Solids whose supports move, on several ranks.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/shaken_block_3d.prm";

    /// With hanging nodes at the support, and without matrices.
    TEST(SolidMotionOnRanks, IsThatOfOneRank)
    {
      compare_with_one_rank(file, {"time/end time=0.085"});
      compare_with_one_rank(file,
                            {"time/end time=0.015",
                             "model/solid 3d/refinement/edge/where=1",
                             "model/solid 3d/degree=2",
                             "model/solid 3d/operator=matrix-free",
                             "linear solver/type=cg",
                             "linear solver/cg/preconditioner=jacobi",
                             "scheme/type=moreau jean"});
    }

    TEST(SolidMotionOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings to_the_stop, to_the_end;
      assign(to_the_stop, file, {"time/end time=0.02"});
      assign(to_the_end, file, {"time/end time=0.03"});
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
