// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    /// A symmetric positive definite matrix of size n with 2 w + 1 diagonals.
    std::unique_ptr<SparseMatrix>
    band_matrix(const int n, const int w)
    {
      SparseMatrix::Rows rows;
      for (int i = 0; i < n; ++i)
        {
          for (int j = std::max(0, i - w); j <= std::min(n - 1, i + w); ++j)
            {
              rows.columns.push_back(j);
              rows.values.push_back(i == j ? 2 * w + 1.5 + 0.1 * (i % 3) :
                                             -1. / (1 + (i + j) % 4));
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return std::make_unique<SparseMatrix>(
        make_partition(static_cast<unsigned int>(n), MPI_COMM_SELF),
        std::move(rows));
    }

    class EveryLinearSolver : public testing::TestWithParam<Overrides>
    {};

    TEST_P(EveryLinearSolver, SolvesBandMatricesOfAllSizes)
    {
      Settings settings;
      assign(settings, "", GetParam());
      for (const int n : {1, 2, 3, 4, 5, 17, 100})
        for (const int w : {0, 1, 2, 5, 20})
          {
            const auto matrix = band_matrix(n, w);
            const auto solver = settings.linear_solver.build({*matrix});
            Vector     exact(matrix->partition()), b(exact), x(exact);
            for (int i = 0; i < n; ++i)
              exact(i) = std::sin(i + 1.);
            matrix->multiply(exact, b);
            const LinearReport report = solver->solve(b, x);
            EXPECT_TRUE(report.converged);
            x -= exact;
            EXPECT_LT(x.linfty_norm(), 1e-10)
              << solver->description() << ", n = " << n << ", w = " << w;
            EXPECT_FALSE(solver->description().empty());
          }
    }

    TEST(DirectLinearSolver, RefusesAnIndefiniteMatrix)
    {
      for (const int w : {1, 2})
        {
          auto               matrix = band_matrix(6, w);
          SparseMatrix::Rows rows   = matrix->rows();
          rows.values.back()        = -1;
          const SparseMatrix indefinite(matrix->partition(), std::move(rows));
          Settings           settings;
          EXPECT_THROW(settings.linear_solver.build({indefinite}), Error);
        }
    }

    INSTANTIATE_TEST_SUITE_P(
      Registered,
      EveryLinearSolver,
      testing::Values(Overrides{"linear solver/type=direct"},
                      Overrides{"linear solver/type=direct",
                                "linear solver/direct/widest band=0"},
                      Overrides{"linear solver/type=automatic"},
                      Overrides{"linear solver/type=cg"},
                      Overrides{"linear solver/type=cg",
                                "linear solver/cg/preconditioner=hypre"},
                      Overrides{"linear solver/type=cg",
                                "linear solver/cg/preconditioner=gamg"}));

    TEST(LinearSolvers, AreAllTested)
    {
      const std::vector<std::string> tested = {"automatic", "cg", "direct"};
      EXPECT_EQ(Registry<LinearSolver>::names(), tested);
    }
  } // namespace
} // namespace Percuss::Test
