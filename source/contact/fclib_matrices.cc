// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "fclib_matrices.h"

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace Percuss
{
  void
  Triplets::add(const int row, const int column, const double value)
  {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }



  SparseMatrix::Rows
  compress(const Triplets &entries, const unsigned int n_rows)
  {
    std::vector<std::size_t> order(entries.values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&entries](const std::size_t a, const std::size_t b) {
                       return std::pair(entries.rows[a], entries.columns[a]) <
                              std::pair(entries.rows[b], entries.columns[b]);
                     });
    SparseMatrix::Rows result;
    std::size_t        k = 0;
    for (unsigned int row = 0; row < n_rows; ++row)
      {
        const auto begin = static_cast<PetscInt>(result.columns.size());
        for (; k < order.size() &&
               entries.rows[order[k]] == static_cast<int>(row);
             ++k)
          {
            const PetscInt column = entries.columns[order[k]];
            const double   value  = entries.values[order[k]];
            if (static_cast<PetscInt>(result.columns.size()) > begin &&
                result.columns.back() == column)
              result.values.back() += value;
            else
              {
                result.columns.push_back(column);
                result.values.push_back(value);
              }
          }
        result.start.push_back(static_cast<PetscInt>(result.columns.size()));
      }
    return result;
  }



  bool
  eliminate(const Triplets            &K,
            const Triplets            &B,
            const double               sigma,
            const std::vector<double> &d,
            Triplets                  &W,
            std::vector<double>       &q)
  {
    const auto                     n      = static_cast<unsigned int>(d.size());
    const auto                     n_rows = static_cast<unsigned int>(q.size());
    dealii::DynamicSparsityPattern entries(n, n);
    for (std::size_t k = 0; k < K.values.size(); ++k)
      entries.add(K.rows[k], K.columns[k]);
    dealii::SparsityPattern pattern;
    pattern.copy_from(entries);
    dealii::SparseMatrix<double> matrix(pattern);
    for (std::size_t k = 0; k < K.values.size(); ++k)
      matrix.add(K.rows[k], K.columns[k], K.values[k]);
    const SparseMatrix::Rows rows = compress(B, n_rows);
    dealii::Vector<double>   x(n);
    const auto               product = [&rows, &x](const unsigned int row) {
      double sum = 0;
      for (PetscInt k = rows.start[row]; k < rows.start[row + 1]; ++k)
        sum += rows.values[k] * x[rows.columns[k]];
      return sum;
    };
    try
      {
        dealii::SparseDirectUMFPACK inverse;
        inverse.initialize(matrix);
        std::copy(d.begin(), d.end(), x.begin());
        inverse.solve(x);
        for (unsigned int row = 0; row < n_rows; ++row)
          q[row] += product(row);
        for (unsigned int column = 0; column < n_rows; ++column)
          {
            x = 0.;
            for (PetscInt k = rows.start[column]; k < rows.start[column + 1];
                 ++k)
              x[rows.columns[k]] = sigma * rows.values[k];
            inverse.solve(x);
            for (unsigned int row = 0; row < n_rows; ++row)
              if (const double entry = product(row); entry != 0)
                W.add(static_cast<int>(row), static_cast<int>(column), entry);
          }
      }
    catch (const dealii::ExceptionBase &) // a singular matrix
      {
        return false;
      }
    const auto is_finite = [](const double number) {
      return std::isfinite(number);
    };
    return std::all_of(q.begin(), q.end(), is_finite) &&
           std::all_of(W.values.begin(), W.values.end(), is_finite);
  }



  bool
  is_symmetric(const SparseMatrix::Rows &matrix, const double tolerance)
  {
    double largest = 0, difference = 0;
    for (std::size_t row = 0; row + 1 < matrix.start.size(); ++row)
      for (PetscInt k = matrix.start[row]; k < matrix.start[row + 1]; ++k)
        {
          const PetscInt column = matrix.columns[k];
          const auto     begin  = matrix.columns.begin() + matrix.start[column];
          const auto end = matrix.columns.begin() + matrix.start[column + 1];
          const auto found =
            std::lower_bound(begin, end, static_cast<PetscInt>(row));
          const bool   exists = found != end && *found == PetscInt(row);
          const double mirror =
            exists ? matrix.values[found - matrix.columns.begin()] : 0;
          largest = std::max(largest, std::abs(matrix.values[k]));
          difference =
            std::max(difference, std::abs(matrix.values[k] - mirror));
        }
    return difference <= tolerance * largest;
  }
} // namespace Percuss
