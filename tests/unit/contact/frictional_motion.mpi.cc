// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/delassus_operator.h>
#include <percuss/contact/frictional_motion.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int n_nodes  = 6; ///< of a rank
    constexpr double       friction = 0.4;

    /// Nodes in a row with three degrees of freedom each, coupled with their
    /// neighbours, and directions of a node with each other.
    std::unique_ptr<SparseMatrix>
    make_row_of_nodes()
    {
      const Partition partition = make_partition(3 * n_nodes, MPI_COMM_WORLD);
      const auto      n         = static_cast<PetscInt>(partition->size());
      const auto first = static_cast<PetscInt>(partition->local_range().first);
      SparseMatrix::Rows rows;
      for (PetscInt i = first; i < first + PetscInt(3 * n_nodes); ++i)
        {
          for (PetscInt j = std::max<PetscInt>(i - 3, 0);
               j <= std::min<PetscInt>(i + 3, n - 1);
               ++j)
            {
              const PetscInt way = std::abs(i - j);
              rows.columns.push_back(j);
              rows.values.push_back(way == 0 ? 4. : way == 3 ? -1. : 0.2);
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return std::make_unique<SparseMatrix>(partition, std::move(rows));
    }

    /// Each node meets an obstacle with friction; the third direction is its
    /// normal.
    struct Row
    {
      Row()
      {
        for (unsigned int node = 0; node < n_nodes; ++node)
          {
            ContactPoint point;
            point.n_directions = 3;
            point.friction     = friction;
            contacts.add(point,
                         std::vector<ContactSet::Row>{{{3 * node + 2, 1.}},
                                                      {{3 * node, 1.}},
                                                      {{3 * node + 1, 1.}}},
                         0.);
          }
        contacts.complete();
        W = std::make_unique<MatrixFreeDelassus>(
          GlobalForm{*A, *inverse, contacts});
        problem          = std::make_unique<ContactProblem>(ContactProblem{
          *W, *law, contacts.points(), {}, Vector(contacts.partition())});
        const auto begin = contacts.partition()->local_range().first;
        for (unsigned int i = 0; i < n_nodes; ++i)
          problem->active.push_back(i);
        for (unsigned int i = 0; i < 3 * n_nodes; ++i)
          {
            const double t     = 0.9 * static_cast<double>(begin + i);
            f.local_element(i) = std::cos(1.3 * t);
            problem->b.local_element(i) =
              i % 3 == 0 ? 0.4 * std::sin(t) - 0.2 : 0.3 * std::cos(t);
          }
      }

      std::unique_ptr<SparseMatrix> A = make_row_of_nodes();
      std::unique_ptr<LinearSolver> inverse =
        Registry<LinearSolver>::plugins().at("direct").make_builder()->build(
          {*A});
      std::unique_ptr<ContactLaw> law =
        Registry<ContactLaw>::plugins().at("coulomb").make_builder()->build({});
      ContactSet                          contacts{MPI_COMM_WORLD};
      std::unique_ptr<MatrixFreeDelassus> W;
      std::unique_ptr<ContactProblem>     problem;
      Vector                              f{A->partition()};
    };

    struct Answer
    {
      explicit Answer(const Row &row)
        : w(row.A->partition())
        , lambda(row.contacts.partition())
      {}

      Vector w, lambda;
    };

    Answer
    solve(const Row &row, const FrictionalMotion::Loads loads)
    {
      Answer           answer(row);
      FrictionalMotion motion(*row.problem,
                              ContactFrames::find(*row.problem),
                              row.f,
                              loads);
      EXPECT_TRUE(motion.run(1e-12, answer.w, answer.lambda));
      return answer;
    }

    /// Open, sticking and sliding contacts of all ranks.
    struct Counts
    {
      unsigned int open = 0, sticks = 0, slides = 0;
    };

    /// Coulomb's law by its three cases, and A w = f + D^T lambda.
    Counts
    expect_solution(const Row &row, const Answer &answer)
    {
      constexpr double tolerance = 1e-10;
      Counts           counts;
      Vector           xi(answer.lambda), r(answer.w), impulse(answer.w);
      row.contacts.multiply(answer.w, xi);
      xi += row.problem->b;
      row.A->multiply(answer.w, r);
      row.contacts.impulses(answer.lambda, impulse);
      r -= row.f;
      r -= impulse;
      EXPECT_LE(r.linfty_norm(), tolerance);
      for (unsigned int i = 0; i < 3 * n_nodes; i += 3)
        {
          const double *const u     = xi.begin() + i;
          const double *const l     = answer.lambda.begin() + i;
          const double        force = std::hypot(l[1], l[2]),
                       rate         = std::hypot(u[1], u[2]);
          EXPECT_GE(l[0], 0);
          EXPECT_LE(force, friction * l[0] + tolerance);
          EXPECT_GE(u[0], -tolerance);
          if (l[0] == 0)
            {
              ++counts.open;
              continue;
            }
          EXPECT_NEAR(u[0], 0, tolerance);
          if (rate <= tolerance)
            {
              ++counts.sticks;
              continue;
            }
          ++counts.slides;
          EXPECT_NEAR(l[1] * u[1] + l[2] * u[2],
                      -friction * l[0] * rate,
                      tolerance);
        }
      const MPI_Comm world = MPI_COMM_WORLD;
      namespace MPI        = dealii::Utilities::MPI;
      return {MPI::sum(counts.open, world),
              MPI::sum(counts.sticks, world),
              MPI::sum(counts.slides, world)};
    }

    /// Loads that are held are the way out where Newton's method is slow.
    TEST(FrictionalMotion, LoadsThatFollowAndLoadsThatAreHeldAgree)
    {
      const Row    row;
      const Answer newton = solve(row, FrictionalMotion::Loads::follow);
      const Answer held   = solve(row, FrictionalMotion::Loads::held);
      for (const Answer &answer : {newton, held})
        {
          const Counts counts = expect_solution(row, answer);
          EXPECT_GT(counts.open, 0u);
          EXPECT_GT(counts.sticks, 0u);
          EXPECT_GT(counts.slides, 0u);
        }
      Vector difference(newton.lambda);
      difference -= held.lambda;
      EXPECT_LE(difference.linfty_norm(), 1e-9);
    }

    /// A run that ends without an answer leaves the guesses as they were.
    TEST(FrictionalMotion, KeepsTheGuessesWhereItFails)
    {
      const Row row;
      for (const auto loads :
           {FrictionalMotion::Loads::follow, FrictionalMotion::Loads::held})
        {
          Answer answer(row);
          answer.w      = 0.25;
          answer.lambda = 0.5;
          FrictionalMotion motion(*row.problem,
                                  ContactFrames::find(*row.problem),
                                  row.f,
                                  loads);
          EXPECT_FALSE(motion.run(0, answer.w, answer.lambda));
          for (const double entry : answer.w)
            EXPECT_EQ(entry, 0.25);
          for (const double entry : answer.lambda)
            EXPECT_EQ(entry, 0.5);
        }
    }

    /// Does not converge, as conjugate gradients with an indefinite matrix.
    class FailingSolver : public LinearSolver
    {
    public:
      LinearReport
      solve(const Vector & /*b*/, Vector & /*x*/) const override
      {
        return {false, 1};
      }

      std::string
      description() const override
      {
        return "failing";
      }
    };

    /// A step may then be halved: nothing is thrown.
    TEST(ContactSolvers, ReportThatTheResponseFailed)
    {
      const Row                row;
      const FailingSolver      inverse;
      const MatrixFreeDelassus W(GlobalForm{*row.A, inverse, row.contacts});
      const ContactProblem     problem{W,
                                   *row.law,
                                   row.contacts.points(),
                                   row.problem->active,
                                   row.problem->b};
      for (const std::string name : {"automatic", "accelerated gradient"})
        {
          const auto solver =
            Registry<ContactSolver>::plugins().at(name).make_builder()->build(
              {1e-8});
          Answer answer(row);
          EXPECT_FALSE(solver->solve(problem, answer.lambda).converged);
          EXPECT_FALSE(
            solver->solve_motion(problem, row.f, answer.w, answer.lambda)
              .converged);
        }
    }
  } // namespace
} // namespace Percuss::Test
