// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>

#include "multibody_joints.h"

namespace Percuss
{
  using Type = JointOfFrames::Type;

  FrameTree::FrameTree(const std::vector<JointOfFrames> &joints,
                       const std::vector<unsigned int>  &order,
                       const MPI_Comm                    communicator)
    : joints(joints)
    , order(order)
    , twists(joints.size())
    , turned(joints.size())
  {
    unsigned int n = 0;
    for (const JointOfFrames &joint : joints)
      {
        first.push_back(n);
        n += joint.n_velocities();
      }
    numbering = make_partition(n, communicator);
  }



  Frame
  FrameTree::frame_at(const double *q, const unsigned int number)
  {
    return number == JointOfFrames::ground ?
             Frame::of_space() :
             Frame::read(q + Frame::n_coordinates * number);
  }



  /// The velocities that a joint itself allows. With the joint's point c of
  /// the child, which moves along a = m_1 x m_2 where it slides, phi' = c' +
  /// omega x (phi - c). (a is normal to m_1 and m_2 also where the directors of
  /// the parent are not orthonormal, as at the middle of a step.)
  void
  FrameTree::add_own_twists(const JointOfFrames &joint,
                            const Frame         &parent,
                            const Frame         &child,
                            std::vector<Twist>  &result) const
  {
    unsigned int  column = first[joint.child];
    const Vector3 arm    = -child.direction(joint.Y);
    const auto    turn   = [&](const Vector3 &axis) {
      result.push_back({column++, cross(axis, arm), axis});
    };
    const auto slide = [&](const Vector3 &direction) {
      result.push_back({column++, direction, Vector3()});
    };
    Matrix3 e = dealii::unit_symmetric_tensor<3>();
    switch (joint.type)
      {
        case Type::free:
          for (unsigned int c = 0; c < 3; ++c)
            slide(e[c]);
          for (unsigned int c = 0; c < 3; ++c)
            result.push_back({column++, Vector3(), e[c]});
          break;
        case Type::spherical:
          for (unsigned int c = 0; c < 3; ++c)
            turn(e[c]);
          break;
        case Type::revolute:
          turn(parent.direction(joint.n));
          break;
        case Type::prismatic:
          slide(cross(parent.direction(joint.m1), parent.direction(joint.m2)));
          break;
        case Type::cylindrical:
          turn(parent.direction(joint.n));
          slide(cross(parent.direction(joint.m1), parent.direction(joint.m2)));
          break;
        case Type::universal:
          turn(parent.direction(joint.n));
          turn(child.direction(joint.t1));
          break;
        case Type::rigid:
          break;
      }
  }



  /// From parents to children: with omega_p and the velocity of the parent's
  /// origin, the joint's point of the child moves with phi_p' + omega_p x (c -
  /// phi_p) plus what the joint allows, and the child turns with omega_p unless
  /// the joint is spherical.
  void
  FrameTree::find_twists(const double *q) const
  {
    for (const unsigned int number : order)
      {
        const JointOfFrames &joint  = joints[number];
        std::vector<Twist>  &result = twists[number];
        result.clear();
        const Frame   child  = frame_at(q, number);
        const Frame   parent = frame_at(q, joint.parent);
        const Vector3 c      = child.point(joint.Y);
        // For joints that do not slide both points are the same where they
        // hold; elsewhere the parent's one keeps G P = 0.
        const bool slides =
          joint.type == Type::prismatic || joint.type == Type::cylindrical;
        const Vector3 lever =
          (slides ? c : parent.point(joint.X)) - parent.origin;
        if (joint.parent != JointOfFrames::ground)
          for (const Twist &twist : twists[joint.parent])
            {
              const Vector3 of_point =
                twist.velocity + cross(twist.omega, lever);
              if (joint.type == Type::spherical)
                result.push_back({twist.column, of_point, Vector3()});
              else
                result.push_back(
                  {twist.column,
                   of_point + cross(twist.omega, child.origin - c),
                   twist.omega});
            }
        add_own_twists(joint, parent, child, result);
        std::sort(result.begin(),
                  result.end(),
                  [](const Twist &a, const Twist &b) {
                    return a.column < b.column;
                  });
      }
  }



