// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/sparse_matrix.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstdlib>

namespace Percuss
{
  SparseMatrix::SparseMatrix(const Partition &partition, Rows &&rows)
    : owned(partition)
    , local_rows(std::move(rows))
    , x_view(partition)
    , y_view(partition)
  {
    AssertDimension(local_rows.start.size(),
                    partition->locally_owned_size() + 1);
    AssertDimension(local_rows.columns.size(), local_rows.values.size());
  }



  unsigned int
  SparseMatrix::bandwidth() const
  {
    PetscInt       widest = 0;
    const PetscInt first  = static_cast<PetscInt>(owned->local_range().first);
    for (std::size_t row = 0; row + 1 < local_rows.start.size(); ++row)
      for (PetscInt k = local_rows.start[row]; k < local_rows.start[row + 1];
           ++k)
        widest = std::max(widest,
                          std::abs(local_rows.columns[k] - first -
                                   static_cast<PetscInt>(row)));
    return static_cast<unsigned int>(widest);
  }



  void
  SparseMatrix::multiply(const Vector &x, Vector &y) const
  {
    if (owned->n_mpi_processes() > 1)
      {
        check_petsc(MatMult(petsc(), x_view.look_at(x), y_view.look_at(y)));
        x_view.release();
        y_view.release();
        return;
      }
    const double *const x_values = x.begin();
    double *const       y_values = y.begin();
    for (std::size_t row = 0; row + 1 < local_rows.start.size(); ++row)
      {
        double sum = 0;
        for (PetscInt k = local_rows.start[row]; k < local_rows.start[row + 1];
             ++k)
          sum += local_rows.values[k] * x_values[local_rows.columns[k]];
        y_values[row] = sum;
      }
  }



  std::vector<double>
  SparseMatrix::diagonal() const
  {
    std::vector<double> entries(owned->locally_owned_size());
    const PetscInt first = static_cast<PetscInt>(owned->local_range().first);
    for (std::size_t row = 0; row < entries.size(); ++row)
      for (PetscInt k = local_rows.start[row]; k < local_rows.start[row + 1];
           ++k)
        if (local_rows.columns[k] == first + static_cast<PetscInt>(row))
          entries[row] = local_rows.values[k];
    return entries;
  }



  double
  SparseMatrix::largest_diagonal_ratio(const SparseMatrix &other) const
  {
    const std::vector<double> mine = diagonal(), others = other.diagonal();
    double                    largest = 0;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (others[i] != 0)
        largest = std::max(largest, mine[i] / others[i]);
    return dealii::Utilities::MPI::max(largest, owned->get_mpi_communicator());
  }



  bool
  SparseMatrix::has_positive_diagonal() const
  {
    unsigned int n_others = 0;
    for (const double entry : diagonal())
      n_others += !(entry > 0);
    return dealii::Utilities::MPI::sum(n_others,
                                       owned->get_mpi_communicator()) == 0;
  }



  Mat
  SparseMatrix::petsc() const
  {
    if (petsc_matrix == nullptr)
      {
        const auto n_local = static_cast<PetscInt>(owned->locally_owned_size());
        check_petsc(MatCreateMPIAIJWithArrays(owned->get_mpi_communicator(),
                                              n_local,
                                              n_local,
                                              PETSC_DETERMINE,
                                              PETSC_DETERMINE,
                                              local_rows.start.data(),
                                              local_rows.columns.data(),
                                              local_rows.values.data(),
                                              petsc_matrix.receive()));
      }
    return petsc_matrix;
  }
} // namespace Percuss
