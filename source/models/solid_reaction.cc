// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "solid_fields.h"
#include "solid_motions.h"
#include "solid_probes.h"

// The forces of supports.

namespace Percuss
{
  /// What the sum of a support's rows needs.
  template <int dim>
  struct SolidProbes<dim>::SupportRows
  {
    /// Sums of the rows of M and K, without those of other ranks' cells.
    struct Column
    {
      unsigned int local; ///< in `relevant`
      double       of_mass, of_stiffness;
    };

    std::vector<Column>                         columns;
    std::vector<unsigned int>                   own;   ///< rows
    std::vector<std::pair<std::size_t, double>> loads; ///< points and weights
    double                                      weight = 0; ///< dead load, in N
  };



  template <int dim>
  void
  SolidProbes<dim>::add_columns(const Vector      &numbers,
                                const unsigned int number,
                                SupportRows       &rows) const
  {
    const unsigned int direction = (number - 1) % dim;
    const auto         local     = [this](const auto node) {
      return solid.relevant->global_to_local(dim * node);
    };
    const auto is_held = [&](const auto node) {
      return numbers.local_element(local(node) + direction) == number;
    };
    std::map<unsigned int, std::pair<double, double>> columns;
    solid.integrate_cells(
      [&](const auto &nodes) {
        const auto free = FreeNodes(nodes, solid.hanging).nodes;
        return std::any_of(free.begin(), free.end(), is_held);
      },
      [&](const auto &nodes, const auto &...of_cell) {
        const CondensedCell cell({nodes, solid.hanging},
                                 of_cell...,
                                 solid.parameters.mass_matrix == "lumped");
        const std::size_t   n = cell.free.nodes.size();
        for (std::size_t pair = 0; pair < n * n; ++pair)
          if (is_held(cell.free.nodes[pair / n]))
            {
              const unsigned int first = local(cell.free.nodes[pair % n]);
              columns[first + direction].first += cell.mass[pair];
              for (unsigned int c = 0; c < dim; ++c)
                columns[first + c].second +=
                  cell.stiffness[(pair * dim + c) * dim + direction];
            }
      });
    const Vector gravity = solid.gravity_at_nodes();
    for (const auto &[i, sums] : columns)
      {
        rows.columns.push_back({i, sums.first, sums.second});
        rows.weight += sums.first * gravity.local_element(i);
      }
  }



  /// A degree of freedom that several supports hold counts for the first one.
  template <int dim>
  std::shared_ptr<typename SolidProbes<dim>::SupportRows>
  SolidProbes<dim>::rows_of(const unsigned int support,
                            const unsigned int direction) const
  {
    const auto   result  = std::make_shared<SupportRows>();
    const auto   number  = dim * support + direction + 1;
    const Vector numbers = solid.find_motions(
      SolidMotions<dim>(solid.parameters, field_names(solid.parameters)));
    add_columns(numbers, number, *result);
    for (unsigned int i = direction; i < solid.owned->locally_owned_size();
         i += dim)
      if (numbers.local_element(i) == number)
        result->own.push_back(i);
    for (std::size_t p = 0; p < solid.load_points.size(); ++p)
      {
        const auto &point  = solid.load_points[p];
        double      weight = 0;
        for (std::size_t i = 0; i < point.nodes.size(); ++i)
          if (numbers.local_element(point.nodes[i] + direction) == number)
            weight += point.weights[i];
        if (weight != 0)
          result->loads.emplace_back(p, weight);
      }
    return result;
  }



  template <int dim>
  typename SolidProbes<dim>::Value
  SolidProbes<dim>::reaction(const unsigned int support,
                             const unsigned int direction) const
  {
    const auto &[name, entries] = solid.parameters.supports[support];
    const auto held =
      solid.parameters.read_directions(entries.directions,
                                       "supports/" + name + "/directions");
    if (std::count(held.begin(), held.end(), direction) == 0)
      return nullptr;
    return [&solid = solid, rows = rows_of(support, direction), direction](
             const State &state) {
      const double        a = solid.parameters.mass_damping;
      const double        b = solid.parameters.stiffness_damping;
      const double *const u =
        solid.ghosted(solid.displacement(state.time, state.q), solid.ghosts);
      const double *const v =
        solid.ghosted(solid.velocity(state), solid.more_ghosts);
      double sum = -rows->weight;
      for (const auto &[i, of_mass, of_stiffness] : rows->columns)
        sum += of_stiffness * ((solid.large_strains ? 0 : u[i]) + b * v[i]) +
               a * of_mass * v[i];
      for (const auto &[point, weight] : rows->loads)
        sum -= weight *
               solid.load_at(solid.load_points[point], state.time)[direction];
      if (solid.large_strains)
        {
          solid.work = 0.;
          solid.large_strains->add_forces(u, 1, solid.work);
          for (const unsigned int i : rows->own)
            sum += solid.work.local_element(i);
        }
      if (solid.moving_supports)
        {
          solid.work = 0.;
          solid.moving_supports->add_acceleration(state.time, solid.work);
          for (const unsigned int i : rows->own)
            sum += solid.masses_of_nodes[i / dim] * solid.work.local_element(i);
        }
      return dealii::Utilities::MPI::sum(sum, solid.communicator);
    };
  }

  template class SolidProbes<2>;
  template class SolidProbes<3>;
} // namespace Percuss
