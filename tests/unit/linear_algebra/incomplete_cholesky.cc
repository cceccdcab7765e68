// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/incomplete_cholesky.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    /// Nodes in a row, each with the next ones up to @p reach.
    std::shared_ptr<const BlockPattern>
    chain(const unsigned int size,
          const unsigned int n,
          const unsigned int reach)
    {
      std::vector<unsigned int> start = {0}, columns;
      for (unsigned int i = 0; i < n; ++i)
        {
          for (unsigned int j = i; j < n && j <= i + reach; ++j)
            columns.push_back(j);
          start.push_back(static_cast<unsigned int>(columns.size()));
        }
      dealii::IndexSet all(size * n);
      all.add_range(0, size * n);
      return std::make_shared<const BlockPattern>(
        size,
        std::make_shared<const dealii::Utilities::MPI::Partitioner>(
          all, MPI_COMM_SELF),
        start,
        columns);
    }

    /// Blocks without order off the diagonal, and symmetric ones with
    /// @p diagonal on it.
    SymmetricBlocks
    blocks_on(const std::shared_ptr<const BlockPattern> &pattern,
              const double                               diagonal)
    {
      SymmetricBlocks    A(pattern);
      const unsigned int size = pattern->size;
      for (std::size_t k = 0; k < A.values.size(); ++k)
        A.values[k] = std::sin(1. + static_cast<double>(k));
      for (unsigned int i = 0; i < pattern->n_rows(); ++i)
        for (unsigned int c = 0; c < size; ++c)
          for (unsigned int d = 0; d <= c; ++d)
            {
              double *const block = A.block(pattern->start[i]);
              const double  entry = d == c ? diagonal : block[size * c + d];
              block[size * c + d] = block[size * d + c] = entry;
            }
      return A;
    }

    double
    largest_difference(const Vector &x, const Vector &y)
    {
      double result = 0;
      for (unsigned int i = 0; i < x.size(); ++i)
        result = std::max(result, std::abs(x(i) - y(i)));
      return result;
    }

    TEST(IncompleteCholesky, IsExactWithoutFill)
    {
      // The factors of a block tridiagonal matrix have its pattern, so that
      // round-off of single precision alone is left.
      for (const unsigned int size : {2, 3})
        {
          const auto            pattern = chain(size, 40, 1);
          const SymmetricBlocks A       = blocks_on(pattern, 8);
          IncompleteCholesky    factors(pattern);
          ASSERT_TRUE(factors.factorise(A));
          Vector exact(pattern->owned), b(exact), x(exact);
          for (unsigned int i = 0; i < exact.size(); ++i)
            exact(i) = std::sin(1. + i);
          A.multiply(exact, b);
          // Residuals may be of any size.
          for (const double scale : {1., 1e-60, 1e60})
            {
              b *= scale;
              factors.apply(b.begin(), x.begin());
              b /= scale;
              x /= scale;
              EXPECT_LT(largest_difference(x, exact), 20 * 6e-8) << size;
            }
        }
    }

    TEST(IncompleteCholesky, IsSymmetricAndPositive)
    {
      // The longest pairs alone have entries: that makes fill, which is left
      // out.
      const auto         pattern = chain(3, 30, 4);
      SymmetricBlocks    A       = blocks_on(pattern, 20);
      IncompleteCholesky factors(pattern);
      ASSERT_TRUE(factors.factorise(A));
      Vector x(pattern->owned), y(x), Px(x), Py(x);
      for (unsigned int i = 0; i < x.size(); ++i)
        {
          x(i) = std::sin(1. + i);
          y(i) = std::cos(3. * i);
        }
      factors.apply(x.begin(), Px.begin());
      factors.apply(y.begin(), Py.begin());
      EXPECT_NEAR(x * Py, y * Px, 1e-6 * x.l2_norm() * Py.l2_norm());
      EXPECT_GT(x * Px, 0);
    }

    TEST(IncompleteCholesky, RaisesTheDiagonalWherePivotsAreNot)
    {
      const auto         pattern = chain(3, 30, 1);
      IncompleteCholesky factors(pattern);
      // No longer positive definite.
      ASSERT_TRUE(factors.factorise(blocks_on(pattern, 2.5)));
      Vector x(pattern->owned), Px(x);
      for (unsigned int i = 0; i < x.size(); ++i)
        {
          x    = 0.;
          x(i) = 1;
          factors.apply(x.begin(), Px.begin());
          EXPECT_GT(Px(i), 0);
        }
      EXPECT_FALSE(factors.factorise(blocks_on(pattern, 0)));
    }
  } // namespace
} // namespace Percuss::Test
