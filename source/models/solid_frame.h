// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/tensor.h>

#include <cmath>

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
} // namespace Percuss
