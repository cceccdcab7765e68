// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/mpi.h>
#include <deal.II/dofs/dof_tools.h>

#include <algorithm>
#include <set>

#include "solid.h"

// Cells of different sizes next to each other: the nodes of the smaller ones on
// their common face hang on nodes of the larger one, u_h = sum_i w_hi u_i. In
// vectors they are zero, as if they were fixed; whoever looks at a field finds
// their values by ghosted().

namespace Percuss
{
  template <int dim>
  void
  Solid<dim>::find_hanging_nodes()
  {
    dealii::IndexSet nodes;
    dealii::DoFTools::extract_locally_relevant_dofs(numbering, nodes);
    hanging.reinit(nodes);
    dealii::DoFTools::make_hanging_node_constraints(numbering, hanging);
    hanging.close();
    std::set<Node>    found;
    std::vector<Node> nodes_of_cell(element.n_dofs_per_cell());
    for (const auto &cell : numbering.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          cell->get_dof_indices(nodes_of_cell);
          for (const Node node : nodes_of_cell)
            if (hanging.is_constrained(node))
              found.insert(node);
        }
    hanging_nodes = Percuss::find_hanging_nodes({found.begin(), found.end()},
                                                hanging,
                                                dim,
                                                relevant);
  }



  template <int dim>
  bool
  Solid<dim>::has_any_hanging_nodes() const
  {
    return dealii::Utilities::MPI::max(hanging_nodes.empty() ? 0u : 1u,
                                       communicator) == 1;
  }



  template <int dim>
  bool
  Solid<dim>::hangs(const unsigned int own_node) const
  {
    return hanging.is_constrained(owned->local_range().first / dim + own_node);
  }



  template <int dim>
  void
  Solid<dim>::add_cell(const std::vector<Node>   &nodes,
                       const std::vector<double> &mass_of_cell,
                       const std::vector<double> &stiffness_of_cell)
  {
    const std::size_t n = nodes.size();
    if (std::any_of(nodes.begin(), nodes.end(), [this](const Node node) {
          return hanging.is_constrained(node);
        }))
      {
        add_condensed(nodes, mass_of_cell, stiffness_of_cell);
        return;
      }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (nodes[a] <= nodes[b])
          rows->add(nodes[a],
                    nodes[b],
                    mass_of_cell[a * n + b],
                    stiffness_of_cell.data() + (a * n + b) * dim * dim);
  }



  /// Hanging nodes keep their entries on the diagonal.
  template <int dim>
  void
  Solid<dim>::add_condensed(const std::vector<Node>   &nodes,
                            const std::vector<double> &mass_of_cell,
                            const std::vector<double> &stiffness_of_cell)
  {
    constexpr unsigned int size = dim * dim;
    const CondensedCell    cell({nodes, hanging},
                             mass_of_cell,
                             stiffness_of_cell,
                             parameters.mass_matrix == "lumped");
    const std::size_t      n = nodes.size(), m = cell.free.nodes.size();
    for (std::size_t a = 0; a < n; ++a)
      {
        double diagonal[size] = {};
        for (unsigned int d = 0; d < dim; ++d)
          diagonal[(dim + 1) * d] =
            stiffness_of_cell[(a * n + a) * size + (dim + 1) * d];
        if (hanging.is_constrained(nodes[a]))
          rows->add(nodes[a], nodes[a], mass_of_cell[a * n + a], diagonal);
      }
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j)
        if (cell.free.nodes[i] <= cell.free.nodes[j])
          rows->add(cell.free.nodes[i],
                    cell.free.nodes[j],
                    cell.mass[i * m + j],
                    cell.stiffness.data() + (i * m + j) * size);
  }



  template <int dim>
  const double *
  Solid<dim>::ghosted(const Vector &x, Vector &storage) const
  {
    make_room(storage, relevant);
    storage.zero_out_ghost_values();
    std::copy(x.begin(), x.end(), storage.begin());
    storage.update_ghost_values();
    interpolate(hanging_nodes, dim, storage.begin());
    return storage.begin();
  }



  /// A node that hangs on an edge of a side is held by its support: the nodes
  /// of the edge must be held too, also where no face of the side has them all.
  template <int dim>
  void
  Solid<dim>::fix_hanging_nodes()
  {
    Vector flags(relevant);
    for (const HangingNode &node : hanging_nodes)
      if (node.first < owned->locally_owned_size())
        for (unsigned int d = 0; d < dim; ++d)
          {
            if (is_fixed[node.first + d])
              for (const auto &[i, weight] : node.on)
                if (weight != 0)
                  flags.local_element(i + d) += 1;
            is_fixed[node.first + d] = true;
          }
    flags.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      if (flags.local_element(i) > 0)
        is_fixed[i] = true;
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
