// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "shared/dense_problems.h"
#include "tools.h"

// The solver `automatic` on random linear complementarity problems against the
// enumeration of all active sets. PERCUSS_RANDOM_PROBLEMS=100000 makes as many
// of each class, in place of the few of a quick test.

namespace Percuss::Test
{
  namespace
  {
    unsigned int
    n_problems()
    {
      const char *const wanted = std::getenv("PERCUSS_RANDOM_PROBLEMS");
      return wanted != nullptr ? static_cast<unsigned int>(std::atoi(wanted)) :
                                 2000;
    }

    enum class Class
    {
      definite,     ///< symmetric positive definite
      redundant,    ///< symmetric, of lower rank than size, and consistent
      not_symmetric ///< P-matrices: positive definite ones with a skew part,
                    ///< and dominant diagonals
    };

    /// 0 <= W lambda + b _|_ lambda >= 0 with at most 8 contacts. Every third
    /// problem has small whole numbers, every fourth zeros in b: ties.
    class RandomComplementarity
    {
    public:
      RandomComplementarity(const Class kind, const unsigned int seed);

      ContactProblem
      problem(const ContactLaw &law) const
      {
        ContactProblem result{*delassus, law, points, {}, Vector(partition)};
        for (unsigned int i = 0; i < n; ++i)
          {
            result.active.push_back(i);
            result.b(i) = b[i];
          }
        return result;
      }

      /// xi = W lambda + b.
      std::vector<double>
      velocities(const std::vector<double> &lambda) const
      {
        std::vector<double> xi(b);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            xi[i] += W[i * n + j] * lambda[j];
        return xi;
      }

      /// max |min(w_i lambda_i, xi_i)| relative to the largest |b_i| or
      /// |(W lambda)_i|: written apart from the library's.
      double
      residual(const std::vector<double> &lambda) const
      {
        const std::vector<double> xi    = velocities(lambda);
        double                    error = 0, scale = 0;
        for (unsigned int i = 0; i < n; ++i)
          {
            error =
              std::max(error,
                       std::abs(std::min(W[i * n + i] * lambda[i], xi[i])));
            scale = std::max({scale, std::abs(b[i]), std::abs(xi[i] - b[i])});
          }
        return error == 0 ? 0 : error / scale;
      }

      unsigned int        n = 0, rank = 0; ///< of W
      std::vector<double> W, b;

    private:
      /// With few binary digits: products and sums are exact, and a
      /// redundant problem stays consistent.
      double
      number()
      {
        return is_whole ?
                 std::uniform_int_distribution<int>(-2, 2)(generator) :
                 std::uniform_int_distribution<int>(-1024, 1024)(generator) /
                   1024.;
      }

      /// W = F F^T, and b = F v where it must be consistent.
      void
      add_products(unsigned int n_dofs);

      void
      add_skew_part();

      /// A diagonal that is larger than the rest of its row.
      void
      make_dominant();

      std::mt19937                    generator;
      bool                            is_whole;
      Partition                       partition;
      std::vector<ContactPoint>       points;
      std::unique_ptr<SparseMatrix>   matrix;
      std::unique_ptr<DelassusMatrix> delassus;
    };



    void
    RandomComplementarity::add_products(const unsigned int n_dofs)
    {
      std::vector<double> F(n * n_dofs), v(n_dofs);
      for (double &entry : F)
        entry = number();
      for (double &entry : v)
        entry = number();
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int k = 0; k < n_dofs; ++k)
          {
            for (unsigned int j = 0; j < n; ++j)
              W[i * n + j] += F[i * n_dofs + k] * F[j * n_dofs + k];
            b[i] += F[i * n_dofs + k] * v[k];
          }
    }



