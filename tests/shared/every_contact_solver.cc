// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <random>

#include "shared/dense_problems.h"
#include "tools.h"

// Every registered contact solver against the enumeration of all active sets.

namespace Percuss::Test
{
  namespace
  {
    /// A random problem 0 <= W lambda + b, lambda >= 0 with symmetric W.
    struct RandomProblem
    {
      RandomProblem(const unsigned int seed, const unsigned int n)
        : n(n)
        , generator(seed)
        , partition(make_partition(n, MPI_COMM_SELF))
        , points(n)
      {
        for (unsigned int i = 0; i < n; ++i)
          points[i].first = i;
        std::vector<double> factor(n * n);
        for (double &entry : factor)
          entry = number();
        std::vector<double> values;
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            {
              double sum = i == j ? 0.1 : 0;
              for (unsigned int k = 0; k < n; ++k)
                sum += factor[i * n + k] * factor[j * n + k];
              values.push_back(sum);
            }
        W        = dense_matrix(partition, values);
        delassus = std::make_unique<DelassusMatrix>(*W, true);
      }

      double
      number()
      {
        return std::uniform_real_distribution<double>(-1, 1)(generator);
      }

      double
      w(const unsigned int i, const unsigned int j) const
      {
        return W->rows().values[i * n + j];
      }

      const unsigned int              n;
      std::mt19937                    generator;
      Partition                       partition;
      std::vector<ContactPoint>       points;
      std::unique_ptr<SparseMatrix>   W;
      std::unique_ptr<DelassusMatrix> delassus;
    };



    /// Solves W_SS x = -b_S by Gaussian elimination.
    std::vector<double>
    solve_subset(const RandomProblem             &random,
                 const std::vector<unsigned int> &subset,
                 const Vector                    &b)
    {
      const std::size_t                n = subset.size();
      std::vector<std::vector<double>> A(n, std::vector<double>(n + 1));
      for (std::size_t i = 0; i < n; ++i)
        {
          for (std::size_t j = 0; j < n; ++j)
            A[i][j] = random.w(subset[i], subset[j]);
          A[i][n] = -b(subset[i]);
        }
      return solve_dense(A);
    }



    /// The solution by trying all subsets of the active contacts.
    Vector
    enumerate(const RandomProblem             &random,
              const std::vector<unsigned int> &active,
              const Vector                    &b)
    {
      for (unsigned int mask = 0; mask < (1u << active.size()); ++mask)
        {
          std::vector<unsigned int> subset;
          for (std::size_t i = 0; i < active.size(); ++i)
            if (mask & (1u << i))
              subset.push_back(active[i]);
          const auto x = solve_subset(random, subset, b);
          Vector     lambda(random.partition), xi(random.partition);
          bool       is_good = true;
          for (std::size_t i = 0; i < subset.size(); ++i)
            {
              lambda(subset[i]) = x[i];
              is_good &= x[i] >= -1e-12;
            }
          random.W->multiply(lambda, xi);
          for (const unsigned int i : active)
            is_good &= xi(i) + b(i) >= -1e-10;
          if (is_good)
            return lambda;
        }
      ADD_FAILURE() << "no subset solves the problem";
      return Vector(random.partition);
    }



    class EveryContactSolver : public testing::TestWithParam<std::string>
    {};

    TEST_P(EveryContactSolver, FindsTheSolutionOfRandomProblems)
    {
      Settings settings;
      settings.tree.assign({}, {{"contact/solver", GetParam(), "test"}});
      const auto solver =
        settings.contact_solver.build(settings.contact_tolerance);
      const auto law = settings.law.build({});
      for (unsigned int seed = 0; seed < 300; ++seed)
        {
          RandomProblem  random(seed, 1 + seed % 6);
          ContactProblem problem{*random.delassus,
                                 *law,
                                 random.points,
                                 {},
                                 Vector(random.partition)};
          for (unsigned int i = 0; i < random.n; ++i)
            {
              // Every fifth problem is degenerate, with zeros in b.
              problem.b(i) = seed % 5 == 0 && i % 2 == 0 ? 0 : random.number();
              if (random.number() > -0.6)
                problem.active.push_back(i);
            }
          Vector     lambda(random.partition);
          const auto report = solver->solve(problem, lambda);
          EXPECT_TRUE(report.converged) << "seed " << seed;
          EXPECT_LE(report.residual, 1e-10);
          const Vector exact = enumerate(random, problem.active, problem.b);
          for (unsigned int i = 0; i < random.n; ++i)
            EXPECT_NEAR(lambda(i), exact(i), 1e-7) << "seed " << seed;
        }
    }

    TEST_P(EveryContactSolver, SaysWhenItHasNoSolution)
    {
      // 0 <= -lambda - 1 has no solution; W is not positive.
      Settings settings;
      settings.tree.assign({}, {{"contact/solver", GetParam(), "test"}});
      const auto solver =
        settings.contact_solver.build(settings.contact_tolerance);
      const auto         law       = settings.law.build({});
      const Partition    partition = make_partition(1, MPI_COMM_SELF);
      SparseMatrix::Rows rows;
      rows.start   = {0, 1};
      rows.columns = {0};
      rows.values  = {-1};
      const SparseMatrix              matrix(partition, std::move(rows));
      const DelassusMatrix            W(matrix, true);
      const std::vector<ContactPoint> points(1);
      ContactProblem problem{W, *law, points, {0}, Vector(partition)};
      problem.b(0) = -1;
      Vector lambda(partition);
      EXPECT_FALSE(solver->solve(problem, lambda).converged);
    }

    INSTANTIATE_TEST_SUITE_P(
      Registered,
      EveryContactSolver,
      testing::ValuesIn(Registry<ContactSolver>::names()));

    TEST(EveryLaw, ProjectsOntoAdmissibleImpulses)
    {
      for (const std::string &name : Registry<ContactLaw>::names())
        {
          Settings settings;
          settings.tree.assign({}, {{"contact/law", name, "test"}});
          const auto         law   = settings.law.build({});
          const ContactPoint point = {0.5, 0, 0};
          for (double z = -2; z <= 2; z += 0.25)
            {
              double projected = z, again, other = z + 0.7;
              law->project(point, &projected);
              again = projected;
              law->project(point, &again);
              EXPECT_EQ(again, projected);
              // A projection onto a convex set is no further from any of its
              // points.
              law->project(point, &other);
              EXPECT_LE(std::abs(projected - other), 0.7 + 1e-15);
              EXPECT_LE(std::abs(projected - z), std::abs(other - z));
            }
          const double zero = 0;
          double       xi   = 0;
          law->add_shift(point, &zero, &xi);
          EXPECT_EQ(xi, 0);
        }
    }
  } // namespace
} // namespace Percuss::Test
