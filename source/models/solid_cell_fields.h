// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <vector>

#include "solid_mesh.h"
#include "solid_transfer.h"

namespace Percuss
{
  /// Between vectors of degrees of freedom and the values of own cells, in the
  /// order of SolidMesh::own_cells().
  template <int dim>
  class CellFields
  {
  public:
    using Kind = CellMotion::Fields CellMotion::*;

    /// All outlive this object. @p numbering is that of nodes, @p hanging those
    /// that hang; @p owned and @p relevant have degrees of freedom.
    CellFields(const SolidMesh<dim>                    &mesh,
               const dealii::DoFHandler<dim>           &numbering,
               const dealii::AffineConstraints<double> &hanging,
               const Partition                         &owned,
               const Partition                         &relevant);

    /// Gives cells one more field, from the values of all nodes in the order of
    /// `relevant`.
    void
    split(const double            *values,
          Kind                     kind,
          std::vector<CellMotion> &motions) const;

    /// The field of this number at own nodes.
    Vector
    collect(const std::vector<CellMotion> &motions,
            Kind                           kind,
            std::size_t                    number) const;

    /// The momentum of cells in each shape function, of a field in the mean:
    /// M v for the projection that is orthogonal in the mass. Momenta are kept
    /// by it, and the kinetic energy does not grow.
    Vector
    momentum(const std::vector<CellMotion> &motions,
             std::size_t                    number,
             CellMass<dim>                 &mass,
             const std::function<double(const typename CellMass<dim>::Cell &)>
               &density) const;

  private:
    using Node = dealii::types::global_dof_index;

    /// Calls @p action(nodes, cell, number of the cell).
    template <typename Action>
    void
    for_cells(const Action &action) const;

    const SolidMesh<dim>                    &mesh;
    const dealii::DoFHandler<dim>           &numbering;
    const dealii::AffineConstraints<double> &hanging;
    const Partition                          owned, relevant;
  };
} // namespace Percuss
