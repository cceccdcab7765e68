// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/work_space.h>

#include <gtest/gtest.h>

namespace Percuss::Test
{
  namespace
  {
    TEST(WorkSpace, GetsItsSizeOnce)
    {
      const Partition three = make_partition(3, MPI_COMM_SELF);
      const Partition two   = make_partition(2, MPI_COMM_SELF);
      Vector          work;
      EXPECT_EQ(make_room(work, three).size(), 3u);
      EXPECT_EQ(work.linfty_norm(), 0);
      const double *const place = work.begin();
      work                      = 1.;
      EXPECT_EQ(make_room(work, three).begin(), place);
      EXPECT_EQ(work.l1_norm(), 3);
      EXPECT_EQ(make_room(work, two).size(), 2u);
    }



    TEST(WorkSpace, OfAPoolIsZeroAndKeepsItsMemory)
    {
      const Partition partition = make_partition(1000, MPI_COMM_SELF);
      const double   *place;
      {
        PooledVector first(partition), second(partition);
        EXPECT_NE(first.begin(), second.begin());
        first  = 1.;
        second = first;
        EXPECT_EQ(second.l1_norm(), 1000);
        place = first.begin();
      }
      const PooledVector again(partition);
      EXPECT_EQ(again.begin(), place);
      EXPECT_EQ(again.linfty_norm(), 0);
    }
  } // namespace
} // namespace Percuss::Test
