// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/delassus_operator.h>
#include <percuss/contact/relative_motion.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "tools.h"

// Unknowns in which contacts of two bodies are those of nodes: their definition
// by rows of numbers, on all ranks.

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int n_dofs = 9; ///< of a rank: three nodes

    using GlobalRow = ContactSet::GlobalRow;

    /// Contacts of the first node of each rank, with other degrees of freedom
    /// of any rank.
    struct Bodies
    {
      Bodies()
        : partition(make_partition(n_dofs, MPI_COMM_WORLD))
        , first(static_cast<unsigned int>(partition->local_range().first))
        , n(static_cast<unsigned int>(partition->size()))
      {
        Settings settings;
        assign(settings, "", {"contact/law=coulomb"});
        law = settings.law.build({});
        SparseMatrix::Rows rows;
        for (unsigned int i = 0; i < n_dofs; ++i)
          {
            rows.columns.push_back(static_cast<PetscInt>(first + i));
            rows.values.push_back(1 + i);
            rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
          }
        A       = std::make_unique<SparseMatrix>(partition, std::move(rows));
        inverse = settings.linear_solver.build({*A});
      }

      /// @p own counts from the first degree of freedom of this rank.
      void
      add(const unsigned int            own,
          const unsigned int            n_own,
          const std::vector<GlobalRow> &rows)
      {
        ContactPoint point;
        point.friction   = 0.3;
        point.own_dof    = own;
        point.n_own_dofs = n_own;
        contacts.add_across(point, rows, 0.);
      }

      std::unique_ptr<RelativeMotion>
      find(const RelativeMotion::Directions directions)
      {
        contacts.complete(partition);
        W = std::make_unique<MatrixFreeDelassus>(
          GlobalForm{*A, *inverse, contacts});
        problem = std::make_unique<ContactProblem>(ContactProblem{
          *W, *law, contacts.points(), {}, Vector(contacts.partition())});
        for (unsigned int i = 0; i < contacts.points().size(); ++i)
          problem->active.push_back(i);
        return RelativeMotion::find(*problem, directions);
      }

      /// Numbers without order.
      Vector
      numbers(const double shift) const
      {
        Vector result(partition);
        for (unsigned int i = 0; i < n_dofs; ++i)
          result.local_element(i) = std::sin(shift + 1.7 * (first + i));
        return result;
      }

      const Partition                     partition;
      const unsigned int                  first, n;
      std::unique_ptr<ContactLaw>         law;
      std::unique_ptr<SparseMatrix>       A;
      std::unique_ptr<LinearSolver>       inverse;
      ContactSet                          contacts{MPI_COMM_WORLD};
      std::unique_ptr<MatrixFreeDelassus> W;
      std::unique_ptr<ContactProblem>     problem;
    };

    double
    product(const Vector &a, const Vector &b)
    {
      return a * b;
    }

    /// What the class promises: D T z = S z / a, back is back, and forces do
    /// the work of motions.
    void
    check(const Bodies &bodies, const RelativeMotion &relative)
    {
      const Vector z = bodies.numbers(0.3), f = bodies.numbers(2.1);
      Vector       w(z), rates(bodies.contacts.partition());
      relative.to_motion(w);
      bodies.contacts.multiply(w, rates);
      for (std::size_t c = 0; c < relative.own().size(); ++c)
        {
          const RelativeMotion::Own &own   = relative.own()[c];
          const ContactPoint        &point = bodies.contacts.points()[c];
          for (unsigned int i = 0; i < point.n_directions; ++i)
            {
              double expected = 0;
              for (unsigned int k = 0; k < own.n_dofs; ++k)
                expected += own.directions[i][k] * z.local_element(own.dofs[k]);
              EXPECT_NEAR(rates.local_element(point.first + i),
                          expected,
                          1e-14);
            }
        }
      Vector force(f);
      relative.from_forces(force);
      EXPECT_NEAR(product(force, z), product(f, w), 1e-13);
      relative.to_forces(force);
      force -= f;
      EXPECT_LT(force.linfty_norm(), 1e-14);
      relative.from_motion(w);
      w -= z;
      EXPECT_LT(w.linfty_norm(), 1e-14);
    }

    /// Of the node against two nodes of the next rank, turned.
    std::vector<GlobalRow>
    frame_rows(const Bodies &bodies, const double length)
    {
      const double           c = 0.6, s = 0.8;
      const double           frame[3][3] = {{0, c, s}, {1, 0, 0}, {0, -s, c}};
      const unsigned int     other = (bodies.first + n_dofs + 3) % bodies.n;
      std::vector<GlobalRow> rows(3);
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int d = 0; d < 3; ++d)
          if (frame[i][d] != 0)
            {
              rows[i].emplace_back(bodies.first + d, length * frame[i][d]);
              rows[i].emplace_back(other + d, -0.7 * frame[i][d]);
              rows[i].emplace_back(other + 3 + d, -0.3 * frame[i][d]);
            }
      return rows;
    }

    TEST(RelativeMotion, NormalsOfANodeAgainstOthers)
    {
      Bodies             bodies;
      const unsigned int other = (bodies.first + n_dofs + 3) % bodies.n;
      bodies.add(0,
                 3,
                 {{{bodies.first, 0.6},
                   {bodies.first + 2, 0.8},
                   {other, -0.6},
                   {other + 2, -0.8}}});
      const auto relative = bodies.find(RelativeMotion::Directions::normal);
      ASSERT_TRUE(relative);
      EXPECT_FALSE(relative->is_identity());
      check(bodies, *relative);
    }

    TEST(RelativeMotion, FramesAreOfAnyLength)
    {
      for (const double length : {1., 0.4})
        {
          Bodies bodies;
          bodies.add(0, 3, frame_rows(bodies, length));
          const auto relative = bodies.find(RelativeMotion::Directions::all);
          ASSERT_TRUE(relative);
          check(bodies, *relative);
        }
    }

    TEST(RelativeMotion, ObstaclesChangeNothing)
    {
      Bodies bodies;
      bodies.add(0, 0, {{{bodies.first, 1.}}});
      const auto relative = bodies.find(RelativeMotion::Directions::normal);
      ASSERT_TRUE(relative);
      EXPECT_TRUE(relative->is_identity());
      check(bodies, *relative);
    }

    /// The second contact of each rank has the node of the first one among the
    /// others, beside the edge of the other body.
    TEST(RelativeMotion, ContactsMayFollowEachOther)
    {
      Bodies             bodies;
      const unsigned int other = (bodies.first + n_dofs + 8) % bodies.n;
      bodies.add(0, 1, {{{bodies.first, 1.}, {other, -1.}}});
      bodies.add(
        3, 1, {{{bodies.first + 3, 0.3}, {bodies.first, 0.7}, {other, -1.}}});
      const auto relative = bodies.find(RelativeMotion::Directions::normal);
      ASSERT_TRUE(relative);
      check(bodies, *relative);
    }

    /// Beside the edge of the other body: T has 1 / own, and W lambda the
    /// round-off of its square.
    TEST(RelativeMotion, NodesThatHardlyFeelTheirContactHaveNone)
    {
      for (const double own : {0.02, 1e-4})
        {
          Bodies             bodies;
          const unsigned int other = (bodies.first + n_dofs + 8) % bodies.n;
          bodies.add(
            0,
            1,
            {{{bodies.first, own}, {bodies.first + 3, 1 - own}, {other, -1.}}});
          EXPECT_EQ(bodies.find(RelativeMotion::Directions::normal) != nullptr,
                    own == 0.02);
        }
    }

    TEST(RelativeMotion, ContactsInACircleOrWithTheSameNodeHaveNone)
    {
      Bodies circle;
      circle.add(0, 1, {{{circle.first, 1.}, {circle.first + 3, -0.5}}});
      circle.add(3, 1, {{{circle.first + 3, 1.}, {circle.first, -0.5}}});
      EXPECT_FALSE(circle.find(RelativeMotion::Directions::normal));
      Bodies same;
      same.add(0, 1, {{{same.first, 1.}, {same.first + 3, -1.}}});
      same.add(0, 1, {{{same.first, 1.}, {same.first + 6, -1.}}});
      EXPECT_FALSE(same.find(RelativeMotion::Directions::normal));
    }
  } // namespace
} // namespace Percuss::Test
