// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "solid.h"
#include "solid_contact_node.h"
#include "solid_surface.h"

// Nodes of solids in front of rigid obstacles, and all contacts of a solid.

namespace Percuss
{
  namespace
  {
    template <int dim>
    using Direction = dealii::Tensor<1, dim>;

    /// A tangent that turned with the normal from @p first_normal to
    /// @p normal, on the shortest way, so that it follows smoothly.
    template <int dim>
    Direction<dim>
    turned_tangent(const Direction<dim> &first_normal,
                   const Direction<dim> &tangent,
                   const Direction<dim> &normal)
    {
      if constexpr (dim == 2)
        {
          const double side =
            first_normal[1] * tangent[0] - first_normal[0] * tangent[1];
          Direction<dim> result;
          result[0] = side * normal[1];
          result[1] = -side * normal[0];
          return result;
        }
      else
        {
          const double opposite = 1 + first_normal * normal;
          if (opposite < 1e-6)
            return first_tangent(normal);
          const Direction<dim> result =
            tangent - (normal * tangent) / opposite * (first_normal + normal);
          return result / result.norm();
        }
    }

    /// Replaces numbers by their sums over the ranks before this one.
    void
    add_up_lower_ranks(std::vector<unsigned int> &numbers,
                       const MPI_Comm             communicator)
    {
      std::vector<unsigned int> sums(numbers.size());
      MPI_Exscan(numbers.data(),
                 sums.data(),
                 static_cast<int>(sums.size()),
                 MPI_UNSIGNED,
                 MPI_SUM,
                 communicator);
      if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
        std::fill(sums.begin(), sums.end(), 0); // MPI leaves that open
      numbers = sums;
    }
  } // namespace



  template <int dim>
  std::array<dealii::Tensor<1, dim>, dim>
  SolidContactNode<dim>::frame(const dealii::Tensor<1, dim> &normal) const
  {
    const auto tangent =
      turned_tangent<dim>(first_normal, first_tangent, normal);
    if constexpr (dim == 2)
      return {{normal, tangent}};
    else
      return {{normal, tangent, dealii::cross_product_3d(normal, tangent)}};
  }



  template <int dim>
  std::array<dealii::Tensor<1, dim>, dim>
  Solid<dim>::frame_of(const ContactNode &node, const Vector &q) const
  {
    if (weighted_sides[node.contact])
      return weighted_sides[node.contact]
        ->place(node.constraint,
                n_directions(node.contact),
                [&](const auto &normal) { return node.frame(normal); })
        .frame;
    return node.frame(obstacles[node.contact] ? view_of(node, q).normal :
                                                node.normal);
  }



  template <int dim>
  typename Solid<dim>::Traction
  Solid<dim>::traction(const unsigned int i,
                       const State       &state,
                       const double      *force) const
  {
    const ContactNode  &node  = contact_nodes[i];
    const ContactPoint &point = contact_set.points()[i];
    const auto          frame = frame_of(node, state.q);
    Traction            result;
    force += point.first;
    result.normal   = frame[0];
    result.pressure = force[0] / node.area;
    double square   = 0; // of the friction; weighted frames may be shorter
    for (unsigned int k = 1; k < point.n_directions; ++k)
      {
        result.friction += force[k] / node.area * frame[k];
        square += std::pow(force[k], 2);
      }
    if (force[0] > 0)
      result.status =
        std::sqrt(square) < (1 - 1e-6) * point.friction * force[0] ?
          Traction::sticking :
          Traction::sliding;
    return result;
  }



  template <int dim>
  void
  Solid<dim>::set_obstacles(const unsigned int contact,
                            const double       time,
                            const Vector      &q) const
  {
    if (obstacles[contact])
      obstacles[contact]->set_time(time);
    if (weighted_sides[contact])
      weighted_sides[contact]->import(q);
  }



  template <int dim>
  typename SolidObstacle<dim>::View
  Solid<dim>::view_of(const ContactNode &node, const Vector &q) const
  {
    Position x = places[node.node];
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += q.local_element(dim * node.node + d);
    return obstacles[node.contact]->view(x);
  }



  template <int dim>
  void
  Solid<dim>::place_contacts(const double  time,
                             const Vector &q,
                             double       *gaps,
                             double       *coefficients,
                             double       *rates) const
  {
    for (unsigned int c = 0; c < obstacles.size(); ++c)
      set_obstacles(c, time, q);
    find_near(q);
    for (std::size_t i = 0; i < contact_nodes.size(); ++i)
      {
        const ContactNode &node = contact_nodes[i];
        const unsigned int n    = n_directions(node.contact);
        if (!obstacles[node.contact])
          {
            gaps += n;
            rates += n;
            continue;
          }
        if (far_gaps[i] > 0)
          {
            std::fill_n(gaps, n, 0.);
            *gaps        = far_gaps[i];
            gaps         = gaps + n;
            rates        = std::fill_n(rates, n, 0.);
            coefficients = std::fill_n(coefficients, n * row_length(node), 0.);
            continue;
          }
        if (weighted_sides[node.contact])
          {
            place_weighted(node, gaps, coefficients, rates);
            continue;
          }
        const auto view  = view_of(node, q);
        const auto frame = node.frame(view.normal);
        for (unsigned int k = 0; k < n; ++k)
          {
            *gaps++  = k == 0 ? view.gap : 0;
            *rates++ = -(frame[k] * view.velocity);
            for (unsigned int d = 0; d < dim; ++d)
              if (!is_fixed[dim * node.node + d])
                *coefficients++ = frame[k][d];
          }
      }
  }



