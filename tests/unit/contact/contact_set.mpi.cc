// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_set.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>

namespace Percuss::Test
{
  namespace
  {
    /// Each rank owns two degrees of freedom and a contact of its first one
    /// with the second one of the next rank, g = x_2r - 3 x_2r' + 0.5.
    TEST(ContactSet, ReachesOtherRanks)
    {
      const MPI_Comm     all  = MPI_COMM_WORLD;
      const unsigned int rank = dealii::Utilities::MPI::this_mpi_process(all);
      const unsigned int n    = dealii::Utilities::MPI::n_mpi_processes(all);
      const Partition    dofs = make_partition(2, all);
      ContactSet         set(all);
      const ContactSet::GlobalRow row = {{2 * rank, 1.},
                                         {2 * ((rank + 1) % n) + 1, -3.}};
      set.add_across({}, {row}, 0.5);
      set.complete(dofs);
      EXPECT_EQ(set.reaches_other_ranks(), n > 1);
      EXPECT_EQ(set.size(), n);
      const auto value = [](const unsigned int i) { return std::sin(1. + i); };
      Vector     x(dofs), gap(set.partition()), lambda(set.partition());
      for (unsigned int turn = 0; turn < 2; ++turn)
        {
          for (unsigned int i = 0; i < 2; ++i)
            x.local_element(i) = value(turn + 2 * rank + i);
          set.gaps(x, gap);
          EXPECT_NEAR(gap.local_element(0),
                      value(turn + 2 * rank) -
                        3 * value(turn + 2 * ((rank + 1) % n) + 1) + 0.5,
                      1e-15);
          set.squares(x, gap);
          EXPECT_NEAR(gap.local_element(0),
                      value(turn + 2 * rank) +
                        9 * value(turn + 2 * ((rank + 1) % n) + 1),
                      1e-14);
          lambda.local_element(0) = value(rank + turn);
          set.impulses(lambda, x);
          EXPECT_EQ(x.local_element(0), value(rank + turn));
          EXPECT_EQ(x.local_element(1), -3 * value((rank + n - 1) % n + turn));
        }
    }

    /// Without degrees of freedom of others nothing is exchanged.
    TEST(ContactSet, StaysAtHome)
    {
      const Partition dofs = make_partition(2, MPI_COMM_WORLD);
      ContactSet      set(MPI_COMM_WORLD);
      set.add_across({}, {{{dofs->local_range().first + 1, 2.}}}, 0);
      set.complete(dofs);
      EXPECT_FALSE(set.reaches_other_ranks());
      Vector x(dofs), u(set.partition());
      x.local_element(1) = 3;
      set.multiply(x, u);
      EXPECT_EQ(u.local_element(0), 6);
    }
  } // namespace
} // namespace Percuss::Test
