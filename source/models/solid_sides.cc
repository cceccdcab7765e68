// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_sides.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

namespace Percuss
{
  namespace
  {
    /// Of the search distance. Larger ones mean fewer searches and more
    /// candidates in each step.
    constexpr double part_of_margin = 0.5;
  } // namespace



  template <int dim>
  MortarSides<dim>::MortarSides(const unsigned int       degree,
                                const Partition         &dofs,
                                const std::vector<bool> &is_fixed)
    : shapes(degree)
    , of_model(dofs)
    , is_fixed_here(is_fixed)
  {}



  template <int dim>
  unsigned int
  MortarSides<dim>::add(const Faces        &slaves,
                        const Faces        &masters,
                        const MortarSearch &search)
  {
    pairs.push_back({fetch_around(slaves, of_model), masters, {}, search, {}});
    const double new_margin = part_of_margin * search.distance;
    margin = pairs.size() == 1 ? new_margin : std::min(margin, new_margin);
    const auto add_own = [this](const Faces &faces) {
      for (const auto &face : faces)
        for (std::size_t k = 0; k < face.nodes.size(); ++k)
          face.for_supports(k, [this](const Node node, const double) {
            if (of_model->in_local_range(dim * node))
              for (unsigned int d = 0; d < dim; ++d)
                own.push_back(of_model->global_to_local(dim * node + d));
          });
    };
    add_own(pairs.back().slaves);
    add_own(fetch_around(masters, of_model));
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    is_new = true;
    return static_cast<unsigned int>(pairs.size()) - 1;
  }



  template <int dim>
  void
  MortarSides<dim>::keep(const Node node)
  {
    kept.push_back(node);
    is_new = true;
  }



  template <int dim>
  void
  MortarSides<dim>::move(const Vector &q)
  {
    if (is_search_due(q))
      search(q);
    else
      copy(q);
    for (Pair &pair : pairs)
      {
        place(pair.slaves);
        place(pair.masters);
      }
  }



  /// Two faces approach each other by at most twice what a node moves.
  template <int dim>
  bool
  MortarSides<dim>::is_search_due(const Vector &q) const
  {
    double largest = 0; // square
    if (!is_new)
      for (std::size_t i = 0; i < own.size(); i += dim)
        {
          double square = 0;
          for (unsigned int d = 0; d < dim; ++d)
            square +=
              std::pow(q.local_element(own[i + d]) - searched_q[i + d], 2);
          largest = std::max(largest, square);
        }
    const bool is_due = is_new || 2 * std::sqrt(largest) > margin;
    return dealii::Utilities::MPI::max(is_due ? 1u : 0u,
                                       of_model->get_mpi_communicator()) == 1;
  }



  template <int dim>
  void
  MortarSides<dim>::search(const Vector &q)
  {
    dealii::IndexSet needed(of_model->size());
    for (const Pair &pair : pairs)
      {
        add_needed(pair.slaves, needed);
        add_needed(pair.own_masters, needed);
      }
    for (const Node node : kept)
      add_needed(node, needed);
    know(needed, q);
    for (Pair &pair : pairs)
      {
        const double reach = pair.search.distance + margin;
        place(pair.slaves);
        place(pair.own_masters);
        pair.masters    = fetch_near(pair.own_masters,
                                  pair.slaves,
                                  reach,
                                  of_model->get_mpi_communicator());
        pair.candidates = find_candidates(pair.slaves, pair.masters, reach);
        add_needed(pair.masters, needed);
      }
    know(needed, q);
    fixed.reinit(dofs());
    for (unsigned int i = 0; i < fixed.locally_owned_size(); ++i)
      fixed.local_element(i) = is_fixed_here[i] ? 1 : 0;
    fixed.update_ghost_values();
    searched_q.clear();
    for (const unsigned int i : own)
      searched_q.push_back(q.local_element(i));
    is_new = false;
  }



  template <int dim>
  void
  MortarSides<dim>::know(const dealii::IndexSet &others, const Vector &q)
  {
    displacement.reinit(std::make_shared<dealii::Utilities::MPI::Partitioner>(
      of_model->locally_owned_range(),
      others,
      of_model->get_mpi_communicator()));
    copy(q);
  }



  template <int dim>
  void
  MortarSides<dim>::copy(const Vector &q)
  {
    displacement.zero_out_ghost_values();
    std::copy(q.begin(), q.end(), displacement.begin());
    displacement.update_ghost_values();
  }



  template <int dim>
  void
  MortarSides<dim>::add_needed(const Faces      &faces,
                               dealii::IndexSet &others) const
  {
    for (const auto &face : faces)
      for (std::size_t k = 0; k < face.nodes.size(); ++k)
        face.for_supports(k, [&](const Node node, const double) {
          add_needed(node, others);
        });
  }



  template <int dim>
  void
  MortarSides<dim>::add_needed(const Node node, dealii::IndexSet &others) const
  {
    if (!of_model->in_local_range(dim * node))
      others.add_range(dim * node, dim * node + dim);
  }



  template <int dim>
  void
  MortarSides<dim>::place(Faces &faces) const
  {
    for (auto &face : faces)
      for (std::size_t k = 0; k < face.nodes.size(); ++k)
        {
          face.places[k] = face.undeformed[k];
          face.for_supports(k, [&](const Node node, const double weight) {
            const unsigned int first = first_dof(node);
            for (unsigned int d = 0; d < dim; ++d)
              face.places[k][d] +=
                weight * displacement.local_element(first + d);
          });
        }
  }



  template <int dim>
  MortarCoupling<dim>
  MortarSides<dim>::couple(const unsigned int pair) const
  {
    const Pair &of = pairs[pair];
    return Percuss::couple(
      shapes, of.slaves, of.masters, of.candidates, of.search);
  }

  template class MortarSides<2>;
  template class MortarSides<3>;
} // namespace Percuss
