// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    /// An elastic cube of unit wave speed with n cells along an edge.
    std::unique_ptr<MechanicalModel>
    cube(Settings &settings, const unsigned int n, const Overrides &more = {})
    {
      const std::string cells = std::to_string(n);
      Overrides         all   = {"model/type=solid 3d",
                                 "model/solid 3d/bodies/block/size=1, 1, 1",
                                 "model/solid 3d/bodies/block/cells=" + cells + ", " +
                                   cells + ", " + cells,
                                 "model/solid 3d/bodies/block/young modulus=1",
                                 "model/solid 3d/bodies/block/poisson ratio=0",
                                 "model/solid 3d/bodies/block/density=1"};
      all.insert(all.end(), more.begin(), more.end());
      assign(settings, "benchmark/block_drop_3d.prm", all);
      return settings.model.build({MPI_COMM_SELF});
    }

    /// M + h^2/4 K for steps of @p cfl times the wave's time across a cell.
    std::unique_ptr<SparseMatrix>
    matrix(const MechanicalModel &model, const unsigned int n, const double cfl)
    {
      return model.assemble(1, 0, cfl * cfl / (4. * n * n));
    }

    std::string
    choice(const Settings &settings, const SparseMatrix &A)
    {
      return settings.linear_solver.build({A})->description();
    }

    TEST(AutomaticLinearSolver, ChoosesBySizeAndTrial)
    {
      Settings   small, large, huge;
      const auto little = cube(small, 4);
      EXPECT_EQ(choice(small, *matrix(*little, 4, 1)), "MUMPS Cholesky");
      const auto model = cube(large, 12);
      EXPECT_EQ(choice(large, *matrix(*model, 12, 1))
                  .rfind("PETSc CG with icc: a trial took ", 0),
                0u);
      EXPECT_EQ(choice(large, *matrix(*model, 12, 100))
                  .rfind("MUMPS Cholesky: a trial took ", 0),
                0u);
      const auto same =
        cube(huge, 12, {"linear solver/automatic/largest direct=0"});
      EXPECT_EQ(choice(huge, *matrix(*same, 12, 300))
                  .rfind("PETSc CG with gamg: a trial took ", 0),
                0u);
    }

    /// A matrix that is known by its products until somebody asks for entries.
    class Products : public MatrixOperator
    {
    public:
      Products(const MechanicalModel &model,
               const unsigned int     n,
               const double           cfl,
               const bool             may_have_entries)
        : model(model)
        , n(n)
        , cfl(cfl)
        , may_have_entries(may_have_entries)
        , products(matrix(model, n, cfl))
      {}

      const Partition &
      partition() const override
      {
        return products->partition();
      }

      void
      multiply(const double *x, double *y) const override
      {
        products->symmetric_blocks()->multiply(x, y);
      }

      std::vector<double>
      diagonal() const override
      {
        return products->diagonal();
      }

      std::unique_ptr<SparseMatrix>
      with_entries() const override
      {
        if (!may_have_entries)
          throw EntryError("operator", "shall have no entries");
        return matrix(model, n, cfl);
      }

    private:
      const MechanicalModel              &model;
      const unsigned int                  n;
      const double                        cfl;
      const bool                          may_have_entries;
      const std::unique_ptr<SparseMatrix> products;
    };

    TEST(AutomaticLinearSolver, GivesEntriesToOperatorsWhereTheyPay)
    {
      struct Case
      {
        double      cfl;
        bool        may_have_entries;
        Overrides   overrides;
        std::string begin, end;
      };
      const std::string factors   = "linear solver/automatic/largest direct=0";
      const std::string assembled = "linear solver/automatic/largest "
                                    "assembled=0";
      const std::string block     = "model/solid 3d/bodies/block/";
      Settings          settings;
      const auto        beam =
        cube(settings, 4, {block + "size=1, 1, 25", block + "cells=4, 4, 100"});
      for (const Case &what :
           {Case{1, true, {}, "PETSc CG with jacobi", "without entries"},
            Case{1000, true, {}, "MUMPS", "of CG with jacobi"},
            Case{1000, true, {factors}, "PETSc CG with gamg", "with jacobi"},
            Case{1000, true, {assembled}, "PETSc CG with jacobi", "for them"},
            Case{1000, false, {}, "PETSc CG with jacobi", "shall have none"}})
        {
          const SparseMatrix A(std::make_unique<Products>(
            *beam, 4, what.cfl, what.may_have_entries));
          Settings           other;
          assign(other, "", what.overrides);
          const auto        solver = other.linear_solver.build({A});
          const std::string text   = solver->description();
          EXPECT_EQ(text.rfind(what.begin, 0), 0u) << text;
          EXPECT_NE(text.find(what.end), std::string::npos) << text;
          Vector b(A.partition()), x(b), residual(b);
          for (unsigned int i = 0; i < b.size(); ++i)
            b(i) = std::sin(i + 1.);
          EXPECT_TRUE(solver->solve(b, x).converged);
          A.multiply(x, residual);
          residual -= b;
          // The tolerance, and the round-off of rows of 81 entries.
          const std::vector<double> diagonal = A.diagonal();
          const double              round_off =
            81 * std::numeric_limits<double>::epsilon() *
            *std::max_element(diagonal.begin(), diagonal.end()) * x.l2_norm();
          EXPECT_LT(residual.l2_norm(), 1e-11 * b.l2_norm() + round_off)
            << text;
        }
    }

    TEST(AutomaticLinearSolver, DividesByDiagonals)
    {
      for (const std::string form : {"assembled", "matrix-free"})
        {
          Settings   settings;
          const auto model  = cube(settings,
                                  4,
                                  {"model/solid 3d/mass matrix=lumped",
                                    "model/solid 3d/operator=" + form});
          const auto M      = model->assemble(1, 0, 0);
          const auto solver = settings.linear_solver.build({*M});
          EXPECT_EQ(solver->description(), "diagonal");
          Vector exact(M->partition()), b(exact), x(exact);
          for (unsigned int i = 0; i < exact.size(); ++i)
            exact(i) = std::sin(i + 1.);
          M->multiply(exact, b);
          EXPECT_TRUE(solver->solve(b, x).converged);
          x -= exact;
          EXPECT_LT(x.linfty_norm(), 1e-14);
        }
    }

    TEST(LinearSolvers, AgreeOnSolids)
    {
      Settings   settings;
      const auto model = cube(settings, 12);
      for (const double cfl : {1., 30.})
        {
          const auto A = matrix(*model, 12, cfl);
          Vector     exact(A->partition()), b(exact), x(exact);
          for (unsigned int i = 0; i < exact.size(); ++i)
            exact(i) = std::sin(i + 1.);
          A->multiply(exact, b);
          for (const Overrides &overrides :
               {Overrides{"linear solver/type=direct"},
                Overrides{"linear solver/type=automatic"},
                Overrides{"linear solver/type=automatic",
                          "linear solver/automatic/largest direct=0"},
                Overrides{"linear solver/type=cg"},
                Overrides{"linear solver/type=cg",
                          "linear solver/cg/preconditioner=jacobi"},
                Overrides{"linear solver/type=cg",
                          "linear solver/cg/preconditioner=chebyshev"},
                Overrides{"linear solver/type=cg",
                          "linear solver/cg/preconditioner=gamg"},
                Overrides{"linear solver/type=cg",
                          "linear solver/cg/preconditioner=hypre"}})
            {
              Settings other;
              assign(other, "", overrides);
              const auto         solver = other.linear_solver.build({*A});
              const LinearReport report = solver->solve(b, x);
              EXPECT_TRUE(report.converged);
              x -= exact;
              EXPECT_LT(x.linfty_norm(), 1e-8) << solver->description();
              // A guess that is nearly right saves iterations.
              x.equ(1e-6, b);
              x += exact;
              const LinearReport second = solver->improve(b, x);
              EXPECT_TRUE(second.converged);
              EXPECT_LE(second.n_iterations, report.n_iterations);
              x -= exact;
              EXPECT_LT(x.linfty_norm(), 1e-8) << solver->description();
            }
        }
    }
  } // namespace
} // namespace Percuss::Test
