// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/factorization_estimate.h>

namespace Percuss
{
  FactorizationEstimate
  estimate_factorization(const SparseMatrix &matrix)
  {
    Mat A = matrix.petsc();
    check_petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
    PetscHandle<Mat, &MatDestroy> factor;
    check_petsc(
      MatGetFactor(A, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factor.receive()));
    MatFactorInfo options;
    check_petsc(MatFactorInfoInitialize(&options));
    check_petsc(MatCholeskyFactorSymbolic(factor, A, nullptr, &options));
    PetscInt  n_entries;
    PetscReal n_operations;
    check_petsc(MatMumpsGetInfog(factor, 20, &n_entries));
    check_petsc(MatMumpsGetRinfog(factor, 1, &n_operations));
    // MUMPS counts large numbers in millions, with a sign.
    return {n_entries < 0 ? -1e6 * n_entries : n_entries, n_operations};
  }
} // namespace Percuss