    void
    RandomComplementarity::add_skew_part()
    {
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < i; ++j)
          {
            const double skew = 2 * number();
            W[i * n + j] += skew;
            W[j * n + i] -= skew;
          }
    }



    void
    RandomComplementarity::make_dominant()
    {
      for (unsigned int i = 0; i < n; ++i)
        {
          double sum = 0.01;
          for (unsigned int j = 0; j < n; ++j)
            if (j != i)
              sum += std::abs(W[i * n + j] = number());
          W[i * n + i] = sum;
        }
    }



    RandomComplementarity::RandomComplementarity(const Class        kind,
                                                 const unsigned int seed)
      : generator(seed)
      , is_whole(seed % 3 == 0)
    {
      n = 1 + generator() % 8;
      W.assign(n * n, 0.);
      b.assign(n, 0.);
      if (kind == Class::redundant)
        add_products(rank = (n + 1) / 2);
      else
        {
          add_products(rank = n);
          for (unsigned int i = 0; i < n; ++i)
            {
              b[i] = seed % 4 == 0 && i % 2 == 0 ? 0 : number();
              W[i * n + i] += 0.01;
            }
        }
      if (kind == Class::not_symmetric)
        seed % 2 == 0 ? add_skew_part() : make_dominant();
      partition = make_partition(n, MPI_COMM_SELF);
      points.resize(n);
      for (unsigned int i = 0; i < n; ++i)
        points[i].first = i;
      matrix = dense_matrix(partition, W);
      delassus =
        std::make_unique<DelassusMatrix>(*matrix, kind != Class::not_symmetric);
    }



    /// The best answer of all subsets of positive impulses.
    std::vector<double>
    enumerate(const RandomComplementarity &random)
    {
      std::vector<double> best(random.n);
      double              smallest = random.residual(best);
      for (unsigned int mask = 1; mask < (1u << random.n); ++mask)
        {
          std::vector<unsigned int> set;
          for (unsigned int i = 0; i < random.n; ++i)
            if (mask & (1u << i))
              set.push_back(i);
          if (set.size() > random.rank) // singular
            continue;
          std::vector<std::vector<double>> A(set.size(),
                                             std::vector<double>(set.size() +
                                                                 1));
          for (std::size_t i = 0; i < set.size(); ++i)
            {
              for (std::size_t j = 0; j < set.size(); ++j)
                A[i][j] = random.W[set[i] * random.n + set[j]];
              A[i][set.size()] = -random.b[set[i]];
            }
          const auto          x = solve_dense(A);
          std::vector<double> lambda(random.n);
          bool                is_positive = true;
          for (std::size_t i = 0; i < set.size(); ++i)
            {
              is_positive &= x[i] >= 0; // a singular set gives no number
              lambda[set[i]] = x[i];
            }
          if (!is_positive)
            continue;
          const double residual = random.residual(lambda);
          if (residual < smallest)
            {
              smallest = residual;
              best     = lambda;
            }
        }
      EXPECT_LT(smallest, 1e-9) << "no subset solves the problem";
      return best;
    }



    /// Whether two answers have the same velocities, which are unique, also
    /// of redundant contacts. For answers with the residual e, relative to a
    /// velocity s,
    /// @f[ |\xi-\xi'|^2 \le |W|\,(\lambda-\lambda')\cdot(\xi-\xi')
    ///     \le |W|\,n\,2\,e\,s\,(|\lambda|+|\lambda'|+|\xi|/w) @f]
    /// as each is complementary up to e s.
    bool
    has_velocities_of(const RandomComplementarity &random,
                      const std::vector<double>   &lambda,
                      const std::vector<double>   &other)
    {
      const auto xi    = random.velocities(lambda),
                 exact = random.velocities(other);
      double norm = 0, impulse = 0, velocity = 0, error = 0;
      for (const double entry : random.W)
        norm += entry * entry;
      norm = std::sqrt(norm);
      for (unsigned int i = 0; i < random.n; ++i)
        {
          impulse  = std::max({impulse, lambda[i], other[i]});
          velocity = std::max({velocity,
                               std::abs(xi[i]),
                               std::abs(random.b[i]),
                               std::abs(xi[i] - random.b[i])});
          error    = std::max(error, std::abs(xi[i] - exact[i]));
        }
      const double residual =
        std::max({random.residual(lambda), random.residual(other), 1e-15});
      return error <= std::sqrt(norm * random.n * 2 * residual * velocity *
                                (2 * impulse + velocity / 0.01));
    }



    void
    compare(const Class kind)
    {
      Settings settings;
      settings.tree.assign({}, {{"contact/solver", "automatic", "test"}});
      const auto solver =
        settings.contact_solver.build(settings.contact_tolerance);
      const auto   law        = settings.law.build({});
      unsigned int n_reported = 0, n_silent = 0, n_different = 0;
      for (unsigned int seed = 0; seed < n_problems(); ++seed)
        {
          const RandomComplementarity random(kind, seed);
          const ContactProblem        problem = random.problem(*law);
          Vector                      found(problem.b);
          found                            = 0.;
          const auto                report = solver->solve(problem, found);
          const std::vector<double> lambda(found.begin(), found.end());
          if (!report.converged)
            {
              ++n_reported;
              continue;
            }
          n_silent += !(random.residual(lambda) <= 1e-10);
          n_different += !has_velocities_of(random, lambda, enumerate(random));
        }
      EXPECT_EQ(n_silent, 0u);
      EXPECT_EQ(n_different, 0u);
      EXPECT_EQ(n_reported, 0u);
      testing::Test::RecordProperty("solver", solver->description());
      std::cout << "    " << n_problems() << " problems, " << n_reported
                << " reported as failed, " << n_silent
                << " accepted with a larger residual, " << n_different
                << " different from the enumeration; " << solver->description()
                << '\n';
    }

    TEST(RandomComplementarity, SymmetricPositiveDefinite)
    {
      compare(Class::definite);
    }

    TEST(RandomComplementarity, Redundant)
    {
      compare(Class::redundant);
    }

    TEST(RandomComplementarity, NotSymmetric)
    {
      compare(Class::not_symmetric);
    }
  } // namespace
} // namespace Percuss::Test
