// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/lu_factorization.h>
#include <percuss/linear_algebra/petsc.h>

#include <petscksp.h>

#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Puts the rows of this rank, with global column numbers, into a matrix of
  /// PETSc: a new one, or the values into one of the same pattern. The sizes
  /// are those on this rank and on all ranks.
  void
  set_rows(const SparseMatrix::Rows                    &rows,
           MPI_Comm                                     communicator,
           const std::pair<unsigned int, unsigned int> &n_rows,
           const std::pair<unsigned int, unsigned int> &n_columns,
           PetscHandle<Mat, &MatDestroy>               &matrix);



  /// LU factorisation of matrices that change from step to step and need not be
  /// symmetric: LuFactorization on one rank, MUMPS on several.
  class LuSolver
  {
  public:
    /// A matrix of which each rank has the rows of its range of @p partition,
    /// with global column numbers. Its pattern stays.
    /// @returns whether it is finite and regular. Collective.
    bool
    factorize(const SparseMatrix::Rows &rows, const Partition &partition);

    /// A matrix of PETSc, on several ranks. The order of elimination is kept as
    /// long as it is the same matrix with other values.
    bool
    factorize(Mat matrix);

    /// Replaces this rank's part of the right-hand side by the solution.
    void
    solve(std::vector<double> &x) const;

    static std::string
    description(const Partition &partition)
    {
      return partition->n_mpi_processes() == 1 ?
               "LAPACK or UMFPACK LU, in each iteration" :
               "MUMPS LU, in each iteration";
    }

  private:
    using PetscMatrix = PetscHandle<Mat, &MatDestroy>;
    using PetscSolver = PetscHandle<KSP, &KSPDestroy>;

    void
    set_up(Mat matrix);

    LuFactorization     local;
    bool                is_local     = true;
    Mat                 known_matrix = nullptr;
    PetscMatrix         petsc_matrix;
    mutable PetscSolver ksp;
    mutable PetscVector x_petsc, b_petsc;
  };
} // namespace Percuss
