// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/symmetric_blocks.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>

#include <algorithm>

#include "block_kernels.h"

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
    find_shared_rows();
    dealii::IndexSet mine(owned->size()), ghosts(owned->size());
    mine.add_range(owned->local_range().first, owned->local_range().second);
    for (const unsigned int node : others)
      ghosts.add_range(size * node, size * (node + 1));
    ghosted = std::make_shared<const dealii::Utilities::MPI::Partitioner>(
      mine, ghosts, owned->get_mpi_communicator());
  }



  void
  BlockPattern::find_shared_rows()
  {
    for (unsigned int i = 0; i < n_rows(); ++i)
      {
        end_of_own.push_back(static_cast<unsigned int>(
          std::lower_bound(columns.begin() + start[i],
                           columns.begin() + start[i + 1],
                           n_rows()) -
          columns.begin()));
        if (end_of_own[i] < start[i + 1])
          shared_rows.push_back(i);
      }
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
      exchange = std::make_unique<GhostExchange>(pattern->ghosted);
  }



  void
  BlockProduct::apply(const std::vector<double> &values,
                      const bool                 has_numbers,
                      const double *const        x,
                      double *const              y) const
  {
    if (exchange)
      exchange->start_reading(x);
    std::fill_n(y, pattern->owned->locally_owned_size(), 0.);
    block_kernels(pattern->size, has_numbers)
      .multiply({pattern->start.data(),
                 pattern->end_of_own.data(),
                 pattern->columns.data(),
                 0,
                 pattern->n_rows()},
                values.data(),
                x,
                y);
    if (exchange)
      pattern->size == 2 ? add_others<2>(values, has_numbers, x, y) :
                           add_others<3>(values, has_numbers, x, y);
  }



  template <unsigned int size>
  void
  BlockProduct::add_others(const std::vector<double> &values,
                           const bool                 has_numbers,
                           const double *const        x,
                           double *const              y) const
  {
    const double *const others = exchange->finish_reading();
    double *const       sums   = exchange->new_sums();
    for (const unsigned int i : pattern->shared_rows)
      for (std::size_t k = pattern->end_of_own[i]; k < pattern->start[i + 1];
           ++k)
        {
          const unsigned int j = pattern->columns[k] - pattern->n_rows();
          for (unsigned int c = 0; c < size; ++c)
            for (unsigned int d = 0; d < size; ++d)
              {
                const double entry = !has_numbers ?
                                       values[size * (size * k + c) + d] :
                                     c == d ? values[k] :
                                              0;
                y[size * i + d] += entry * others[size * j + c];
                sums[size * j + c] += entry * x[size * i + d];
              }
        }
    exchange->add_sums(y);
  }



  SymmetricScalars::SymmetricScalars(
    const std::shared_ptr<const BlockPattern> &pattern)
    : BlockProduct(pattern)
    , values(pattern->columns.size())
  {}



  void
  SymmetricScalars::multiply(const Vector &x, Vector &y) const
  {
    apply(values, true, x.begin(), y.begin());
  }



  SymmetricBlocks::SymmetricBlocks(
    const std::shared_ptr<const BlockPattern> &pattern)
    : BlockProduct(pattern)
    , values(pattern->columns.size() * pattern->size * pattern->size)
  {}



  void
  SymmetricBlocks::multiply(const Vector &x, Vector &y) const
  {
    multiply(x.begin(), y.begin());
  }



  void
  SymmetricBlocks::multiply(const double *const x, double *const y) const
  {
    apply(values, false, x, y);
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
