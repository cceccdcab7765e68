// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "solid_mortar_faces.h"

namespace Percuss
{
  /// How faces of the slave side find those of the master side.
  struct MortarSearch
  {
    /// The cosine of the normals of faces that face each other is below this.
    static constexpr double facing = -0.3;

    /// Along the slave's normal, in m.
    double distance = 0;

    /// Overlaps deeper than this count as the other side of a body, in m.
    double
    deepest() const
    {
      return distance / 4;
    }

    /// Of self-contact of one side: of a pair the face whose first node has the
    /// lower number is the slave, so that parts of a body that touch each other
    /// have one role each.
    bool is_one_side = false;

    /// Points of the slave slide over the master: constraints have the normals
    /// of the master, so that the rate of the gap is the velocity in their
    /// direction. With those of the slave a point that slides by s up a slope
    /// alpha against the slave's would enter the master by s alpha.
    bool follows_motion = false;

    /// Faces of one body that share a node do not touch each other.
    template <int dim>
    bool
    may_touch(const MortarFace<dim> &slave, const MortarFace<dim> &master) const
    {
      if (is_one_side && master.nodes[0] < slave.nodes[0])
        return false;
      return std::find_first_of(slave.nodes.begin(),
                                slave.nodes.end(),
                                master.nodes.begin(),
                                master.nodes.end()) == slave.nodes.end();
    }
  };



  /// A node of the slave side in front of the master side, with its constraint
  /// @f[ g_j = \nu_j\cdot\sum_k c_{jk}\,x_k, \qquad
  ///     c_{jk} = \frac1{w_j}\int\psi_j\,(N_k^{slave} - N_k^{master}), \qquad
  ///     w_j = \int\psi_j. @f]
  template <int dim>
  struct MortarNode
  {
    double                 weight = 0; ///< w_j, in m or m^2
    double                 whole  = 0; ///< the same if all were covered
    dealii::Tensor<1, dim> normal;     ///< nu_j, out of the master, length 1
    dealii::Tensor<1, dim> way;        ///< sum_k c_jk x_k, in m
    /// c_jk. Those of nodes that hang are shared out to what they hang on.
    std::map<dealii::types::global_dof_index, double> coefficients;

    /// In m.
    double
    gap() const
    {
      return normal * way;
    }
  };

  template <int dim>
  struct MortarCoupling
  {
    using Nodes = std::map<dealii::types::global_dof_index, MortarNode<dim>>;

    Nodes nodes;
    Nodes open; ///< of the slave side, in front of nothing

    /// The most that a slave face is covered; above 1 where it sees more than
    /// one layer of the master.
    double most_covered = 0;
  };

  /// For each slave face the numbers of the master faces whose boxes are within
  /// a distance of its own, ascending.
  using MortarCandidates = std::vector<std::vector<std::size_t>>;

  template <int dim>
  MortarCandidates
  find_candidates(const std::vector<MortarFace<dim>> &slaves,
                  const std::vector<MortarFace<dim>> &masters,
                  double                              distance);

  /// The constraints of the nodes of slave faces. Where a face is covered
  /// completely its functions psi_j are biorthogonal to the shape functions
  /// N_k,
  /// @f[ \int\psi_j N_k = \delta_{jk}\int N_k, @f]
  /// where it is covered in part they are dual to those of degree 1 of the
  /// corners of the covered part; both add up to 1 and have positive weights. A
  /// node that hangs gives its function to those it hangs on, by their weights.
  /// Nodes of which faces are missing on this rank are not complete. Further
  /// candidates than those of the search distance change nothing.
  template <int dim>
  MortarCoupling<dim>
  couple(const MortarShapes<dim>            &shapes,
         const std::vector<MortarFace<dim>> &slaves,
         const std::vector<MortarFace<dim>> &masters,
         const MortarCandidates             &candidates,
         const MortarSearch                 &search);

  /// The coefficients e_jl of psi_j = sum_l e_jl N_l, row by row, from the
  /// integrals of N_j and N_j N_k on a face.
  std::vector<double>
  dual_coefficients(const std::vector<double> &integrals,
                    const std::vector<double> &products);

  /// The @p own faces of all ranks with nodes, or nodes that hang on those,
  /// that this rank owns. Collective.
  template <int dim>
  std::vector<MortarFace<dim>>
  fetch_around(const std::vector<MortarFace<dim>> &own, const Partition &dofs);

  /// The own faces of all ranks that lie within @p distance of the box around
  /// the places of a rank's @p slaves. Collective.
  template <int dim>
  std::vector<MortarFace<dim>>
  fetch_near(const std::vector<MortarFace<dim>> &own,
             const std::vector<MortarFace<dim>> &slaves,
             double                              distance,
             MPI_Comm                            communicator);

  /// The longest edge or diagonal of faces of all ranks, in m. Collective.
  template <int dim>
  double
  largest_diameter(const std::vector<MortarFace<dim>> &faces,
                   MPI_Comm                            communicator);
} // namespace Percuss
