// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/sparse_matrix.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

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



  SparseMatrix::SparseMatrix(SymmetricBlocks &&symmetric)
    : owned(symmetric.pattern->owned)
    , blocks(std::make_unique<SymmetricBlocks>(std::move(symmetric)))
    , x_view(owned)
    , y_view(owned)
  {}



  SparseMatrix::SparseMatrix(std::unique_ptr<const MatrixOperator> any)
    : owned(any->partition())
    , x_view(owned)
    , y_view(owned)
    , product(std::move(any))
  {}



  const SparseMatrix &
  SparseMatrix::entries() const
  {
    if (!product)
      return *this;
    if (!entries_of_product)
      entries_of_product = product->with_entries();
    return *entries_of_product;
  }



  void
  SparseMatrix::become_entries()
  {
    entries();
    blocks             = std::move(entries_of_product->blocks);
    local_rows         = std::move(entries_of_product->local_rows);
    entries_of_product = nullptr;
    product            = nullptr;
    petsc_matrix       = PetscMatrix();
    petsc_shell        = PetscMatrix();
  }



  /// Blocks left of the diagonal may be on other ranks; PETSc fetches them.
  void
  SparseMatrix::copy_blocks() const
  {
    PetscMatrix aij;
    check_petsc(MatConvert(petsc(), MATAIJ, MAT_INITIAL_MATRIX, aij.receive()));
    local_rows     = Rows();
    PetscInt first = 0, end = 0;
    check_petsc(MatGetOwnershipRange(aij, &first, &end));
    for (PetscInt row = first; row < end; ++row)
      {
        PetscInt           n       = 0;
        const PetscInt    *columns = nullptr;
        const PetscScalar *entries = nullptr;
        check_petsc(MatGetRow(aij, row, &n, &columns, &entries));
        local_rows.columns.insert(local_rows.columns.end(),
                                  columns,
                                  columns + n);
        local_rows.values.insert(local_rows.values.end(), entries, entries + n);
        local_rows.start.push_back(
          static_cast<PetscInt>(local_rows.columns.size()));
        check_petsc(MatRestoreRow(aij, row, &n, &columns, &entries));
      }
    has_copy = true;
  }



  unsigned int
  SparseMatrix::bandwidth() const
  {
    if (blocks || product)
      return std::numeric_limits<unsigned int>::max();
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
    if (product)
      {
        product->multiply(x.begin(), y.begin());
        return;
      }
    if (blocks)
      {
        blocks->multiply(x, y);
        return;
      }
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
    if (product)
      return product->diagonal();
    if (blocks)
      return blocks->diagonal();
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
  SparseMatrix::largest_diagonal_ratio(const std::vector<double> &others) const
  {
    const std::vector<double> mine    = diagonal();
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



  PetscErrorCode
  SparseMatrix::multiply_shell(Mat shell, Vec x, Vec y)
  {
    void         *context = nullptr;
    const double *from    = nullptr;
    double       *to      = nullptr;
    PetscCall(MatShellGetContext(shell, &context));
    PetscCall(VecGetArrayRead(x, &from));
    PetscCall(VecGetArrayWrite(y, &to));
    const auto &matrix = *static_cast<const SparseMatrix *>(context);
    if (matrix.product)
      matrix.product->multiply(from, to);
    else
      matrix.blocks->multiply(from, to);
    PetscCall(VecRestoreArrayRead(x, &from));
    PetscCall(VecRestoreArrayWrite(y, &to));
    return 0;
  }



  PetscErrorCode
  SparseMatrix::diagonal_of_shell(Mat shell, Vec diagonal)
  {
    void   *context = nullptr;
    double *to      = nullptr;
    PetscCall(MatShellGetContext(shell, &context));
    PetscCall(VecGetArrayWrite(diagonal, &to));
    const auto entries = static_cast<const SparseMatrix *>(context)->diagonal();
    std::copy(entries.begin(), entries.end(), to);
    PetscCall(VecRestoreArrayWrite(diagonal, &to));
    return 0;
  }



  Mat
  SparseMatrix::petsc_product() const
  {
    if (!product && !blocks)
      return petsc();
    if (petsc_shell != nullptr)
      return petsc_shell;
    const auto n_local = static_cast<PetscInt>(owned->locally_owned_size());
    const auto set     = [this](const MatOperation operation, auto *function) {
      check_petsc(MatShellSetOperation(petsc_shell,
                                       operation,
                                       reinterpret_cast<void (*)()>(function)));
    };
    check_petsc(MatCreateShell(owned->get_mpi_communicator(),
                               n_local,
                               n_local,
                               PETSC_DETERMINE,
                               PETSC_DETERMINE,
                               const_cast<SparseMatrix *>(this),
                               petsc_shell.receive()));
    set(MATOP_MULT, &multiply_shell);
    set(MATOP_MULT_TRANSPOSE, &multiply_shell);
    set(MATOP_GET_DIAGONAL, &diagonal_of_shell);
    return petsc_shell;
  }



  Mat
  SparseMatrix::petsc() const
  {
    if (product)
      return petsc_product();
    if (petsc_matrix == nullptr && blocks)
      blocks->make_petsc(petsc_matrix.receive());
    else if (petsc_matrix == nullptr)
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
