// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <string>

#include "ranks.h"

// Newton's method with contacts on several ranks.

namespace Percuss::Test
{
  namespace
  {
    TEST(LargeStrainsOnRanks, AreThoseOfOneRank)
    {
      const Overrides common = {"time/end time=2e-3",
                                "model/solid 2d/bodies/disc/refinements=1",
                                "output/field interval=0"};
      for (const std::string scheme :
           {"moreau jean", "generalized alpha", "energy momentum"})
        for (const std::string solver : {"direct", "cg"})
          {
            Overrides overrides = common;
            overrides.push_back("scheme/type=" + scheme);
            overrides.push_back("linear solver/type=" + solver);
            compare_with_one_rank("benchmark/spinning_elastic_disc.prm",
                                  overrides,
                                  1e-7);
          }
    }

    /// In the midst of the impact. Tangents that stay are made anew: Newton's
    /// iterations differ, and agree to their tolerance.
    TEST(LargeStrainsOnRanks, GoOnFromACheckpointOfOtherRanks)
    {
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        {
          const Overrides common = {"model/solid 2d/bodies/disc/refinements=1",
                                    "scheme/type=" + scheme,
                                    "output/field interval=0"};
          const auto      until  = [&](const std::string &end) {
            Overrides result = common;
            result.push_back("time/end time=" + end);
            return result;
          };
          const std::string file = "benchmark/spinning_elastic_disc.prm";
          Settings          to_the_stop, to_the_end;
          assign(to_the_stop, file, until("8e-4"));
          assign(to_the_end, file, until("1.6e-3"));
          go_on_with_other_ranks(to_the_stop, to_the_end);
        }
    }
  } // namespace
} // namespace Percuss::Test
