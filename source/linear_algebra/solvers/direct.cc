// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/linear_algebra/band_factorization.h>
#include <percuss/linear_algebra/linear_solver.h>

#include <deal.II/base/mpi.h>

#include <petscksp.h>

#include <memory>

namespace Percuss
{
  namespace
  {
    /// A factorisation computed once.
    class Factorization
    {
    public:
      virtual ~Factorization() = default;
      virtual void
      solve(const Vector &b, Vector &x) = 0;
      virtual std::string
      description() const = 0;
    };



    /// Narrow bands, on any number of ranks.
    class NarrowBand : public Factorization
    {
    public:
      NarrowBand(const SparseMatrix &matrix, const unsigned int width)
        : factorization(matrix, width)
      {}

      void
      solve(const Vector &b, Vector &x) override
      {
        factorization.solve(b, x);
      }

      std::string
      description() const override
      {
        return factorization.description();
      }

    private:
      const DistributedBandFactorization factorization;
    };



    /// MUMPS through PETSc, on any number of ranks.
    class MumpsFactorization : public Factorization
    {
    public:
      explicit MumpsFactorization(const SparseMatrix &matrix)
        : b_view(matrix.partition())
        , x_view(matrix.partition())
      {
        const MPI_Comm communicator =
          matrix.partition()->get_mpi_communicator();
        check_petsc(KSPCreate(communicator, ksp.receive()));
        check_petsc(MatSetOption(matrix.petsc(), MAT_SPD, PETSC_TRUE));
        check_petsc(KSPSetOperators(ksp, matrix.petsc(), matrix.petsc()));
        check_petsc(KSPSetType(ksp, KSPPREONLY));
        PC preconditioner;
        check_petsc(KSPGetPC(ksp, &preconditioner));
        check_petsc(PCSetType(preconditioner, PCCHOLESKY));
        check_petsc(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS));
        check_petsc(KSPSetErrorIfNotConverged(ksp, PETSC_TRUE));
        check_petsc(KSPSetUp(ksp));
      }

      void
      solve(const Vector &b, Vector &x) override
      {
        check_petsc(KSPSolve(ksp, b_view.look_at(b), x_view.look_at(x)));
        b_view.release();
        x_view.release();
      }

      std::string
      description() const override
      {
        return "MUMPS Cholesky";
      }

    private:
      PetscHandle<KSP, &KSPDestroy> ksp;
      PetscView                     b_view, x_view;
    };



    /// Band solvers where the matrix has a narrow band (point masses, bars: the
    /// cost is near the machine's limit for an implicit step), otherwise MUMPS.
    class Direct : public LinearSolver
    {
    public:
      struct Parameters
      {
        unsigned int widest_band = 16;

        void
        declare(ParameterSection &section)
        {
          section.add("widest band",
                      widest_band,
                      "Matrices up to this bandwidth are factorised by band "
                      "solvers, others by MUMPS");
        }
      };

      Direct(const Parameters &parameters, const Context &context)
      {
        const SparseMatrix &matrix = context.matrix;
        const unsigned int  width  = dealii::Utilities::MPI::max(
          matrix.bandwidth(), matrix.partition()->get_mpi_communicator());
        if (width <= parameters.widest_band &&
            DistributedBandFactorization::is_possible(matrix, width))
          factorization = std::make_unique<NarrowBand>(matrix, width);
        else
          factorization = std::make_unique<MumpsFactorization>(matrix);
      }

      LinearReport
      solve(const Vector &b, Vector &x) const override
      {
        factorization->solve(b, x);
        return {true, 1};
      }

      std::string
      description() const override
      {
        return factorization->description();
      }

    private:
      std::unique_ptr<Factorization> factorization;
    };

    const Registration<LinearSolver, Direct>
      registration("direct",
                   "Cholesky factorisation, once: band solvers for narrow "
                   "bands, MUMPS otherwise");
  } // namespace
} // namespace Percuss
