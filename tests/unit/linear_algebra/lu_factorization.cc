// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/lu_factorization.h>

#include <gtest/gtest.h>

#include <cmath>

namespace Percuss::Test
{
  namespace
  {
    /// Rows i = 0 ... n-1 with 4 on the diagonal, -1 and 2 beside it and, where
    /// it is full, sin(i + 2j) / n elsewhere. Each third row has the diagonal
    /// only.
    SparseMatrix::Rows
    example(const int n, const bool is_full)
    {
      SparseMatrix::Rows rows;
      for (int i = 0; i < n; ++i)
        {
          for (int j = 0; j < n; ++j)
            {
              double entry = is_full ? std::sin(i + 2 * j) / n : 0;
              if (std::abs(i - j) <= 1)
                entry = i == j ? 4 : i > j ? -1 : 2;
              if (entry == 0 || (i % 3 == 1 && i != j))
                continue;
              rows.columns.push_back(j);
              rows.values.push_back(entry);
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return rows;
    }

    TEST(LuFactorization, SolvesSparseAndFullMatrices)
    {
      for (const int n : {1, 5, 40, 200})
        for (const bool is_full : {false, true})
          {
            const auto          rows = example(n, is_full);
            std::vector<double> exact, x(n);
            for (int i = 0; i < n; ++i)
              exact.push_back(std::cos(3 * i));
            for (int i = 0; i < n; ++i)
              for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
                x[i] += rows.values[k] * exact[rows.columns[k]];
            LuFactorization lu;
            ASSERT_TRUE(lu.factorize(rows));
            EXPECT_EQ(lu.is_sparse(), n == 200 && !is_full);
            lu.solve(x);
            // The rows are diagonally dominant: errors are those of round-off.
            for (int i = 0; i < n; ++i)
              EXPECT_NEAR(x[i], exact[i], 1e-13);
          }
    }

    TEST(LuFactorization, SaysWhenAMatrixIsSingular)
    {
      for (const int n : {5, 200})
        {
          auto rows = example(n, false);
          for (PetscInt k = rows.start[2]; k < rows.start[3]; ++k)
            rows.values[k] = 0;
          LuFactorization lu;
          EXPECT_FALSE(lu.factorize(rows));
          rows.values[rows.start[2]] = std::nan("");
          EXPECT_FALSE(lu.factorize(rows));
        }
    }
  } // namespace
} // namespace Percuss::Test
