// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/symmetric_blocks.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>

#include <algorithm>
#include <type_traits>

namespace Percuss
{
  BlockPattern::BlockPattern(const unsigned int               size,
                             const Partition                 &owned,
                             const std::vector<unsigned int> &start,
                             const std::vector<unsigned int> &global_columns)
    : size(size)
    , owned(owned)
    , start(start)
  {
    const auto first =
      static_cast<unsigned int>(owned->local_range().first / size);
    for (const unsigned int column : global_columns)
      if (column >= first + n_rows())
        others.push_back(column);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    columns.reserve(global_columns.size());
    for (const unsigned int column : global_columns)
      columns.push_back(
        column < first + n_rows() ?
          column - first :
          n_rows() + static_cast<unsigned int>(
                       std::lower_bound(others.begin(), others.end(), column) -
                       others.begin()));
    dealii::IndexSet mine(owned->size()), ghosts(owned->size());
    mine.add_range(owned->local_range().first, owned->local_range().second);
    for (const unsigned int node : others)
      ghosts.add_range(size * node, size * (node + 1));
    ghosted = std::make_shared<const dealii::Utilities::MPI::Partitioner>(
      mine, ghosts, owned->get_mpi_communicator());
  }



  std::size_t
  BlockPattern::find(const unsigned int row, const unsigned int column) const
  {
    const auto begin = columns.begin() + start[row];
    const auto end   = columns.begin() + start[row + 1];
    const auto found = std::lower_bound(begin, end, column);
    Assert(found != end && *found == column, dealii::ExcInternalError());
    return static_cast<std::size_t>(found - columns.begin());
  }



  BlockProduct::BlockProduct(const std::shared_ptr<const BlockPattern> &pattern)
    : pattern(pattern)
  {
    AssertThrow(pattern->size == 2 || pattern->size == 3,
                dealii::ExcNotImplemented());
    if (pattern->owned->n_mpi_processes() > 1)
      {
        x_ghosted.reinit(pattern->ghosted);
        y_ghosted.reinit(pattern->ghosted);
      }
  }



  template <typename Kernel>
  void
  BlockProduct::apply(const double *const x,
                      double *const       y,
                      const Kernel       &kernel) const
  {
    const std::size_t n    = pattern->owned->locally_owned_size();
    const auto        call = [&](const double *const from, double *const to) {
      if (pattern->size == 2)
        kernel(std::integral_constant<unsigned int, 2>(), from, to);
      else
        kernel(std::integral_constant<unsigned int, 3>(), from, to);
    };
    if (pattern->owned->n_mpi_processes() == 1)
      {
        std::fill_n(y, n, 0.);
        call(x, y);
        return;
      }
    x_ghosted.zero_out_ghost_values();
    std::copy_n(x, n, x_ghosted.begin());
    x_ghosted.update_ghost_values();
    std::fill_n(y_ghosted.begin(),
                pattern->ghosted->locally_owned_size() +
                  pattern->ghosted->n_ghost_indices(),
                0.);
    call(x_ghosted.begin(), y_ghosted.begin());
    y_ghosted.compress(dealii::VectorOperation::add);
    std::copy_n(y_ghosted.begin(), n, y);
  }



  SymmetricScalars::SymmetricScalars(
    const std::shared_ptr<const BlockPattern> &pattern)
    : BlockProduct(pattern)
    , values(pattern->columns.size())
  {}



  template <unsigned int size>
  void
  SymmetricScalars::add_product(const double *const x, double *const y) const
  {
    const unsigned int *const start   = pattern->start.data();
    const unsigned int *const columns = pattern->columns.data();
    const unsigned int        n       = pattern->n_rows();
    for (unsigned int i = 0; i < n; ++i)
      {
        double xi[size], yi[size];
        for (unsigned int c = 0; c < size; ++c)
          {
            xi[c] = x[size * i + c];
            yi[c] = y[size * i + c] + values[start[i]] * xi[c];
          }
        for (unsigned int k = start[i] + 1; k < start[i + 1]; ++k)
          for (unsigned int c = 0; c < size; ++c)
            {
              yi[c] += values[k] * x[size * columns[k] + c];
              y[size * columns[k] + c] += values[k] * xi[c];
            }
        for (unsigned int c = 0; c < size; ++c)
          y[size * i + c] = yi[c];
      }
  }



