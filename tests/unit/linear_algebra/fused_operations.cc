// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/fused_operations.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

// Several operations in one pass are those one after the other.

namespace Percuss::Test
{
  namespace
  {
    /// More numbers than are worked on at once, and not a multiple of them.
    constexpr unsigned int n = 2500;

    class FusedOperations : public ::testing::Test
    {
    protected:
      Vector
      some_vector()
      {
        Vector result(partition);
        for (double &value : result)
          value = uniform(generator);
        return result;
      }

      std::vector<double>
      some_numbers()
      {
        std::vector<double> result(n);
        for (double &value : result)
          value = 1 + uniform(generator);
        return result;
      }

      std::mt19937                           generator{7};
      std::uniform_real_distribution<double> uniform{-1, 1};
      const Partition partition = make_partition(n, MPI_COMM_SELF);
    };

    double
    largest_by_hand(const Vector &x, const std::vector<double> &d)
    {
      double largest = 0;
      for (unsigned int i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(x.local_element(i) * d[i]));
      return largest;
    }

    TEST_F(FusedOperations, LargestRatioFindsEveryPlace)
    {
      const std::vector<double> d(n, 2.);
      for (const unsigned int i : {0u, 1u, 1023u, 1024u, n - 1})
        {
          Vector x           = some_vector();
          x.local_element(i) = -3;
          EXPECT_EQ(largest_ratio(x, d), 6) << i;
        }
    }

    TEST_F(FusedOperations, ProductsOfTwo)
    {
      const Vector p = some_vector(), q = some_vector();
      const auto   d   = some_numbers();
      Products     sum = {0, 0};
      for (unsigned int i = 0; i < n; ++i)
        {
          sum.with_other += p.local_element(i) * q.local_element(i);
          sum.with_itself += d[i] * p.local_element(i) * p.local_element(i);
        }
      const Products found = local_products(p, q, d);
      EXPECT_NEAR(found.with_other, sum.with_other, 1e-12 * n);
      EXPECT_NEAR(found.with_itself, sum.with_itself, 1e-12 * n);
    }

    TEST_F(FusedOperations, StepsBack)
    {
      const Vector p = some_vector(), q = some_vector();
      const auto   d = some_numbers();
      Vector       x = some_vector(), r = some_vector();
      Vector       x_by_hand = x, r_by_hand = r, alone = r;
      x_by_hand.add(-0.3, p);
      r_by_hand.add(-0.3, q);
      const double largest = step_back(0.3, p, q, d, x, r);
      EXPECT_EQ(step_back(0.3, q, d, alone), largest);
      for (unsigned int i = 0; i < n; ++i)
        {
          EXPECT_NEAR(x.local_element(i), x_by_hand.local_element(i), 1e-15);
          EXPECT_NEAR(r.local_element(i), r_by_hand.local_element(i), 1e-15);
          EXPECT_EQ(alone.local_element(i), r.local_element(i));
        }
      EXPECT_EQ(largest, largest_by_hand(r, d));
    }

    TEST_F(FusedOperations, SeveralVectors)
    {
      std::deque<Vector>          vectors;
      std::vector<const Vector *> all;
      for (unsigned int j = 0; j < 5; ++j)
        {
          vectors.push_back(some_vector());
          all.push_back(&vectors.back());
        }
      Vector              x = some_vector(), by_hand = x;
      std::vector<double> products(5), factors       = {1, -2, 0.5, 0, 3};
      local_products(all, x, products.data());
      for (unsigned int j = 0; j < 5; ++j)
        {
          EXPECT_NEAR(products[j], *all[j] * x, 1e-12 * n);
          by_hand.add(-factors[j], *all[j]);
        }
      subtract(all, factors.data(), x);
      for (unsigned int i = 0; i < n; ++i)
        EXPECT_NEAR(x.local_element(i), by_hand.local_element(i), 1e-14);
    }
  } // namespace
} // namespace Percuss::Test