  template <int dim>
  void
  Solid<dim>::place_weighted(const ContactNode &node,
                             double           *&gaps,
                             double           *&coefficients,
                             double           *&rates) const
  {
    const WeightedSide<dim> &side  = *weighted_sides[node.contact];
    const unsigned int       n     = n_directions(node.contact);
    const auto               value = side.place(
      node.constraint,
      n,
      [&](const auto &normal) { return node.frame(normal); },
      coefficients);
    for (unsigned int k = 0; k < n; ++k)
      {
        *gaps++  = k == 0 ? value.gap : 0;
        *rates++ = value.rates[k];
      }
    coefficients += n * row_length(node);
  }



  template <int dim>
  void
  Solid<dim>::add_weighted(const ContactPoint &point,
                           const unsigned int  contact,
                           const unsigned int  i,
                           const unsigned int  number)
  {
    const bool is_constant              = contact_set.has_constant_directions();
    const WeightedSide<dim> &side       = *weighted_sides[contact];
    const auto              &constraint = side.constraints()[number];
    const double             thickness  = dim == 2 ? parameters.thickness : 1;
    ContactNode node{contact, i, {}, {}, constraint.weight * thickness, number};
    const auto  normal = side.place(number, 1, {}).frame[0];
    if (normal.norm() > 0)
      node.first_normal = normal / normal.norm();
    else
      node.first_normal[dim - 1] = 1;
    node.first_tangent = first_tangent<dim>(node.first_normal);
    std::vector<double> coefficients(point.n_directions * dim *
                                     constraint.nodes.size());
    const auto          value = side.place(
      number,
      point.n_directions,
      [&](const auto &n) { return node.frame(n); },
      coefficients.data());
    std::vector<ContactSet::GlobalRow> rows(point.n_directions);
    const double                      *coefficient = coefficients.data();
    for (auto &row : rows)
      for (const Node other : constraint.nodes)
        for (unsigned int d = 0; d < dim; ++d, ++coefficient)
          if (!is_constant || *coefficient != 0)
            row.emplace_back(dim * other + d, *coefficient);
    if (rows[0].empty())
      return;
    if (sides && !is_constant)
      for (const Node other : constraint.nodes)
        sides->keep(other);
    contact_set.add_across(
      point, rows, value.gap - side.product(number, coefficients.data()));
    contact_nodes.push_back(node);
  }



  template <int dim>
  bool
  Solid<dim>::is_moved(const unsigned int node, const unsigned int d) const
  {
    return moving_supports &&
           moving_supports->is_moving(owned->local_to_global(dim * node + d));
  }



  /// In planes of symmetry, for example: nothing slides along tangents that
  /// supports hold at rest, and contacts have the others.
  template <int dim>
  void
  Solid<dim>::leave_out_held_tangents(ContactNode  &node,
                                      ContactPoint &point) const
  {
    if (point.n_directions == 1)
      return;
    for (unsigned int d = 0; d < dim; ++d)
      if (is_fixed[dim * node.node + d] && !is_moved(node.node, d) &&
          node.first_normal[d] == 0)
        {
          --point.n_directions;
          if constexpr (dim == 3)
            {
              dealii::Tensor<1, dim> held;
              held[d]            = 1;
              node.first_tangent = cross_product_3d(node.first_normal, held);
            }
        }
  }



  template <int dim>
  void
  Solid<dim>::add_contact(ContactPoint       point,
                          const unsigned int contact,
                          const unsigned int i,
                          const Vector      &q)
  {
    const bool  is_constant = contact_set.has_constant_directions();
    ContactNode node{contact, i, {}, {}};
    const auto  view   = view_of(node, q);
    node.first_normal  = view.normal;
    node.first_tangent = first_tangent<dim>(view.normal);
    if (is_constant)
      leave_out_held_tangents(node, point);
    const auto                   frame = node.frame(view.normal);
    std::vector<ContactSet::Row> rows(point.n_directions);
    bool                         is_driven = false;
    for (unsigned int k = 0; k < rows.size(); ++k)
      for (unsigned int d = 0; d < dim; ++d)
        if (is_constant && frame[k][d] == 0)
          continue;
        else if (!is_fixed[dim * i + d])
          rows[k].emplace_back(dim * i + d, frame[k][d]);
        else
          is_driven |= is_moved(i, d);
    if (rows[0].empty() || is_driven)
      return;
    // Where directions are constant this is g_0.
    contact_set.add(point, rows, obstacles[contact]->view(places[i]).gap);
    contact_nodes.push_back(node);
  }



