// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>

#include <petscsnes.h>

#include <vector>

namespace Percuss
{
  namespace
  {
    /// PETSc's reduced-space active-set Newton method for variational
    /// inequalities (SNESVINEWTONRSLS) on 0 <= lambda, distributed: each rank
    /// keeps its own contacts. The law must be without friction: tangential
    /// rows are left out. PETSc options with the prefix "contact_" are obeyed.
    class PetscVI : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_iterations = 100;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum iterations",
                      maximum_iterations,
                      "More Newton iterations than this count as failure",
                      1);
        }
      };

      PetscVI(const Parameters &parameters, const Context &context)
        : ContactSolver("petsc vi",
                        {SolverNeeds::Form::matrix, false, 1},
                        context)
        , maximum_iterations(parameters.maximum_iterations)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const unsigned int maximum_iterations;
    };



    /// The normal directions of the active contacts as PETSc objects.
    struct ActiveSystem
    {
      explicit ActiveSystem(const ContactProblem &problem);

      void
      copy_in(const ContactProblem &problem, const Vector &from, Vec to) const;
      void
      copy_out(const ContactProblem &problem, Vector &to) const;

      PetscHandle<IS, &ISDestroy>   active;
      PetscHandle<Mat, &MatDestroy> W;
      PetscVector                   lambda, xi, b, lower, upper;
    };



    ActiveSystem::ActiveSystem(const ContactProblem &problem)
    {
      const auto &partition = *problem.W.partition();
      const auto  first = static_cast<PetscInt>(partition.local_range().first);
      std::vector<PetscInt> indices;
      for (const unsigned int contact : problem.active)
        indices.push_back(first +
                          static_cast<PetscInt>(problem.points[contact].first));
      check_petsc(ISCreateGeneral(partition.get_mpi_communicator(),
                                  static_cast<PetscInt>(indices.size()),
                                  indices.data(),
                                  PETSC_COPY_VALUES,
                                  active.receive()));
      check_petsc(MatCreateSubMatrix(problem.W.matrix()->petsc(),
                                     active,
                                     active,
                                     MAT_INITIAL_MATRIX,
                                     W.receive()));
      check_petsc(MatCreateVecs(W, lambda.receive(), xi.receive()));
      check_petsc(VecDuplicate(lambda, b.receive()));
      check_petsc(VecDuplicate(lambda, lower.receive()));
      check_petsc(VecDuplicate(lambda, upper.receive()));
      check_petsc(VecSet(lower, 0.));
      check_petsc(VecSet(upper, PETSC_INFINITY));
    }



    void
    ActiveSystem::copy_in(const ContactProblem &problem,
                          const Vector         &from,
                          Vec                   to) const
    {
      PetscScalar *values;
      check_petsc(VecGetArray(to, &values));
      for (std::size_t i = 0; i < problem.active.size(); ++i)
        values[i] = from.local_element(problem.points[problem.active[i]].first);
      check_petsc(VecRestoreArray(to, &values));
    }



    void
    ActiveSystem::copy_out(const ContactProblem &problem, Vector &to) const
    {
      const PetscScalar *values;
      check_petsc(VecGetArrayRead(lambda, &values));
      for (std::size_t i = 0; i < problem.active.size(); ++i)
        to.local_element(problem.points[problem.active[i]].first) = values[i];
      check_petsc(VecRestoreArrayRead(lambda, &values));
    }



    /// xi = W lambda + b.
    PetscErrorCode
    evaluate(SNES, Vec lambda, Vec xi, void *context)
    {
      const auto &system = *static_cast<const ActiveSystem *>(context);
      return MatMultAdd(system.W, lambda, system.b, xi);
    }



    PetscErrorCode
    derivative(SNES, Vec, Mat, Mat, void *)
    {
      return 0; // W is constant
    }



    /// Newton's linear systems are solved by GMRES: short ones exactly within
    /// a restart, long ones with Jacobi preconditioning.
    void
    set_up_linear_solver(SNES snes)
    {
      KSP ksp;
      PC  preconditioner;
      check_petsc(SNESGetKSP(snes, &ksp));
      check_petsc(KSPSetType(ksp, KSPGMRES));
      check_petsc(KSPGMRESSetRestart(ksp, 200));
      check_petsc(
        KSPSetTolerances(ksp, 1e-14, PETSC_DEFAULT, PETSC_DEFAULT, 2000));
      check_petsc(KSPGetPC(ksp, &preconditioner));
      check_petsc(PCSetType(preconditioner, PCJACOBI));
    }



    unsigned int
    PetscVI::run(const ContactProblem &problem, Vector &lambda) const
    {
      ActiveSystem system(problem);
      system.copy_in(problem, problem.b, system.b);
      system.copy_in(problem, lambda, system.lambda);
      PetscReal scale;
      check_petsc(VecNorm(system.b, NORM_INFINITY, &scale));

      PetscHandle<SNES, &SNESDestroy> snes;
      check_petsc(SNESCreate(problem.W.partition()->get_mpi_communicator(),
                             snes.receive()));
      check_petsc(SNESSetType(snes, SNESVINEWTONRSLS));
      check_petsc(SNESSetFunction(snes, system.xi, evaluate, &system));
      check_petsc(
        SNESSetJacobian(snes, system.W, system.W, derivative, &system));
      check_petsc(SNESVISetVariableBounds(snes, system.lower, system.upper));
      check_petsc(SNESSetTolerances(snes,
                                    0.01 * tolerance * scale,
                                    0.,
                                    0.,
                                    static_cast<PetscInt>(maximum_iterations),
                                    PETSC_DEFAULT));
      set_up_linear_solver(snes);
      check_petsc(SNESSetOptionsPrefix(snes, "contact_"));
      check_petsc(SNESSetFromOptions(snes));
      // An error, of numbers that are not finite, leaves the guess.
      if (SNESSolve(snes, nullptr, system.lambda) == 0)
        system.copy_out(problem, lambda);
      PetscInt n_iterations;
      check_petsc(SNESGetIterationNumber(snes, &n_iterations));
      return static_cast<unsigned int>(n_iterations);
    }

    const Registration<ContactSolver, PetscVI>
      registration("petsc vi",
                   "PETSc's active-set Newton method for variational "
                   "inequalities, distributed; no friction");
  } // namespace
} // namespace Percuss
