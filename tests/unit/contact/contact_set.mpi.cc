// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_set.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

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

    /// What all ranks ask for together has the same answer where one of them
    /// has all contacts.
    TEST(ContactSet, OneRankMayHaveAllContacts)
    {
      const MPI_Comm  all  = MPI_COMM_WORLD;
      const Partition dofs = make_partition(2, all);
      const bool is_first  = dealii::Utilities::MPI::this_mpi_process(all) == 0;
      for (const unsigned int n_own_dofs : {0, 1})
        {
          ContactSet   set(all);
          ContactPoint point;
          point.n_own_dofs   = n_own_dofs;
          point.friction     = 0.3;
          point.restitution  = 0.5;
          point.n_directions = 2;
          if (is_first)
            set.add_across(point, {{{0, 1.}}, {{1, 1.}}}, 0.);
          set.complete(dofs);
          EXPECT_EQ(set.connects_bodies(), n_own_dofs == 1);
          EXPECT_EQ(set.largest_frictional_block(), 2u);
          EXPECT_EQ(set.largest_restitution(), 0.5);
          EXPECT_EQ(set.size(), 1u);
        }
    }

    /// What a rank knows of all degrees of freedom: those of the next rank, or
    /// those of all.
    Partition
    known(const Partition &dofs, const unsigned int next, const bool of_all)
    {
      dealii::IndexSet others(dofs->size());
      others.add_range(2 * next, 2 * next + 2);
      if (of_all)
        others.add_range(0, dofs->size());
      return std::make_shared<dealii::Utilities::MPI::Partitioner>(
        dofs->locally_owned_range(), others, dofs->get_mpi_communicator());
    }

    /// Each rank has a contact with a row that stays and one that is found; the
    /// numbers of the degrees of freedom of other ranks change from one place
    /// to the next.
    TEST(ContactSet, ReachesOtherRanksWhileContactsFollow)
    {
      const MPI_Comm     all  = MPI_COMM_WORLD;
      const unsigned int rank = dealii::Utilities::MPI::this_mpi_process(all);
      const unsigned int n    = dealii::Utilities::MPI::n_mpi_processes(all);
      const unsigned int next = (rank + 1) % n;
      const Partition    dofs = make_partition(2, all);
      ContactSet         set(all);
      set.set_geometry([](const double time,
                          const Vector &,
                          double *gaps,
                          double *coefficients,
                          double *) {
        gaps[0]         = time;
        coefficients[0] = 1;
        coefficients[1] = -3 - time;
      });
      set.set_finder(
        [&](const double time, const Vector &, ContactSet::FoundRows &rows) {
          rows.dofs         = known(dofs, next, time == 1);
          rows.start        = {0, 2};
          rows.columns      = {1, rows.dofs->global_to_local(2 * next)};
          rows.coefficients = {2., 5.};
          rows.gaps         = {2 * time};
        },
        {0, 1});
      set.add_across({}, {{{2 * rank, 1.}, {2 * next + 1, -3.}}}, 0);
      set.add_following({});
      set.complete(dofs);
      EXPECT_EQ(set.touched_dofs(), (std::vector<unsigned int>{0, 1}));
      const auto value = [](const unsigned int i) { return std::sin(1. + i); };
      const unsigned int before = (rank + n - 1) % n;
      Vector             x(dofs), y(set.partition());
      for (const double time : {1., 0., 1., 2.})
        {
          for (unsigned int i = 0; i < 2; ++i)
            x.local_element(i) = value(2 * rank + i);
          set.place(time, x);
          set.gaps(x, y);
          EXPECT_EQ(y.local_element(0), time);
          EXPECT_EQ(y.local_element(1), 2 * time);
          set.multiply(x, y);
          EXPECT_NEAR(y.local_element(0),
                      value(2 * rank) - (3 + time) * value(2 * next + 1),
                      1e-15);
          EXPECT_NEAR(y.local_element(1),
                      2 * value(2 * rank + 1) + 5 * value(2 * next),
                      1e-15);
          y.local_element(0) = value(rank);
          y.local_element(1) = value(2 * rank);
          set.impulses(y, x);
          EXPECT_NEAR(x.local_element(0),
                      value(rank) + 5 * value(2 * before),
                      1e-15);
          EXPECT_NEAR(x.local_element(1),
                      2 * value(2 * rank) - (3 + time) * value(before),
                      1e-15);
          EXPECT_EQ(set.touched_dofs(), (std::vector<unsigned int>{0, 1}));
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
