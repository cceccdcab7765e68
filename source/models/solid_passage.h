// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/numbers.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <mpi.h>

#include <map>
#include <vector>

#include "solid_mortar.h"

// What passes through a side without being seen by its contacts.

namespace Percuss
{
  /// A node where faces enclose so little that a face which it meets along its
  /// axis faces none of them. With the outer normals n_i of the faces and the
  /// axis a, their mean, that is where all
  /// @f[ n_i\cdot a \le 0.3; @f]
  /// two faces that enclose alpha have n_i a = sin(alpha/2).
  template <int dim>
  struct MortarTip
  {
    std::vector<dealii::Tensor<1, dim>> normals; ///< of the facets around it
    double                              angle;   ///< alpha, in rad
  };

  template <int dim>
  using MortarTips = std::map<dealii::types::global_dof_index, MortarTip<dim>>;

  /// The tips of faces in their present places. Those of which faces are
  /// missing may be missing.
  template <int dim>
  MortarTips<dim>
  find_tips(const MortarShapes<dim>            &shapes,
            const std::vector<MortarFace<dim>> &faces);

  /// What has passed in a step.
  struct MortarPassage
  {
    /// The longest way along a slave's normal, in m, of facets that were in
    /// front of each other before it and are in each other deeper than the
    /// search sees after it; 0 where there are none.
    double way = 0;

    /// Whether a tip has entered a facet that none of its faces faces, and how
    /// much such a tip encloses at least, in rad.
    bool   has_tip = false;
    double angle   = dealii::numbers::PI;

    /// Collective.
    MortarPassage
    of_all_ranks(MPI_Comm communicator) const;
  };

  /// Of faces, node by node, in a step.
  template <int dim>
  using MortarWays = std::vector<std::vector<dealii::Tensor<1, dim>>>;

  /// Of faces in their places after the step, to which ways led them. @p
  /// candidates have all that are closer to each other than twice the longest
  /// way.
  template <int dim>
  MortarPassage
  find_passage(const MortarShapes<dim>            &shapes,
               const std::vector<MortarFace<dim>> &slaves,
               const std::vector<MortarFace<dim>> &masters,
               const MortarWays<dim>              &ways_of_slaves,
               const MortarWays<dim>              &ways_of_masters,
               const MortarCandidates             &candidates,
               const MortarSearch                 &search);
} // namespace Percuss
