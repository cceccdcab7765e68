// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/incomplete_cholesky.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace Percuss::Test
{
  namespace
  {
    /// Nodes of which each rank has a share; @p are_pairs(i, j) tells which
    /// ones feel each other.
    template <typename ArePairs>
    std::shared_ptr<const BlockPattern>
    pattern_of(const unsigned int size,
               const unsigned int n,
               const ArePairs    &are_pairs,
               const MPI_Comm     communicator = MPI_COMM_WORLD)
    {
      const auto [begin, end] =
        even_share(n,
                   dealii::Utilities::MPI::this_mpi_process(communicator),
                   dealii::Utilities::MPI::n_mpi_processes(communicator));
      std::vector<unsigned int> start = {0}, columns;
      for (unsigned int i = begin; i < end; ++i)
        {
          for (unsigned int j = i; j < n; ++j)
            if (are_pairs(i, j))
              columns.push_back(j);
          start.push_back(static_cast<unsigned int>(columns.size()));
        }
      return std::make_shared<const BlockPattern>(
        size,
        make_partition(size * (end - begin), communicator),
        start,
        columns);
    }

    /// Nodes in a row, each with the next ones up to @p reach.
    std::shared_ptr<const BlockPattern>
    chain(const unsigned int size,
          const unsigned int n,
          const unsigned int reach,
          const MPI_Comm     communicator = MPI_COMM_WORLD)
    {
      return pattern_of(
        size,
        n,
        [reach](const unsigned int i, const unsigned int j) {
          return j - i <= reach;
        },
        communicator);
    }

    /// Blocks without order off the diagonal, and symmetric ones with
    /// @p diagonal on it; the same on any number of ranks.
    SymmetricBlocks
    blocks_on(const std::shared_ptr<const BlockPattern> &pattern,
              const double                               diagonal)
    {
      SymmetricBlocks    A(pattern);
      const unsigned int size = pattern->size;
      for (unsigned int i = 0; i < pattern->n_rows(); ++i)
        for (unsigned int k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
          for (unsigned int c = 0; c < size; ++c)
            for (unsigned int d = 0; d < size; ++d)
              {
                const unsigned int p = pattern->global(i);
                const unsigned int q = pattern->global(pattern->columns[k]);
                A.block(k)[size * c + d] =
                  p != q ? std::sin(1. + 17 * p + 5 * q + size * c + d) :
                  c != d ? std::sin(1. + p + c + d) :
                           diagonal;
              }
      return A;
    }

    /// Numbers without order, the same on any number of ranks.
    Vector
    vector_on(const BlockPattern &pattern, const double first)
    {
      Vector result(pattern.owned);
      for (const auto i : result.locally_owned_elements())
        result(i) = std::sin(first + static_cast<double>(i));
      return result;
    }

    void
    expect_exact_solution(const SymmetricBlocks    &A,
                          const IncompleteCholesky &factors)
    {
      const Vector exact = vector_on(*A.pattern, 1);
      Vector       b(exact), x(exact);
      A.multiply(exact, b);
      // Residuals may be of any size.
      for (const double scale : {1., 1e-60, 1e60})
        {
          b *= scale;
          factors.apply(b.begin(), x.begin());
          b /= scale;
          x /= scale;
          x -= exact;
          EXPECT_LT(x.linfty_norm(), 20 * 6e-8);
        }
    }

    TEST(IncompleteCholesky, IsExactWithoutFill)
    {
      // The factors of a block tridiagonal matrix have its pattern in the order
      // of one rank, so that round-off of single precision alone is left.
      for (const unsigned int size : {2, 3})
        {
          const auto            pattern = chain(size, 40, 1, MPI_COMM_SELF);
          const SymmetricBlocks A       = blocks_on(pattern, 8);
          IncompleteCholesky    factors(pattern);
          ASSERT_TRUE(factors.factorise(A));
          expect_exact_solution(A, factors);
        }
    }

    TEST(IncompleteCholesky, IsExactForFullMatrices)
    {
      // All pairs are in the pattern, in any order: as many levels as ranks.
      for (const unsigned int size : {2, 3})
        {
          const auto pattern =
            pattern_of(size, 9, [](unsigned int, unsigned int) {
              return true;
            });
          const SymmetricBlocks A = blocks_on(pattern, 25);
          IncompleteCholesky    factors(pattern);
          ASSERT_TRUE(factors.factorise(A));
          expect_exact_solution(A, factors);
        }
    }

    TEST(IncompleteCholesky, IsSymmetricAndPositive)
    {
      // Fill is left out.
      const auto         pattern = chain(3, 30, 4);
      SymmetricBlocks    A       = blocks_on(pattern, 20);
      IncompleteCholesky factors(pattern);
      ASSERT_TRUE(factors.factorise(A));
      const Vector x = vector_on(*pattern, 1), y = vector_on(*pattern, 2.5);
      Vector       Px(x), Py(x);
      factors.apply(x.begin(), Px.begin());
      factors.apply(y.begin(), Py.begin());
      const double size = x.l2_norm() * Py.l2_norm();
      EXPECT_NEAR(x * Py, y * Px, 1e-6 * size);
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
          x = 0.;
          if (x.in_local_range(i))
            x(i) = 1;
          factors.apply(x.begin(), Px.begin());
          EXPECT_GT(x * Px, 0);
        }
      EXPECT_FALSE(factors.factorise(blocks_on(pattern, 0)));
    }

    /// The mass matrix of trilinear elements, a block for each pair of nodes
    /// of a cube with @p n on each edge that @p are_pairs(i, j).
    template <typename ArePairs>
    SymmetricBlocks
    mass_of_cube(const unsigned int n, const ArePairs &are_pairs)
    {
      const auto factor = [n](const unsigned int a, const unsigned int b) {
        return a == b                   ? (a == 0 || a + 1 == n ? 2. : 4.) :
               a + 1 == b || b + 1 == a ? 1. :
                                          0.;
      };
      const auto entry = [n, factor](const unsigned int i,
                                     const unsigned int j) {
        return factor(i % n, j % n) * factor(i / n % n, j / n % n) *
               factor(i / n / n, j / n / n);
      };
      SymmetricBlocks A(pattern_of(
        3, n * n * n, [&](const unsigned int i, const unsigned int j) {
          return entry(i, j) > 0 && are_pairs(i, j);
        }));
      for (unsigned int i = 0; i < A.pattern->n_rows(); ++i)
        for (unsigned int k = A.pattern->start[i]; k < A.pattern->start[i + 1];
             ++k)
          for (unsigned int c = 0; c < 3; ++c)
            A.block(k)[4 * c] = entry(A.pattern->global(i),
                                      A.pattern->global(A.pattern->columns[k]));
      return A;
    }

    /// Iterations of conjugate gradients to 1e-10.
    unsigned int
    n_iterations(const SymmetricBlocks &A, const IncompleteCholesky &factors)
    {
      Vector       r   = vector_on(*A.pattern, 1), z(r), p(r), Ap(r);
      const double end = 1e-10 * r.l2_norm();
      double       rz  = 0;
      unsigned int i   = 0;
      for (; r.l2_norm() > end && i < 100; ++i)
        {
          factors.apply(r.begin(), z.begin());
          const double old = rz;
          rz               = r * z;
          p.sadd(i == 0 ? 0 : rz / old, 1, z);
          A.multiply(p, Ap);
          r.add(-rz / (p * Ap), Ap);
        }
      return i;
    }

    TEST(IncompleteCholesky, LosesLessThanFactorsOfEachRank)
    {
      constexpr unsigned int n = 8;
      const unsigned int     n_ranks =
        dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
      const auto rank = [&](const unsigned int i) {
        unsigned int result = 0;
        while (i >= even_share(n * n * n, result, n_ranks).second)
          ++result;
        return result;
      };
      const SymmetricBlocks A =
        mass_of_cube(n, [](unsigned int, unsigned int) { return true; });
      const SymmetricBlocks parts =
        mass_of_cube(n, [&](const unsigned int i, const unsigned int j) {
          return rank(i) == rank(j);
        });
      IncompleteCholesky whole(A.pattern), of_ranks(parts.pattern);
      ASSERT_TRUE(whole.factorise(A));
      ASSERT_TRUE(of_ranks.factorise(parts));
      const unsigned int n_whole    = n_iterations(A, whole);
      const unsigned int n_of_ranks = n_iterations(A, of_ranks);
      if (n_ranks > 1)
        EXPECT_LT(n_whole, n_of_ranks);
      else
        EXPECT_EQ(n_whole, n_of_ranks);
    }
  } // namespace
} // namespace Percuss::Test
