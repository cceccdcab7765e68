// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_cell_fields.h"

#include <algorithm>
#include <utility>

#include "solid_free_nodes.h"

namespace Percuss
{
  template <int dim>
  CellFields<dim>::CellFields(const SolidMesh<dim>          &mesh,
                              const dealii::DoFHandler<dim> &numbering,
                              const dealii::AffineConstraints<double> &hanging,
                              const Partition                         &owned,
                              const Partition                         &relevant)
    : mesh(mesh)
    , numbering(numbering)
    , hanging(hanging)
    , owned(owned)
    , relevant(relevant)
  {}



  template <int dim>
  template <typename Action>
  void
  CellFields<dim>::for_cells(const Action &action) const
  {
    std::vector<Node> nodes(numbering.get_fe().n_dofs_per_cell());
    std::size_t       number = 0;
    for (const auto &cell : mesh.own_cells())
      {
        const typename dealii::DoFHandler<dim>::active_cell_iterator with_nodes(
          *cell, &numbering);
        with_nodes->get_dof_indices(nodes);
        action(nodes, cell, number++);
      }
  }



  template <int dim>
  void
  CellFields<dim>::split(const double *const      values,
                         const Kind               kind,
                         std::vector<CellMotion> &motions) const
  {
    for_cells([&](const auto &nodes, const auto &, const std::size_t number) {
      std::vector<double> of_cell;
      for (const Node node : nodes)
        {
          const double *const first =
            values + relevant->global_to_local(dim * node);
          of_cell.insert(of_cell.end(), first, first + dim);
        }
      (motions[number].*kind).push_back(std::move(of_cell));
    });
  }



  template <int dim>
  Vector
  CellFields<dim>::collect(const std::vector<CellMotion> &motions,
                           const Kind                     kind,
                           const std::size_t              field) const
  {
    Vector result(owned);
    for_cells([&](const auto &nodes, const auto &, const std::size_t number) {
      const std::vector<double> &of_cell = (motions[number].*kind)[field];
      for (unsigned int a = 0; a < nodes.size(); ++a)
        if (owned->in_local_range(dim * nodes[a]))
          for (unsigned int d = 0; d < dim; ++d)
            result(dim * nodes[a] + d) = of_cell[dim * a + d];
    });
    return result;
  }



  template <int dim>
  Vector
  CellFields<dim>::momentum(
    const std::vector<CellMotion>                                     &motions,
    const std::size_t                                                  field,
    CellMass<dim>                                                     &mass,
    const std::function<double(const typename CellMass<dim>::Cell &)> &density)
    const
  {
    Vector momenta(relevant), result(owned);
    for_cells(
      [&](const auto &nodes, const auto &cell, const std::size_t number) {
        const CellMotion   &motion = motions[number];
        std::vector<double> of_cell(dim * nodes.size());
        if (motion.momenta.empty())
          mass.add(cell, density(cell), motion.in_mean[field], of_cell);
        else
          of_cell = motion.momenta[field];
        const FreeNodes free(nodes, hanging);
        for (unsigned int a = 0; a < nodes.size(); ++a)
          for (const auto &[i, weight] : free.weights[a])
            for (unsigned int d = 0; d < dim; ++d)
              momenta.local_element(
                relevant->global_to_local(dim * free.nodes[i]) + d) +=
                weight * of_cell[dim * a + d];
      });
    momenta.compress(dealii::VectorOperation::add);
    std::copy(momenta.begin(), momenta.end(), result.begin());
    return result;
  }

  template class CellFields<2>;
  template class CellFields<3>;
} // namespace Percuss
