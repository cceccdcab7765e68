// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/bounded_programme.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// The solvers for very many contacts without friction on the ranks of all
// against complementary pivoting on one rank alone.

namespace Percuss::Test
{
  namespace
  {
    /// What meets the obstacles.
    enum class Kind
    {
      nodes,    ///< of the membrane, from above or from below
      pairs,    ///< combinations of two nodes
      bodies,   ///< a node against two others, also of the next rank
      redundant ///< pairs, each twice
    };

    constexpr unsigned int n_rows = 6, n_columns = 8;

    /// 2 on the diagonal of -Laplace in each direction, and the mass 1/2: the
    /// eigenvalues are between 1/2 and 17/2.
    SparseMatrix::Rows
    membrane_rows(const unsigned int begin, const unsigned int end)
    {
      SparseMatrix::Rows rows;
      const auto add = [&](const bool exists, const int j, double value) {
        if (!exists)
          return;
        rows.columns.push_back(j);
        rows.values.push_back(value);
      };
      for (unsigned int i = begin; i < end; ++i)
        {
          const unsigned int row = i / n_columns, column = i % n_columns;
          const int          n = n_columns, k = static_cast<int>(i);
          add(row > 0, k - n, -1);
          add(column > 0, k - 1, -1);
          add(true, k, 4.5);
          add(column + 1 < n_columns, k + 1, -1);
          add(row + 1 < n_rows, k + n, -1);
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return rows;
    }



    /// The membrane on the ranks of a communicator.
    struct Membrane
    {
      Membrane(Kind kind, MPI_Comm communicator);

      void
      add_contacts(Kind kind, unsigned int pair, unsigned int first_pair);

      /// With W applied, or with its entries.
      ContactProblem
      problem(const bool has_entries) const
      {
        ContactProblem result{has_entries ?
                                static_cast<const DelassusOperator &>(
                                  *with_entries) :
                                *applied,
                              *law,
                              contacts->points(),
                              {},
                              b};
        for (unsigned int i = 0; i < result.points.size(); ++i)
          if (result.points[i].slot % 5 != 4)
            result.active.push_back(i);
        return result;
      }

      std::unique_ptr<ContactLaw>         law;
      std::unique_ptr<SparseMatrix>       A, entries;
      std::unique_ptr<LinearSolver>       inverse;
      std::unique_ptr<ContactSet>         contacts;
      std::unique_ptr<MatrixFreeDelassus> applied;
      std::unique_ptr<DelassusMatrix>     with_entries;
      Vector                              b;
    };



    /// The entries of W, column after column.
    std::unique_ptr<SparseMatrix>
    matrix_of(const DelassusOperator &W)
    {
      const auto        &partition = *W.partition();
      const unsigned int n_local   = partition.locally_owned_size();
      Vector             unit(W.partition()), column(unit);
      SparseMatrix::Rows rows;
      for (unsigned int i = 0; i < n_local; ++i)
        {
          for (unsigned int j = 0; j < partition.size(); ++j)
            rows.columns.push_back(static_cast<PetscInt>(j));
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      rows.values.resize(rows.columns.size());
      for (unsigned int j = 0; j < partition.size(); ++j)
        {
          const bool is_mine = partition.in_local_range(j);
          if (is_mine)
            unit(j) = 1;
          W.multiply(unit, column);
          for (unsigned int i = 0; i < n_local; ++i)
            rows.values[i * partition.size() + j] = column.local_element(i);
          if (is_mine)
            unit(j) = 0;
        }
      return std::make_unique<SparseMatrix>(W.partition(), std::move(rows));
    }



    void
    Membrane::add_contacts(const Kind         kind,
                           const unsigned int pair,
                           const unsigned int first_pair)
    {
      const unsigned int dof = 2 * (pair - first_pair);
      ContactPoint       point;
      point.slot = pair;
      if (kind == Kind::nodes)
        {
          // With a tangential direction, which stays without impulse.
          const double d = pair % 3 == 0 ? -1.5 : 0.8;
          contacts->add(point,
                        std::vector<ContactSet::Row>{{{dof, d}},
                                                     {{dof + 1, 1.}}},
                        0.);
        }
      else if (kind == Kind::bodies)
        {
          point.own_dof           = dof;
          point.n_own_dofs        = 1;
          const unsigned int next = (2 * pair + 3) % (n_rows * n_columns);
          contacts->add_across(
            point, {{{2 * pair, 0.8}, {2 * pair + 1, -0.3}, {next, -0.5}}}, 0.);
        }
      else
        for (unsigned int i = 0; i < (kind == Kind::pairs ? 1 : 2); ++i)
          contacts->add(point, ContactSet::Row{{dof, 1.}, {dof + 1, -0.5}}, 0.);
    }



    Membrane::Membrane(const Kind kind, const MPI_Comm communicator)
    {
      Settings settings;
      assign(settings, "", {"contact/law=signorini"});
      law = settings.law.build({});
      const auto [begin, end] =
        even_share(n_rows * n_columns / 2,
                   dealii::Utilities::MPI::this_mpi_process(communicator),
                   dealii::Utilities::MPI::n_mpi_processes(communicator));
      A       = std::make_unique<SparseMatrix>(make_partition(2 * (end - begin),
                                                        communicator),
                                         membrane_rows(2 * begin, 2 * end));
      inverse = settings.linear_solver.build({*A});
      contacts = std::make_unique<ContactSet>(communicator);
      for (unsigned int pair = begin; pair < end; ++pair)
        add_contacts(kind, pair, begin);
      contacts->complete(A->partition());
      applied = std::make_unique<MatrixFreeDelassus>(
        GlobalForm{*A, *inverse, *contacts});
      entries      = matrix_of(*applied);
      with_entries = std::make_unique<DelassusMatrix>(*entries, true);
      b.reinit(applied->partition());
      for (const ContactPoint &point : contacts->points())
        for (unsigned int d = 0; d < point.n_directions; ++d)
          b.local_element(point.first + d) = std::sin(1 + 2.3 * point.slot + d);
    }



    std::unique_ptr<ContactSolver>
    contact_solver(const std::string &name)
    {
      Settings settings;
      assign(settings, "", {"contact/solver=" + name});
      return settings.contact_solver.build(settings.contact_tolerance);
    }



    class BoundedSolvers : public testing::TestWithParam<Kind>
    {};

    /// Solves from zero and once more from the answer, and compares impulses
    /// (where they are unique) and changes of velocities with those on one
    /// rank.
    void
    compare(const std::string    &name,
            const ContactProblem &problem,
            const bool            is_unique,
            const Vector         &impulses,
            const Vector         &changes)
    {
      const auto solver = contact_solver(name);
      Vector     lambda(problem.W.partition()), change(lambda);
      EXPECT_TRUE(solver->solve(problem, lambda).converged) << name;
      problem.W.multiply(lambda, change);
      // The residual is below 1e-10 of velocities of about 1, and the
      // eigenvalues of A and the directions bound those of W from below by
      // 0.05.
      const auto first = problem.W.partition()->local_range().first;
      for (unsigned int i = 0; i < lambda.locally_owned_size(); ++i)
        {
          EXPECT_NEAR(change.local_element(i), changes(first + i), 1e-8)
            << name;
          if (is_unique)
            {
              EXPECT_NEAR(lambda.local_element(i), impulses(first + i), 1e-8)
                << name;
            }
        }
      const ContactReport again = solver->solve(problem, lambda);
      EXPECT_TRUE(again.converged) << name;
      // The primal form takes the set from the guess, not more.
      if (!BoundedProgramme(problem).is_primal())
        {
          EXPECT_LE(again.n_iterations, 3) << name;
        }
    }

    TEST_P(BoundedSolvers, FindWhatPivotingFinds)
    {
      const Kind     kind = GetParam();
      const Membrane shared(kind, MPI_COMM_WORLD), alone(kind, MPI_COMM_SELF);
      Vector         impulses(alone.applied->partition()), changes(impulses);
      ASSERT_TRUE(contact_solver("lemke")
                    ->solve(alone.problem(true), impulses)
                    .converged);
      EXPECT_GT(impulses.linfty_norm(), 1);
      alone.entries->multiply(impulses, changes);
      for (const bool has_entries : {true, false})
        {
          const ContactProblem problem = shared.problem(has_entries);
          // Rows with degrees of freedom of their own are transformed.
          EXPECT_EQ(BoundedProgramme(problem).is_primal(),
                    kind != Kind::redundant && !has_entries);
          for (const std::string name : {"mprgp", "active set", "petsc tao"})
            compare(name, problem, kind != Kind::redundant, impulses, changes);
        }
    }

    INSTANTIATE_TEST_SUITE_P(
      Distributed,
      BoundedSolvers,
      testing::Values(Kind::nodes, Kind::pairs, Kind::bodies, Kind::redundant));
  } // namespace
} // namespace Percuss::Test
