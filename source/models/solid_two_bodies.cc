// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solid.h"
#include "solid_mortar.h"

// Contacts of two bodies of a solid, or of a body with itself.

namespace Percuss
{
  namespace
  {
    /// The cell's nodes on a face, in lexicographic order.
    template <int dim>
    std::vector<unsigned int>
    nodes_on_face(const dealii::FE_Q<dim> &element, const unsigned int face)
    {
      const auto               &points = element.get_unit_support_points();
      const unsigned int        axis = face / 2, side = face % 2;
      std::vector<unsigned int> nodes;
      for (unsigned int a = 0; a < points.size(); ++a)
        if (std::abs(points[a][axis] - side) < 1e-12)
          nodes.push_back(a);
      std::sort(nodes.begin(),
                nodes.end(),
                [&points](const unsigned int a, const unsigned int b) {
                  for (int d = dim - 1; d >= 0; --d)
                    if (std::abs(points[a][d] - points[b][d]) > 1e-12)
                      return points[a][d] < points[b][d];
                  return false;
                });
      return nodes;
    }

    /// The direction of the facets' normals that leads out of the cell.
    template <int dim>
    double
    orientation(const MortarShapes<dim>  &shapes,
                const MortarFace<dim>    &face,
                const dealii::Point<dim> &inside)
    {
      const auto   facets = shapes.facets(face);
      const auto   middle = facets[facets.size() / 2];
      const double out    = middle.normal * (middle.corners[0] - inside);
      return out > 0 ? 1 : -1;
    }
  } // namespace



  template <int dim>
  std::vector<MortarFace<dim>>
  Solid<dim>::mortar_faces(const unsigned int body,
                           const std::string &side,
                           const bool         is_slave) const
  {
    // On all nodes that this rank knows.
    Vector fixed(relevant);
    for (unsigned int i = 0; i < fixed.locally_owned_size(); ++i)
      fixed.local_element(i) = is_fixed[i] ? 1 : 0;
    fixed.update_ghost_values();
    const MortarShapes<dim>       shapes(parameters.degree);
    const dealii::Quadrature<dim> support(element.get_unit_support_points());
    dealii::FEValues<dim>         values(mapping,
                                 element,
                                 support,
                                 dealii::update_quadrature_points);
    std::vector<dealii::types::global_dof_index> nodes(
      element.n_dofs_per_cell());
    std::vector<MortarFace<dim>> result;
    for (const auto &cell : numbering.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        {
          if (!(cell->is_locally_owned() || (is_slave && cell->is_ghost())) ||
              !mesh.is_on(cell->face(f), body, side))
            continue;
          values.reinit(cell);
          cell->get_dof_indices(nodes);
          MortarFace<dim> face;
          bool            is_own = false;
          for (const unsigned int a : nodes_on_face(element, f))
            {
              face.nodes.push_back(nodes[a]);
              face.places.push_back(values.quadrature_point(a));
              is_own |= owned->in_local_range(dim * nodes[a]);
              for (unsigned int d = 0; d < dim; ++d)
                face.is_fixed.push_back(fixed(dim * nodes[a] + d) != 0);
            }
          face.orientation = orientation(shapes, face, cell->center());
          if (is_own || !is_slave)
            result.push_back(face);
        }
    return result;
  }



  template <int dim>
  std::vector<unsigned int>
  Solid<dim>::contact_groups() const
  {
    std::vector<unsigned int> group(parameters.bodies.size());
    std::iota(group.begin(), group.end(), 0);
    for (const auto &[name, contact] : parameters.contacts)
      if (!contact.with.empty())
        {
          const std::string  path = "contacts/" + name;
          const unsigned int a =
            group[parameters.read_side(contact.on, path + "/on").first];
          const unsigned int b =
            group[parameters.read_side(contact.with, path + "/with").first];
          std::replace(group.begin(),
                       group.end(),
                       std::max(a, b),
                       std::min(a, b));
        }
    return group;
  }



  template <int dim>
  std::vector<std::pair<unsigned int, MortarNode<dim>>>
  Solid<dim>::couple_bodies(const std::string              &name,
                            const SolidParameters::Contact &contact) const
  {
    const std::string path = "contacts/" + name;
    const auto [slave, on] = parameters.read_side(contact.on, path + "/on");
    const auto [master, with] =
      parameters.read_side(contact.with, path + "/with");
    const auto slaves  = mortar_faces(slave, on, true);
    const auto masters = mortar_faces(master, with, false);
    const auto refuse  = [&](const auto &is_bad, const std::string &reason) {
      unsigned int n_bad = 0;
      for (const auto *const faces : {&slaves, &masters})
        for (const MortarFace<dim> &face : *faces)
          n_bad += std::count_if(face.nodes.begin(), face.nodes.end(), is_bad);
      if (dealii::Utilities::MPI::max(n_bad, communicator) > 0)
        throw EntryError("model/" + parameters.model() + "/" + path + "/with",
                         "sides of two bodies in contact need " + reason);
    };
    refuse([this](const Node node) { return hanging.is_constrained(node); },
           "cells of one size next to each other");
    refuse(
      [this](const Node node) {
        return moving_supports && moving_supports->moves(node);
      },
      "nodes that no support moves");
    MortarSearch search;
    search.is_one_side = slave == master && on == with;
    search.distance    = contact.search_distance > 0 ?
                           contact.search_distance :
                           std::max(largest_diameter(slaves, communicator),
                                 largest_diameter(masters, communicator));
    auto coupling =
      couple(MortarShapes<dim>(parameters.degree),
             slaves,
             fetch_near(masters, slaves, search.distance, communicator),
             search);
    std::vector<std::pair<unsigned int, MortarNode<dim>>> result;
    for (auto &node : coupling.nodes)
      if (owned->in_local_range(dim * node.first))
        result.emplace_back(column(node.first), std::move(node.second));
    const std::string entry =
      "model/" + parameters.model() + "/" + path + "/search distance";
    if (dealii::Utilities::MPI::max(coupling.most_covered, communicator) >
        1 + 1e-3)
      throw EntryError(entry,
                       "within " + shortest_text(search.distance) +
                         " m a face of '" + contact.on +
                         "' sees more than one layer of faces of '" +
                         contact.with + "'");
    if (dealii::Utilities::MPI::max(result.empty() ? 0u : 1u, communicator) ==
        0)
      throw EntryError(entry,
                       "within " + shortest_text(search.distance) +
                         " m no face of '" + contact.on + "' faces one of '" +
                         contact.with + "'");
    return result;
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
