// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/conjugate_gradients.h>

#include <deal.II/base/mpi.h>

#include <cmath>

namespace Percuss
{
  ConjugateGradients::ConjugateGradients(const SparseMatrix &matrix,
                                         const Options      &options)
    : matrix(matrix)
    , options(options)
    , partition(matrix.partition())
    , name(options.preconditioner != "automatic" ? options.preconditioner :
           matrix.has_blocks()                   ? "icc" :
                                                   "jacobi")
    , b_view(partition)
    , x_view(partition)
  {
    check_petsc(KSPCreate(partition->get_mpi_communicator(), ksp.receive()));
    check_petsc(KSPSetType(ksp, KSPCG));
    set_tolerances(options.tolerance, options.maximum_iterations);
    check_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
    PC preconditioner;
    check_petsc(KSPGetPC(ksp, &preconditioner));
    set_operators();
    check_petsc(PCSetType(preconditioner,
                          factors                          ? PCSHELL :
                          name == "chebyshev"              ? PCKSP :
                          name != "icc"                    ? name.c_str() :
                          partition->n_mpi_processes() > 1 ? PCBJACOBI :
                                                             PCICC));
    if (factors)
      {
        check_petsc(PCShellSetContext(preconditioner, factors.get()));
        check_petsc(PCShellSetApply(preconditioner, &apply_factors));
      }
    if (name == "chebyshev")
      set_polynomial(preconditioner);
    check_petsc(KSPSetOptionsPrefix(ksp, "linear_"));
    check_petsc(KSPSetFromOptions(ksp));
    check_petsc(KSPSetUp(ksp));
  }



  /// For the eigenvalues of D^-1 A from a tenth of the largest one on, which
  /// PETSc estimates.
  void
  ConjugateGradients::set_polynomial(PC preconditioner)
  {
    constexpr PetscInt degree = 4;
    KSP                polynomial;
    PC                 diagonal;
    check_petsc(PCKSPGetKSP(preconditioner, &polynomial));
    check_petsc(KSPSetType(polynomial, KSPCHEBYSHEV));
    check_petsc(KSPChebyshevEstEigSet(polynomial, 0, 0.1, 0, 1.1));
    check_petsc(KSPSetNormType(polynomial, KSP_NORM_NONE));
    check_petsc(KSPSetTolerances(
      polynomial, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, degree));
    check_petsc(KSPGetPC(polynomial, &diagonal));
    check_petsc(PCSetType(diagonal, PCJACOBI));
  }



  bool
  ConjugateGradients::update()
  {
    if (!set_operators())
      return false;
    check_petsc(KSPSetUp(ksp));
    PC preconditioner;
    check_petsc(KSPGetPC(ksp, &preconditioner));
    PCFailedReason reason;
    check_petsc(PCGetFailedReason(preconditioner, &reason));
    return reason == PC_NOERROR;
  }



  bool
  ConjugateGradients::set_operators()
  {
    const bool is_possible = name != "icc" || factorise();
    Mat        product     = matrix.petsc_product();
    check_petsc(MatSetOption(product, MAT_SPD, PETSC_TRUE));
    check_petsc(
      KSPSetOperators(ksp, product, factors ? product : preconditioned()));
    return is_possible;
  }



  bool
  ConjugateGradients::factorise()
  {
    const SymmetricBlocks *const blocks = matrix.entries().symmetric_blocks();
    PetscBool has_option = PETSC_FALSE; // for another preconditioner
    check_petsc(
      PetscOptionsHasName(nullptr, "linear_", "-pc_type", &has_option));
    if (blocks == nullptr || has_option == PETSC_TRUE)
      return true; // PETSc does that
    if (!factors)
      factors = std::make_unique<IncompleteCholesky>(blocks->pattern);
    return factors->factorise(*blocks);
  }



  PetscErrorCode
  ConjugateGradients::apply_factors(PC preconditioner, Vec r, Vec z)
  {
    void         *context = nullptr;
    const double *from    = nullptr;
    double       *to      = nullptr;
    PetscCall(PCShellGetContext(preconditioner, &context));
    PetscCall(VecGetArrayRead(r, &from));
    PetscCall(VecGetArrayWrite(z, &to));
    static_cast<const IncompleteCholesky *>(context)->apply(from, to);
    PetscCall(VecRestoreArrayRead(r, &from));
    PetscCall(VecRestoreArrayWrite(z, &to));
    return 0;
  }



