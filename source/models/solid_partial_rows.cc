// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <utility>
#include <vector>

#include "solid.h"

// Rows of matrices at a few nodes, without the matrices.

namespace Percuss
{
  namespace
  {
    /// Adds m M + k K of a cell to @p to, where fixed degrees of freedom have
    /// entries on the diagonal only.
    template <int dim>
    void
    add_free(const CondensedCell &cell,
             const double         m,
             const double         k,
             const Vector        &fixed,
             SharedRows          &to)
    {
      const auto       &nodes = cell.free.nodes;
      const std::size_t n     = nodes.size();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          {
            if (nodes[i] > nodes[j])
              continue;
            const double *const from =
              cell.stiffness.data() + (i * n + j) * dim * dim;
            double block[dim * dim] = {};
            for (unsigned int c = 0; c < dim; ++c)
              for (unsigned int d = 0; d < dim; ++d)
                if ((i == j && c == d) || (fixed(dim * nodes[i] + c) == 0 &&
                                           fixed(dim * nodes[j] + d) == 0))
                  block[dim * d + c] = k * from[dim * d + c] +
                                       (c == d ? m * cell.mass[i * n + j] : 0);
            to.add(nodes[i], nodes[j], 0, block);
          }
    }
  } // namespace



  /// Cells that have none of these nodes, and no node that hangs on one, are
  /// left out. What other ranks' cells give comes as in a whole assembly.
  template <int dim>
  SparseMatrix::Rows
  Solid<dim>::rows_of(const std::vector<unsigned int> &own,
                      const double                     m,
                      const double                     k) const
  {
    Vector asked(relevant), fixed(relevant);
    for (const unsigned int i : own)
      asked.local_element(i - i % dim) = 1;
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      fixed.local_element(i) = is_fixed[i] ? 1 : 0;
    asked.update_ghost_values();
    fixed.update_ghost_values();
    const auto is_near = [&](const std::vector<Node> &nodes) {
      const FreeNodes free(nodes, hanging);
      return std::any_of(free.nodes.begin(),
                         free.nodes.end(),
                         [&](const Node node) {
                           return asked(dim * node) != 0;
                         });
    };
    SharedRows        near(dim, owned);
    std::vector<Node> nodes(element.n_dofs_per_cell());
    for (const auto &cell : numbering.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          cell->get_dof_indices(nodes);
          if (is_near(nodes))
            near.add_pairs(FreeNodes(nodes, hanging).nodes);
        }
    const auto       near_pattern = near.make_pattern();
    SymmetricScalars none(near_pattern);
    SymmetricBlocks  sum(near_pattern);
    near.start(none, sum);
    const bool is_lumped = parameters.mass_matrix == "lumped";
    integrate_cells(is_near,
                    [&](const std::vector<Node>   &of_cell,
                        const std::vector<double> &of_mass,
                        const std::vector<double> &of_stiffness) {
                      const CondensedCell cell({of_cell, hanging},
                                               of_mass,
                                               of_stiffness,
                                               is_lumped);
                      add_free<dim>(cell, m, k, fixed, near);
                    });
    near.finish();
    return PartialRows::choose(SparseMatrix(std::move(sum)).rows(), own);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
