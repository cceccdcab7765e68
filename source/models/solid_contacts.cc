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
  } // namespace



  template <int dim>
  std::array<dealii::Tensor<1, dim>, dim>
  Solid<dim>::contact_frame(const ContactNode            &node,
                            const dealii::Tensor<1, dim> &normal) const
  {
    const auto tangent =
      turned_tangent<dim>(node.first_normal, node.first_tangent, normal);
    if constexpr (dim == 2)
      return {{normal, tangent}};
    else
      return {{normal, tangent, dealii::cross_product_3d(normal, tangent)}};
  }



  template <int dim>
  dealii::Tensor<1, dim>
  Solid<dim>::normal_of(const ContactNode &node, const Vector &q) const
  {
    return obstacles[node.contact] ? view_of(node, q).normal : node.normal;
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
    for (const auto &obstacle : obstacles)
      if (obstacle)
        obstacle->set_time(time);
    for (const ContactNode &node : contact_nodes)
      {
        if (!obstacles[node.contact])
          {
            gaps += n_directions(node.contact);
            rates += n_directions(node.contact);
            continue;
          }
        const auto view  = view_of(node, q);
        const auto frame = contact_frame(node, view.normal);
        for (unsigned int k = 0; k < n_directions(node.contact); ++k)
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
  Solid<dim>::add_contact(const ContactPoint &point,
                          const unsigned int  contact,
                          const unsigned int  i)
  {
    const bool  is_constant = contact_set.has_constant_directions();
    ContactNode node{contact, i, {}, {}};
    const auto  view                   = view_of(node, start.q);
    node.first_normal                  = view.normal;
    node.first_tangent                 = first_tangent<dim>(view.normal);
    const auto                   frame = contact_frame(node, view.normal);
    std::vector<ContactSet::Row> rows(point.n_directions);
    for (unsigned int k = 0; k < rows.size(); ++k)
      for (unsigned int d = 0; d < dim; ++d)
        if (!is_fixed[dim * i + d] && (!is_constant || frame[k][d] != 0))
          rows[k].emplace_back(dim * i + d, frame[k][d]);
    if (rows[0].empty())
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
      [this](auto &&...arguments) { place_contacts(arguments...); });
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
  Solid<dim>::make_contacts()
  {
    make_obstacles();
    const auto                groups = contact_groups();
    std::vector<ContactPoint> kinds; // of sections
    // Own node, section and number of the pair, of an obstacle 0.
    std::vector<std::array<unsigned int, 3>> found;
    std::vector<MortarNode<dim>>             pairs;
    for (const auto &[name, contact] : parameters.contacts)
      {
        const auto [body, side] =
          parameters.read_side(contact.on, "contacts/" + name + "/on");
        const auto section = static_cast<unsigned int>(kinds.size());
        kinds.push_back(contact_point(section, groups[body]));
        if (contact.with.empty())
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
    std::vector<unsigned int> n_slots(groups.size()), next(n_slots);
    for (const auto &each : found)
      n_slots[kinds[std::get<1>(each)].body] +=
        kinds[std::get<1>(each)].n_directions;
    MPI_Exscan(n_slots.data(),
               next.data(),
               static_cast<int>(next.size()),
               MPI_UNSIGNED,
               MPI_SUM,
               communicator);
    if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
      std::fill(next.begin(), next.end(), 0);
    for (const auto &[i, section, pair] : found)
      {
        ContactPoint point = kinds[section];
        point.slot         = next[point.body];
        next[point.body] += point.n_directions;
        if (obstacles[section])
          add_contact(point, section, i);
        else
          add_pair(point, section, i, pairs[pair]);
      }
    contact_set.complete(owned);
    make_surfaces();
  }



  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
