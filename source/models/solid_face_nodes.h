// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/fe/fe_q.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  /// The shape functions of the nodes on each face of a cell, row by row.
  template <int dim>
  std::vector<std::vector<unsigned int>>
  nodes_of_faces(const dealii::FE_Q<dim> &element)
  {
    const auto &points = element.get_unit_support_points();
    std::vector<std::vector<unsigned int>> result(2 * dim);
    for (unsigned int f = 0; f < 2 * dim; ++f)
      {
        for (unsigned int a = 0; a < points.size(); ++a)
          if (std::abs(points[a][f / 2] - f % 2) < 1e-10)
            result[f].push_back(a);
        std::sort(result[f].begin(),
                  result[f].end(),
                  [&points](const unsigned int a, const unsigned int b) {
                    for (int d = dim - 1; d >= 0; --d)
                      if (std::abs(points[a][d] - points[b][d]) > 1e-10)
                        return points[a][d] < points[b][d];
                    return false;
                  });
      }
    return result;
  }
} // namespace Percuss
