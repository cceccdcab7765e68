// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody.h"
#include "multibody_picture.h"

// What a multibody system shows to the outside: fields.

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_coordinates = Frame::n_coordinates;
    /// The place of the energy among the numbers of a frame.
    constexpr unsigned int n_stresses = 6;

    Frame
    frame_at(const double *q, const unsigned int local)
    {
      return Frame::read(q + static_cast<std::size_t>(n_coordinates) * local);
    }

    unsigned int
    number_of(const std::string &name, const MultibodyParameters &parameters)
    {
      unsigned int number = 0;
      while (parameters.contacts[number].first != name)
        ++number;
      return number;
    }
  } // namespace



  /// A frame has the mean of the elements that touch it.
  void
  Multibody::find_section_values(const double *q, Vector &values) const
  {
    values.reinit(with_ghosts);
    std::vector<unsigned int> count(neighbours.size());
    for (const Element &element : elements)
      {
        const auto        at = coordinates(element, q);
        const BeamStrains stresses =
          element.beam.stresses(element.beam.mean_strains(at));
        const double energy = element.beam.energy(at) / element.beam.length();
        for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
          if (const unsigned int f = element.frames[a]; f < count.size())
            {
              ++count[f];
              for (unsigned int s = 0; s < n_stresses; ++s)
                values.local_element(n_coordinates * f + s) += stresses[s];
              values.local_element(n_coordinates * f + n_stresses) += energy;
            }
      }
    for (unsigned int f = 0; f < count.size(); ++f)
      for (unsigned int s = 0; count[f] > 1 && s <= n_stresses; ++s)
        values.local_element(n_coordinates * f + s) /= count[f];
    values.update_ghost_values();
  }



  void
  Multibody::draw_beams(const double     *q,
                        const double     *v,
                        MultibodyPicture &picture) const
  {
    Vector values;
    find_section_values(q, values);
    const auto point = [&](const unsigned int frame) {
      const auto global =
        with_ghosts->local_to_global(n_coordinates * frame) / n_coordinates;
      const FramePlace place  = layout.place(static_cast<unsigned int>(global));
      PicturePoint     result = PicturePoint::of_frame(PicturePoint::beam,
                                                   place.body,
                                                   frame_at(q, frame),
                                                   frame_at(v, frame),
                                                   layout.reference(place));
      const double *const section = values.begin() + n_coordinates * frame;
      for (unsigned int c = 0; c < 3; ++c)
        {
          result.section_force[c]  = section[c];
          result.section_moment[c] = section[3 + c];
        }
      result.strain_energy = section[n_stresses];
      return result;
    };
    std::vector<PicturePoint> line;
    unsigned int              last = 0; // frame of the line
    for (const Element &element : elements)
      {
        if (!element.is_mine)
          continue;
        if (!line.empty() && element.frames[0] != last)
          {
            picture.add_line(line);
            line.clear();
          }
        const unsigned int n = element.beam.n_nodes();
        last                 = element.frames[n - 1];
        for (unsigned int a = line.empty() ? 0 : 1; a < n; ++a)
          {
            line.push_back(point(element.frames[a]));
            const auto &beam = layout.body(line.back().number);
            line.back().radius =
              tube_radius(beam, beam.n_elements * element.beam.length());
          }
      }
    if (!line.empty())
      picture.add_line(line);
  }



  /// Point masses, too.
  void
  Multibody::draw_bodies(const State &state, MultibodyPicture &picture) const
  {
    for (unsigned int b = 0; b < parameters.bodies.size(); ++b)
      {
        const auto &[name, body] = parameters.bodies[b];
        if (body.is("beam"))
          continue;
        const FramePlace place =
          body.is("rigid") ?
            FramePlace{b, 0} :
            layout.frame_of(
              MultibodyPlace::read(name, parameters, "bodies/" + name));
        if (!layout.owns(layout.number(place)))
          continue;
        const unsigned int local = layout.number(place) - layout.owned().first;
        const auto         point = [&](const PicturePoint::Kind kind,
                               const Vector3           &X) {
          return PicturePoint::of_frame(kind,
                                        b,
                                        frame_at(state.q.begin(), local),
                                        frame_at(state.v.begin(), local),
                                        layout.reference(place),
                                        X);
        };
        if (body.is("rigid"))
          {
            const BodySurface         surface = BodySurface::of(body);
            std::vector<PicturePoint> points;
            for (const Vector3 &X : surface.points)
              points.push_back(point(PicturePoint::rigid, X));
            picture.add_surface(surface, points);
          }
        else
          picture.add_vertex(point(PicturePoint::point_mass, Vector3()));
      }
  }



  void
  Multibody::draw_joints(const State &state, MultibodyPicture &picture) const
  {
    const auto &found = reactions->compute(state);
    for (std::size_t i = 0; i < found.size(); ++i)
      {
        PicturePoint point;
        point.kind            = PicturePoint::joint;
        point.number          = reactions->joints()[i];
        point.x               = found[i].point;
        point.reaction_force  = found[i].force;
        point.reaction_moment = found[i].moment;
        picture.add_vertex(point);
      }
  }



  void
  Multibody::draw_contacts(const State      &state,
                           const Vector     &forces,
                           MultibodyPicture &picture) const
  {
    const auto &points = contacts().points();
    for (unsigned int i = 0; i < points.size(); ++i)
      {
        const auto   place = contact_points->place(i, state.q.begin());
        PicturePoint point;
        point.kind   = PicturePoint::contact;
        point.number = number_of(contact_points->name(i), parameters);
        point.x      = place.point;
        point.gap    = place.gap;
        const Vector3 directions[3] = {place.normal,
                                       place.tangent_1,
                                       place.tangent_2};
        for (unsigned int k = 0; k < points[i].n_directions && k < 3; ++k)
          point.contact_force +=
            forces.local_element(points[i].first + k) * directions[k];
        picture.add_vertex(point);
      }
  }



  std::string
  Multibody::write_fields(const State       &state,
                          const Vector      &contact_forces,
                          const FieldFolder &folder,
                          const std::string &name) const
  {
    MultibodyPicture    picture;
    const double *const q = ghosted(state.q, ghosts);
    const double *const v = ghosted(state.v, other_ghosts);
    draw_beams(q, v, picture);
    draw_bodies(state, picture);
    draw_joints(state, picture);
    draw_contacts(state, contact_forces, picture);
    return picture.write(folder, name, state.time, communicator);
  }
} // namespace Percuss
