// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/bilateral_constraints.h>

#include <string>
#include <vector>

#include "multibody_frame.h"

namespace Percuss
{
  /// A constraint that is quadratic in the origins and directors x of frames,
  /// @f[ g = c + \sum a_l\cdot x_l + \sum w_t\,x_t\cdot x_t', @f]
  /// as all joints and all internal constraints of directors are. Vectors are
  /// numbered: 4 times the local number of the frame, plus 0 for the origin, 1,
  /// 2, 3 for the directors.
  struct QuadraticConstraint
  {
    struct LinearTerm
    {
      unsigned int vector;
      Vector3      a;
    };

    struct ProductTerm
    {
      unsigned int first, second;
      double       w;
    };

    double                   constant = 0;
    std::vector<LinearTerm>  linear   = {};
    std::vector<ProductTerm> products = {};

    double
    value(const double *q) const;

    /// v . (d^2 g/dq^2) v.
    double
    curvature(const double *v) const;
  };



  /// How a frame hangs on another one (or on the ground), and which velocities
  /// this leaves it.
  struct JointOfFrames
  {
    enum class Type
    {
      free,        ///< no joint at all: (velocity of the origin, omega)
      spherical,   ///< omega
      revolute,    ///< rate of the angle about n
      prismatic,   ///< rate of the way along n
      cylindrical, ///< both: angle, way
      universal,   ///< angle about n, angle about s
      rigid        ///< none
    };

    static constexpr unsigned int ground = static_cast<unsigned int>(-1);

    std::string  name; ///< of the joint in the file; empty for none
    Type         type   = Type::free;
    unsigned int parent = ground; ///< local number of a frame
    unsigned int child  = 0;

    /// The joint's point in the parent's and in the child's frame.
    Vector3 X, Y;
    /// n and two unit vectors normal to it in the parent's frame.
    Vector3 n, m1, m2;
    /// In the child's frame: two unit vectors normal to n; for universal
    /// joints the second axis s is the first of them.
    Vector3 t1, t2;
    double  cosine = 0; ///< of the angle between n and s
    /// In the parent's frame: what the child's directors were at the start.
    std::array<Vector3, 3> directors;

    static Type
    type_of(const std::string &word);

    unsigned int
    n_velocities() const;

    /// The joint of two frames with the point @p x and the axes @p axis (in
    /// the parent) and @p second_axis (in the child), all in space.
    static JointOfFrames
    make(Type           type,
         const Frame   &parent,
         const Frame   &child,
         const Vector3 &x,
         const Vector3 &axis,
         const Vector3 &second_axis);

    /// Its equations between the two frames.
    std::vector<QuadraticConstraint>
    constraints() const;
  };



  /// The internal constraints d_i . d_j = delta_ij of a frame.
  std::vector<QuadraticConstraint>
  director_constraints(unsigned int frame);



  /// The frames of a rank, each with the joint by which it hangs in a tree.
  /// Velocities of a frame, that of its origin and omega, follow from those of
  /// its parent: see joint_velocities() in the source.
  class FrameTree : public NullSpace
  {
  public:
    /// @p joints: one for each frame of this rank; a parent comes before its
    /// children in @p order, which lists all of them.
    FrameTree(const std::vector<JointOfFrames> &joints,
              const std::vector<unsigned int>  &order,
              MPI_Comm                          communicator);

    const Partition &
    partition() const override
    {
      return numbering;
    }

    void
    matrix(const Vector &q, SparseMatrix::Rows &P) const override;

    void
    displace(const Vector &nu, Vector &q) const override;

    /// The local number of the first velocity of a frame.
    unsigned int
    first_velocity(const unsigned int frame) const
    {
      return first[frame];
    }

  private:
    /// The velocity of the origin and omega of a frame for one unit of nu.
    struct Twist
    {
      unsigned int column;
      Vector3      velocity, omega;
    };

    /// Fills the twists of all frames.
    void
    find_twists(const double *q) const;

    void
    add_own_twists(const JointOfFrames &joint,
                   const Frame         &parent,
                   const Frame         &child,
                   std::vector<Twist>  &twists) const;

    Matrix3
    turn(const JointOfFrames &joint,
         const double        *u,
         const Frame         &parent,
         const Frame         &child) const;

    /// The frame at @p q, or the ground.
    static Frame
    frame_at(const double *q, unsigned int number);

    const std::vector<JointOfFrames>        joints;
    const std::vector<unsigned int>         order;
    std::vector<unsigned int>               first;
    Partition                               numbering;
    mutable std::vector<std::vector<Twist>> twists; ///< of each frame
    mutable std::vector<Matrix3>            turned; ///< rotation of each frame
    mutable std::vector<double>             before; ///< coordinates
  };



  /// All constraints of a rank's frames: internal ones, joints.
  class FrameConstraints : public BilateralConstraints
  {
  public:
    /// @p tree is null where joints close a loop.
    FrameConstraints(std::vector<QuadraticConstraint> constraints,
                     const NullSpace                 *tree);

    unsigned int
    size() const override
    {
      return static_cast<unsigned int>(all.size());
    }

    std::vector<double>
    residuals(const Vector &q) const override;

    void
    jacobian(const Vector &q, SparseMatrix::Rows &G) const override;

    std::vector<double>
    curvature(const Vector &q, const Vector &v) const override;

    void
    add_hessian(const Vector              &q,
                const std::vector<double> &mu,
                double                     factor,
                SparseMatrix              &matrix) const override;

    const NullSpace *
    null_space() const override
    {
      return tree;
    }

  private:
    std::vector<QuadraticConstraint> all;
    SparseMatrix::Rows               pattern;
    /// For each term of each constraint, where its coefficients go.
    std::vector<std::vector<PetscInt>> places;
    const NullSpace *const             tree;
  };
} // namespace Percuss
