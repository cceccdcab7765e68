// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/matrix_operator.h>
#include <percuss/linear_algebra/petsc.h>
#include <percuss/linear_algebra/symmetric_blocks.h>
#include <percuss/linear_algebra/vector.h>

#include <petscmat.h>

#include <memory>
#include <vector>

namespace Percuss
{
  /// A square matrix, each rank holding the rows it owns in compressed form
  /// with global, ascending column numbers, or symmetric blocks, which need
  /// less than half of the memory, or no entries but an operator. PETSc's
  /// matrix is made on demand.
  class SparseMatrix
  {
  public:
    struct Rows
    {
      std::vector<PetscInt> start = {0};
      std::vector<PetscInt> columns;
      std::vector<double>   values;
    };

    SparseMatrix(const Partition &partition, Rows &&rows);

    explicit SparseMatrix(SymmetricBlocks &&blocks);

    explicit SparseMatrix(std::unique_ptr<const MatrixOperator> product);

    /// PETSc's shells point at it.
    SparseMatrix(const SparseMatrix &) = delete;
    SparseMatrix &
    operator=(const SparseMatrix &) = delete;

    /// Whether it has rows or blocks. If not, products and the diagonal are
    /// what it can do best: whoever asks for entries makes it assemble them.
    bool
    has_entries() const
    {
      return product == nullptr;
    }

    /// This matrix or, of an operator, one with entries, which is made at the
    /// first call. Collective then.
    /// @throws EntryError where the operator shall have none
    const SparseMatrix &
    entries() const;

    /// Whether it has blocks, and no rows.
    bool
    has_blocks() const
    {
      return blocks != nullptr;
    }

    /// None where it has rows, or no entries.
    const SymmetricBlocks *
    symmetric_blocks() const
    {
      return blocks.get();
    }

    const Partition &
    partition() const
    {
      return owned;
    }

    /// Of blocks a copy, which is made at the first call after a change.
    /// Collective then.
    const Rows &
    rows() const
    {
      if (product)
        return entries().rows();
      if (blocks && !has_copy)
        copy_blocks();
      return local_rows;
    }

    /// The values of this rank's rows, to change them. PETSc's matrix is made
    /// anew. An operator becomes a matrix with entries. Collective then.
    double *
    values()
    {
      if (product)
        become_entries();
      petsc_matrix = PetscMatrix();
      has_copy     = false;
      return blocks ? blocks->values.data() : local_rows.values.data();
    }

    std::size_t
    n_values() const
    {
      if (product)
        return entries().n_values();
      return blocks ? blocks->values.size() : local_rows.values.size();
    }

    /// Largest distance of an entry of this rank from the diagonal. Blocks
    /// and operators count as far.
    unsigned int
    bandwidth() const;

    /// y = A x.
    void
    multiply(const Vector &x, Vector &y) const;

    /// The diagonal entries of this rank's rows.
    std::vector<double>
    diagonal() const;

    /// The largest ratio of the diagonal entries of this matrix to
    /// @p others, those of another one, on all ranks; zeros are left out.
    double
    largest_diagonal_ratio(const std::vector<double> &others) const;

    /// Whether all diagonal entries of all ranks are positive.
    bool
    has_positive_diagonal() const;

    /// The same matrix for PETSc: AIJ, SBAIJ, or a shell around an operator.
    Mat
    petsc() const;

    /// The same for products and the diagonal only, without a copy of blocks.
    Mat
    petsc_product() const;

  private:
    using PetscMatrix = PetscHandle<Mat, &MatDestroy>;

    /// Fills the rows from the blocks.
    void
    copy_blocks() const;

    void
    become_entries();

    static PetscErrorCode
    multiply_shell(Mat shell, Vec x, Vec y);

    static PetscErrorCode
    diagonal_of_shell(Mat shell, Vec diagonal);

    Partition    owned;
    mutable Rows local_rows;
    mutable bool has_copy = false; ///< of blocks, in the rows

    std::unique_ptr<SymmetricBlocks> blocks;

    mutable PetscMatrix petsc_matrix, petsc_shell;
    mutable PetscView   x_view, y_view;

    std::unique_ptr<const MatrixOperator> product;
    mutable std::unique_ptr<SparseMatrix> entries_of_product;
  };
} // namespace Percuss
