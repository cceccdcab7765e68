// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/types.h>

#include <utility>
#include <vector>

namespace Percuss
{
  /// A node on the face or edge of a larger cell, and the nodes that it hangs
  /// on: their first degrees of freedom, counted as in Solid's `relevant`, and
  /// weights.
  struct HangingNode
  {
    unsigned int                                 first;
    std::vector<std::pair<unsigned int, double>> on;
  };

  /// The nodes of a cell as sums of free ones.
  struct FreeNodes
  {
    std::vector<dealii::types::global_dof_index> nodes;
    /// For each node of the cell, places in `nodes` and weights.
    std::vector<std::vector<std::pair<unsigned int, double>>> weights;
  };
} // namespace Percuss
