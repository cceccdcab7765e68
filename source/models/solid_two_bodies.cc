// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/types.h>
#include <deal.II/lac/affine_constraints.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "solid.h"
#include "solid_contact_node.h"
#include "solid_face_nodes.h"
#include "solid_mortar.h"
#include "solid_sides.h"

// Contacts of two bodies of a solid, or of a body with itself.

namespace Percuss
{
  namespace
  {
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

    template <int dim>
    void
    add_supports(const dealii::AffineConstraints<double> &hanging,
                 MortarFace<dim>                         &face)
    {
      const auto hangs = [&hanging](const auto node) {
        return hanging.is_constrained(node);
      };
      if (std::none_of(face.nodes.begin(), face.nodes.end(), hangs))
        return;
      for (const auto node : face.nodes)
        if (hangs(node))
          face.supports.push_back(*hanging.get_constraint_entries(node));
        else
          face.supports.push_back({{node, 1.}});
    }

    /// Of a face by one layer of others.
    constexpr double most_cover = 1 + 1e-3;

    std::string
    within(const double distance)
    {
      return "within " + shortest_text(distance) + " m ";
    }

    std::string
    two_layers(const SolidParameters::Contact &contact, const double distance)
    {
      return within(distance) + "a face of '" + contact.on +
             "' sees more than one layer of faces of '" + contact.with + "'";
    }
  } // namespace