  void
  ConjugateGradients::set_tolerances(
    const double       reduction,
    const unsigned int maximum_iterations) const
  {
    check_petsc(KSPSetTolerances(ksp,
                                 reduction,
                                 PETSC_DEFAULT,
                                 PETSC_DEFAULT,
                                 static_cast<PetscInt>(maximum_iterations)));
  }



  LinearReport
  ConjugateGradients::iterate(const Vector   &b,
                              Vector         &x,
                              const PetscBool has_guess) const
  {
    check_petsc(KSPSetInitialGuessNonzero(ksp, has_guess));
    check_petsc(KSPSolve(ksp, b_view.look_at(b), x_view.look_at(x)));
    b_view.release();
    x_view.release();
    KSPConvergedReason reason;
    PetscInt           n_iterations;
    check_petsc(KSPGetConvergedReason(ksp, &reason));
    check_petsc(KSPGetIterationNumber(ksp, &n_iterations));
    // A guess far beyond the solution hides it behind round-off.
    if (reason <= 0 && has_guess == PETSC_TRUE)
      return iterate(b, x, PETSC_FALSE);
    return {reason > 0, static_cast<unsigned int>(n_iterations)};
  }



  /// With other tolerances for once; options of PETSc may have changed the
  /// regular ones.
  LinearReport
  ConjugateGradients::solve_with(const double       reduction,
                                 const unsigned int maximum_iterations,
                                 const Vector      &b,
                                 Vector            &x) const
  {
    PetscReal relative, absolute, divergence;
    PetscInt  most;
    check_petsc(
      KSPGetTolerances(ksp, &relative, &absolute, &divergence, &most));
    set_tolerances(reduction, maximum_iterations);
    const LinearReport report = solve(b, x);
    check_petsc(KSPSetTolerances(ksp, relative, absolute, divergence, most));
    return report;
  }



  LinearReport
  ConjugateGradients::solve_roughly(const Vector &b,
                                    Vector       &x,
                                    const double  reduction) const
  {
    return solve_with(reduction, options.maximum_iterations, b, x);
  }



  void
  ConjugateGradients::precondition(const Vector &r, Vector &z) const
  {
    PC preconditioner;
    check_petsc(KSPGetPC(ksp, &preconditioner));
    check_petsc(PCApply(preconditioner, b_view.look_at(r), x_view.look_at(z)));
    b_view.release();
    x_view.release();
  }



  unsigned int
  ConjugateGradients::try_iterations(const unsigned int limit) const
  {
    Vector     b(partition), x(partition);
    const auto first = partition->local_range().first;
    for (unsigned int i = 0; i < b.locally_owned_size(); ++i)
      b.local_element(i) = std::sin(static_cast<double>(first + i));
    const LinearReport report = solve_with(options.tolerance, limit, b, x);
    return report.converged ? report.n_iterations : limit + 1;
  }



  Mat
  ConjugateGradients::preconditioned()
  {
    if (name == "jacobi" || name == "chebyshev")
      return matrix.petsc_product();
    const SparseMatrix &entries      = matrix.entries();
    const bool          is_multigrid = name == "hypre" || name == "gamg";
    if (entries.has_blocks() != is_multigrid)
      return entries.petsc();
    check_petsc(MatConvert(entries.petsc(),
                           is_multigrid ? MATAIJ : MATSBAIJ,
                           MAT_INITIAL_MATRIX,
                           other_format.receive()));
    check_petsc(MatSetOption(other_format, MAT_SPD, PETSC_TRUE));
    if (name == "gamg" && entries.has_blocks())
      set_rigid_motions(entries);
    return other_format;
  }



  void
  ConjugateGradients::set_rigid_motions(const SparseMatrix &entries)
  {
    const BlockPattern &pattern = *entries.symmetric_blocks()->pattern;
    const auto          size    = static_cast<PetscInt>(pattern.size);
    const bool          is_known =
      pattern.places.size() == partition->locally_owned_size();
    if (dealii::Utilities::MPI::min(is_known ? 1 : 0,
                                    partition->get_mpi_communicator()) == 0)
      return;
    PetscHandle<Vec, &VecDestroy> places;
    check_petsc(
      VecCreateMPIWithArray(partition->get_mpi_communicator(),
                            size,
                            static_cast<PetscInt>(pattern.places.size()),
                            PETSC_DETERMINE,
                            pattern.places.data(),
                            places.receive()));
    PetscHandle<MatNullSpace, &MatNullSpaceDestroy> motions;
    check_petsc(MatNullSpaceCreateRigidBody(places, motions.receive()));
    check_petsc(MatSetBlockSize(other_format, size));
    check_petsc(MatSetNearNullSpace(other_format, motions));
  }
} // namespace Percuss
