// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/incomplete_cholesky.h>
#include <percuss/linear_algebra/updatable_solver.h>

#include <petscksp.h>

#include <memory>
#include <string>

namespace Percuss
{
  /// Conjugate gradients of PETSc; the preconditioner is set up once.
  /// PETSc options with the prefix "linear_" are obeyed.
  class ConjugateGradients : public UpdatableSolver
  {
  public:
    struct Options
    {
      /// "jacobi", "chebyshev", "icc", "hypre", "gamg",
      /// or "automatic": "icc" for matrices of blocks, else "jacobi".
      std::string  preconditioner     = "automatic";
      double       tolerance          = 1e-12;
      unsigned int maximum_iterations = 1000;
    };

    ConjugateGradients(const SparseMatrix &matrix, const Options &options);

    /// That a matrix is indefinite shows in solve() only.
    bool
    update() override;

    LinearReport
    solve(const Vector &b, Vector &x) const override
    {
      return iterate(b, x, PETSC_FALSE);
    }

    LinearReport
    improve(const Vector &b, Vector &x) const override
    {
      return iterate(b, x, PETSC_TRUE);
    }

    LinearReport
    solve_roughly(const Vector &b, Vector &x, double reduction) const override;

    void
    precondition(const Vector &r, Vector &z) const override;

    bool
    is_iterative() const override
    {
      return true;
    }

    std::string
    description() const override
    {
      return "PETSc CG with " + name;
    }

    /// The iterations that it takes to solve for a load without any order, at
    /// most @p limit; one more where these do not suffice. Collective.
    unsigned int
    try_iterations(unsigned int limit) const;

  private:
    LinearReport
    iterate(const Vector &b, Vector &x, PetscBool has_guess) const;

    void
    set_tolerances(double reduction, unsigned int maximum_iterations) const;
    LinearReport
    solve_with(double        reduction,
               unsigned int  maximum_iterations,
               const Vector &b,
               Vector       &x) const;

    /// Tells PETSc the matrix and what the preconditioner is made from.
    /// False where incomplete Cholesky factors do not exist.
    bool
    set_operators();

    /// The matrix that PETSc's preconditioners are made from: multigrid
    /// methods know no symmetric blocks, incomplete Cholesky of AIJ needs them,
    /// and Jacobi needs no entries.
    Mat
    preconditioned();

    /// A polynomial of D^-1 A, with the diagonal D.
    static void
    set_polynomial(PC preconditioner);

    /// Makes the incomplete factors of blocks, or makes them anew.
    bool
    factorise();

    static PetscErrorCode
    apply_factors(PC preconditioner, Vec r, Vec z);

    /// Tells GAMG of the rigid motions, which it has to represent on coarse
    /// levels, where the places of the nodes are known.
    void
    set_rigid_motions(const SparseMatrix &entries);

    const SparseMatrix                 &matrix;
    const Options                       options;
    const Partition                     partition;
    const std::string                   name;
    std::unique_ptr<IncompleteCholesky> factors; ///< of blocks, with "icc"
    PetscHandle<Mat, &MatDestroy>       other_format;
    PetscHandle<KSP, &KSPDestroy>       ksp;
    mutable PetscView                   b_view, x_view;
  };
} // namespace Percuss
