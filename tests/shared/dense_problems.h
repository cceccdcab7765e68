// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/linear_algebra/sparse_matrix.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss::Test
{
  /// All solvers that treat friction with so many directions of a contact.
  inline std::vector<std::string>
  solvers_with_friction(const unsigned int n_directions)
  {
    std::vector<std::string> result;
    for (const auto &[name, plugin] : Registry<ContactSolver>::plugins())
      if (plugin.make_builder()->build({})->needs.largest_frictional_block >=
          n_directions)
        result.push_back(name);
    return result;
  }

  /// The matrix with all entries, row after row.
  inline std::unique_ptr<SparseMatrix>
  dense_matrix(const Partition &partition, const std::vector<double> &values)
  {
    const unsigned int n = partition->size();
    SparseMatrix::Rows rows;
    rows.values = values;
    for (unsigned int i = 0; i < n; ++i)
      {
        for (unsigned int j = 0; j < n; ++j)
          rows.columns.push_back(static_cast<PetscInt>(j));
        rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
      }
    return std::make_unique<SparseMatrix>(partition, std::move(rows));
  }

  /// Gaussian elimination of the rows (A, right-hand side), with more digits
  /// than those of the solvers that are compared with it.
  inline std::vector<double>
  solve_dense(const std::vector<std::vector<double>> &rows)
  {
    const std::size_t                     n = rows.size();
    std::vector<std::vector<long double>> A;
    for (const auto &row : rows)
      A.emplace_back(row.begin(), row.end());
    for (std::size_t i = 0; i < n; ++i)
      {
        std::size_t pivot = i;
        for (std::size_t k = i + 1; k < n; ++k)
          if (std::abs(A[k][i]) > std::abs(A[pivot][i]))
            pivot = k;
        std::swap(A[i], A[pivot]);
        for (std::size_t k = i + 1; k < n; ++k)
          {
            const long double factor = A[k][i] / A[i][i];
            for (std::size_t j = i; j <= n; ++j)
              A[k][j] -= factor * A[i][j];
          }
      }
    std::vector<long double> x(n);
    for (std::size_t i = n; i-- > 0;)
      {
        x[i] = A[i][n];
        for (std::size_t j = i + 1; j < n; ++j)
          x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
      }
    return {x.begin(), x.end()};
  }
} // namespace Percuss::Test
