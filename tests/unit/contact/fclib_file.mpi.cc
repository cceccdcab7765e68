// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/fclib_file.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// Files of FCLIB on any number of ranks.

namespace Percuss::Test
{
  namespace
  {
    /// Contacts in the plane with W_ij = 1/(1+|i-j|).
    FclibProblem
    example(const unsigned int n_contacts)
    {
      FclibProblem   problem;
      const PetscInt n        = 2 * static_cast<PetscInt>(n_contacts);
      problem.space_dimension = 2;
      for (PetscInt i = 0; i < n; ++i)
        {
          for (PetscInt j = 0; j < n; ++j)
            {
              problem.W.columns.push_back(j);
              problem.W.values.push_back(1 / (1. + std::abs(i - j)));
            }
          problem.W.start.push_back(
            static_cast<PetscInt>(problem.W.columns.size()));
          problem.q.push_back(std::sin(1 + 3. * i));
          problem.guess.push_back(1 + i);
        }
      for (unsigned int i = 0; i < n_contacts; ++i)
        problem.mu.push_back(0.1 * (i % 4));
      return problem;
    }

    TEST(FclibFileOnRanks, IsTheSameProblem)
    {
      const TemporaryFolder folder(MPI_COMM_WORLD);
      const auto            path = folder.path / "a.hdf5";
      for (const unsigned int n_contacts : {1, 7})
        {
          const FclibProblem problem = example(n_contacts);
          MPI_Barrier(MPI_COMM_WORLD);
          if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
            write_fclib_file(path, problem);
          MPI_Barrier(MPI_COMM_WORLD);
          const FclibProblem found = read_fclib_file(path, MPI_COMM_WORLD);
          EXPECT_EQ(found.W.values, problem.W.values);
          EXPECT_EQ(found.q, problem.q);
          // In shares and together again.
          const StoredProblem shared(found, MPI_COMM_WORLD);
          const Vector        guess    = shared.share(found.guess);
          const FclibProblem  together = to_fclib(shared.problem(), guess);
          EXPECT_EQ(together.W.start, problem.W.start);
          EXPECT_EQ(together.W.columns, problem.W.columns);
          EXPECT_EQ(together.W.values, problem.W.values);
          EXPECT_EQ(together.q, problem.q);
          EXPECT_EQ(together.mu, problem.mu);
          EXPECT_EQ(together.guess, problem.guess);
          const StoredProblem alone(problem, MPI_COMM_SELF);
          EXPECT_NEAR(fclib_error(shared.problem(), guess),
                      fclib_error(alone.problem(), alone.share(problem.guess)),
                      1e-12);
          EXPECT_EQ(shared.problem().W.is_symmetric(), true);
        }
    }

    // The certificate knows the contacts of each rank as they are there.
    TEST(FclibFileOnRanks, RollingFrictionIsSolved)
    {
      FclibProblem problem    = example(10);
      problem.space_dimension = 5;
      problem.mu              = {0.3, 0.1, 0, 0.2};
      problem.mu_r            = {0.05, 0.2, 0.1, 0};
      const StoredProblem stored(problem, MPI_COMM_WORLD);
      const auto          guess = stored.share({});
      for (const std::string name :
           {"automatic", "gauss seidel", "projection", "prox"})
        {
          const auto solver =
            Registry<ContactSolver>::plugins().at(name).make_builder()->build(
              {1e-12});
          Vector r = guess;
          EXPECT_TRUE(solver->solve(stored.problem(), r).converged) << name;
          EXPECT_GT(r.linfty_norm(), 0.1);
          EXPECT_LT(fclib_error(stored.problem(), r), 1e-11) << name;
        }
      for (const std::string name : {"interior point", "lemke", "newton"})
        EXPECT_NE(Registry<ContactSolver>::plugins()
                    .at(name)
                    .make_builder()
                    ->build({})
                    ->refusal(stored.problem()),
                  "")
          << name;
    }

    TEST(FclibFileOnRanks, IsRefusedOnAllRanks)
    {
      EXPECT_THROW((void)read_fclib_file("missing.hdf5", MPI_COMM_WORLD),
                   Error);
    }

    TEST(ContactProblemFilesOnRanks, AreWrittenByARun)
    {
      const FinishedRun run("tutorial/impacting_bar.prm",
                            {"contact/problem files=hardest",
                             "model/bar/elements=20",
                             "time/end time=6e-4",
                             "output/field interval=0"},
                            MPI_COMM_WORLD);
      unsigned int      n_files = 0;
      for (const auto &file : std::filesystem::directory_iterator(
             run.folder.path / "contact_problems"))
        {
          ++n_files;
          const FclibProblem problem =
            read_fclib_file(file.path(), MPI_COMM_WORLD);
          EXPECT_EQ(problem.mu, std::vector<double>({0.}));
          const StoredProblem stored(problem, MPI_COMM_WORLD);
          EXPECT_LT(natural_residual(stored.problem(),
                                     stored.share(problem.solution)),
                    1e-10);
        }
      EXPECT_EQ(n_files, 1u);
    }
  } // namespace
} // namespace Percuss::Test