  template <int dim>
  std::vector<MortarFace<dim>>
  Solid<dim>::mortar_faces(const unsigned int body,
                           const std::string &side) const
  {
    const auto                    face_nodes = nodes_of_faces<dim>(element);
    const MortarShapes<dim>       shapes(parameters.degree);
    const dealii::Quadrature<dim> support(element.get_unit_support_points());
    dealii::FEValues<dim>         values(mapping,
                                 element,
                                 support,
                                 dealii::update_quadrature_points);
    std::vector<Node>             nodes(element.n_dofs_per_cell());
    std::vector<MortarFace<dim>>  result;
    for (const auto &cell : numbering.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        {
          if (!cell->is_locally_owned() ||
              !mesh.is_on(cell->face(f), body, side))
            continue;
          values.reinit(cell);
          cell->get_dof_indices(nodes);
          MortarFace<dim> face;
          for (const unsigned int a : face_nodes[f])
            {
              face.nodes.push_back(nodes[a]);
              face.places.push_back(values.quadrature_point(a));
            }
          face.undeformed  = face.places;
          face.orientation = orientation(shapes, face, cell->center());
          add_supports<dim>(hanging, face);
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
  void
  Solid<dim>::make_sides()
  {
    sides =
      std::make_unique<MortarSides<dim>>(parameters.degree, owned, is_fixed);
    unsigned int n_moved   = 0; // by supports
    const auto   add_moved = [&](const std::vector<MortarFace<dim>> &faces) {
      for (const MortarFace<dim> &face : faces)
        for (std::size_t k = 0; k < face.nodes.size(); ++k)
          face.for_supports(k, [&](const Node node, const double) {
            n_moved += moving_supports && moving_supports->moves(node);
          });
    };
    for (const auto &[name, contact] : parameters.contacts)
      {
        numbers_of_sides.push_back(dealii::numbers::invalid_unsigned_int);
        if (contact.with.empty())
          continue;
        const std::string path = "contacts/" + name;
        const auto [slave, on] = parameters.read_side(contact.on, path + "/on");
        const auto [master, with] =
          parameters.read_side(contact.with, path + "/with");
        const auto slaves  = mortar_faces(slave, on);
        const auto masters = mortar_faces(master, with);
        add_moved(slaves);
        add_moved(masters);
        if (dealii::Utilities::MPI::max(n_moved, communicator) > 0)
          throw EntryError("model/" + parameters.model() + "/" + path + "/with",
                           "sides of two bodies in contact need nodes that no "
                           "support moves");
        MortarSearch search;
        search.is_one_side      = slave == master && on == with;
        search.follows_motion   = contact.follows_motion();
        search.distance         = contact.search_distance > 0 ?
                                    contact.search_distance :
                                    std::max(largest_diameter(slaves, communicator),
                                     largest_diameter(masters, communicator));
        numbers_of_sides.back() = sides->add(slaves, masters, search);
      }
    sides->move(Vector(owned));
  }



  template <int dim>
  std::vector<std::pair<unsigned int, MortarNode<dim>>>
  Solid<dim>::couple_bodies(const unsigned int contact) const
  {
    const auto &[name, of] = parameters.contacts[contact];
    const bool follows     = of.follows_motion();
    auto       coupling    = sides->couple(numbers_of_sides[contact]);
    const auto most_covered =
      dealii::Utilities::MPI::max(coupling.most_covered, communicator);
    if (follows)
      coupling.nodes.merge(coupling.open);
    std::vector<std::pair<unsigned int, MortarNode<dim>>> result;
    for (auto &[number, node] : coupling.nodes)
      if (owned->in_local_range(dim * number))
        result.emplace_back(column(number), std::move(node));
    const std::string entry =
      "model/" + parameters.model() + "/contacts/" + name + "/search distance";
    const double far = sides->search_distance(numbers_of_sides[contact]);
    if (most_covered > most_cover)
      throw EntryError(entry, two_layers(of, far));
    if (dealii::Utilities::MPI::max(result.empty() ? 0u : 1u, communicator) ==
        0)
      throw EntryError(entry,
                       within(far) + "no face of '" + of.on +
                         "' faces one of '" + of.with + "'");
    return result;
  }



  template <int dim>
  void
  Solid<dim>::add_pair(ContactPoint           point,
                       const unsigned int     contact,
                       const unsigned int     i,
                       const MortarNode<dim> &pair)
  {
    point.own_dof    = dim * i;
    point.n_own_dofs = dim;
    ContactNode node{contact, i, pair.normal, first_tangent<dim>(pair.normal)};
    node.show(pair, dim == 2 ? parameters.thickness : 1);
    if (contact_set.has_constant_directions())
      {
        std::vector<ContactSet::GlobalRow> rows(point.n_directions);
        const auto                         frame = node.frame(pair.normal);
        for (const auto &[number, coefficient] : pair.coefficients)
          for (unsigned int d = 0; d < dim; ++d)
            if (!sides->is_fixed(sides->first_dof(number) + d))
              for (unsigned int k = 0; k < rows.size(); ++k)
                if (const double value = coefficient * frame[k][d]; value != 0)
                  rows[k].emplace_back(dim * number + d, value);
        if (rows[0].empty())
          return;
        contact_set.add_across(point, rows, pair.gap());
      }
    else
      {
        contact_set.add_following(point);
        if (!parameters.contacts[contact].second.follows_motion())
          {
            node.first_pair = pair;
            for (const auto &entry : pair.coefficients)
              sides->keep(entry.first);
          }
      }
    contact_nodes.push_back(node);
  }



  template <int dim>
  void
  Solid<dim>::find_rows(const double           time,
                        const Vector          &q,
                        ContactSet::FoundRows &rows) const
  {
    sides->move(q);
    std::vector<MortarCoupling<dim>> couplings(parameters.contacts.size());
    std::vector<double>              most_covered(couplings.size());
    for (unsigned int c = 0; c < couplings.size(); ++c)
      if (parameters.contacts[c].second.follows_motion())
        {
          couplings[c]    = sides->couple(numbers_of_sides[c]);
          most_covered[c] = couplings[c].most_covered;
        }
    dealii::Utilities::MPI::max(most_covered, communicator, most_covered);
    for (unsigned int c = 0; c < couplings.size(); ++c)
      if (most_covered[c] > most_cover)
        throw Error(ExitCode::invariant,
                    "At t = " + shortest_text(time) + " s " +
                      two_layers(parameters.contacts[c].second,
                                 sides->search_distance(numbers_of_sides[c])) +
                      "; a shorter 'search distance' may help.");
    rows.dofs = sides->dofs();
    rows.start.assign(1, 0);
    rows.columns.clear();
    rows.coefficients.clear();
    rows.gaps.clear();
    const auto first_node = owned->local_range().first / dim;
    for (ContactNode &node : contact_nodes)
      if (node.first_pair)
        add_rows(*node.first_pair, node, rows);
      else if (!obstacles[node.contact])
        {
          const auto &coupling = couplings[node.contact];
          const Node  number   = first_node + node.node;
          const auto  found    = coupling.nodes.find(number);
          add_rows(found != coupling.nodes.end() ? found->second :
                                                   coupling.open.at(number),
                   node,
                   rows);
        }
  }



  /// The directions nu_j of pairs of the start are constant, and so are their
  /// coefficients.
  template <int dim>
  void
  Solid<dim>::add_rows(const MortarNode<dim> &pair,
                       ContactNode           &node,
                       ContactSet::FoundRows &rows) const
  {
    node.show(pair, dim == 2 ? parameters.thickness : 1);
    const auto   frame   = node.frame(pair.normal);
    const auto   n_above = rows.columns.size();
    const double far = sides->search_distance(numbers_of_sides[node.contact]);
    double       gap = pair.gap();
    for (unsigned int k = 0; k < n_directions(node.contact); ++k)
      {
        for (const auto &[number, coefficient] : pair.coefficients)
          for (unsigned int d = 0; d < dim; ++d)
            {
              const unsigned int dof   = sides->first_dof(number) + d;
              const double       value = coefficient * frame[k][d];
              if (sides->is_fixed(dof) || value == 0)
                continue;
              rows.columns.push_back(dof);
              rows.coefficients.push_back(value);
              if (k == 0 && node.first_pair)
                gap += value * sides->moved_by(dof);
            }
        if (k == 0)
          rows.gaps.push_back(rows.columns.size() > n_above ? gap : far);
        rows.start.push_back(static_cast<unsigned int>(rows.columns.size()));
      }
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
