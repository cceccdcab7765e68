// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/petsc.h>
#include <percuss/linear_algebra/vector.h>

#include <petscmat.h>

#include <vector>

namespace Percuss
{
  /// A square matrix, each rank holding the rows it owns in compressed form
  /// with global, ascending column numbers. PETSc's matrix is made on demand.
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

    const Partition &
    partition() const
    {
      return owned;
    }

    const Rows &
    rows() const
    {
      return local_rows;
    }

    /// The values of this rank's rows, to change them. PETSc's matrix is made
    /// anew.
    double *
    values()
    {
      petsc_matrix = PetscMatrix();
      return local_rows.values.data();
    }

    /// Largest distance of an entry of this rank from the diagonal.
    unsigned int
    bandwidth() const;

    /// y = A x.
    void
    multiply(const Vector &x, Vector &y) const;

    /// The diagonal entries of this rank's rows.
    std::vector<double>
    diagonal() const;

    /// The largest ratio of the diagonal entries of this matrix to those of
    /// @p other, on all ranks; rows where that is zero are left out.
    double
    largest_diagonal_ratio(const SparseMatrix &other) const;

    /// Whether all diagonal entries of all ranks are positive.
    bool
    has_positive_diagonal() const;

    /// The same matrix for PETSc (AIJ).
    Mat
    petsc() const;

  private:
    using PetscMatrix = PetscHandle<Mat, &MatDestroy>;

    Partition           owned;
    Rows                local_rows;
    mutable PetscMatrix petsc_matrix;
    mutable PetscView   x_view, y_view;
  };
} // namespace Percuss
