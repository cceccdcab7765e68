// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/bilateral_constraints.h>

namespace Percuss
{
  dealii::FullMatrix<double>
  BilateralConstraints::dense_jacobian(const Vector &q) const
  {
    SparseMatrix::Rows rows;
    jacobian(q, rows);
    dealii::FullMatrix<double> G(size(),
                                 size() == 0 ? 0 : q.locally_owned_size());
    for (unsigned int i = 0; i < size(); ++i)
      for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
        G(i, rows.columns[k]) += rows.values[k];
    return G;
  }
} // namespace Percuss
