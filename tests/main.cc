// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <petscsys.h>

#include <gtest/gtest.h>

// Runs the tests on all ranks; rank 0 prints, and a failure on any rank counts.
int
main(int argc, char **argv)
{
  testing::InitGoogleTest(&argc, argv);
  std::string         quiet     = "-no_signal_handler";
  std::vector<char *> arguments = {argv[0], quiet.data(), nullptr};
  int                 n         = 2;
  char              **values    = arguments.data();
  const dealii::Utilities::MPI::MPI_InitFinalize initialization(n, values, 1);
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) > 0)
    delete testing::UnitTest::GetInstance()->listeners().Release(
      testing::UnitTest::GetInstance()->listeners().default_result_printer());
  const int result = RUN_ALL_TESTS();
  return dealii::Utilities::MPI::max(result, MPI_COMM_WORLD);
}
