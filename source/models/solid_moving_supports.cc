// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>

#include <algorithm>

#include "solid.h"
#include "solid_fields.h"
#include "solid_motions.h"

// Supports of solids that move.

namespace Percuss
{
  template <int dim>
  Vector
  Solid<dim>::find_motions(const SolidMotions<dim> &motions) const
  {
    Vector result(relevant), of_hanging(relevant);
    collectively(communicator, [&]() {
      for (unsigned int s = 0; s < parameters.supports.size(); ++s)
        {
          const auto &[name, support] = parameters.supports[s];
          const std::string path      = "supports/" + name;
          const auto [body, side] =
            parameters.read_side(support.on, path + "/on");
          const auto held = parameters.read_directions(support.directions,
                                                       path + "/directions");
          for_nodes_on(body, side, [&, &these = held](const unsigned int i) {
            for (const unsigned int d : these)
              if (const unsigned int mine = dim * s + d; i < pattern->n_rows())
                {
                  double &number = result.local_element(dim * i + d);
                  if (number == 0)
                    number = mine + 1;
                  motions.check(static_cast<unsigned int>(number) - 1,
                                mine,
                                places[i]);
                }
          });
        }
    });
    // See fix_hanging_nodes().
    for (const HangingNode &node : hanging_nodes)
      if (node.first < owned->locally_owned_size())
        for (unsigned int d = 0; d < dim; ++d)
          for (const auto &[i, weight] : node.on)
            if (double &number = of_hanging.local_element(i + d); weight != 0)
              number = std::max(number, result.local_element(node.first + d));
    of_hanging.compress(dealii::VectorOperation::max);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      if (result.local_element(i) == 0)
        result.local_element(i) = of_hanging.local_element(i);
    result.update_ghost_values();
    return result;
  }



  template <int dim>
  void
  Solid<dim>::make_moving_supports()
  {
    const SolidMotions<dim> motions(parameters, field_names(parameters));
    if (!motions.has_any())
      return;
    const Vector numbers = find_motions(motions);
    moving_supports =
      std::make_unique<SolidSupports<dim>>(motions.formulas(),
                                           field_names(parameters),
                                           owned,
                                           *proportional_damping());
    Vector coordinates(relevant);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      coordinates.local_element(i) = places[i / dim][i % dim];
    coordinates.update_ghost_values();
    const unsigned int n_known =
      relevant->locally_owned_size() + relevant->n_ghost_indices();
    for (unsigned int i = 0; i < n_known; i += dim)
      {
        const Node first = relevant->local_to_global(i);
        Position   place;
        for (unsigned int d = 0; d < dim; ++d)
          place[d] = coordinates.local_element(i + d);
        for (unsigned int d = 0; d < dim; ++d)
          if (const auto n =
                static_cast<unsigned int>(numbers.local_element(i + d));
              n > 0 && !motions.formulas()[n - 1].is_zero() &&
              !hanging.is_constrained(first / dim))
            moving_supports->add_moving(first + d, place, n - 1);
      }
    add_moving_columns(numbers);
    if (large_strains)
      moving_supports->set_forces([this](const State &state, Vector &f) {
        f = 0.;
        large_strains->add_forces(
          ghosted(displacement(state.time, state.q), ghosts), 1, f);
      });
  }



  template <int dim>
  void
  Solid<dim>::add_moving_columns(const Vector &numbers)
  {
    const auto add = [&, this](const CondensedCell &cell,
                               const std::size_t    i,
                               const std::size_t    j) {
      const std::size_t pair = i * cell.free.nodes.size() + j;
      for (unsigned int c = 0; c < dim; ++c)
        for (unsigned int d = 0; d < dim; ++d)
          {
            const Node row    = dim * cell.free.nodes[i] + c;
            const Node column = dim * cell.free.nodes[j] + d;
            if (moving_supports->is_moving(column) &&
                (numbers(row) == 0 || moving_supports->is_moving(row)))
              moving_supports->add_entry(
                row,
                column,
                c == d ? cell.mass[pair] : 0,
                cell.stiffness[(pair * dim + d) * dim + c]);
          }
    };
    integrate_cells(
      [&](const std::vector<Node> &nodes) {
        const auto free = FreeNodes(nodes, hanging).nodes;
        return std::any_of(free.begin(), free.end(), [this](const Node node) {
          return moving_supports->moves(node);
        });
      },
      [&](const std::vector<Node> &nodes, const auto &...of_cell) {
        const CondensedCell cell({nodes, hanging},
                                 of_cell...,
                                 parameters.mass_matrix == "lumped");
        for (std::size_t i = 0; i < cell.free.nodes.size(); ++i)
          for (std::size_t j = 0; j < cell.free.nodes.size(); ++j)
            add(cell, i, j);
      });
  }



  template <int dim>
  const Vector &
  Solid<dim>::displacement(const double time, const Vector &q) const
  {
    if (!moving_supports)
      return q;
    whole_q = q;
    moving_supports->add_displacement(time, whole_q);
    return whole_q;
  }



  template <int dim>
  const Vector &
  Solid<dim>::velocity(const State &state) const
  {
    if (!moving_supports)
      return state.v;
    whole_v = state.v;
    moving_supports->add_velocity(state.time, whole_v);
    return whole_v;
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
