// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

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
    for (const Node node : found)
      {
        HangingNode item{relevant->global_to_local(dim * node), {}};
        for (const auto &[other, weight] :
             *hanging.get_constraint_entries(node))
          item.on.emplace_back(relevant->global_to_local(dim * other), weight);
        hanging_nodes.push_back(item);
      }
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
  FreeNodes
  Solid<dim>::resolve(const std::vector<Node> &nodes) const
  {
    FreeNodes  result;
    const auto index = [&result](const Node node) {
      auto &all   = result.nodes;
      auto  found = std::find(all.begin(), all.end(), node);
      if (found == all.end())
        found = all.insert(all.end(), node);
      return static_cast<unsigned int>(found - all.begin());
    };
    for (const Node node : nodes)
      {
        result.weights.emplace_back();
        if (!hanging.is_constrained(node))
          result.weights.back().emplace_back(index(node), 1.);
        else
          for (const auto &[other, weight] :
               *hanging.get_constraint_entries(node))
            result.weights.back().emplace_back(index(other), weight);
      }
    return result;
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



  /// T^T M T and T^T K T with the weights T. A lumped mass stays diagonal: what
  /// a hanging node has goes to those it hangs on, by their weights. Hanging
  /// nodes keep their entries on the diagonal.
  template <int dim>
  void
  Solid<dim>::add_condensed(const std::vector<Node>   &nodes,
                            const std::vector<double> &mass_of_cell,
                            const std::vector<double> &stiffness_of_cell)
  {
    constexpr unsigned int size   = dim * dim;
    const bool             lumped = parameters.mass_matrix == "lumped";
    const FreeNodes        free   = resolve(nodes);
    const std::size_t      n = nodes.size(), m = free.nodes.size();
    std::vector<double>    M(m * m), K(m * m * size);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        {
          const double *const block =
            stiffness_of_cell.data() + (a * n + b) * size;
          for (const auto &[i, of_a] : free.weights[a])
            for (const auto &[j, of_b] : free.weights[b])
              {
                if (!lumped)
                  M[i * m + j] += of_a * of_b * mass_of_cell[a * n + b];
                for (unsigned int k = 0; k < size; ++k)
                  K[(i * m + j) * size + k] += of_a * of_b * block[k];
              }
        }
    for (std::size_t a = 0; a < n; ++a)
      {
        if (lumped)
          for (const auto &[i, weight] : free.weights[a])
            M[i * m + i] += weight * mass_of_cell[a * n + a];
        double diagonal[size] = {};
        for (unsigned int d = 0; d < dim; ++d)
          diagonal[(dim + 1) * d] =
            stiffness_of_cell[(a * n + a) * size + (dim + 1) * d];
        if (hanging.is_constrained(nodes[a]))
          rows->add(nodes[a], nodes[a], mass_of_cell[a * n + a], diagonal);
      }
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j)
        if (free.nodes[i] <= free.nodes[j])
          rows->add(free.nodes[i],
                    free.nodes[j],
                    M[i * m + j],
                    K.data() + (i * m + j) * size);
  }



  template <int dim>
  const double *
  Solid<dim>::ghosted(const Vector &x, Vector &storage) const
  {
    storage.zero_out_ghost_values();
    std::copy(x.begin(), x.end(), storage.begin());
    storage.update_ghost_values();
    double *const values = storage.begin();
    for (const HangingNode &node : hanging_nodes)
      for (unsigned int d = 0; d < dim; ++d)
        {
          double value = 0;
          for (const auto &[i, weight] : node.on)
            value += weight * values[i + d];
          values[node.first + d] = value;
        }
    return values;
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
