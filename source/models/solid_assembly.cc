// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "solid.h"

// Nodes, matrices and supports of solids.

namespace Percuss
{
  namespace
  {
    constexpr unsigned int nowhere = std::numeric_limits<unsigned int>::max();

    /// Whether a rank knows the nodes of a cell.
    template <typename Cell>
    bool
    is_known(const Cell &cell)
    {
      return cell->is_locally_owned() || cell->is_ghost();
    }

    /// The mass and stiffness of a cell.
    template <int dim>
    void
    integrate(const dealii::FEValues<dim> &values,
              const dealii::FEValues<dim> &values_of_mass,
              const SolidMaterial         &material,
              std::vector<double>         &mass_of_cell,
              std::vector<double>         &stiffness_of_cell)
    {
      const unsigned int n = values.dofs_per_cell;
      std::fill(mass_of_cell.begin(), mass_of_cell.end(), 0.);
      std::fill(stiffness_of_cell.begin(), stiffness_of_cell.end(), 0.);
      for (unsigned int q = 0; q < values_of_mass.n_quadrature_points; ++q)
        for (unsigned int a = 0; a < n; ++a)
          {
            const double weight = values_of_mass.shape_value(a, q) *
                                  values_of_mass.JxW(q) * material.density;
            for (unsigned int b = 0; b < n; ++b)
              mass_of_cell[a * n + b] +=
                weight * values_of_mass.shape_value(b, q);
          }
      for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
        for (unsigned int a = 0; a < n; ++a)
          for (unsigned int b = 0; b < n; ++b)
            {
              const auto   &ga   = values.shape_grad(a, q);
              const auto   &gb   = values.shape_grad(b, q);
              const double  w    = values.JxW(q);
              const double  both = material.mu * (ga * gb) * w;
              double *const block =
                stiffness_of_cell.data() + (a * n + b) * dim * dim;
              for (unsigned int d = 0; d < dim; ++d)
                {
                  for (unsigned int c = 0; c < dim; ++c)
                    block[dim * d + c] += w * (material.lambda * ga[c] * gb[d] +
                                               material.mu * ga[d] * gb[c]);
                  block[dim * d + d] += both;
                }
            }
    }



  } // namespace



  template <int dim>
  void
  Solid<dim>::make_nodes()
  {
    numbering.distribute_dofs(element);
    order_nodes();
    owned =
      make_partition(dim * numbering.n_locally_owned_dofs(), communicator);
    dealii::IndexSet nodes, degrees(owned->size()), mine(owned->size());
    dealii::DoFTools::extract_locally_relevant_dofs(numbering, nodes);
    mine.add_range(owned->local_range().first, owned->local_range().second);
    for (const auto node : nodes)
      degrees.add_range(dim * node, dim * (node + 1));
    relevant =
      std::make_shared<const dealii::Utilities::MPI::Partitioner>(mine,
                                                                  degrees,
                                                                  communicator);
    find_hanging_nodes();
    is_matrix_free = choose_matrix_free();
    make_pattern();
    find_places();
  }



  /// By the first cell of a node in the order of p4est, of which each rank has
  /// one piece: a node is owned by the first rank that has one of its cells.
  template <int dim>
  void
  Solid<dim>::order_nodes()
  {
    using dealii::types::global_dof_index;
    std::vector<global_dof_index> nodes(element.n_dofs_per_cell());
    std::vector<global_dof_index> numbers(numbering.n_locally_owned_dofs(),
                                          dealii::numbers::invalid_dof_index);
    const auto                   &mine = numbering.locally_owned_dofs();
    global_dof_index              next =
      mine.n_elements() > 0 ? mine.nth_index_in_set(0) : 0;
    for (const auto &cell : mesh.own_cells())
      {
        nodes_of(cell, nodes);
        for (const auto node : nodes)
          if (mine.is_element(node) && numbers[mine.index_within_set(node)] ==
                                         dealii::numbers::invalid_dof_index)
            numbers[mine.index_within_set(node)] = next++;
      }
    numbering.renumber_dofs(numbers);
  }



