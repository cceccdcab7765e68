// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_free_nodes.h"

#include <algorithm>

namespace Percuss
{
  FreeNodes::FreeNodes(const std::vector<Node>                 &of_cell,
                       const dealii::AffineConstraints<double> &hanging)
  {
    const auto place = [this](const Node node) {
      auto found = std::find(nodes.begin(), nodes.end(), node);
      if (found == nodes.end())
        found = nodes.insert(nodes.end(), node);
      return static_cast<unsigned int>(found - nodes.begin());
    };
    for (const Node node : of_cell)
      {
        weights.emplace_back();
        if (!hanging.is_constrained(node))
          {
            weights.back().emplace_back(place(node), 1.);
            continue;
          }
        has_hanging_nodes = true;
        for (const auto &[other, weight] :
             *hanging.get_constraint_entries(node))
          weights.back().emplace_back(place(other), weight);
      }
  }



  CondensedCell::CondensedCell(const FreeNodes           &free,
                               const std::vector<double> &mass_of_cell,
                               const std::vector<double> &stiffness_of_cell,
                               const bool                 is_lumped)
    : free(free)
  {
    const std::size_t n = free.weights.size(), m = free.nodes.size();
    const std::size_t size = stiffness_of_cell.size() / (n * n); // of a block
    mass.resize(m * m);
    stiffness.resize(m * m * size);
    for (std::size_t a = 0; a < n; ++a)
      {
        for (std::size_t b = 0; b < n; ++b)
          for (const auto &[i, of_a] : free.weights[a])
            for (const auto &[j, of_b] : free.weights[b])
              {
                if (!is_lumped)
                  mass[i * m + j] += of_a * of_b * mass_of_cell[a * n + b];
                for (std::size_t k = 0; k < size; ++k)
                  stiffness[(i * m + j) * size + k] +=
                    of_a * of_b * stiffness_of_cell[(a * n + b) * size + k];
              }
        if (is_lumped)
          for (const auto &[i, weight] : free.weights[a])
            mass[i * m + i] += weight * mass_of_cell[a * n + a];
      }
  }



  std::vector<HangingNode>
  find_hanging_nodes(const std::vector<FreeNodes::Node>      &nodes,
                     const dealii::AffineConstraints<double> &hanging,
                     const unsigned int                       size,
                     const Partition                         &numbering)
  {
    std::vector<HangingNode> result;
    for (const auto node : nodes)
      {
        if (!hanging.is_constrained(node))
          continue;
        result.push_back({numbering->global_to_local(size * node), {}});
        for (const auto &[other, weight] :
             *hanging.get_constraint_entries(node))
          result.back().on.emplace_back(numbering->global_to_local(size *
                                                                   other),
                                        weight);
      }
    return result;
  }



  void
  interpolate(const std::vector<HangingNode> &nodes,
              const unsigned int              size,
              double *const                   x)
  {
    for (const HangingNode &node : nodes)
      for (unsigned int d = 0; d < size; ++d)
        {
          double value = 0;
          for (const auto &[i, weight] : node.on)
            value += weight * x[i + d];
          x[node.first + d] = value;
        }
  }



  void
  distribute(const std::vector<HangingNode> &nodes,
             const unsigned int              size,
             double *const                   y)
  {
    for (const HangingNode &node : nodes)
      for (unsigned int d = 0; d < size; ++d)
        {
          for (const auto &[i, weight] : node.on)
            y[i + d] += weight * y[node.first + d];
          y[node.first + d] = 0;
        }
  }
} // namespace Percuss
