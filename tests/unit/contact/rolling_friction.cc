// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_solver.h>
#include <percuss/contact/fclib_file.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tools.h"

// Contacts with five directions.

namespace Percuss::Test
{
  namespace
  {
    /// One contact with W = 1, q = (-1, 3, 4, 0, 2), mu = 0.1, mu_r = 0.2.
    FclibProblem
    rolling_contact()
    {
      FclibProblem problem;
      problem.space_dimension = 5;
      problem.W.start         = {0, 1, 2, 3, 4, 5};
      problem.W.columns       = {0, 1, 2, 3, 4};
      problem.W.values        = {1, 1, 1, 1, 1};
      problem.q               = {-1, 3, 4, 0, 2};
      problem.mu              = {0.1};
      problem.mu_r            = {0.2};
      return problem;
    }

    TEST(RollingFriction, IsReadAsItWasWritten)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const auto            path    = folder.path / "a.hdf5";
      FclibProblem          problem = rolling_contact();
      write_fclib_file(path, problem);
      const FclibProblem  found = read_fclib_file(path, MPI_COMM_SELF);
      const StoredProblem stored(found, MPI_COMM_SELF);
      const FclibProblem  same = to_fclib(stored.problem(), stored.share({}));
      for (const FclibProblem &other : {found, same})
        {
          EXPECT_EQ(other.space_dimension, 5u);
          EXPECT_EQ(other.W.values, problem.W.values);
          EXPECT_EQ(other.q, problem.q);
          EXPECT_EQ(other.mu, problem.mu);
          EXPECT_EQ(other.mu_r, problem.mu_r);
        }
      for (const std::vector<double> &wrong :
           {std::vector<double>{-0.2}, std::vector<double>{0.2, 0.2}})
        {
          problem.mu_r = wrong;
          write_fclib_file(path, problem);
          EXPECT_THROW((void)read_fclib_file(path, MPI_COMM_SELF), Error);
        }
    }

    TEST(RollingFriction, HasTheErrorOfItsConeByHand)
    {
      FclibProblem        problem = rolling_contact();
      const StoredProblem stored(problem, MPI_COMM_SELF);
      // At r = 0 the projection is where both limits are reached: the normal
      // part is (1 - 0.9 + 0.1 * 5 + 0.2 * 2) / (1 + 0.01 + 0.04).
      EXPECT_NEAR(fclib_error(stored.problem(), stored.share({})),
                  1 / std::sqrt(1.05 * 30),
                  1e-15);
      const Vector r = stored.share({1, -0.06, -0.08, 0, -0.2});
      EXPECT_LT(fclib_error(stored.problem(), r), 1e-15);
      EXPECT_LT(natural_residual(stored.problem(), r), 1e-15);
      // Rolling without sliding.
      problem.q = {-1, 0, 0, 0, 2};
      const StoredProblem other(problem, MPI_COMM_SELF);
      EXPECT_NEAR(fclib_error(other.problem(), other.share({})),
                  1 / std::sqrt(1.04 * 5),
                  1e-15);
    }

    /// Contacts that all feel each other, W = H H^T + 0.01 with random H.
    FclibProblem
    random_problem(const unsigned int seed)
    {
      const unsigned int                     n_contacts = 8, n_velocities = 60;
      const unsigned int                     n = 5 * n_contacts;
      std::mt19937                           generator(seed);
      std::uniform_real_distribution<double> number(-1, 1);
      std::vector<double>                    H(n * n_velocities);
      FclibProblem                           problem;
      problem.space_dimension = 5;
      for (double &entry : H)
        entry = number(generator);
      for (unsigned int i = 0; i < n; ++i)
        {
          for (unsigned int j = 0; j < n; ++j)
            {
              double sum = i == j ? 0.01 : 0;
              for (unsigned int k = 0; k < n_velocities; ++k)
                sum += H[n_velocities * i + k] * H[n_velocities * j + k];
              problem.W.columns.push_back(static_cast<PetscInt>(j));
              problem.W.values.push_back(sum);
            }
          problem.W.start.push_back(
            static_cast<PetscInt>(problem.W.columns.size()));
          problem.q.push_back(number(generator) - (i % 5 == 0 ? 0.5 : 0));
        }
      for (unsigned int i = 0; i < n_contacts; ++i)
        {
          problem.mu.push_back(0.3 * (1 + number(generator)));
          problem.mu_r.push_back(0.1 * (1 + number(generator)));
        }
      problem.mu[1]   = 0;
      problem.mu_r[2] = 0;
      return problem;
    }

    // The error of the collection has another projection than the law.
    TEST(RollingFriction, IsSolvedByAllWhoKnowIt)
    {
      unsigned int n_solvers = 0;
      for (const auto &[name, plugin] : Registry<ContactSolver>::plugins())
        {
          const auto solver = plugin.make_builder()->build({1e-11});
          for (unsigned int seed = 0; seed < 10; ++seed)
            {
              const StoredProblem stored(random_problem(seed), MPI_COMM_SELF);
              const auto         &problem = stored.problem();
              Vector              r       = stored.share({});
              if (solver->needs.largest_frictional_block < 5)
                {
                  EXPECT_NE(solver->refusal(problem).find("friction"),
                            std::string::npos)
                    << name;
                  continue;
                }
              ++n_solvers;
              EXPECT_TRUE(solver->solve(problem, r).converged)
                << name << ", seed " << seed;
              EXPECT_GT(r.linfty_norm(), 0);
              EXPECT_LT(fclib_error(problem, r), 1e-9) << name;
            }
        }
      EXPECT_EQ(n_solvers, 40u);
    }
  } // namespace
} // namespace Percuss::Test
