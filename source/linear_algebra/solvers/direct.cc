// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/linear_algebra/linear_solver.h>

#include <petscksp.h>

#include <algorithm>
#include <memory>
#include <vector>

extern "C"
{
  void
  dpbtrf_(const char *uplo,
          const int  *n,
          const int  *kd,
          double     *ab,
          const int  *ldab,
          int        *info);
  void
  dpbtrs_(const char   *uplo,
          const int    *n,
          const int    *kd,
          const int    *n_rhs,
          const double *ab,
          const int    *ldab,
          double       *b,
          const int    *ldb,
          int          *info);
}

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



    [[noreturn]] void
    report_indefinite()
    {
      throw Error(ExitCode::solver,
                  "The matrix of the time step is not positive definite; is a "
                  "mass zero?");
    }



    /// The lower triangle of a matrix of small bandwidth, column by column:
    /// bands[k + column * (bandwidth + 1)] = A(column + k, column).
    std::vector<double>
    lower_bands(const SparseMatrix &matrix, const unsigned int bandwidth)
    {
      const auto         &rows = matrix.rows();
      const std::size_t   n    = matrix.partition()->size();
      std::vector<double> bands(n * (bandwidth + 1));
      for (std::size_t row = 0; row < n; ++row)
        for (PetscInt k = rows.start[row]; k < rows.start[row + 1]; ++k)
          if (const auto column = static_cast<std::size_t>(rows.columns[k]);
              column <= row)
            bands[row - column + column * (bandwidth + 1)] = rows.values[k];
      return bands;
    }



    /// A tridiagonal matrix, eliminated from both ends towards the middle
    /// ("twisted"): two independent chains of operations at a time, so that a
    /// solve takes half as long as with LAPACK's dpttrs, whose time is that of
    /// one chain's latency.
    class TridiagonalFactorization : public Factorization
    {
    public:
      explicit TridiagonalFactorization(const SparseMatrix &matrix)
        : n(static_cast<int>(matrix.partition()->size()))
        , middle(n / 2)
        , inverse(n)
        , factor(n)
      {
        const auto bands    = lower_bands(matrix, 1);
        const auto diagonal = [&](const int i) { return bands[2 * i]; };
        const auto lower    = [&](const int i) { return bands[2 * i + 1]; };
        // factor[i] couples i and i + 1.
        double pivot = 0;
        for (int i = 0; i < middle; ++i)
          {
            pivot = diagonal(i) - (i > 0 ? factor[i - 1] * lower(i - 1) : 0);
            set_pivot(i, pivot);
            factor[i] = lower(i) * inverse[i];
          }
        for (int i = n - 1; i > middle; --i)
          {
            pivot = diagonal(i) - (i < n - 1 ? factor[i] * lower(i) : 0);
            set_pivot(i, pivot);
            factor[i - 1] = lower(i - 1) * inverse[i];
          }
        pivot = diagonal(middle);
        if (middle > 0)
          pivot -= factor[middle - 1] * lower(middle - 1);
        if (middle < n - 1)
          pivot -= factor[middle] * lower(middle);
        set_pivot(middle, pivot);
      }

      void
      solve(const Vector &b_vector, Vector &x_vector) override
      {
        const double *const b = b_vector.begin();
        double *const       x = x_vector.begin();
        // Rows i = 0, 1, ... and j = n-1, n-2, ... up to the middle, which is
        // as far from one end as from the other, or one row further.
        double left = 0, right = 0;
        int    i = 0, j = n - 1;
        for (; j > middle; ++i, --j)
          {
            x[i] = left = b[i] - (i > 0 ? factor[i - 1] : 0) * left;
            x[j] = right = b[j] - factor[j] * right;
          }
        if (i < middle)
          x[i] = left = b[i] - (i > 0 ? factor[i - 1] : 0) * left;
        x[middle] = (b[middle] - (middle > 0 ? factor[middle - 1] * left : 0) -
                     factor[middle] * right) *
                    inverse[middle];
        left = right = x[middle];
        for (i = middle - 1, j = middle + 1; j < n; --i, ++j)
          {
            x[i] = left = x[i] * inverse[i] - factor[i] * left;
            x[j] = right = x[j] * inverse[j] - factor[j - 1] * right;
          }
        if (i == 0)
          x[0] = x[0] * inverse[0] - factor[0] * left;
      }

      std::string
      description() const override
      {
        return "twisted tridiagonal factorisation";
      }

    private:
      void
      set_pivot(const int i, const double pivot)
      {
        if (!(pivot > 0))
          report_indefinite();
        inverse[i] = 1 / pivot;
      }

      const int           n, middle;
      std::vector<double> inverse; ///< of the pivots
      std::vector<double> factor;  ///< the last one is zero
    };



    /// L L^T of a band matrix.
    class BandFactorization : public Factorization
    {
    public:
      BandFactorization(const SparseMatrix &matrix, const unsigned int width)
        : n(static_cast<int>(matrix.partition()->size()))
        , bandwidth(static_cast<int>(width))
        , bands(lower_bands(matrix, width))
      {
        const int leading = bandwidth + 1;
        int       info    = 0;
        dpbtrf_("L", &n, &bandwidth, bands.data(), &leading, &info);
        if (info != 0)
          report_indefinite();
      }

      void
      solve(const Vector &b, Vector &x) override
      {
        std::copy(b.begin(), b.end(), x.begin());
        const int one = 1, leading = bandwidth + 1;
        int       info = 0;
        dpbtrs_("L",
                &n,
                &bandwidth,
                &one,
                bands.data(),
                &leading,
                x.begin(),
                &n,
                &info);
      }

      std::string
      description() const override
      {
        return "LAPACK band Cholesky, bandwidth " + std::to_string(bandwidth);
      }

    private:
      const int           n, bandwidth;
      std::vector<double> bands;
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



    /// On one rank LAPACK's band solvers where the matrix has a narrow band
    /// (point masses, bars: the cost is the machine's limit for an implicit
    /// step), otherwise MUMPS.
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
                      "On one rank, matrices up to this bandwidth are "
                      "factorised by LAPACK, others by MUMPS");
        }
      };

      Direct(const Parameters &parameters, const Context &context)
      {
        const SparseMatrix &matrix    = context.matrix;
        const unsigned int  bandwidth = matrix.bandwidth();
        if (matrix.partition()->n_mpi_processes() > 1 ||
            bandwidth > parameters.widest_band)
          factorization = std::make_unique<MumpsFactorization>(matrix);
        else if (bandwidth <= 1)
          factorization = std::make_unique<TridiagonalFactorization>(matrix);
        else
          factorization =
            std::make_unique<BandFactorization>(matrix, bandwidth);
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
                   "Cholesky factorisation, once: LAPACK for narrow bands on "
                   "one rank, MUMPS otherwise");
  } // namespace
} // namespace Percuss
