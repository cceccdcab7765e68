// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/newton_matrix.h>

#include <algorithm>

namespace Percuss
{
  NewtonMatrix::NewtonMatrix(const GatheredProblem &problem)
  {
    constexpr double regularisation = 1e-11;
    panels.reserve(problem.points.size());
    for (const ContactPoint &point : problem.points)
      {
        Panel panel{point.first, point.n_directions, {}, {}};
        auto &columns = panel.columns;
        for (unsigned int d = 0; d < point.n_directions; ++d)
          {
            columns.push_back(static_cast<int>(point.first + d));
            const unsigned int row = point.first + d;
            columns.insert(columns.end(),
                           problem.columns.begin() + problem.row_start[row],
                           problem.columns.begin() +
                             problem.row_start[row + 1]);
          }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()),
                      columns.end());
        panel.values.resize(point.n_directions * columns.size());
        for (unsigned int d = 0; d < point.n_directions; ++d)
          for (unsigned int k = problem.row_start[point.first + d];
               k < problem.row_start[point.first + d + 1];
               ++k)
            {
              const auto position =
                std::lower_bound(columns.begin(),
                                 columns.end(),
                                 static_cast<int>(problem.columns[k])) -
                columns.begin();
              const bool is_diagonal = problem.columns[k] == point.first + d;
              panel.values[d * columns.size() + position] +=
                (is_diagonal ? 1 + regularisation : 1) * problem.values[k];
            }
        panels.push_back(std::move(panel));
      }
  }



  void
  NewtonMatrix::clear()
  {
    next = 0;
    rows.start.assign(1, 0);
    rows.columns.clear();
    rows.values.clear();
  }



  void
  NewtonMatrix::append(const Block &C, const Block &B)
  {
    const Panel       &panel = panels[next++];
    const unsigned int n     = panel.n_directions;
    const std::size_t  width = panel.columns.size();
    for (unsigned int d = 0; d < n; ++d)
      {
        const bool is_coupled =
          std::any_of(B[d], B[d] + n, [](const double b) { return b != 0; });
        for (std::size_t k = 0; k < width; ++k)
          {
            const unsigned int column = panel.columns[k];
            const bool         is_mine =
              column >= panel.first && column < panel.first + n;
            double value = is_mine ? C[d][column - panel.first] : 0;
            if (is_coupled)
              for (unsigned int e = 0; e < n; ++e)
                value += B[d][e] * panel.values[e * width + k];
            if (value == 0)
              continue;
            rows.columns.push_back(static_cast<PetscInt>(column));
            rows.values.push_back(value);
          }
        rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
      }
  }



  bool
  NewtonMatrix::solve(std::vector<double> &x)
  {
    if (!lu.factorize(rows))
      return false;
    lu.solve(x);
    return true;
  }



  void
  NewtonMatrix::multiply(const std::vector<double> &x,
                         std::vector<double>       &y) const
  {
    for (std::size_t i = 0; i < y.size(); ++i)
      {
        y[i] = 0;
        for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
          y[i] += rows.values[k] * x[rows.columns[k]];
      }
  }



  void
  NewtonMatrix::transposed_multiply(const std::vector<double> &x,
                                    std::vector<double>       &y) const
  {
    std::fill(y.begin(), y.end(), 0.);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
        y[rows.columns[k]] += rows.values[k] * x[i];
  }
} // namespace Percuss
