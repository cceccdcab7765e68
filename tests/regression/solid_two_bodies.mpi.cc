// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// Two bodies on several ranks: the slave's rows have degrees of freedom of the
// ranks of the master.

namespace Percuss::Test
{
  namespace
  {
    void
    compare(const std::string &file, const Overrides &overrides)
    {
      const FinishedRun serial(file, overrides);
      const FinishedRun shared(file, overrides, MPI_COMM_WORLD);
      for (const auto &[name, value] : serial.values)
        EXPECT_NEAR(shared.values.at(name), value, 1e-8 * (1 + std::abs(value)))
          << name;
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
        return;
      for (const auto &column : read_csv(serial.folder.path / "probes.csv"))
        {
          const auto other = shared.column("probes", column.first);
          ASSERT_EQ(other.size(), column.second.size());
          for (std::size_t i = 0; i < other.size(); ++i)
            EXPECT_NEAR(other[i], column.second[i], 1e-8) << column.first;
        }
    }

    TEST(SolidTwoBodiesOnRanks, IsThatOfOneRank)
    {
      compare("benchmark/contact_patch_test.prm", {"output/field interval=5"});
      compare("benchmark/two_blocks.prm",
              {"model/solid 3d/bodies/lower/cells=6, 3, 1",
               "model/solid 3d/bodies/upper/cells=2, 2, 2",
               "time/end time=0.03",
               "output/field interval=0"});
      // By methods that apply the response without its entries.
      compare("benchmark/two_bars_as_solids.prm",
              {"model/solid 2d/degree=2",
               "model/solid 2d/bodies/first/cells=2, 10",
               "model/solid 2d/bodies/second/cells=3, 10",
               "contact/delassus matrix=matrix free",
               "time/end time=0.1",
               "output/field interval=0"});
    }
  } // namespace
} // namespace Percuss::Test
