// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/linear_algebra/band_factorization.h>
#include <percuss/linear_algebra/updatable_solver.h>

#include <deal.II/base/mpi.h>

#include <petscksp.h>

#include <memory>

namespace Percuss
{
  namespace
  {
    /// A factorisation computed once, or whenever the matrix changes.
    class Factorization
    {
    public:
      virtual ~Factorization() = default;
      virtual bool
      update() = 0;
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
        : matrix(matrix)
        , width(width)
      {
        update();
      }

      bool
      update() override
      {
        factorization =
          std::make_unique<DistributedBandFactorization>(matrix, width);
        return true;
      }

      void
      solve(const Vector &b, Vector &x) override
      {
        factorization->solve(b, x);
      }

      std::string
      description() const override
      {
        return factorization->description();
      }

    private:
      const SparseMatrix                           &matrix;
      const unsigned int                            width;
      std::unique_ptr<DistributedBandFactorization> factorization;
    };



    /// MUMPS through PETSc, on any number of ranks: L L^T, and L D L^T with
    /// pivots for new values, which may be indefinite.
    class MumpsFactorization : public Factorization
    {
    public:
      explicit MumpsFactorization(const SparseMatrix &matrix)
        : matrix(matrix)
        , b_view(matrix.partition())
        , x_view(matrix.partition())
      {
        check_petsc(MatSetOption(matrix.petsc(), MAT_SPD, PETSC_TRUE));
        make_solver(matrix.petsc());
        check_petsc(KSPSetErrorIfNotConverged(ksp, PETSC_TRUE));
        check_petsc(KSPSetUp(ksp));
      }

      /// The order of elimination is found once, for a copy of the matrix that
      /// stays.
      bool
      update() override
      {
        if (static_cast<Mat>(copy) == nullptr)
          {
            check_petsc(
              MatDuplicate(matrix.petsc(), MAT_COPY_VALUES, copy.receive()));
            check_petsc(MatSetOption(copy, MAT_SPD, PETSC_FALSE));
            check_petsc(MatSetOption(copy, MAT_SYMMETRIC, PETSC_TRUE));
            make_solver(copy);
          }
        else
          check_petsc(MatCopy(matrix.petsc(), copy, SAME_NONZERO_PATTERN));
        check_petsc(KSPSetOperators(ksp, copy, copy));
        check_petsc(KSPSetUp(ksp));
        PC preconditioner;
        check_petsc(KSPGetPC(ksp, &preconditioner));
        PCFailedReason reason;
        check_petsc(PCGetFailedReason(preconditioner, &reason));
        return reason == PC_NOERROR;
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
        return static_cast<Mat>(copy) == nullptr ? "MUMPS Cholesky" :
                                                   "MUMPS LDL^T";
      }

    private:
      void
      make_solver(Mat of)
      {
        check_petsc(
          KSPCreate(matrix.partition()->get_mpi_communicator(), ksp.receive()));
        check_petsc(KSPSetOperators(ksp, of, of));
        check_petsc(KSPSetType(ksp, KSPPREONLY));
        PC preconditioner;
        check_petsc(KSPGetPC(ksp, &preconditioner));
        check_petsc(PCSetType(preconditioner, PCCHOLESKY));
        check_petsc(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS));
      }

      const SparseMatrix           &matrix;
      PetscHandle<Mat, &MatDestroy> copy;
      PetscHandle<KSP, &KSPDestroy> ksp;
      PetscView                     b_view, x_view;
    };



    /// Band solvers where the matrix has a narrow band (point masses, bars: the
    /// cost is near the machine's limit for an implicit step), otherwise MUMPS.
    class Direct : public UpdatableSolver
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
          factorization =
            std::make_unique<MumpsFactorization>(matrix.entries());
      }

      bool
      update() override
      {
        return factorization->update();
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
