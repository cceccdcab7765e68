// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/lu_solver.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  void
  set_rows(const SparseMatrix::Rows                    &rows,
           const MPI_Comm                               communicator,
           const std::pair<unsigned int, unsigned int> &n_rows,
           const std::pair<unsigned int, unsigned int> &n_columns,
           PetscHandle<Mat, &MatDestroy>               &matrix)
  {
    const auto size = [](const unsigned int n) {
      return static_cast<PetscInt>(n);
    };
    if (static_cast<Mat>(matrix) != nullptr)
      check_petsc(MatUpdateMPIAIJWithArrays(matrix,
                                            size(n_rows.first),
                                            size(n_columns.first),
                                            size(n_rows.second),
                                            size(n_columns.second),
                                            rows.start.data(),
                                            rows.columns.data(),
                                            rows.values.data()));
    else
      check_petsc(MatCreateMPIAIJWithArrays(communicator,
                                            size(n_rows.first),
                                            size(n_columns.first),
                                            size(n_rows.second),
                                            size(n_columns.second),
                                            rows.start.data(),
                                            rows.columns.data(),
                                            rows.values.data(),
                                            matrix.receive()));
  }



  bool
  LuSolver::factorize(const SparseMatrix::Rows &rows,
                      const Partition          &partition)
  {
    is_local = partition->n_mpi_processes() == 1;
    if (is_local)
      return local.factorize(rows);
    const MPI_Comm communicator = partition->get_mpi_communicator();
    const bool     is_finite =
      std::all_of(rows.values.begin(), rows.values.end(), [](const double x) {
        return std::isfinite(x);
      });
    if (dealii::Utilities::MPI::min(is_finite ? 1u : 0u, communicator) == 0)
      return false;
    set_rows(rows,
             communicator,
             {partition->locally_owned_size(), partition->size()},
             {partition->locally_owned_size(), partition->size()},
             petsc_matrix);
    return factorize(petsc_matrix);
  }



  bool
  LuSolver::factorize(Mat matrix)
  {
    is_local = false;
    if (static_cast<KSP>(ksp) == nullptr || matrix != known_matrix)
      set_up(matrix);
    check_petsc(KSPSetOperators(ksp, matrix, matrix));
    check_petsc(KSPSetUp(ksp));
    PC preconditioner;
    check_petsc(KSPGetPC(ksp, &preconditioner));
    PCFailedReason reason;
    check_petsc(PCGetFailedReason(preconditioner, &reason));
    return reason == PC_NOERROR;
  }



  void
  LuSolver::set_up(Mat matrix)
  {
    MPI_Comm communicator;
    check_petsc(
      PetscObjectGetComm(reinterpret_cast<PetscObject>(matrix), &communicator));
    check_petsc(KSPCreate(communicator, ksp.receive()));
    check_petsc(KSPSetOperators(ksp, matrix, matrix));
    check_petsc(KSPSetType(ksp, KSPPREONLY));
    PC preconditioner;
    check_petsc(KSPGetPC(ksp, &preconditioner));
    check_petsc(PCSetType(preconditioner, PCLU));
    check_petsc(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS));
    // Multipliers have no diagonal: pivots need room, in per cent.
    Mat factor;
    check_petsc(PCFactorSetUpMatSolverType(preconditioner));
    check_petsc(PCFactorGetMatrix(preconditioner, &factor));
    check_petsc(MatMumpsSetIcntl(factor, 14, 200));
    check_petsc(MatCreateVecs(matrix, x_petsc.receive(), b_petsc.receive()));
    known_matrix = matrix;
  }



  void
  LuSolver::solve(std::vector<double> &x) const
  {
    if (is_local)
      {
        local.solve(x);
        return;
      }
    double *values;
    check_petsc(VecGetArrayWrite(b_petsc, &values));
    std::copy(x.begin(), x.end(), values);
    check_petsc(VecRestoreArrayWrite(b_petsc, &values));
    check_petsc(KSPSolve(ksp, b_petsc, x_petsc));
    const double *solution;
    check_petsc(VecGetArrayRead(x_petsc, &solution));
    std::copy_n(solution, x.size(), x.begin());
    check_petsc(VecRestoreArrayRead(x_petsc, &solution));
  }
} // namespace Percuss
