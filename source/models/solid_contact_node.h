// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/tensor.h>

#include <array>
#include <cmath>
#include <optional>

#include "solid_mortar.h"

namespace Percuss
{
  /// A direction normal to @p normal, along the axis that is most normal to it.
  template <int dim>
  dealii::Tensor<1, dim>
  first_tangent(const dealii::Tensor<1, dim> &normal)
  {
    unsigned int axis = 0;
    for (unsigned int d = 1; d < dim; ++d)
      if (std::abs(normal[d]) < std::abs(normal[axis]))
        axis = d;
    dealii::Tensor<1, dim> tangent;
    tangent[axis] = 1;
    tangent -= normal[axis] * normal;
    return tangent / tangent.norm();
  }



  /// An own node of a solid in front of an obstacle or side, with its frame at
  /// the start.
  template <int dim>
  struct SolidContactNode
  {
    unsigned int           contact; ///< of the file
    unsigned int           node;    ///< local
    dealii::Tensor<1, dim> first_normal, first_tangent;
    double                 area = 0; ///< the integral of its function, in m^2
    unsigned int           constraint = 0; ///< in its weighted side

    /// The normal and, for friction, tangents.
    std::array<dealii::Tensor<1, dim>, dim>
    frame(const dealii::Tensor<1, dim> &normal) const;

    /// In front of a side, where the contacts were placed last.
    dealii::Tensor<1, dim> normal  = {};
    bool                   is_open = false; ///< it is in front of nothing

    /// Where its pair is that of the start, and other contacts change.
    std::optional<MortarNode<dim>> first_pair = {};

    /// Keeps of a pair what is for output.
    void
    show(const MortarNode<dim> &pair, const double thickness)
    {
      normal  = pair.normal;
      is_open = pair.weight == 0;
      area    = thickness * (is_open ? pair.whole : pair.weight);
    }
  };
} // namespace Percuss
