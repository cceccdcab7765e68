// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

// Errors on several ranks.

namespace Percuss::Test
{
  namespace
  {
    unsigned int
    rank()
    {
      return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    }

    unsigned int
    n_ranks()
    {
      return dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    }

    TEST(Collective, AnErrorOfTheLastRankIsOneOfAll)
    {
      try
        {
          collectively(MPI_COMM_WORLD, []() {
            if (rank() + 1 == n_ranks())
              throw EntryError("time/step size", "is odd");
          });
          ADD_FAILURE();
        }
      catch (const EntryError &error)
        {
          EXPECT_EQ(error.path, "time/step size");
          EXPECT_EQ(error.reason, "is odd");
        }
    }

    TEST(Collective, RanksWaitForEachOther)
    {
      if (rank() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_TRUE(all_ranks_arrive(MPI_COMM_WORLD, 60));
    }

    /// The first rank comes too late, and alone knows that all have been here.
    TEST(Collective, RanksDoNotWaitForever)
    {
      MPI_Comm communicator; // what is left of the barrier stays in it
      MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
      const bool is_first = rank() == 0;
      if (is_first)
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
      const bool expected = is_first || n_ranks() == 1;
      EXPECT_EQ(all_ranks_arrive(communicator, is_first ? 60 : 0.05), expected);
    }
  } // namespace
} // namespace Percuss::Test