  template <int dim>
  bool
  Solid<dim>::choose_matrix_free() const
  {
    // Below, matrices fit into caches, and factorisations are cheap.
    constexpr unsigned int fewest_unknowns = 30000;
    const bool             has_large_strains =
      std::any_of(materials.begin(),
                  materials.end(),
                  [](const SolidMaterial &material) {
                    return material.law != SolidMaterial::Law::linear;
                  });
    if (parameters.form == "matrix-free" && has_large_strains)
      throw EntryError("model/" + parameters.model() + "/operator",
                       "is 'matrix-free', which knows no large strains: set it "
                       "to 'assembled'.");
    return parameters.form == "matrix-free" ||
           (parameters.form == "automatic" && !has_large_strains &&
            parameters.degree >= 2 && owned->size() >= fewest_unknowns);
  }



  template <int dim>
  void
  Solid<dim>::add_others(const std::vector<Node> &nodes)
  {
    const auto is_own = [this](const Node node) {
      return owned->in_local_range(dim * node);
    };
    for (const Node i : nodes)
      {
        rows->add_pairs({i});
        for (const Node j : nodes)
          if (i < j && is_own(i) != is_own(j))
            rows->add_pairs({i, j});
      }
  }



  /// Without matrices only the diagonal and others' nodes are needed.
  template <int dim>
  void
  Solid<dim>::make_pattern()
  {
    rows = std::make_unique<SharedRows>(dim, owned);
    std::vector<Node> nodes(element.n_dofs_per_cell());
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (!cell->is_locally_owned())
          continue;
        cell->get_dof_indices(nodes);
        const FreeNodes free(nodes, hanging);
        if (is_matrix_free)
          {
            add_others(nodes);
            add_others(free.nodes);
            continue;
          }
        rows->add_pairs(free.nodes);
        for (const Node node : nodes)
          if (hanging.is_constrained(node))
            rows->add_pairs({node});
      }
    pattern = rows->make_pattern();
  }



  template <int dim>
  unsigned int
  Solid<dim>::column(const Node node) const
  {
    return find_column(*pattern, node);
  }



  template <int dim>
  void
  Solid<dim>::find_places()
  {
    const dealii::Quadrature<dim> support(element.get_unit_support_points());
    dealii::FEValues<dim>         values(mapping,
                                 element,
                                 support,
                                 dealii::update_quadrature_points);
    std::vector<dealii::types::global_dof_index> nodes(
      element.n_dofs_per_cell());
    places.resize(pattern->n_rows() + pattern->others.size());
    body_of_node.resize(places.size());
    Vector coordinates(pattern->ghosted), bodies(pattern->ghosted);
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (!is_known(cell))
          continue;
        values.reinit(cell);
        cell->get_dof_indices(nodes);
        for (unsigned int a = 0; a < nodes.size(); ++a)
          if (const unsigned int i = column(nodes[a]); i < pattern->n_rows())
            {
              bodies.local_element(dim * i) = mesh.body_of(cell);
              for (unsigned int d = 0; d < dim; ++d)
                coordinates.local_element(dim * i + d) =
                  values.quadrature_point(a)[d];
            }
      }
    coordinates.update_ghost_values();
    bodies.update_ghost_values();
    for (unsigned int i = 0; i < places.size(); ++i)
      {
        body_of_node[i] =
          static_cast<unsigned int>(bodies.local_element(dim * i));
        for (unsigned int d = 0; d < dim; ++d)
          places[i][d] = coordinates.local_element(dim * i + d);
      }
    if (!is_matrix_free)
      pattern->places.assign(coordinates.begin(),
                             coordinates.begin() +
                               coordinates.locally_owned_size());
  }



  template <int dim>
  void
  Solid<dim>::make_matrices()
  {
    if (is_matrix_free)
      {
        cells = std::make_shared<SolidOperator<dim>>(
          numbering,
          mapping,
          [this](const auto &cell) -> const SolidMaterial & {
            return materials[mesh.material_of(cell)];
          },
          hanging,
          owned,
          parameters.mass_matrix == "lumped");
        return;
      }
    mass      = std::make_unique<SymmetricScalars>(pattern);
    stiffness = std::make_unique<SymmetricBlocks>(pattern);
    rows->start(*mass, *stiffness);
    integrate_cells([](const auto &) { return true; },
                    [this](const auto &...cell) { add_cell(cell...); });
    rows->finish();
  }



  template <int dim>
  void
  Solid<dim>::integrate_cells(
    const std::function<bool(const std::vector<Node> &)> &wanted,
    const CellAction                                     &action) const
  {
    const unsigned int        n      = element.n_dofs_per_cell();
    const unsigned int        p      = parameters.degree;
    const bool                lumped = parameters.mass_matrix == "lumped";
    const dealii::QGauss<dim> gauss(p + 1);
    const dealii::QGaussLobatto<dim> lobatto(p + 1);
    using namespace dealii;
    FEValues<dim>       values(mapping,
                         element,
                         gauss,
                         update_gradients | update_JxW_values);
    FEValues<dim>       values_of_mass(mapping,
                                 element,
                                 lumped ? Quadrature<dim>(lobatto) :
                                                Quadrature<dim>(gauss),
                                 update_values | update_JxW_values);
    std::vector<Node>   nodes(n);
    std::vector<double> mass_of_cell(n * n),
      stiffness_of_cell(n * n * dim * dim);
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (!cell->is_locally_owned())
          continue;
        cell->get_dof_indices(nodes);
        if (!wanted(nodes))
          continue;
        values.reinit(cell);
        values_of_mass.reinit(cell);
        integrate(values,
                  values_of_mass,
                  materials[mesh.material_of(cell)],
                  mass_of_cell,
                  stiffness_of_cell);
        action(nodes, mass_of_cell, stiffness_of_cell);
      }
  }



  template <int dim>
  void
  Solid<dim>::for_nodes_on(
    const unsigned int                       body,
    const std::string                       &side,
    const std::function<void(unsigned int)> &action) const
  {
    std::vector<dealii::types::global_dof_index> nodes(
      element.n_dofs_per_face());
    for (const auto &cell : numbering.active_cell_iterators())
      if (is_known(cell) && mesh.body_of(cell) == body)
        for (const auto &face : cell->face_iterators())
          if (mesh.is_on(face, body, side))
            {
              face->get_dof_indices(nodes);
              for (const auto node : nodes)
                if (const unsigned int i = column(node); i != nowhere)
                  action(i);
            }
  }



  template <int dim>
  void
  Solid<dim>::fix_supports()
  {
    is_fixed.assign(dim * places.size(), false);
    for (const auto &[name, support] : parameters.supports)
      {
        const std::string path = "supports/" + name;
        const auto [body, side] =
          parameters.read_side(support.on, path + "/on");
        const auto directions =
          parameters.read_directions(support.directions, path + "/directions");
        for_nodes_on(body,
                     side,
                     [&, &these = directions](const unsigned int i) {
                       for (const unsigned int d : these)
                         is_fixed[dim * i + d] = true;
                     });
      }
    fix_hanging_nodes();
    Vector flags(pattern->ghosted);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      flags.local_element(i) = is_fixed[i] ? 1 : 0;
    flags.update_ghost_values();
    for (unsigned int i = 0; i < is_fixed.size(); ++i)
      is_fixed[i] = flags.local_element(i) != 0;
    if (cells)
      {
        cells->set_supports(is_fixed);
        return;
      }
    // Fixed degrees of freedom keep their entries on the diagonal.
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        {
          const unsigned int j = pattern->columns[k];
          for (unsigned int c = 0; c < dim; ++c)
            for (unsigned int d = 0; d < dim; ++d)
              if ((i != j || c != d) &&
                  (is_fixed[dim * i + c] || is_fixed[dim * j + d]))
                stiffness->block(k)[dim * d + c] = 0;
        }
  }



  template <int dim>
  std::vector<unsigned int>
  Solid<dim>::own_nodes_on(const unsigned int body,
                           const std::string &side) const
  {
    std::set<unsigned int> nodes;
    for_nodes_on(body, side, [&](const unsigned int i) {
      if (i < pattern->n_rows() && !hangs(i))
        nodes.insert(i);
    });
    return {nodes.begin(), nodes.end()};
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
