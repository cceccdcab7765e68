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
    pairs.push_back(
      {fetch_around(slaves, of_model), masters, {}, search, {}, {}});
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
    const Faces around_masters = fetch_around(masters, of_model);
    add_own(pairs.back().slaves);
    add_own(around_masters);
    pairs.back().tips =
      count_tips(pairs.back().slaves,
                 search.is_one_side ? Faces() : around_masters);
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
    place();
  }



  template <int dim>
  void
  MortarSides<dim>::place()
  {
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
    const bool is_due = is_new || 2 * longest_way(searched_q, q) > margin;
    return dealii::Utilities::MPI::max(is_due ? 1u : 0u,
                                       of_model->get_mpi_communicator()) == 1;
  }



  template <int dim>
  double
  MortarSides<dim>::longest_way(const std::vector<double> &from,
                                const Vector              &to) const
  {
    double largest = 0; // square
    for (std::size_t i = 0; i < own.size(); i += dim)
      {
        double square = 0;
        for (unsigned int d = 0; d < dim; ++d)
          square += std::pow(to.local_element(own[i + d]) - from[i + d], 2);
        largest = std::max(largest, square);
      }
    return std::sqrt(largest);
  }



  template <int dim>
  void
  MortarSides<dim>::search(const Vector &q, const double further)
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
        const double reach = pair.search.distance + margin + further;
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
    searched_q = values_of_own(q);
    is_new     = false;
  }



  template <int dim>
  std::vector<double>
  MortarSides<dim>::values_of_own(const Vector &q) const
  {
    std::vector<double> result;
    for (const unsigned int i : own)
      result.push_back(q.local_element(i));
    return result;
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

  template <int dim>
  typename MortarSides<dim>::Tips
  MortarSides<dim>::count_tips(const Faces &slaves, const Faces &masters) const
  {
    const auto communicator = of_model->get_mpi_communicator();
    Tips       result{0, dealii::numbers::PI};
    for (const Faces *const faces : {&slaves, &masters})
      for (const auto &[node, tip] : find_tips(shapes, *faces))
        if (of_model->in_local_range(dim * node))
          {
            ++result.number;
            result.sharpest = std::min(result.sharpest, tip.angle);
          }
    return {dealii::Utilities::MPI::sum(result.number, communicator),
            dealii::Utilities::MPI::min(result.sharpest, communicator)};
  }



  template <int dim>
  MortarWays<dim>
  MortarSides<dim>::ways_of(const Faces &faces, const Vector &way) const
  {
    MortarWays<dim> result;
    for (const auto &face : faces)
      {
        result.emplace_back(face.nodes.size());
        for (std::size_t k = 0; k < face.nodes.size(); ++k)
          face.for_supports(k, [&](const Node node, const double weight) {
            for (unsigned int d = 0; d < dim; ++d)
              result.back()[k][d] +=
                weight * way.local_element(first_dof(node) + d);
          });
      }
    return result;
  }



  /// Facets approach each other by at most twice the longest way w of a node.
  /// Nothing is lost without tips where 2 w is below the depth that is seen.
  template <int dim>
  std::vector<MortarPassage>
  MortarSides<dim>::find_passages(const Vector &begin, const Vector &end)
  {
    std::vector<MortarPassage> result(pairs.size());
    const auto                 communicator = of_model->get_mpi_communicator();
    const double               most =
      2 * dealii::Utilities::MPI::max(longest_way(values_of_own(begin), end),
                                      communicator);
    const auto may_pass = [most](const Pair &pair) {
      return pair.search.follows_motion &&
             (pair.tips.number > 0 || most > pair.search.deepest());
    };
    if (std::none_of(pairs.begin(), pairs.end(), may_pass))
      return result;
    if (most > margin)
      search(end, most);
    move(end);
    Vector way(displacement);
    for (unsigned int i = 0; i < way.locally_owned_size(); ++i)
      way.local_element(i) -= begin.local_element(i);
    way.update_ghost_values();
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (const Pair &pair = pairs[p]; may_pass(pair))
        result[p] = find_passage(shapes,
                                 pair.slaves,
                                 pair.masters,
                                 ways_of(pair.slaves, way),
                                 ways_of(pair.masters, way),
                                 pair.candidates,
                                 pair.search)
                      .of_all_ranks(communicator);
    return result;
  }

  template class MortarSides<2>;
  template class MortarSides<3>;
} // namespace Percuss
