// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// Newton's method with contacts on several ranks.

namespace Percuss::Test
{
  namespace
  {
    void
    compare(const Overrides &overrides)
    {
      const std::string file = "benchmark/spinning_elastic_disc.prm";
      const FinishedRun serial(file, overrides);
      const FinishedRun shared(file, overrides, MPI_COMM_WORLD);
      for (const auto &[name, value] : serial.values)
        EXPECT_NEAR(shared.values.at(name), value, 1e-7 * (1 + std::abs(value)))
          << name;
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
        return;
      for (const auto &column : read_csv(serial.folder.path / "probes.csv"))
        {
          const auto other = shared.column("probes", column.first);
          ASSERT_EQ(other.size(), column.second.size());
          for (std::size_t i = 0; i < other.size(); ++i)
            EXPECT_NEAR(other[i], column.second[i], 1e-7) << column.first;
        }
    }

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
            compare(overrides);
          }
    }
  } // namespace
} // namespace Percuss::Test
