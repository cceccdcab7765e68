// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping.h>

#include <functional>
#include <vector>

#include "solid_mesh.h"

namespace Percuss
{
  /// What moves to another mesh: vectors of degrees of freedom.
  struct MovingFields
  {
    /// Joined cells keep the values at their own nodes: displacements, and
    /// tractions of contacts.
    std::vector<Vector> at_nodes;
    /// Joined cells keep the mean with each shape function, weighed by the
    /// mass: velocities and whatever is one in a step.
    std::vector<Vector> in_mean;
  };

  /// The same at the nodes of a cell, direction by direction for each node.
  struct CellMotion
  {
    using Fields = std::vector<std::vector<double>>;

    /// How many times the cell should be halved; -1 where it may be joined.
    double wish = 0;
    Fields at_nodes, in_mean;
    /// Of a cell that was joined from smaller ones, with their velocities v_K
    /// and masses: the integrals of density, velocity and shape functions,
    /// @f$ \sum_K P_K^T M_K v_K @f$, for each of the fields in the mean. Empty
    /// for other cells.
    Fields momenta;
  };

  /// Products with the mass of single cells.
  template <int dim>
  class CellMass
  {
  public:
    using Cell = typename dealii::Triangulation<dim>::cell_iterator;

    /// By quadrature at the nodes where it is @p lumped.
    CellMass(const dealii::Mapping<dim> &mapping,
             const dealii::FE_Q<dim>    &element,
             bool                        lumped);

    /// Adds @p density times the mass of a cell of density 1 times @p v.
    void
    add(const Cell                &cell,
        double                     density,
        const std::vector<double> &v,
        std::vector<double>       &momentum);

  private:
    dealii::FEValues<dim> values;
  };

  /// Carries the motion of cells along while a mesh is refined and coarsened,
  /// and cells go to other ranks. Smaller cells have the motion of the one they
  /// come from; joined cells have its values at their own nodes, and its
  /// momentum.
  template <int dim>
  class SolidTransfer
  {
  public:
    using Cell   = typename CellMass<dim>::Cell;
    using Status = typename SolidMesh<dim>::Triangulation::CellStatus;

    /// @p density is that of a cell of the mesh. All outlive this object.
    SolidTransfer(SolidMesh<dim>                            &mesh,
                  const dealii::Mapping<dim>                &mapping,
                  const dealii::FE_Q<dim>                   &element,
                  bool                                       lumped,
                  const std::function<double(const Cell &)> &density);

    /// Changes the mesh as the cells of this rank wish, which are in the order
    /// of SolidMesh::own_cells(): first some are halved, then some are joined.
    /// Before that, @p fill gives them their motion. @p cells are those of the
    /// new mesh then. Returns whether it is another one. Collective.
    bool
    fulfil(std::vector<CellMotion>                              &cells,
           const std::function<void(std::vector<CellMotion> &)> &fill);

  private:
    /// Changes the mesh as its flags ask for.
    void
    execute(std::vector<CellMotion> &cells);

    std::vector<char>
    pack(const Cell &cell, Status status);

    /// What a cell that is joined from its children gets.
    CellMotion
    join(const Cell &cell);

    using CellBytes = typename SolidMesh<dim>::CellBytes;

    void
    unpack(const Cell &cell, Status status, const CellBytes &bytes);

    /// What pack() has written.
    CellMotion
    read(const CellBytes &bytes) const;

    /// The motion of a cell that is known.
    const CellMotion &
    motion_of(const Cell &cell) const
    {
      return motions[cell->active_cell_index()];
    }

    /// Of all active cells that this rank knows; others are empty.
    std::vector<CellMotion>
    by_cell(const std::vector<CellMotion> &of_own_cells) const;

    SolidMesh<dim>                           &mesh;
    const dealii::FE_Q<dim>                  &element;
    const std::function<double(const Cell &)> density;
    CellMass<dim>                             mass;
    std::vector<CellMotion>                   motions;
  };
} // namespace Percuss
