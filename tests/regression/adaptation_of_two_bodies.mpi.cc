// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Meshes that change where two bodies touch each other, on several ranks.

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/adaptive_two_bars_2d.prm";

    /// Of half the length, with fewer cells, of which some are joined after
    /// 0.02 s.
    Overrides
    bars(const std::string &pairs, const std::string &end_time)
    {
      return {"model/solid 2d/contacts/ends/pairs=" + pairs,
              "model/solid 2d/bodies/first/size=1, 5",
              "model/solid 2d/bodies/first/cells=1, 10",
              "model/solid 2d/bodies/second/size=1, 5",
              "model/solid 2d/bodies/second/corner=0, 5",
              "model/solid 2d/bodies/second/cells=2, 10",
              "model/solid 2d/adaptation/levels=1",
              "model/solid 2d/adaptation/layers=1",
              "model/solid 2d/adaptation/interval=2",
              "model/solid 2d/adaptation/strain jump=2e-4",
              "time/step size=2.5e-3",
              "output/probes=end = velocity y of first at 0.25, 5; "
              "force = contact force y of ends",
              "time/end time=" + end_time,
              "output/field interval=0"};
    }

    TEST(AdaptationOfTwoBodiesOnRanks, IsThatOfOneRank)
    {
      for (const std::string pairs : {"of the start", "of the motion"})
        compare_with_one_rank(file, bars(pairs, "0.035"));
    }

    /// The lower block has weighted constraints; cells are halved below the
    /// upper one and joined behind it.
    TEST(AdaptationOfTwoBodiesOnRanks, WithWeightedConstraints)
    {
      const std::string of = "model/solid 2d/";
      compare_with_one_rank("benchmark/sliding_blocks.prm",
                            {of + "bodies/lower/cells=24, 6",
                             of + "contacts/floor/constraints=weighted",
                             of + "contacts/between/search distance=0.05",
                             of + "bodies/upper/initial velocity=x = 4",
                             of + "adaptation/interval=5",
                             of + "adaptation/levels=1",
                             of + "adaptation/contact distance=1e-3",
                             "time/end time=0.04",
                             "output/table interval=1",
                             "output/field interval=0"});
    }

    /// Stops between two looks at the mesh, which is not that of the start.
    TEST(AdaptationOfTwoBodiesOnRanks, GoesOnFromACheckpointOfOtherRanks)
    {
      Settings to_the_stop, to_the_end;
      assign(to_the_stop, file, bars("of the motion", "0.0225"));
      assign(to_the_end, file, bars("of the motion", "0.035"));
      go_on_with_other_ranks(to_the_stop, to_the_end);
    }
  } // namespace
} // namespace Percuss::Test
