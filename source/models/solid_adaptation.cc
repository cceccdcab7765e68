// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/numerics/error_estimator.h>

#include <algorithm>
#include <cmath>

#include "solid.h"
#include "solid_contact_node.h"

// Meshes that follow the motion.

namespace Percuss
{
  namespace
  {
    /// Flags the nodes of contacts with gaps below @p distance, and on request
    /// all others that these feel: those of the other body, of any rank.
    template <int dim>
    void
    flag_near_nodes(const ContactSet                         &contacts,
                    const std::vector<SolidContactNode<dim>> &nodes,
                    const State                              &state,
                    const double                              distance,
                    const bool                                with_others,
                    Vector                                   &flags)
    {
      Vector gaps(contacts.partition()), is_near(gaps);
      Vector felt(flags.get_partitioner());
      contacts.place(state.time, state.q);
      contacts.gaps(state.q, gaps);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        if (const ContactPoint &point = contacts.points()[i];
            gaps.local_element(point.first) < distance &&
            contacts.has_direction(point))
          {
            flags.local_element(dim * nodes[i].node) = 1;
            is_near.local_element(point.first)       = 1;
          }
      if (!with_others)
        return;
      contacts.impulses(is_near, felt);
      constexpr double least = 1e-6; // coefficients are of the size 1
      for (unsigned int i = 0; i < felt.locally_owned_size(); ++i)
        if (std::abs(felt.local_element(i)) > least)
          flags.local_element(i / dim * dim) = 1;
    }
  } // namespace



  template <int dim>
  void
  Solid<dim>::check_adaptation() const
  {
    if (parameters.adaptation.interval == 0)
      return;
    for (const auto &[name, contact] : parameters.contacts)
      if (!contact.with.empty() && contact.search_distance == 0)
        throw EntryError("model/" + parameters.model() + "/contacts/" + name +
                           "/search distance",
                         "is needed where meshes change: the default would "
                         "change with the faces");
  }



  template <int dim>
  std::string
  Solid<dim>::describe_mesh() const
  {
    return parameters.adaptation.interval == 0 ? "" : mesh.describe();
  }



  template <int dim>
  std::unique_ptr<MechanicalModel>
  Solid<dim>::with_mesh(const std::string &description) const
  {
    const Mesh other = std::make_shared<const SolidMesh<dim>>(parameters,
                                                              communicator,
                                                              description);
    return std::unique_ptr<Solid>(new Solid(parameters, communicator, other));
  }



  template <int dim>
  std::unique_ptr<MechanicalModel>
  Solid<dim>::adapt(State                              &state,
                    const std::function<void(State &)> &leave) const
  {
    const unsigned int interval = parameters.adaptation.interval;
    if (interval == 0 || state.step % interval != 0)
      return nullptr;
    std::vector<CellMotion> wishes(mesh.own_cells().size());
    if (!make_wishes(state, wishes))
      return nullptr;
    for (const bool joins : {true, false})
      {
        if (!joins)
          for (CellMotion &cell : wishes)
            cell.wish = std::max(cell.wish, 0.);
        State                  moved  = state;
        std::unique_ptr<Solid> result = on_other_mesh(wishes, leave, moved);
        if (!result)
          return nullptr;
        // Joined cells may turn inside out: then all stay as they are.
        if (is_linear() || std::isfinite(result->energy(moved).strain))
          {
            state.swap(moved);
            return result;
          }
      }
    return nullptr;
  }



  template <int dim>
  std::unique_ptr<Solid<dim>>
  Solid<dim>::on_other_mesh(std::vector<CellMotion>             cells_in_motion,
                            const std::function<void(State &)> &leave,
                            State                              &state) const
  {
    const auto         changed = std::make_shared<SolidMesh<dim>>(mesh);
    SolidTransfer<dim> transfer(
      *changed,
      mapping,
      element,
      parameters.mass_matrix == "lumped",
      [this, &changed](const typename SolidMesh<dim>::Cell &cell) {
        return materials[changed->material_of(cell)].density;
      });
    MovingFields fields;
    if (!transfer.fulfil(cells_in_motion,
                         [&](std::vector<CellMotion> &motions) {
                           leave(state);
                           fields = fields_of(state);
                           for (const Vector &field : fields.at_nodes)
                             cell_fields().split(ghosted(field, ghosts),
                                                 &CellMotion::at_nodes,
                                                 motions);
                           for (const Vector &field : fields.in_mean)
                             cell_fields().split(ghosted(field, ghosts),
                                                 &CellMotion::in_mean,
                                                 motions);
                         }))
      return nullptr;
    std::unique_ptr<Solid> result(new Solid(parameters, communicator, changed));
    result->take_motion(cells_in_motion, fields, state);
    return result;
  }



