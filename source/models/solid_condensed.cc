// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_condensed.h"

#include <algorithm>
#include <utility>

namespace Percuss
{
  template <int dim>
  CondensedCells<dim>::CondensedCells(
    std::unique_ptr<SharedRows>                all_rows,
    const std::shared_ptr<const BlockPattern> &pattern,
    const Partition                           &relevant)
    : rows(std::move(all_rows))
    , pattern(pattern)
    , relevant(relevant)
    , forces(relevant)
    , of_others(rows->n_of_others() * dim * dim)
  {
    for (unsigned int row = 0; row < pattern->n_rows(); ++row)
      row_of_place.insert(row_of_place.end(),
                          pattern->start[row + 1] - pattern->start[row],
                          row);
  }



  template <int dim>
  void
  CondensedCells<dim>::add_cell(const FreeNodes &free)
  {
    Cell cell{free, {}, {}};
    for (const auto node : free.nodes)
      cell.forces.push_back(relevant->global_to_local(dim * node));
    for (std::size_t i = 0; i < free.nodes.size(); ++i)
      for (std::size_t j = i; j < free.nodes.size(); ++j)
        {
          const auto [first, second] =
            std::minmax(free.nodes[i], free.nodes[j]);
          cell.pairs.push_back(
            {rows->find(first, second), free.nodes[i] == first});
        }
    cells.push_back(std::move(cell));
  }



  template <int dim>
  void
  CondensedCells<dim>::add_force(const std::size_t          number,
                                 const std::vector<double> &force) const
  {
    const Cell &cell = cells[number];
    for (std::size_t a = 0; a < cell.free.weights.size(); ++a)
      for (const auto &[i, weight] : cell.free.weights[a])
        for (unsigned int d = 0; d < dim; ++d)
          forces.local_element(cell.forces[i] + d) +=
            weight * force[dim * a + d];
  }



  template <int dim>
  void
  CondensedCells<dim>::finish_forces(Vector &f) const
  {
    forces.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
      f.local_element(i) += forces.local_element(i);
    forces = 0.;
  }



  template <int dim>
  const double *
  CondensedCells<dim>::condense(const Cell                &cell,
                                const std::vector<double> &blocks_of_cell) const
  {
    if (!cell.free.has_hanging_nodes)
      return blocks_of_cell.data();
    const std::size_t n = cell.free.weights.size(), m = cell.free.nodes.size();
    condensed.assign(m * m * dim * dim, 0.);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        {
          const double *const from =
            blocks_of_cell.data() +
            (std::min(a, b) * n + std::max(a, b)) * dim * dim;
          for (const auto &[i, of_a] : cell.free.weights[a])
            for (const auto &[j, of_b] : cell.free.weights[b])
              if (i <= j)
                for (unsigned int c = 0; c < dim; ++c)
                  for (unsigned int d = 0; d < dim; ++d)
                    condensed[(i * m + j) * dim * dim + dim * d + c] +=
                      of_a * of_b * from[a <= b ? dim * d + c : dim * c + d];
        }
    return condensed.data();
  }



  template <int dim>
  void
  CondensedCells<dim>::add_block(const std::size_t        place,
                                 const double *const      block,
                                 const bool               is_upper,
                                 const std::vector<bool> &is_fixed,
                                 double *const            blocks) const
  {
    const unsigned int row    = row_of_place[place];
    const unsigned int column = pattern->columns[place];
    double *const      to     = blocks + place * dim * dim;
    for (unsigned int c = 0; c < dim; ++c)
      for (unsigned int d = 0; d < dim; ++d)
        if (!is_fixed[dim * row + c] && !is_fixed[dim * column + d])
          to[dim * d + c] += block[is_upper ? dim * d + c : dim * c + d];
  }



  template <int dim>
  void
  CondensedCells<dim>::add_blocks(const std::size_t          number,
                                  const std::vector<double> &blocks_of_cell,
                                  const std::vector<bool>   &is_fixed,
                                  double *const              blocks) const
  {
    const Cell         &cell = cells[number];
    const std::size_t   m    = cell.free.nodes.size();
    const double *const from = condense(cell, blocks_of_cell);
    auto                pair = cell.pairs.begin();
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = i; j < m; ++j, ++pair)
        {
          const double *const block = from + (i * m + j) * dim * dim;
          if (pair->at.is_own)
            {
              add_block(
                pair->at.place, block, pair->is_upper, is_fixed, blocks);
              continue;
            }
          double *const to = of_others.data() + pair->at.place * dim * dim;
          for (unsigned int c = 0; c < dim; ++c)
            for (unsigned int d = 0; d < dim; ++d)
              to[dim * d + c] +=
                block[pair->is_upper ? dim * d + c : dim * c + d];
        }
  }



  template <int dim>
  void
  CondensedCells<dim>::finish_blocks(const std::vector<bool> &is_fixed,
                                     double *const            blocks) const
  {
    rows->exchange(of_others,
                   dim * dim,
                   [&](const std::size_t place, const double *const block) {
                     add_block(place, block, true, is_fixed, blocks);
                   });
    std::fill(of_others.begin(), of_others.end(), 0.);
  }

  template class CondensedCells<2>;
  template class CondensedCells<3>;
} // namespace Percuss
