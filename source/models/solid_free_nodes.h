// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/types.h>
#include <deal.II/lac/affine_constraints.h>

#include <utility>
#include <vector>

namespace Percuss
{
  /// The nodes of a cell as sums of free ones: those that hang on others, u_h =
  /// sum_i w_hi u_i, are not free.
  struct FreeNodes
  {
    using Node    = dealii::types::global_dof_index;
    using Weights = std::vector<std::pair<unsigned int, double>>;

    /// @p hanging are the nodes that hang.
    FreeNodes(const std::vector<Node>                 &of_cell,
              const dealii::AffineConstraints<double> &hanging);

    std::vector<Node> nodes;
    /// For each node of the cell, places in `nodes` and weights.
    std::vector<Weights> weights;
    bool                 has_hanging_nodes = false;
  };

  /// The matrices of a cell, of its free nodes: a number and a block, column by
  /// column, for each pair. T^T M T and T^T K T with the weights T. A lumped
  /// mass stays diagonal: what a hanging node has goes to those it hangs on, by
  /// their weights.
  struct CondensedCell
  {
    CondensedCell(const FreeNodes           &free,
                  const std::vector<double> &mass_of_cell,
                  const std::vector<double> &stiffness_of_cell,
                  bool                       is_lumped);

    const FreeNodes     free;
    std::vector<double> mass, stiffness;
  };

  /// A node on the face or edge of a larger cell, and the nodes that it hangs
  /// on: their first degrees of freedom, and weights.
  struct HangingNode
  {
    unsigned int       first;
    FreeNodes::Weights on;
  };

  /// Those of @p nodes that hang, with degrees of freedom counted as in
  /// @p numbering, @p size of each node.
  std::vector<HangingNode>
  find_hanging_nodes(const std::vector<FreeNodes::Node>      &nodes,
                     const dealii::AffineConstraints<double> &hanging,
                     unsigned int                             size,
                     const Partition                         &numbering);

  /// Gives hanging nodes their values, x = T x.
  void
  interpolate(const std::vector<HangingNode> &nodes,
              unsigned int                    size,
              double                         *x);

  /// Their forces go to the nodes that they hang on, y = T^T y.
  void
  distribute(const std::vector<HangingNode> &nodes,
             unsigned int                    size,
             double                         *y);
} // namespace Percuss