  void
  SymmetricScalars::multiply(const Vector &x, Vector &y) const
  {
    apply(x.begin(),
          y.begin(),
          [this](const auto size, const double *from, double *to) {
            add_product<size>(from, to);
          });
  }



  SymmetricBlocks::SymmetricBlocks(
    const std::shared_ptr<const BlockPattern> &pattern)
    : BlockProduct(pattern)
    , values(pattern->columns.size() * pattern->size * pattern->size)
  {}



  template <unsigned int size>
  void
  SymmetricBlocks::add_product(const double *const x, double *const y) const
  {
    const double             *B       = values.data();
    const unsigned int *const start   = pattern->start.data();
    const unsigned int *const columns = pattern->columns.data();
    const unsigned int        n       = pattern->n_rows();
    for (unsigned int i = 0; i < n; ++i)
      {
        double xi[size], yi[size];
        for (unsigned int c = 0; c < size; ++c)
          {
            xi[c] = x[size * i + c];
            yi[c] = y[size * i + c];
          }
        for (unsigned int c = 0; c < size; ++c)
          for (unsigned int d = 0; d < size; ++d)
            yi[d] += B[size * c + d] * xi[c];
        B += size * size;
        for (unsigned int k = start[i] + 1; k < start[i + 1]; ++k)
          {
            const double *const xj = x + size * columns[k];
            double *const       yj = y + size * columns[k];
            for (unsigned int c = 0; c < size; ++c)
              {
                double sum = 0;
                for (unsigned int d = 0; d < size; ++d)
                  {
                    yi[d] += B[size * c + d] * xj[c];
                    sum += B[size * c + d] * xi[d];
                  }
                yj[c] += sum;
              }
            B += size * size;
          }
        for (unsigned int c = 0; c < size; ++c)
          y[size * i + c] = yi[c];
      }
  }



  void
  SymmetricBlocks::multiply(const Vector &x, Vector &y) const
  {
    multiply(x.begin(), y.begin());
  }



  void
  SymmetricBlocks::multiply(const double *const x, double *const y) const
  {
    apply(x, y, [this](const auto size, const double *from, double *to) {
      add_product<size>(from, to);
    });
  }



  std::vector<double>
  SymmetricBlocks::diagonal() const
  {
    const unsigned int  size = pattern->size;
    std::vector<double> result;
    result.reserve(pattern->owned->locally_owned_size());
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int c = 0; c < size; ++c)
        result.push_back(block(pattern->start[i])[(size + 1) * c]);
    return result;
  }



  void
  SymmetricBlocks::make_petsc(Mat *const matrix) const
  {
    const auto size = static_cast<PetscInt>(pattern->size);
    const auto n_local =
      static_cast<PetscInt>(pattern->owned->locally_owned_size());
    const MPI_Comm communicator = pattern->owned->get_mpi_communicator();
    check_petsc(MatCreate(communicator, matrix));
    check_petsc(
      MatSetSizes(*matrix, n_local, n_local, PETSC_DETERMINE, PETSC_DETERMINE));
    check_petsc(MatSetType(*matrix, MATSBAIJ));
    std::vector<PetscInt> n_own(pattern->n_rows()), n_others(pattern->n_rows());
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        ++(pattern->columns[k] < pattern->n_rows() ? n_own : n_others)[i];
    check_petsc(MatSeqSBAIJSetPreallocation(*matrix, size, 0, n_own.data()));
    check_petsc(MatMPISBAIJSetPreallocation(
      *matrix, size, 0, n_own.data(), 0, n_others.data()));
    check_petsc(MatSetOption(*matrix, MAT_ROW_ORIENTED, PETSC_FALSE));
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        {
          const auto row = static_cast<PetscInt>(pattern->global(i));
          const auto column =
            static_cast<PetscInt>(pattern->global(pattern->columns[k]));
          check_petsc(MatSetValuesBlocked(
            *matrix, 1, &row, 1, &column, block(k), INSERT_VALUES));
        }
    check_petsc(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
    check_petsc(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
    check_petsc(MatSetOption(*matrix, MAT_SPD, PETSC_TRUE));
  }
} // namespace Percuss
