// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "multibody_beam.h"
#include "multibody_entries.h"
#include "multibody_frame.h"
#include "multibody_joints.h"

namespace Percuss
{
  /// A frame by its origin in the file: a body and the number of a node.
  struct FramePlace
  {
    unsigned int body = 0, node = 0;

    bool
    operator<(const FramePlace &other) const
    {
      return std::pair(body, node) < std::pair(other.body, other.node);
    }
  };



  /// Numbers the frames of all bodies and tells where they are at the start.
  /// Frames that joints or contacts tie to others come first and belong to rank
  /// 0, so that joints never reach from rank to rank; all others, mostly inner
  /// nodes of beams, follow in the order of the file, in equal shares. No rank
  /// lists all of them.
  class MultibodyLayout
  {
  public:
    /// @throws EntryError where a place does not exist or joints contradict
    /// each other
    MultibodyLayout(const MultibodyParameters &parameters,
                    MPI_Comm                   communicator);

    /// Of frames.
    unsigned int
    size() const
    {
      return n_frames;
    }

    /// The frames of this rank, [first, second).
    std::pair<unsigned int, unsigned int>
    owned() const
    {
      return range;
    }

    bool
    owns(const unsigned int frame) const
    {
      return frame >= range.first && frame < range.second;
    }

    unsigned int
    number(const FramePlace &place) const;

    FramePlace
    place(unsigned int frame) const;

    /// Where a text of the file points to.
    FramePlace
    frame_of(const MultibodyPlace &place) const;

    unsigned int
    n_nodes(unsigned int body) const;

    Frame
    reference(const FramePlace &place) const;

    /// @throws EntryError on this rank, where the directions of its frames are
    /// not known or flip from node to node
    void
    check_directions() const;

    /// The joints of this rank's frames, one for each, and how to go through
    /// them from parents to children.
    const std::vector<JointOfFrames> &
    joints() const
    {
      return tree_joints;
    }
    const std::vector<unsigned int> &
    order() const
    {
      return tree_order;
    }

    /// Joints that close loops, on rank 0.
    const std::vector<JointOfFrames> &
    closing_joints() const
    {
      return loops;
    }

    BeamSection
    section(unsigned int body) const;

    /// The principal moments of inertia of a rigid body, in kg m^2: as given,
    /// or those of its shape.
    static Vector3
    inertia(const MultibodyParameters::Body &body);

    const MultibodyParameters::Body &
    body(const unsigned int number) const
    {
      return parameters.bodies[number].second;
    }

  private:
    /// A curve of the file, s from 0 to 1.
    class Curve;

    class TreeBuilder;

    void
    find_tied_frames();

    void
    number_free_frames(MPI_Comm communicator);

    void
    build_tree();

    Frame
    reference_of_beam(const MultibodyParameters::Body &beam,
                      unsigned int                     body,
                      double                           s) const;

    const MultibodyParameters                 parameters;
    std::vector<FramePlace>                   tied;       ///< ascending
    std::vector<unsigned int>                 free_start; ///< of each body
    unsigned int                              n_frames = 0;
    std::pair<unsigned int, unsigned int>     range;
    std::vector<JointOfFrames>                tree_joints, loops;
    std::vector<unsigned int>                 tree_order;
    std::vector<std::shared_ptr<const Curve>> curves; ///< of each body
  };
} // namespace Percuss
