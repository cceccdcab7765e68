// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
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

    /// A chain of bodies with three velocities each, A = tridiagonal (-1, 4,
    /// -1), of which each touches a rough floor.
    struct TouchingChain
    {
      explicit TouchingChain(const MPI_Comm communicator)
        : contacts(communicator)
      {
        const auto [begin, end] =
          even_share(n_contacts,
                     dealii::Utilities::MPI::this_mpi_process(communicator),
                     dealii::Utilities::MPI::n_mpi_processes(communicator));
        const auto         n = static_cast<PetscInt>(3 * n_contacts);
        SparseMatrix::Rows rows;
        for (auto i = static_cast<PetscInt>(3 * begin);
             i < static_cast<PetscInt>(3 * end);
             ++i)
          {
            for (PetscInt j = std::max<PetscInt>(0, i - 1);
                 j <= std::min(n - 1, i + 1);
                 ++j)
              {
                rows.columns.push_back(j);
                rows.values.push_back(i == j ? 4 : -1);
              }
            rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
          }
        A = std::make_unique<SparseMatrix>(make_partition(3 * (end - begin),
                                                          communicator),
                                           std::move(rows));
        inverse =
          Registry<LinearSolver>::plugins().at("direct").make_builder()->build(
            {*A});
        ContactPoint point;
        point.friction = 0.4;
        for (unsigned int i = 0; i < end - begin; ++i)
          contacts.add(point,
                       std::vector<ContactSet::Row>{{{3 * i, 1.}},
                                                    {{3 * i + 1, 1.}},
                                                    {{3 * i + 2, 1.}}},
                       0);
        contacts.complete();
        W = std::make_unique<MatrixFreeDelassus>(
          GlobalForm{*A, *inverse, contacts});
      }

      ContactProblem
      problem(const DelassusOperator &of, const ContactLaw &law) const
      {
        ContactProblem result{
          of, law, contacts.points(), {}, Vector(contacts.partition())};
        for (unsigned int i = 0; i < contacts.points().size(); ++i)
          result.active.push_back(i);
        for (const auto i : result.b.locally_owned_elements())
          result.b(i) = std::sin(1 + 2. * static_cast<double>(i));
        return result;
      }

      ContactSet                          contacts;
      std::unique_ptr<SparseMatrix>       A;
      std::unique_ptr<LinearSolver>       inverse;
      std::unique_ptr<MatrixFreeDelassus> W;
    };

    // Without entries of W on all ranks, and with them on one.
    TEST(FrictionOnRanks, NeedsNoEntries)
    {
      const auto make = [](const std::string &name) {
        return Registry<ContactSolver>::plugins()
          .at(name)
          .make_builder()
          ->build({});
      };
      Settings            settings;
      const auto          law = settings.law.build({});
      const TouchingChain alone(MPI_COMM_SELF), shared(MPI_COMM_WORLD);
      const Partition    &partition = alone.contacts.partition();
      const unsigned int  n         = partition->size();
      std::vector<double> values(n * n);
      for (unsigned int j = 0; j < n; ++j)
        {
          Vector unit(partition), column(partition);
          unit(j) = 1;
          alone.W->multiply(unit, column);
          for (unsigned int i = 0; i < n; ++i)
            values[i * n + j] = column(i);
        }
      const auto           entries = dense_matrix(partition, values);
      const DelassusMatrix explicit_W(*entries, true);
      Vector               expected(partition);
      EXPECT_TRUE(make("newton")
                    ->solve(alone.problem(explicit_W, *law), expected)
                    .converged);
      EXPECT_GT(expected.linfty_norm(), 0.1);
      for (const std::string name : {"accelerated gradient", "automatic"})
        {
          Vector lambda(shared.contacts.partition());
          EXPECT_TRUE(make(name)
                        ->solve(shared.problem(*shared.W, *law), lambda)
                        .converged)
            << name;
          for (const auto i : lambda.locally_owned_elements())
            EXPECT_NEAR(lambda(i), expected(i), 1e-8) << name;
          EXPECT_THROW((void)make("newton")->solve(
                         shared.problem(*shared.W, *law), lambda),
                       Error);
        }
    }
  } // namespace
} // namespace Percuss::Test
