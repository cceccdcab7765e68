// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/linear_algebra/linear_solver.h>

#include <petscksp.h>

#include <string>

namespace Percuss
{
  namespace
  {
    /// Conjugate gradients of PETSc; the preconditioner is set up once.
    /// PETSc options with the prefix "linear_" are obeyed.
    class CG : public LinearSolver
    {
    public:
      struct Parameters
      {
        std::string  preconditioner     = "jacobi";
        double       tolerance          = 1e-12;
        unsigned int maximum_iterations = 1000;

        void
        declare(ParameterSection &section)
        {
          section.add_choice("preconditioner",
                             preconditioner,
                             "Jacobi suits steps near the wave's time across "
                             "an element; hypre and GAMG suit longer ones",
                             {"jacobi", "hypre", "gamg"});
          section.add("tolerance",
                      tolerance,
                      "Relative size of the residual at which to stop",
                      {0, 1, true, true});
          section.add("maximum iterations",
                      maximum_iterations,
                      "More than this counts as failure",
                      1);
        }
      };

      CG(const Parameters &parameters, const Context &context)
        : name(parameters.preconditioner)
        , b_view(context.matrix.partition())
        , x_view(context.matrix.partition())
      {
        const SparseMatrix &matrix = context.matrix;
        check_petsc(
          KSPCreate(matrix.partition()->get_mpi_communicator(), ksp.receive()));
        check_petsc(MatSetOption(matrix.petsc(), MAT_SPD, PETSC_TRUE));
        check_petsc(KSPSetOperators(ksp, matrix.petsc(), matrix.petsc()));
        check_petsc(KSPSetType(ksp, KSPCG));
        check_petsc(KSPSetTolerances(ksp,
                                     parameters.tolerance,
                                     PETSC_DEFAULT,
                                     PETSC_DEFAULT,
                                     static_cast<PetscInt>(
                                       parameters.maximum_iterations)));
        check_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
        PC preconditioner;
        check_petsc(KSPGetPC(ksp, &preconditioner));
        check_petsc(PCSetType(preconditioner, name.c_str()));
        check_petsc(KSPSetOptionsPrefix(ksp, "linear_"));
        check_petsc(KSPSetFromOptions(ksp));
        check_petsc(KSPSetUp(ksp));
      }

      LinearReport
      solve(const Vector &b, Vector &x) const override
      {
        check_petsc(KSPSolve(ksp, b_view.look_at(b), x_view.look_at(x)));
        b_view.release();
        x_view.release();
        KSPConvergedReason reason;
        PetscInt           n_iterations;
        check_petsc(KSPGetConvergedReason(ksp, &reason));
        check_petsc(KSPGetIterationNumber(ksp, &n_iterations));
        return {reason > 0, static_cast<unsigned int>(n_iterations)};
      }

      std::string
      description() const override
      {
        return "PETSc CG with " + name;
      }

    private:
      std::string                   name;
      PetscHandle<KSP, &KSPDestroy> ksp;
      mutable PetscView             b_view, x_view;
    };

    const Registration<LinearSolver, CG>
      registration("cg",
                   "conjugate gradients with Jacobi, hypre or GAMG "
                   "preconditioner, distributed");
  } // namespace
} // namespace Percuss
