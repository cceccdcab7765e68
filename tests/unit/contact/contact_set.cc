// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_problem.h>
#include <percuss/contact/contact_set.h>

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    // Two contacts on three degrees of freedom: g = (q0 + 2 q2 + 0.5, -q1).
    TEST(ContactSet, AppliesItsRows)
    {
      ContactSet set(MPI_COMM_SELF);
      set.add({0, 0, 0}, {{0, 1.}, {2, 2.}}, 0.5);
      set.add({0, 0, 1}, {{1, -1.}}, 0.);
      set.complete();
      Vector q(make_partition(3, MPI_COMM_SELF)), gap(set.partition());
      q(0) = 1;
      q(1) = 2;
      q(2) = 3;
      set.gaps(q, gap);
      EXPECT_EQ(gap(0), 7.5);
      EXPECT_EQ(gap(1), -2);
      set.velocities(q, gap);
      EXPECT_EQ(gap(0), 7);
      Vector lambda(set.partition()), impulse(q);
      lambda(0) = 10;
      lambda(1) = 1;
      set.impulses(lambda, impulse);
      EXPECT_EQ(impulse(0), 10);
      EXPECT_EQ(impulse(1), -1);
      EXPECT_EQ(impulse(2), 20);
    }

    TEST(NaturalResidual, IsZeroAtTheSolutionOnly)
    {
      // 0 <= 2 lambda - 4 _|_ lambda >= 0 has the solution 2.
      const auto         partition = make_partition(1, MPI_COMM_SELF);
      SparseMatrix::Rows rows;
      rows.start   = {0, 1};
      rows.columns = {0};
      rows.values  = {2};
      const SparseMatrix              W(partition, std::move(rows));
      const std::vector<ContactPoint> points(1);
      Settings                        settings;
      const auto                      law = settings.law.build({});
      const DelassusMatrix            delassus(W);
      ContactProblem problem{delassus, *law, points, {0}, Vector(partition)};
      problem.b(0) = -4;
      Vector lambda(partition);
      lambda(0) = 2;
      EXPECT_LE(natural_residual(problem, lambda), 1e-15);
      lambda(0) = 2.2;
      EXPECT_NEAR(natural_residual(problem, lambda), 0.4 / 4.4, 1e-14);
      lambda(0) = 0;
      EXPECT_NEAR(natural_residual(problem, lambda), 1, 1e-14);
      lambda(0) = std::nan("");
      EXPECT_FALSE(natural_residual(problem, lambda) < 1e10);
      problem.b(0) = 4;
      lambda(0)    = 0;
      EXPECT_EQ(natural_residual(problem, lambda), 0);
    }
  } // namespace
} // namespace Percuss::Test
