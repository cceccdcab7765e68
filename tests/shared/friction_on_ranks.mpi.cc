// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>

#include "shared/dense_problems.h"
#include "tools.h"

// Friction on any number of ranks gives what one rank alone finds.

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int n_contacts = 7;

    /// Contacts of two directions with W_ij = 1/(1+|i-j|), which is positive
    /// definite, in contiguous parts on the ranks of a communicator.
    struct SharedProblem
    {
      explicit SharedProblem(const MPI_Comm communicator)
      {
        Settings settings;
        assign(settings, "", {"contact/law=coulomb"});
        law = settings.law.build({});
        const unsigned int n_ranks =
          dealii::Utilities::MPI::n_mpi_processes(communicator);
        const unsigned int rank =
          dealii::Utilities::MPI::this_mpi_process(communicator);
        const unsigned int begin = n_contacts * rank / n_ranks;
        const unsigned int end   = n_contacts * (rank + 1) / n_ranks;
        SparseMatrix::Rows rows;
        for (unsigned int i = 2 * begin; i < 2 * end; ++i)
          {
            for (unsigned int j = 0; j < 2 * n_contacts; ++j)
              {
                rows.columns.push_back(static_cast<PetscInt>(j));
                rows.values.push_back(1 / (1. + (i > j ? i - j : j - i)));
              }
            rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
          }
        partition = make_partition(2 * (end - begin), communicator);
        W         = std::make_unique<SparseMatrix>(partition, std::move(rows));
        delassus  = std::make_unique<DelassusMatrix>(*W, true);
        b.reinit(partition);
        for (unsigned int contact = begin; contact < end; ++contact)
          {
            ContactPoint point;
            point.n_directions = 2;
            point.friction     = 0.1 * (contact % 3);
            point.first        = 2 * (contact - begin);
            points.push_back(point);
            for (const unsigned int d : {0, 1})
              b.local_element(point.first + d) =
                std::sin(1 + 3. * contact + 2. * d);
          }
      }

      ContactProblem
      problem() const
      {
        ContactProblem result{*delassus, *law, points, {}, b};
        for (unsigned int i = 0; i < points.size(); ++i)
          result.active.push_back(i);
        return result;
      }

      std::unique_ptr<ContactLaw>     law;
      Partition                       partition;
      std::vector<ContactPoint>       points;
      std::unique_ptr<SparseMatrix>   W;
      std::unique_ptr<DelassusMatrix> delassus;
      Vector                          b;
    };

    TEST(FrictionOnRanks, IsThatOfOneRank)
    {
      const SharedProblem shared(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
      for (const std::string &name : solvers_with_friction(2))
        {
          Settings settings;
          assign(settings, "", {"contact/solver=" + name});
          const auto solver =
            settings.contact_solver.build(settings.contact_tolerance);
          Vector lambda(shared.partition), expected(alone.partition);
          EXPECT_TRUE(solver->solve(shared.problem(), lambda).converged);
          EXPECT_TRUE(solver->solve(alone.problem(), expected).converged);
          EXPECT_GT(expected.linfty_norm(), 0.1);
          const auto first = shared.partition->local_range().first;
          for (unsigned int i = 0; i < lambda.locally_owned_size(); ++i)
            EXPECT_NEAR(lambda.local_element(i), expected(first + i), 1e-9)
              << name;
        }
    }

    TEST(FrictionOnRanks, IsRefusedOnAllRanks)
    {
      const SharedProblem shared(MPI_COMM_WORLD);
      Settings            settings;
      assign(settings, "", {"contact/solver=petsc vi"});
      const auto solver =
        settings.contact_solver.build(settings.contact_tolerance);
      Vector lambda(shared.partition);
      EXPECT_THROW((void)solver->solve(shared.problem(), lambda), Error);
    }
  } // namespace
} // namespace Percuss::Test