  template <int dim>
  void
  Solid<dim>::make_obstacles()
  {
    bool is_constant = true, has_pairs = false;
    for (const auto &[name, contact] : parameters.contacts)
      {
        obstacles.emplace_back();
        if (!contact.with.empty())
          {
            has_pairs = true;
            is_constant &= !contact.follows_motion();
            continue;
          }
        obstacles.back() =
          std::make_unique<SolidObstacle<dim>>(parameters,
                                               contact,
                                               "contacts/" + name);
        obstacles.back()->set_time(0);
        is_constant &= obstacles.back()->is_plane_at_rest();
      }
    if (has_pairs)
      make_sides();
    if (is_constant)
      return;
    contact_set.set_geometry(
      [this](auto &&...arguments) { place_contacts(arguments...); }, true);
    if (has_pairs)
      contact_set.set_finder([this](const double  time,
                                    const Vector &q,
                                    auto &rows) { find_rows(time, q, rows); },
                             sides->own_dofs());
  }



  template <int dim>
  ContactPoint
  Solid<dim>::contact_point(const unsigned int contact,
                            const unsigned int body) const
  {
    const SolidParameters::Contact &c = parameters.contacts[contact].second;
    ContactPoint                    point;
    point.restitution            = c.restitution;
    point.friction               = c.friction;
    point.tangential_restitution = c.tangential_restitution;
    point.body                   = body;
    point.n_directions           = n_directions(contact);
    return point;
  }



  template <int dim>
  std::vector<unsigned int>
  Solid<dim>::nodes_in_front(const unsigned int contact,
                             const unsigned int body,
                             const std::string &side) const
  {
    std::vector<unsigned int> result = own_nodes_on(body, side);
    const double farthest = parameters.contacts[contact].second.search_distance;
    if (farthest > 0)
      result.erase(
        std::remove_if(result.begin(),
                       result.end(),
                       [&](const unsigned int i) {
                         return obstacles[contact]->view(places[i]).gap >
                                farthest;
                       }),
        result.end());
    return result;
  }



  /// Node after node, so that the order does not depend on the ranks.
  template <int dim>
  void
  Solid<dim>::make_contacts(const Vector &first_q)
  {
    make_obstacles();
    weighted_sides.resize(obstacles.size());
    const auto                groups = contact_groups();
    std::vector<ContactPoint> kinds; // of sections
    // Own node, section and number of the pair or constraint, or 0.
    std::vector<std::array<unsigned int, 3>> found;
    std::vector<MortarNode<dim>>             pairs;
    for (const auto &[name, contact] : parameters.contacts)
      {
        const auto [body, side] =
          parameters.read_side(contact.on, "contacts/" + name + "/on");
        const auto section = static_cast<unsigned int>(kinds.size());
        kinds.push_back(contact_point(section, groups[body]));
        if (contact.is_weighted())
          {
            make_weighted_side(section, first_q);
            unsigned int number = 0;
            for (const auto &each : weighted_sides[section]->constraints())
              found.push_back({{column(each.node), section, number++}});
          }
        else if (contact.with.empty())
          for (const unsigned int i : nodes_in_front(section, body, side))
            found.push_back({{i, section, 0}});
        else
          for (auto &[i, pair] : couple_bodies(section))
            {
              found.push_back(
                {{i, section, static_cast<unsigned int>(pairs.size())}});
              pairs.push_back(std::move(pair));
            }
      }
    std::sort(found.begin(), found.end());
    std::vector<unsigned int> next(groups.size()); // slots of bodies
    for (const auto &each : found)
      next[kinds[std::get<1>(each)].body] +=
        kinds[std::get<1>(each)].n_directions;
    add_up_lower_ranks(next, communicator);
    for (const auto &[i, section, pair] : found)
      {
        ContactPoint point = kinds[section];
        point.slot         = next[point.body];
        next[point.body] += point.n_directions;
        if (weighted_sides[section])
          add_weighted(point, section, i, pair);
        else if (obstacles[section])
          add_contact(point, section, i, first_q);
        else
          add_pair(point, section, i, pairs[pair]);
      }
    contact_set.complete(owned);
    make_trees();
    surfaces = std::make_shared<const SolidSurfaces<dim>>(*this);
    // In front of another side an area is that which is covered; weighted ones
    // have that of their own functions.
    for (ContactNode &node : contact_nodes)
      if (obstacles[node.contact] && !weighted_sides[node.contact])
        node.area = surfaces->area(node.contact, node.node);
  }



  template struct SolidContactNode<2>;
  template struct SolidContactNode<3>;
  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
