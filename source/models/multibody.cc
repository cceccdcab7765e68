// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody.h"

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_coordinates = Frame::n_coordinates;
    constexpr unsigned int n_vectors     = Frame::n_vectors;

    unsigned int
    index_in(const std::vector<unsigned int> &sorted, const unsigned int value)
    {
      return static_cast<unsigned int>(
        std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
    }
  } // namespace



  Multibody::Multibody(const Parameters &parameters, const Context &context)
    : MechanicalModel(context)
    , parameters(parameters)
    , layout(this->parameters, communicator)
  {
    if (layout.size() == 0)
      throw EntryError("model/multibody/bodies",
                       "there is no rigid body and no beam");
    collectively(communicator, [this]() { layout.check_directions(); });
    const auto [first, end] = layout.owned();
    if (dealii::Utilities::MPI::min(end - first, communicator) == 0)
      throw EntryError("model/type",
                       "there are more ranks than frames that joints do not "
                       "tie; take fewer ranks");
    owned = make_partition(n_coordinates * (end - first), communicator);
    make_elements();
    make_pattern();
    make_mass();
    make_start();
    make_loads();
    make_constraints();
    contact_points = std::make_unique<MultibodyContacts>(this->parameters,
                                                         layout,
                                                         communicator);
    reactions      = std::make_unique<JointReactions>(this->parameters, layout);
    work.reinit(owned);
    make_feedback();
    collectively(communicator, [this]() { check_joints(); });
  }



  void
  Multibody::make_elements()
  {
    const auto [first, end] = layout.owned();
    std::set<unsigned int>                          ghost_frames;
    std::vector<std::vector<unsigned int>>          frames_of_elements;
    std::set<std::pair<unsigned int, unsigned int>> touching; // body, element
    for (unsigned int frame = first; frame < end; ++frame)
      {
        const FramePlace place = layout.place(frame);
        const auto      &body  = layout.body(place.body);
        if (body.type != "beam")
          continue;
        const unsigned int last = body.n_elements - 1;
        const unsigned int left =
          place.node == 0 ? 0 : (place.node - 1) / body.degree;
        for (unsigned int e = left;
             e <= std::min(place.node / body.degree, last);
             ++e)
          touching.insert({place.body, e});
      }
    for (const auto &[body, e] : touching)
      {
        const unsigned int        p = layout.body(body).degree;
        std::vector<Frame>        nodes;
        std::vector<unsigned int> numbers;
        for (unsigned int a = 0; a <= p; ++a)
          {
            const FramePlace place = {body, e * p + a};
            nodes.push_back(layout.reference(place));
            numbers.push_back(layout.number(place));
            if (!layout.owns(numbers.back()))
              ghost_frames.insert(numbers.back());
          }
        frames_of_elements.push_back(numbers);
        elements.push_back({BeamElement(layout.section(body), nodes),
                            layout.owns(numbers.front()),
                            {},
                            {}});
      }
    dealii::IndexSet mine(owned->size()), others(owned->size());
    mine.add_range(owned->local_range().first, owned->local_range().second);
    for (const unsigned int frame : ghost_frames)
      others.add_range(n_coordinates * frame, n_coordinates * (frame + 1));
    with_ghosts =
      std::make_shared<const dealii::Utilities::MPI::Partitioner>(mine,
                                                                  others,
                                                                  communicator);
    ghosts.reinit(with_ghosts);
    other_ghosts.reinit(with_ghosts);
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (unsigned int a = 0; a < frames_of_elements[i].size(); ++a)
        elements[i].frames[a] = with_ghosts->global_to_local(
                                  n_coordinates * frames_of_elements[i][a]) /
                                n_coordinates;
  }



  void
  Multibody::make_pattern()
  {
    const auto [first, end]   = layout.owned();
    const unsigned int n      = end - first;
    const auto         global = [&](const unsigned int local) {
      return with_ghosts->local_to_global(n_coordinates * local) /
             n_coordinates;
    };
    std::vector<std::set<unsigned int>> sets(n);
    for (unsigned int f = 0; f < n; ++f)
      sets[f].insert(first + f);
    for (const Element &element : elements)
      for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
        for (unsigned int b = 0; b < element.beam.n_nodes(); ++b)
          if (element.frames[a] < n)
            sets[element.frames[a]].insert(
              static_cast<unsigned int>(global(element.frames[b])));
    const auto tie = [&](const JointOfFrames &joint) {
      if (joint.type == JointOfFrames::Type::free ||
          joint.parent == JointOfFrames::ground)
        return;
      sets[joint.parent].insert(first + joint.child);
      sets[joint.child].insert(first + joint.parent);
    };
    std::for_each(layout.joints().begin(), layout.joints().end(), tie);
    std::for_each(layout.closing_joints().begin(),
                  layout.closing_joints().end(),
                  tie);
    for (const auto &set : sets)
      neighbours.emplace_back(set.begin(), set.end());
    for (Element &element : elements)
      for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
        for (unsigned int b = 0; b < element.beam.n_nodes(); ++b)
          if (element.frames[a] < n)
            element.blocks[a][b] =
              index_in(neighbours[element.frames[a]],
                       static_cast<unsigned int>(global(element.frames[b])));
  }



  std::unique_ptr<SparseMatrix>
  Multibody::make_tangent() const
  {
    SparseMatrix::Rows rows;
    for (const auto &row : neighbours)
      for (unsigned int i = 0; i < n_coordinates; ++i)
        {
          for (const unsigned int frame : row)
            for (unsigned int j = 0; j < n_coordinates; ++j)
              rows.columns.push_back(
                static_cast<PetscInt>(n_coordinates * frame + j));
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
    rows.values.resize(rows.columns.size());
    return std::make_unique<SparseMatrix>(owned, std::move(rows));
  }



  std::array<double, Frame::n_vectors>
  Multibody::lumped_mass(const FramePlace &place) const
  {
    std::array<double, n_vectors> result = {};
    const auto                   &body   = layout.body(place.body);
    if (body.type == "rigid")
      {
        result[0]             = body.mass;
        const Vector3 inertia = MultibodyLayout::inertia(body);
        for (unsigned int i = 0; i < 3; ++i)
          result[1 + i] =
            (inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i]) / 2;
      }
    for (const auto &[name, other] : parameters.bodies)
      if (other.type == "point mass")
        {
          const FramePlace at = layout.frame_of(MultibodyPlace::read(
            other.attached_to, parameters, "bodies/" + name + "/attached to"));
          if (!(at < place) && !(place < at))
            result[0] += other.mass;
        }
    return result;
  }



  /// M and the weight.
  void
  Multibody::make_mass()
  {
    const auto [first, end] = layout.owned();
    SparseMatrix::Rows                                      rows;
    std::vector<std::vector<std::array<double, n_vectors>>> blocks;
    std::vector<double> carried; // by the origin
    for (unsigned int f = 0; f < neighbours.size(); ++f)
      {
        blocks.emplace_back(neighbours[f].size());
        const auto own = lumped_mass(layout.place(first + f));
        blocks[f][index_in(neighbours[f], first + f)] = own;
        carried.push_back(own[0]);
      }
    for (const Element &element : elements)
      for (unsigned int a = 0; a < element.beam.n_nodes(); ++a)
        if (const unsigned int f = element.frames[a]; f < neighbours.size())
          {
            carried[f] += element.beam.mass_of_node(a);
            for (unsigned int b = 0; b < element.beam.n_nodes(); ++b)
              for (unsigned int i = 0; i < n_vectors; ++i)
                blocks[f][element.blocks[a][b]][i] +=
                  element.beam.mass(a, b, i);
          }
    std::size_t place = 0; // in the rows of a tangent
    for (unsigned int f = 0; f < neighbours.size(); ++f)
      for (unsigned int i = 0; i < n_coordinates; ++i)
        {
          for (unsigned int k = 0; k < neighbours[f].size(); ++k)
            {
              rows.columns.push_back(
                static_cast<PetscInt>(n_coordinates * neighbours[f][k] + i));
              rows.values.push_back(blocks[f][k][i / 3]);
              mass_places.push_back(place + n_coordinates * k + i);
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
          place += n_coordinates * neighbours[f].size();
        }
    mass = std::make_unique<SparseMatrix>(owned, std::move(rows));
    gravity_load.reinit(owned);
    double sum = 0;
    for (unsigned int f = 0; f < carried.size(); ++f)
      {
        sum += carried[f];
        for (unsigned int c = 0; c < 3; ++c)
          gravity_load.local_element(n_coordinates * f + c) =
            carried[f] * parameters.gravity[c];
      }
    total_mass = sum_over_ranks(sum);
  }



  void
  Multibody::make_start()
  {
    const auto [first, end] = layout.owned();
    start.q.reinit(owned);
    start.v.reinit(owned);
    for (unsigned int frame = first; frame < end; ++frame)
      {
        const FramePlace   place = layout.place(frame);
        const auto        &body  = layout.body(place.body);
        const Frame        at    = layout.reference(place);
        const unsigned int at_q  = n_coordinates * (frame - first);
        at.write(start.q.begin() + at_q);
        const Vector3 origin =
          body.type == "rigid" ? body.centre : body.point_of_line(0);
        Frame velocity;
        velocity.origin =
          body.velocity + cross(body.angular_velocity, at.origin - origin);
        for (unsigned int i = 0; i < 3; ++i)
          velocity.d[i] = cross(body.angular_velocity, at.d[i]);
        velocity.write(start.v.begin() + at_q);
      }
  }



  void
  Multibody::make_loads()
  {
    for (const auto &[name, load] : parameters.loads)
      {
        const unsigned int frame = layout.number(layout.frame_of(
          MultibodyPlace::read(load.on, parameters, "loads/" + name + "/on")));
        if (layout.owns(frame))
          {
            const unsigned int local = frame - layout.owned().first;
            loads.push_back({local, index_in(neighbours[local], frame), &load});
          }
      }
  }



  /// Positions and velocities of frames' origins are among the coordinates.
  void
  Multibody::make_feedback()
  {
    for (const auto &[name, feedback] : parameters.feedbacks)
      {
        const std::string path      = "feedback/" + name;
        const auto        row_along = [&](const std::string                &place,
                                   const MultibodyParameters::Point &direction,
                                   const std::string                &entry) {
          const unsigned int frame = layout.number(layout.frame_of(
            MultibodyPlace::read(place, parameters, path + "/" + entry)));
          Delays::Row        row;
          for (unsigned int c = 0; c < 3 && layout.owns(frame); ++c)
            if (direction[c] != 0)
              row.emplace_back(n_coordinates * (frame - layout.owned().first) +
                                 c,
                               direction[c]);
          return row;
        };
        const bool is_velocity = feedback.quantity == "velocity";
        const auto sensor =
          row_along(feedback.sensor, feedback.sensor_direction, "sensor");
        double at_start = 0;
        for (const auto &[i, weight] : sensor)
          at_start += weight * start.q.local_element(i);
        feedback_loops.add(
          {name,
           is_velocity ? Argument::velocity : Argument::position,
           sensor,
           row_along(feedback.actuator, feedback.force_direction, "actuator"),
           is_velocity ? 0 : sum_over_ranks(at_start),
           feedback.controller},
          "model/multibody/" + path + "/delay",
          past);
      }
    if (!parameters.feedbacks.empty())
      past.complete(*this, Delays::steady(start), "model/multibody/feedback");
  }



  void
  Multibody::make_constraints()
  {
    std::vector<QuadraticConstraint> all;
    const auto append = [&all](const std::vector<QuadraticConstraint> &some) {
      all.insert(all.end(), some.begin(), some.end());
    };
    for (unsigned int f = 0; f < neighbours.size(); ++f)
      append(director_constraints(f));
    for (const JointOfFrames &joint : layout.joints())
      append(joint.constraints());
    for (const JointOfFrames &joint : layout.closing_joints())
      append(joint.constraints());
    tree = std::make_unique<FrameTree>(layout.joints(),
                                       layout.order(),
                                       communicator);
    const bool has_loops =
      dealii::Utilities::MPI::max(static_cast<unsigned int>(
                                    layout.closing_joints().size()),
                                  communicator) > 0;
    joints =
      std::make_unique<FrameConstraints>(std::move(all),
                                         has_loops ? nullptr : tree.get());
  }



  void
  Multibody::check_joints() const
  {
    SparseMatrix::Rows G;
    joints->jacobian(start.q, G);
    const std::vector<double> g = joints->residuals(start.q);
    const double length = start.q.linfty_norm(), speed = start.v.linfty_norm();
    unsigned int i =
      Frame::n_constraints * static_cast<unsigned int>(neighbours.size());
    const auto check = [&](const JointOfFrames &joint) {
      for (unsigned int k = 0; k < joint.constraints().size(); ++k, ++i)
        {
          double rate = 0;
          for (PetscInt e = G.start[i]; e < G.start[i + 1]; ++e)
            rate += G.values[e] * start.v.local_element(G.columns[e]);
          std::ostringstream text;
          if (std::abs(g[i]) > 1e-9 * length)
            text << "the joint does not hold at the start: " << g[i] << " m";
          else if (std::abs(rate) > 1e-9 * speed)
            text << "the velocities at the start violate the joint by " << rate
                 << " m/s";
          if (!text.str().empty())
            throw EntryError("model/multibody/joints/" + joint.name + "/type",
                             text.str());
        }
    };
    std::for_each(layout.joints().begin(), layout.joints().end(), check);
    std::for_each(layout.closing_joints().begin(),
                  layout.closing_joints().end(),
                  check);
  }



  double
  Multibody::sum_over_ranks(const double value) const
  {
    return owned->n_mpi_processes() == 1 ?
             value :
             dealii::Utilities::MPI::sum(value, communicator);
  }



  /// The length of the momentum over the mass.
  double
  Multibody::mean_velocity(const State &state) const
  {
    mass->multiply(state.v, work);
    Vector3 momentum;
    for (unsigned int f = 0; f < neighbours.size(); ++f)
      for (unsigned int c = 0; c < 3; ++c)
        momentum[c] += work.local_element(n_coordinates * f + c);
    double square = 0;
    for (unsigned int c = 0; c < 3; ++c)
      square += std::pow(sum_over_ranks(momentum[c]), 2);
    return total_mass > 0 ? std::sqrt(square) / total_mass : 0;
  }



  std::vector<std::pair<std::string, std::string>>
  Multibody::facts() const
  {
    unsigned int n_elements = 0;
    for (unsigned int b = 0; b < parameters.bodies.size(); ++b)
      if (layout.body(b).type == "beam")
        n_elements += layout.body(b).n_elements;
    return {{"frames", std::to_string(layout.size())},
            {"beam elements", std::to_string(n_elements)},
            {"coordinates", std::to_string(owned->size())},
            {"constraints",
             std::to_string(
               dealii::Utilities::MPI::sum(joints->size(), communicator))},
            {"independent velocities",
             std::to_string(tree->partition()->size())},
            {"mass", shortest_text(total_mass) + " kg"}};
  }



  const Registration<MechanicalModel, Multibody>
    registration("multibody",
                 "rigid bodies and geometrically exact beams with joints, "
                 "loads and contacts, in space");
} // namespace Percuss