  void
  FrameTree::matrix(const Vector &q, SparseMatrix::Rows &P) const
  {
    find_twists(q.begin());
    P.start.assign(1, 0);
    P.columns.clear();
    P.values.clear();
    const auto add = [&P](const unsigned int column, const double value) {
      P.columns.push_back(static_cast<PetscInt>(column));
      P.values.push_back(value);
    };
    const auto end_row = [&P]() {
      P.start.push_back(static_cast<PetscInt>(P.columns.size()));
    };
    for (unsigned int number = 0; number < joints.size(); ++number)
      {
        const Frame frame   = frame_at(q.begin(), number);
        const bool  is_free = joints[number].type == Type::free;
        for (unsigned int c = 0; c < 3; ++c, end_row())
          for (const Twist &twist : twists[number])
            if (!is_free || twist.column == first[number] + c)
              add(twist.column, twist.velocity[c]);
        for (unsigned int i = 0; i < 3; ++i)
          for (unsigned int c = 0; c < 3; ++c, end_row())
            for (const Twist &twist : twists[number])
              if (!is_free || (twist.column >= first[number] + 3 &&
                               twist.column != first[number] + 3 + c))
                add(twist.column, cross(twist.omega, frame.d[i])[c]);
      }
  }



  /// How a frame turns in space when its parent turns and the joint moves by u:
  /// first about the axes before the motion, then with the parent.
  Matrix3
  FrameTree::turn(const JointOfFrames &joint,
                  const double        *u,
                  const Frame         &parent,
                  const Frame         &child) const
  {
    const Matrix3 of_parent = joint.parent == JointOfFrames::ground ?
                                Matrix3(dealii::unit_symmetric_tensor<3>()) :
                                turned[joint.parent];
    switch (joint.type)
      {
        case Type::free:
          return rotation(Vector3({u[3], u[4], u[5]}));
        case Type::spherical:
          return rotation(Vector3({u[0], u[1], u[2]}));
        case Type::revolute:
        case Type::cylindrical:
          return of_parent * rotation(u[0] * parent.direction(joint.n));
        case Type::universal:
          return of_parent * rotation(u[0] * parent.direction(joint.n)) *
                 rotation(u[1] * child.direction(joint.t1));
        case Type::prismatic:
        case Type::rigid:
          break;
      }
    return of_parent;
  }



  /// Points and directions that joints share are taken from the parent, so that
  /// round-off does not add up from step to step.
  void
  FrameTree::displace(const Vector &nu, Vector &q) const
  {
    before.assign(q.begin(), q.end());
    for (const unsigned int number : order)
      {
        const JointOfFrames &joint      = joints[number];
        const double *const  u          = nu.begin() + first[number];
        const Frame          old        = frame_at(before.data(), number);
        const Frame          old_parent = frame_at(before.data(), joint.parent);
        const Frame          parent     = frame_at(q.begin(), joint.parent);
        const bool           slides =
          joint.type == Type::prismatic || joint.type == Type::cylindrical;
        turned[number] = turn(joint, u, old_parent, old);
        Frame moved;
        for (unsigned int i = 0; i < 3; ++i)
          moved.d[i] =
            joint.type == Type::rigid || joint.type == Type::prismatic ?
              parent.direction(joint.directors[i]) :
              turned[number] * old.d[i];
        orthonormalize(moved.d);
        if (joint.type == Type::free)
          moved.origin = old.origin + Vector3({u[0], u[1], u[2]});
        else
          moved.origin = parent.point(joint.X) - moved.direction(joint.Y);
        if (slides)
          {
            const double way =
              old_parent.direction(joint.n) *
                (old.point(joint.Y) - old_parent.point(joint.X)) +
              u[joint.n_velocities() - 1];
            moved.origin += way * parent.direction(joint.n);
          }
        moved.write(q.begin() + Frame::n_coordinates * number);
      }
  }
} // namespace Percuss
