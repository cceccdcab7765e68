// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <mpi.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "solid_mortar_faces.h"

namespace Percuss
{
  /// How faces of the slave side find those of the master side.
  struct MortarSearch
  {
    /// Along the slave's normal, in m; overlaps deeper than a quarter of it
    /// count as the other side of a body.
    double distance = 0;

    /// Of self-contact of one side: the lower face of a pair is the slave.
    bool is_one_side = false;
  };



  /// A node of the slave side in front of the master side, with its constraint
  /// @f[ g_j = \nu_j\cdot\sum_k c_{jk}\,x_k, \qquad
  ///     c_{jk} = \frac1{w_j}\int\psi_j\,(N_k^{slave} - N_k^{master}), \qquad
  ///     w_j = \int\psi_j. @f]
  template <int dim>
  struct MortarNode
  {
    struct Entry
    {
      double                coefficient = 0; ///< c_jk
      dealii::Point<dim>    place;
      std::array<char, dim> is_fixed{};
    };

    double                 weight = 0; ///< w_j, in m or m^2
    double                 whole  = 0; ///< the same if all were covered
    dealii::Tensor<1, dim> normal;     ///< nu_j, out of the master
    std::map<dealii::types::global_dof_index, Entry> entries;

    /// In the undeformed bodies, in m.
    double
    gap() const;
  };

  template <int dim>
  struct MortarCoupling
  {
    std::map<dealii::types::global_dof_index, MortarNode<dim>> nodes;

    /// The most that a slave face is covered; above 1 where it sees more than
    /// one layer of the master.
    double most_covered = 0;
  };

  /// The constraints of the nodes of slave faces. Where a face is covered
  /// completely its functions psi_j are biorthogonal to the shape functions
  /// N_k,
  /// @f[ \int\psi_j N_k = \delta_{jk}\int N_k, @f]
  /// where it is covered in part they are those of degree 1 between the nodes,
  /// which have no negative weights; both add up to 1. Nodes of which faces are
  /// missing on this rank are not complete.
  template <int dim>
  MortarCoupling<dim>
  couple(const MortarShapes<dim>            &shapes,
         const std::vector<MortarFace<dim>> &slaves,
         const std::vector<MortarFace<dim>> &masters,
         const MortarSearch                 &search);

  /// The coefficients e_jl of psi_j = sum_l e_jl N_l, row by row, from the
  /// integrals of N_j and N_j N_k on a face.
  std::vector<double>
  dual_coefficients(const std::vector<double> &integrals,
                    const std::vector<double> &products);

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
