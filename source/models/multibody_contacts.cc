// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_contacts.h"

#include <algorithm>
#include <utility>

namespace Percuss
{
  MultibodyContacts::MultibodyContacts(const MultibodyParameters &parameters,
                                       const MultibodyLayout     &layout,
                                       const MPI_Comm             communicator)
    : parameters(parameters)
    , contact_set(communicator)
  {
    for (unsigned int i = 0; i < parameters.contacts.size(); ++i)
      add_points(i, layout);
    if (!parameters.contacts.empty())
      contact_set.set_geometry([this](const double,
                                      const Vector &q,
                                      double       *gaps,
                                      double       *coefficients,
                                      double       *rates) {
        evaluate(q.begin(), gaps, coefficients);
        std::fill_n(rates, contact_set.partition()->locally_owned_size(), 0.);
      });
    contact_set.complete();
  }



  void
  MultibodyContacts::add_points(const unsigned int     number,
                                const MultibodyLayout &layout)
  {
    const auto &[name, contact] = parameters.contacts[number];
    const std::string    path   = "contacts/" + name;
    const MultibodyPlace place =
      MultibodyPlace::read(contact.on, parameters, path + "/on", true);
    const FramePlace   first = layout.frame_of(place);
    const unsigned int end =
      place.is_whole_beam ? layout.n_nodes(place.body) : first.node + 1;
    const unsigned int n_directions = contact.friction > 0 ? 3 : 1;
    for (unsigned int node = first.node; node < end; ++node)
      {
        const unsigned int slot = n_slots;
        n_slots += n_directions;
        const unsigned int frame = layout.number({place.body, node});
        if (!layout.owns(frame))
          continue;
        const unsigned int first_owned = layout.owned().first;
        Point              point;
        point.number = number;
        point.frame  = frame - first_owned;
        if (contact.has_point)
          {
            const Frame reference = layout.reference({place.body, node});
            point.X = reference.components(contact.point - reference.origin);
          }
        ContactSet::Row row;
        const auto      add_frame = [&row](const unsigned int local) {
          for (unsigned int i = 0; i < Frame::n_coordinates; ++i)
            row.emplace_back(Frame::n_coordinates * local + i, 0.);
        };
        add_frame(point.frame);
        if (contact.obstacle == "point")
          {
            const FramePlace other = layout.frame_of(
              MultibodyPlace::read(contact.other, parameters, path + "/other"));
            point.other = layout.number(other) - first_owned;
            if (contact.has_other_point)
              {
                const Frame reference = layout.reference(other);
                point.Y =
                  reference.components(contact.other_point - reference.origin);
              }
            add_frame(point.other);
          }
        ContactPoint description;
        description.restitution            = contact.restitution;
        description.friction               = contact.friction;
        description.tangential_restitution = contact.tangential_restitution;
        description.slot                   = slot;
        description.n_directions           = n_directions;
        points.push_back(point);
        contact_set.add(description,
                        std::vector<ContactSet::Row>(n_directions, row),
                        0.);
      }
  }



  MultibodyContacts::Place
  MultibodyContacts::place(const unsigned int contact, const double *q) const
  {
    const Point  &point = points[contact];
    const auto   &entry = parameters.contacts[point.number].second;
    const Frame   frame = Frame::read(q + Frame::n_coordinates * point.frame);
    const Vector3 x     = frame.point(point.X);
    Place         result;
    // From the obstacle's plane, centre or axis to the point.
    Vector3 way;
    if (entry.obstacle == "point")
      way =
        x - Frame::read(q + Frame::n_coordinates * point.other).point(point.Y);
    else
      way = x - entry.through;
    if (entry.obstacle == "plane")
      {
        result.normal = entry.normal / entry.normal.norm();
        result.gap    = result.normal * way - entry.radius;
      }
    else
      {
        if (entry.obstacle == "cylinder")
          way -= (way * entry.axis) / entry.axis.norm_square() * entry.axis;
        const double distance = way.norm();
        const bool   is_inside =
          entry.obstacle != "point" && entry.side == "inside";
        const double limit =
          entry.obstacle == "point" ? 0 : entry.obstacle_radius;
        result.normal =
          (is_inside ? -1 : 1) * (distance > 0 ?
                                    way / distance :
                                    normal_to(entry.axis / entry.axis.norm()));
        result.gap =
          (is_inside ? limit - distance : distance - limit) - entry.radius;
      }
    result.point     = x - entry.radius * result.normal;
    result.tangent_1 = normal_to(result.normal);
    result.tangent_2 = cross(result.normal, result.tangent_1);
    return result;
  }



  /// A direction n of a point x = phi + sum X_i d_i has the rows (n, X_1 n,
  /// X_2 n, X_3 n). In tangential directions it is the material point that
  /// touches which slides.
  void
  MultibodyContacts::evaluate(const double *q,
                              double       *gaps,
                              double       *coefficients) const
  {
    const auto add_row = [&](const Vector3 &n, const Vector3 &X) {
      for (unsigned int i = 0; i < Frame::n_vectors; ++i)
        for (unsigned int c = 0; c < 3; ++c)
          *coefficients++ = (i == 0 ? 1 : X[i - 1]) * n[c];
    };
    for (unsigned int i = 0; i < points.size(); ++i)
      {
        const Point &point = points[i];
        const Place  where = place(i, q);
        const bool   is_pair =
          parameters.contacts[point.number].second.obstacle == "point";
        const auto material = [&](const unsigned int frame) {
          const Frame at = Frame::read(q + Frame::n_coordinates * frame);
          return at.components(where.point - at.origin);
        };
        const Vector3      X = material(point.frame);
        const Vector3      Y = is_pair ? material(point.other) : Vector3();
        const Vector3      directions[3] = {where.normal,
                                            where.tangent_1,
                                            where.tangent_2};
        const unsigned int n_directions  = has_friction(point) ? 3 : 1;
        for (unsigned int k = 0; k < n_directions; ++k)
          {
            *gaps++ = k == 0 ? where.gap : 0;
            add_row(directions[k], k == 0 ? point.X : X);
            if (is_pair)
              add_row(-directions[k], k == 0 ? point.Y : Y);
          }
      }
  }
} // namespace Percuss