  /// D. Kelly et al., Int. J. Numer. Meth. Engrg. 19, 1983: deal.II has
  /// @f$ \eta^2 = h/24 \int_{\partial K} [\partial_n u]^2 @f$ for each
  /// component, of which this is the mean jump.
  template <int dim>
  std::vector<double>
  Solid<dim>::strain_jumps(const Vector &q) const
  {
    using namespace dealii;
    IndexSet nodes;
    DoFTools::extract_locally_relevant_dofs(numbering, nodes);
    const auto                        &cells_of_mesh = mesh.cells();
    const unsigned int                 n_cells = cells_of_mesh.n_active_cells();
    const QGauss<dim - 1>              gauss(parameters.degree + 1);
    std::vector<Vector>                components(dim);
    std::vector<dealii::Vector<float>> estimates(dim);
    std::vector<const Vector *>        of_components;
    std::vector<dealii::Vector<float> *> to;
    for (unsigned int d = 0; d < dim; ++d)
      {
        Vector &component = components[d];
        component.reinit(numbering.locally_owned_dofs(), nodes, communicator);
        for (unsigned int i = 0; i < component.locally_owned_size(); ++i)
          component.local_element(i) = q.local_element(dim * i + d);
        hanging.distribute(component);
        component.update_ghost_values();
        estimates[d].reinit(n_cells);
        of_components.push_back(&component);
        to.push_back(&estimates[d]);
      }
    KellyErrorEstimator<dim>::estimate(
      mapping, numbering, gauss, {}, of_components, to);
    std::vector<double> squares(n_cells);
    for (const auto &estimate : estimates)
      for (unsigned int i = 0; i < n_cells; ++i)
        squares[i] += std::pow(static_cast<double>(estimate[i]), 2);
    for (const auto &cell : cells_of_mesh.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          double area = 0;
          for (const auto &face : cell->face_iterators())
            area += face->measure();
          double &value = squares[cell->active_cell_index()];
          value         = std::sqrt(24 * value / (cell->diameter() * area));
        }
    return squares;
  }



  template <int dim>
  std::vector<bool>
  Solid<dim>::small_cells(const State               &state,
                          const std::vector<double> &jumps) const
  {
    const SolidParameters::Adaptation &rule = parameters.adaptation;
    Vector                             flags(relevant);
    if (rule.contact_distance > 0)
      flag_near_nodes<dim>(contact_set,
                           contact_nodes,
                           state,
                           rule.contact_distance,
                           sides != nullptr,
                           flags);
    const auto        own_cells = mesh.own_cells();
    std::vector<bool> result(own_cells.size());
    std::vector<Node> nodes(element.n_dofs_per_cell());
    for (unsigned int layer = 0; layer <= rule.n_layers; ++layer)
      {
        flags.update_ghost_values();
        for (std::size_t i = 0; i < result.size(); ++i)
          {
            nodes_of(own_cells[i], nodes);
            result[i] =
              (layer == 0 && !jumps.empty() &&
               jumps[own_cells[i]->active_cell_index()] > rule.strain_jump) ||
              std::any_of(nodes.begin(), nodes.end(), [&](const Node node) {
                return flags.local_element(
                         relevant->global_to_local(dim * node)) != 0;
              });
          }
        flags.zero_out_ghost_values();
        for (std::size_t i = 0; i < result.size(); ++i)
          if (result[i])
            {
              nodes_of(own_cells[i], nodes);
              for (const Node node : nodes)
                flags.local_element(relevant->global_to_local(dim * node)) += 1;
            }
        flags.compress(dealii::VectorOperation::add);
      }
    return result;
  }



  template <int dim>
  std::vector<bool>
  Solid<dim>::cells_beside_smaller_ones() const
  {
    Vector            levels(relevant);
    const auto        own_cells = mesh.own_cells();
    std::vector<Node> nodes(element.n_dofs_per_cell());
    for (const auto &cell : own_cells)
      {
        nodes_of(cell, nodes);
        for (const Node node : nodes)
          {
            double &level =
              levels.local_element(relevant->global_to_local(dim * node));
            level = std::max<double>(level, cell->level());
          }
      }
    levels.compress(dealii::VectorOperation::max);
    levels.update_ghost_values();
    std::vector<bool> result;
    for (const auto &cell : own_cells)
      {
        nodes_of(cell, nodes);
        result.push_back(
          std::any_of(nodes.begin(), nodes.end(), [&](const Node node) {
            return levels.local_element(relevant->global_to_local(dim * node)) >
                   cell->level();
          }));
      }
    return result;
  }



  template <int dim>
  bool
  Solid<dim>::make_wishes(const State             &state,
                          std::vector<CellMotion> &motions) const
  {
    const SolidParameters::Adaptation &rule = parameters.adaptation;
    const std::vector<double>          jumps =
      rule.strain_jump > 0 ? strain_jumps(displacement(state.time, state.q)) :
                                      std::vector<double>();
    const std::vector<bool> is_small   = small_cells(state, jumps);
    const auto              own_cells  = mesh.own_cells();
    const std::vector<bool> is_beside  = cells_beside_smaller_ones();
    bool                    has_wishes = false;
    for (std::size_t i = 0; i < own_cells.size(); ++i)
      {
        const auto &cell  = own_cells[i];
        const int   first = mesh.first_level(mesh.body_of(cell));
        const int   most  = first + static_cast<int>(rule.n_levels);
        const bool  is_calm =
          jumps.empty() || jumps[cell->active_cell_index()] <=
                             rule.coarsening * rule.strain_jump;
        if (is_small[i])
          motions[i].wish = std::max(most - cell->level(), 0);
        else if (is_calm && !is_beside[i] && cell->level() > first &&
                 !mesh.must_be_halved(cell->parent()))
          motions[i].wish = -1;
        has_wishes |= motions[i].wish != 0;
      }
    return dealii::Utilities::MPI::max(has_wishes ? 1 : 0, communicator) == 1;
  }



  template <int dim>
  void
  Solid<dim>::nodes_of(
    const typename SolidMesh<dim>::Triangulation::active_cell_iterator &cell,
    std::vector<Node> &nodes) const
  {
    const typename dealii::DoFHandler<dim>::active_cell_iterator with_nodes(
      *cell, &numbering);
    with_nodes->get_dof_indices(nodes);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
