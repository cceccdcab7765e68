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
  } // namespace
} // namespace Percuss::Test
