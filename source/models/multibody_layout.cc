// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_layout.h"

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/formula.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// Directors with the third along @p axis and the first near @p wish, or
    /// anywhere where that is zero.
    std::array<Vector3, 3>
    directors_along(const Vector3 &axis, const Vector3 &wish)
    {
      std::array<Vector3, 3> d;
      d[2] = axis / axis.norm();
      if (wish.norm() == 0)
        d[0] = normal_to(d[2]);
      else
        {
          const Vector3 part = wish - (wish * d[2]) * d[2];
          if (part.norm() <= 1e-6 * wish.norm())
            throw std::invalid_argument("is parallel to the axis");
          d[0] = part / part.norm();
        }
      d[1] = cross(d[2], d[0]);
      orthonormalize(d);
      return d;
    }
  } // namespace



  class MultibodyLayout::Curve
  {
  public:
    Curve(const std::string &text)
    {
      FormulaNames names;
      names.add_variable("s");
      std::vector<Formula> formulas;
      std::stringstream    stream(text);
      for (std::string part; std::getline(stream, part, ';');)
        formulas.emplace_back(part, names);
      if (formulas.size() != 3)
        throw std::invalid_argument("is not three formulas of s, separated by "
                                    "semicolons");
      for (unsigned int c = 0; c < 3; ++c)
        formulas.push_back(formulas[c].derivative(0));
      compiled = CompiledFormulas(formulas, names);
    }

    /// Point and tangent.
    std::pair<Vector3, Vector3>
    at(const double s) const
    {
      double values[6];
      compiled.evaluate(&s, values);
      return {Vector3({values[0], values[1], values[2]}),
              Vector3({values[3], values[4], values[5]})};
    }

  private:
    CompiledFormulas compiled;
  };



  MultibodyLayout::MultibodyLayout(const MultibodyParameters &parameters,
                                   const MPI_Comm             communicator)
    : parameters(parameters)
  {
    for (const auto &[name, body] : this->parameters.bodies)
      {
        curves.push_back(nullptr);
        if (body.type == "beam" && !body.curve.empty())
          try
            {
              curves.back() = std::make_shared<const Curve>(body.curve);
            }
          catch (const std::invalid_argument &error)
            {
              throw EntryError("model/multibody/bodies/" + name + "/curve",
                               error.what());
            }
      }
    find_tied_frames();
    number_free_frames(communicator);
    collectively(communicator, [this]() { build_tree(); });
  }



  unsigned int
  MultibodyLayout::n_nodes(const unsigned int number) const
  {
    const auto &the_body = body(number);
    return the_body.type == "rigid" ? 1 :
           the_body.type == "beam" ? the_body.n_elements * the_body.degree + 1 :
                                     0;
  }



  FramePlace
  MultibodyLayout::frame_of(const MultibodyPlace &place) const
  {
    const unsigned int last = n_nodes(place.body) - 1;
    return {place.body, static_cast<unsigned int>(std::lround(place.s * last))};
  }



  void
  MultibodyLayout::find_tied_frames()
  {
    std::set<FramePlace> found;
    const auto add = [&](const std::string &text, const std::string &entry) {
      const MultibodyPlace place =
        MultibodyPlace::read(text, parameters, entry);
      if (!place.is_ground)
        found.insert(frame_of(place));
    };
    for (const auto &[name, joint] : parameters.joints)
      {
        add(joint.first, "joints/" + name + "/first");
        add(joint.second, "joints/" + name + "/second");
      }
    for (const auto &[name, contact] : parameters.contacts)
      if (contact.obstacle == "point")
        {
          add(contact.on, "contacts/" + name + "/on");
          add(contact.other, "contacts/" + name + "/other");
        }
    tied.assign(found.begin(), found.end());
  }



  void
  MultibodyLayout::number_free_frames(const MPI_Comm communicator)
  {
    unsigned int n_free = 0;
    for (unsigned int b = 0; b < parameters.bodies.size(); ++b)
      {
        free_start.push_back(n_free);
        const auto n_tied =
          std::count_if(tied.begin(), tied.end(), [b](const FramePlace &frame) {
            return frame.body == b;
          });
        n_free += n_nodes(b) - static_cast<unsigned int>(n_tied);
      }
    const auto n_tied = static_cast<unsigned int>(tied.size());
    n_frames          = n_tied + n_free;
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
    const auto [first, end] =
      even_share(n_free,
                 rank,
                 dealii::Utilities::MPI::n_mpi_processes(communicator));
    range = {rank == 0 ? 0 : n_tied + first, n_tied + end};
  }



  unsigned int
  MultibodyLayout::number(const FramePlace &place) const
  {
    const auto found = std::lower_bound(tied.begin(), tied.end(), place);
    if (found != tied.end() && !(place < *found))
      return static_cast<unsigned int>(found - tied.begin());
    const auto before =
      std::lower_bound(tied.begin(), tied.end(), FramePlace{place.body, 0});
    return static_cast<unsigned int>(tied.size()) + free_start[place.body] +
           place.node - static_cast<unsigned int>(found - before);
  }



  FramePlace
  MultibodyLayout::place(const unsigned int frame) const
  {
    if (frame < tied.size())
      return tied[frame];
    const auto free = static_cast<unsigned int>(frame - tied.size());
    const auto next =
      std::upper_bound(free_start.begin(), free_start.end(), free);
    FramePlace result;
    result.body = static_cast<unsigned int>(next - free_start.begin()) - 1;
    result.node = free - free_start[result.body];
    for (const FramePlace &other : tied)
      if (other.body == result.body && other.node <= result.node)
        ++result.node;
    return result;
  }



  Frame
  MultibodyLayout::reference_of_beam(const MultibodyParameters::Body &beam,
                                     const unsigned int               number,
                                     const double                     s) const
  {
    const auto [point, tangent] =
      curves[number] ?
        curves[number]->at(s) :
        std::pair<Vector3, Vector3>(beam.start + s * (beam.end - beam.start),
                                    beam.end - beam.start);
    if (!(tangent.norm() > 0))
      throw std::invalid_argument("has no direction");
    if (curves[number] && beam.first_direction.norm() == 0)
      throw std::invalid_argument("is needed for a beam on a curve");
    return {point, directors_along(tangent, beam.first_direction)};
  }



  Frame
  MultibodyLayout::reference(const FramePlace &place) const
  {
    const auto &[name, the_body] = parameters.bodies[place.body];
    try
      {
        if (the_body.type == "rigid")
          return {the_body.centre,
                  directors_along(the_body.axis, the_body.first_direction)};
        return reference_of_beam(the_body,
                                 place.body,
                                 static_cast<double>(place.node) /
                                   (n_nodes(place.body) - 1));
      }
    catch (const std::invalid_argument &error)
      {
        throw EntryError("model/multibody/bodies/" + name + "/first direction",
                         error.what());
      }
  }



  void
  MultibodyLayout::check_directions() const
  {
    for (unsigned int frame = range.first; frame < range.second; ++frame)
      {
        const FramePlace here = place(frame);
        const Frame      at   = reference(here);
        if (here.node + 1 < n_nodes(here.body) &&
            at.d[0] * reference({here.body, here.node + 1}).d[0] <= 0)
          throw EntryError("model/multibody/bodies/" +
                             parameters.bodies[here.body].first +
                             "/first direction",
                           "the curve turns so far between two nodes that the "
                           "first direction of its sections flips");
      }
  }



  /// Goes from the ground, and from a frame of each part that does not hang on
  /// it, along the joints. A joint between frames that are reached already
  /// closes a loop.
  class MultibodyLayout::TreeBuilder
  {
  public:
    explicit TreeBuilder(MultibodyLayout &layout)
      : layout(layout)
      , is_reached(layout.range.second - layout.range.first, false)
    {
      for (const auto &[name, joint] : layout.parameters.joints)
        edges.push_back(
          {end_of(joint.first, name), end_of(joint.second, name), false});
    }

    void
    build()
    {
      visit(JointOfFrames::ground);
      for (unsigned int f = 0; f < layout.tied.size(); ++f)
        if (!is_reached[f])
          {
            reach(f);
            visit(f);
          }
    }

  private:
    struct Edge
    {
      unsigned int first, second; ///< frames, or the ground
      bool         is_used;
    };

    unsigned int
    end_of(const std::string &text, const std::string &name) const
    {
      const MultibodyPlace place =
        MultibodyPlace::read(text, layout.parameters, "joints/" + name);
      return place.is_ground ? JointOfFrames::ground :
                               layout.number(layout.frame_of(place));
    }

    void
    reach(const unsigned int frame)
    {
      is_reached[frame] = true;
      layout.tree_order.push_back(frame);
    }

    Frame
    frame_at(const unsigned int frame) const
    {
      return frame == JointOfFrames::ground ?
               Frame::of_space() :
               layout.reference(layout.place(frame));
    }

    JointOfFrames
    joint_of(const std::size_t  edge,
             const unsigned int parent,
             const unsigned int child) const
    {
      const auto &[name, joint] = layout.parameters.joints[edge];
      const bool is_turned =
        edges[edge].first != parent && joint.type == "universal";
      JointOfFrames result =
        JointOfFrames::make(JointOfFrames::type_of(joint.type),
                            frame_at(parent),
                            frame_at(child),
                            joint.point,
                            is_turned ? joint.second_axis : joint.axis,
                            is_turned ? joint.axis : joint.second_axis);
      result.name   = name;
      result.parent = parent;
      result.child  = child;
      return result;
    }

    /// Takes the joint from @p parent on the other end of an edge.
    void
    follow(const std::size_t edge, const unsigned int parent)
    {
      const unsigned int other =
        edges[edge].first == parent ? edges[edge].second : edges[edge].first;
      edges[edge].is_used = true;
      if (other == JointOfFrames::ground)
        layout.loops.push_back(joint_of(edge, other, parent));
      else if (is_reached[other])
        layout.loops.push_back(joint_of(edge, parent, other));
      else
        {
          layout.tree_joints[other] = joint_of(edge, parent, other);
          reach(other);
          open.push_back(other);
        }
    }

    void
    visit(const unsigned int root)
    {
      open.push_back(root);
      while (!open.empty())
        {
          const unsigned int parent = open.front();
          open.pop_front();
          for (std::size_t e = 0; e < edges.size(); ++e)
            if (!edges[e].is_used &&
                (edges[e].first == parent || edges[e].second == parent))
              follow(e, parent);
        }
    }

    MultibodyLayout         &layout;
    std::vector<Edge>        edges;
    std::vector<bool>        is_reached;
    std::deque<unsigned int> open;
  };



  void
  MultibodyLayout::build_tree()
  {
    const unsigned int n_owned = range.second - range.first;
    tree_joints.resize(n_owned);
    for (unsigned int f = 0; f < n_owned; ++f)
      tree_joints[f].child = f;
    const auto n_tied =
      range.first == 0 ? static_cast<unsigned int>(tied.size()) : 0;
    if (n_tied > 0)
      TreeBuilder(*this).build();
    for (unsigned int f = n_tied; f < n_owned; ++f)
      tree_order.push_back(f);
  }



  Vector3
  MultibodyLayout::inertia(const MultibodyParameters::Body &body)
  {
    if (body.inertia.norm() > 0)
      return body.inertia;
    const double m = body.mass, r = body.radius, h = body.height;
    if (body.shape == "sphere")
      return 0.4 * m * r * r * Vector3({1, 1, 1});
    if (body.shape == "cylinder")
      return m / 12 *
             Vector3({3 * r * r + h * h, 3 * r * r + h * h, 6 * r * r});
    Vector3 result;
    for (unsigned int i = 0; i < 3; ++i)
      result[i] = m / 12 *
                  (body.size[(i + 1) % 3] * body.size[(i + 1) % 3] +
                   body.size[(i + 2) % 3] * body.size[(i + 2) % 3]);
    return result;
  }



  BeamSection
  MultibodyLayout::section(const unsigned int number) const
  {
    const auto &beam = body(number);
    BeamSection result;
    if (beam.section == "given")
      {
        result.force_stiffness  = beam.force_stiffness;
        result.moment_stiffness = beam.moment_stiffness;
        result.mass             = beam.line_mass;
        const Vector3 &J        = beam.line_inertia;
        for (unsigned int i = 0; i < 3; ++i)
          result.euler[i] = (J[(i + 1) % 3] + J[(i + 2) % 3] - J[i]) / 2;
        return result;
      }
    const double pi = dealii::numbers::PI, G = beam.E / (2 * (1 + beam.nu));
    double       area, I1, I2, J, shear; // I1: about direction 1
    if (beam.section == "rectangle")
      {
        const double b = beam.width, t = beam.thickness;
        const double a = std::max(b, t), c = std::min(b, t);
        area = b * t;
        I1   = b * t * t * t / 12;
        I2   = t * b * b * b / 12;
        // Roark's formula of the torsion constant, within 0.5 %.
        J = a * c * c * c *
            (1. / 3 - 0.21 * c / a * (1 - std::pow(c / a, 4) / 12));
        shear = 5. / 6;
      }
    else
      {
        const double outer = beam.diameter / 2;
        const double inner =
          beam.section == "pipe" ? beam.inner_diameter / 2 : 0;
        area  = pi * (outer * outer - inner * inner);
        I1    = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
        I2    = I1;
        J     = 2 * I1;
        shear = beam.section == "pipe" ? 0.5 : 0.9;
      }
    if (beam.shear_factor > 0)
      shear = beam.shear_factor;
    result.force_stiffness =
      Vector3({shear * G * area, shear * G * area, beam.E * area});
    result.moment_stiffness = Vector3({beam.E * I1, beam.E * I2, G * J});
    result.mass             = beam.density * area;
    result.euler = Vector3({beam.density * I2, beam.density * I1, 0.});
    return result;
  }
} // namespace Percuss
