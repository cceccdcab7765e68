// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/delassus_operator.h>

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace Percuss::Test
{
  namespace
  {
    /// Of both signs, and none in every third place.
    double
    entry(const unsigned int i, const unsigned int j)
    {
      return (i + 2 * j) % 3 == 1 ? 0 : 1 / (1. + i + 2 * j) - 0.5 * (i == j);
    }

    // The magnitudes of sums over columns of all ranks, for one x after the
    // other.
    TEST(DelassusMatrix, AddsUpMagnitudesOfAllRanks)
    {
      constexpr unsigned int n_own     = 3;
      const Partition        partition = make_partition(n_own, MPI_COMM_WORLD);
      const unsigned int     n         = partition->size();
      const auto             first =
        static_cast<unsigned int>(partition->local_range().first);
      SparseMatrix::Rows rows;
      for (unsigned int i = first; i < first + n_own; ++i)
        {
          for (unsigned int j = 0; j < n; ++j)
            if (entry(i, j) != 0)
              {
                rows.columns.push_back(static_cast<PetscInt>(j));
                rows.values.push_back(entry(i, j));
              }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      const SparseMatrix   matrix(partition, std::move(rows));
      const DelassusMatrix W(matrix);
      Vector               x(partition);
      for (const double shift : {0.3, 2.5})
        {
          const auto value = [shift](const unsigned int j) {
            return std::sin(shift + j);
          };
          for (unsigned int i = 0; i < n_own; ++i)
            x.local_element(i) = value(first + i);
          W.fetch(x);
          for (unsigned int i = 0; i < n_own; ++i)
            {
              double sum = 0;
              for (unsigned int j = 0; j < n; ++j)
                sum += std::abs(entry(first + i, j) * value(j));
              EXPECT_NEAR(W.magnitude(i, x), sum, 1e-14);
            }
        }
    }
  } // namespace
} // namespace Percuss::Test
