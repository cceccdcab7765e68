// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_rows.h"

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int size = 2, n_nodes = 24, reach = 3;

    /// The nodes i to i + reach, of which each rank adds those of its own i,
    /// in the order that @p is_reversed says, some of them more than once.
    std::shared_ptr<const BlockPattern>
    chain(const bool is_reversed)
    {
      const auto [begin, end] =
        even_share(n_nodes,
                   dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD),
                   dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
      SharedRows rows(size,
                      make_partition(size * (end - begin), MPI_COMM_WORLD));
      for (unsigned int k = begin; k < end; ++k)
        {
          const unsigned int i = is_reversed ? begin + end - 1 - k : k;
          std::vector<SharedRows::Node> cell;
          for (unsigned int j = i; j <= std::min(i + reach, n_nodes - 1); ++j)
            cell.push_back(j);
          if (is_reversed)
            std::reverse(cell.begin(), cell.end());
          for (unsigned int times = 0; times <= i % 3; ++times)
            rows.add_pairs(cell);
        }
      return rows.make_pattern();
    }

    TEST(SharedRows, HaveEachPairOnceAndInOrder)
    {
      for (const bool is_reversed : {false, true})
        {
          const auto pattern = chain(is_reversed);
          for (unsigned int row = 0; row < pattern->n_rows(); ++row)
            {
              std::vector<unsigned int> found, expected;
              for (unsigned int k = pattern->start[row];
                   k < pattern->start[row + 1];
                   ++k)
                found.push_back(pattern->global(pattern->columns[k]));
              const unsigned int i = pattern->global(row);
              for (unsigned int j = i; j <= std::min(i + reach, n_nodes - 1);
                   ++j)
                expected.push_back(j);
              EXPECT_EQ(found, expected);
            }
        }
    }

    /// Of a node without neighbours, as without a matrix.
    TEST(SharedRows, AlwaysHaveTheirDiagonal)
    {
      SharedRows rows(size, make_partition(size * 3, MPI_COMM_WORLD));
      const auto pattern = rows.make_pattern();
      ASSERT_EQ(pattern->n_rows(), 3u);
      EXPECT_EQ(pattern->start, (std::vector<unsigned int>{0, 1, 2, 3}));
      EXPECT_EQ(pattern->columns, (std::vector<unsigned int>{0, 1, 2}));
    }
  } // namespace
} // namespace Percuss::Test
