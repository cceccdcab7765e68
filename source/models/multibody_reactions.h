// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/sparse_products.h>
#include <percuss/mechanics/state.h>

#include <memory>
#include <vector>

#include "multibody_layout.h"

namespace Percuss
{
  /// What a joint does to its second place.
  struct JointReaction
  {
    Vector3 point;  ///< of the joint
    Vector3 force;  ///< in N
    Vector3 moment; ///< about the point, in N m
  };



  /// Finds the reactions of joints from what schemes keep of them, the sum of
  /// all joints' forces on the coordinates: the multipliers solve
  /// @f[ G G^T \mu = G j. @f]
  /// Where joints are redundant, as in loops of plane mechanisms, the smallest
  /// multipliers are taken.
  class JointReactions
  {
  public:
    JointReactions(const MultibodyParameters &parameters,
                   const MultibodyLayout     &layout);

    /// The joints of this rank by their numbers in the file, in the order of
    /// compute().
    const std::vector<unsigned int> &
    joints() const
    {
      return numbers;
    }

    /// Mean over the last step: the memories "joint impulse" and "joint force"
    /// of the state, or zero without them. Impulses of the start or the middle
    /// of a step are taken at its end less the way from there.
    const std::vector<JointReaction> &
    compute(const State &state) const;

  private:
    struct Item
    {
      JointOfFrames joint;
      unsigned int  first_row, end_row; ///< in the constraints
      double        sign; ///< -1 where the child is the first place
    };

    /// Adds @p factor times the reactions that make up the forces @p j on the
    /// coordinates at @p q.
    void
    add(const Vector &q, const Vector &j, double factor) const;

    /// Adds the forces of all parts of the state.
    void
    add_parts(const State &state) const;

    /// Whether the result is that of this state already.
    bool
    is_computed(const State &state) const;

    std::vector<unsigned int> numbers;
    std::vector<Item>         items;
    /// Of joints, and of the directors of the frames that they tie.
    std::unique_ptr<FrameConstraints>  constraints;
    std::size_t                        n_coordinates = 0; ///< of these frames
    mutable std::vector<JointReaction> reactions;
    mutable std::vector<double>        key;
    mutable SparseMatrix::Rows         G, transposed;
    mutable SparseProduct              product;
  };
} // namespace Percuss
