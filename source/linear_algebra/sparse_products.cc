// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/sparse_products.h>

#include <algorithm>

namespace Percuss
{
  void
  transpose(const SparseMatrix::Rows &A,
            const std::size_t         n_columns,
            SparseMatrix::Rows       &result)
  {
    result.start.assign(n_columns + 1, 0);
    result.columns.resize(A.columns.size());
    result.values.resize(A.values.size());
    for (const PetscInt column : A.columns)
      ++result.start[column + 1];
    for (std::size_t i = 0; i < n_columns; ++i)
      result.start[i + 1] += result.start[i];
    std::vector<PetscInt> next(result.start.begin(), result.start.end() - 1);
    for (std::size_t i = 0; i + 1 < A.start.size(); ++i)
      for (PetscInt k = A.start[i]; k < A.start[i + 1]; ++k)
        {
          const PetscInt place  = next[A.columns[k]]++;
          result.columns[place] = static_cast<PetscInt>(i);
          result.values[place]  = A.values[k];
        }
  }



  void
  SparseProduct::find_pattern(const SparseMatrix::Rows &A,
                              const SparseMatrix::Rows &B)
  {
    std::vector<PetscInt> found;
    C = {};
    for (std::size_t i = 0; i + 1 < A.start.size(); ++i)
      {
        found.clear();
        for (PetscInt k = A.start[i]; k < A.start[i + 1]; ++k)
          {
            const PetscInt j = A.columns[k];
            found.insert(found.end(),
                         B.columns.begin() + B.start[j],
                         B.columns.begin() + B.start[j + 1]);
          }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        C.columns.insert(C.columns.end(), found.begin(), found.end());
        C.start.push_back(static_cast<PetscInt>(C.columns.size()));
      }
    C.values.resize(C.columns.size());
  }



  const SparseMatrix::Rows &
  SparseProduct::compute(const SparseMatrix::Rows &A,
                         const SparseMatrix::Rows &B,
                         const std::size_t         n_columns)
  {
    if (C.start.size() != A.start.size())
      find_pattern(A, B);
    row.resize(std::max(row.size(), n_columns), 0.);
    for (std::size_t i = 0; i + 1 < A.start.size(); ++i)
      {
        for (PetscInt k = A.start[i]; k < A.start[i + 1]; ++k)
          {
            const double   a = A.values[k];
            const PetscInt j = A.columns[k];
            for (PetscInt l = B.start[j]; l < B.start[j + 1]; ++l)
              row[B.columns[l]] += a * B.values[l];
          }
        for (PetscInt k = C.start[i]; k < C.start[i + 1]; ++k)
          {
            C.values[k]       = row[C.columns[k]];
            row[C.columns[k]] = 0;
          }
      }
    return C;
  }
} // namespace Percuss
