// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/symmetric_blocks.h>
#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/tensor.h>
#include <deal.II/fe/fe.h>
#include <deal.II/fe/fe_values.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "solid_condensed.h"
#include "solid_material.h"
#include "solid_strain_kernel.h"

namespace Percuss
{
  /// Forces, energies and tangents of cells whose strains may be large, over
  /// the undeformed volume, by Gauss' quadrature with p+1 points in each
  /// direction:
  /// @f[ f_a = \int P\,\nabla N_a\,dV. @f]
  /// Each rank integrates the cells around its own nodes, or, where nodes hang
  /// on others, its own cells. Positions are given with those of all nodes of
  /// these cells.
  template <int dim>
  class LargeStrains
  {
  public:
    LargeStrains(const std::vector<SolidMaterial>          &materials,
                 const std::shared_ptr<const BlockPattern> &pattern,
                 const dealii::FiniteElement<dim>          &element,
                 const dealii::Quadrature<dim>             &quadrature);

    /// After the last cell. Where nodes hang on any rank, with the weights of
    /// the same cells, all of which are own ones.
    void
    finish(std::unique_ptr<CondensedCells<dim>> cells_with_weights);

    /// A cell with at least one own node.
    struct Cell
    {
      std::vector<unsigned int> places;  ///< of each node's first entry in q
      std::vector<unsigned int> columns; ///< in the pattern
      std::vector<unsigned int> numbers; ///< of the nodes, global ones
      unsigned int              material;
      bool                      is_own;
    };

    /// @p values has inverse Jacobians and weights of the quadrature.
    void
    add_cell(const Cell &cell, const dealii::FEValues<dim> &values);

    /// The strain energy of the own cells, in J.
    double
    energy(const double *q) const;

    /// Adds @p factor times the internal forces of own nodes.
    void
    add_forces(const double *q, double factor, Vector &f) const;

    /// Those of the mean stress between two positions.
    void
    add_mean_forces(const double *q_0,
                    const double *q_1,
                    double        factor,
                    Vector       &f) const;

    /// Adds @p factor times the derivative of the forces, but not to rows and
    /// columns of fixed degrees of freedom, to values of symmetric blocks.
    void
    add_tangent(const double            *q,
                double                   factor,
                const std::vector<bool> &is_fixed,
                double                  *blocks) const;

    /// The derivative of the forces of the mean stress by @p q_1, as far as it
    /// is symmetric.
    void
    add_mean_tangent(const double            *q_0,
                     const double            *q_1,
                     double                   factor,
                     const std::vector<bool> &is_fixed,
                     double                  *blocks) const;

  private:
    using Matrix    = dealii::Tensor<2, dim>;
    using Direction = dealii::Tensor<1, dim>;
    using Law       = ElasticLaw<dim>;

    /// The place of an entry of the geometry at a point of a cell, see
    /// StrainCell.
    std::size_t
    place_of(std::size_t cell, unsigned int point, unsigned int entry) const;

    Matrix
    inverse_jacobian(std::size_t point) const;

    /// Times the determinant of the Jacobian.
    double
    weight(const std::size_t point) const
    {
      return geometry[place_of(point / n_points, point % n_points, dim * dim)];
    }

    /// The gradient of the displacement at a point.
    Matrix
    gradient(const double *q, const Cell &cell, std::size_t point) const;

    /// Adds @p factor times the forces that @p integrate(number) leaves in the
    /// work space, for each cell.
    template <typename Integrate>
    void
    add_cells(const Integrate &integrate, double factor, Vector &f) const;

    /// The forces of the mean stress of a cell.
    void
    integrate_mean_forces(const double *q_0,
                          const double *q_1,
                          std::size_t   cell) const;

    template <typename Derivative>
    void
    integrate_tangent(const Derivative        &derivative,
                      double                   factor,
                      const std::vector<bool> &is_fixed,
                      double                  *blocks) const;

    /// Adds to the blocks of a cell, in the order of its nodes.
    void
    add_point(const typename Law::Derivative &derivative,
              std::size_t                     point,
              double                          weight) const;

    /// Where the blocks of a cell go.
    void
    find_places(const Cell &cell);

    void
    add_to_pattern(std::size_t              cell,
                   const std::vector<bool> &is_fixed,
                   double                  *blocks) const;

    const std::vector<SolidMaterial>         &materials;
    const std::shared_ptr<const BlockPattern> pattern;
    std::unique_ptr<CondensedCells<dim>>      condensed;         ///< or none
    const unsigned int                        n_nodes, n_points; ///< of a cell
    const unsigned int        n_groups;        ///< of points, see StrainCell
    std::vector<Direction>    shape_gradients; ///< of the unit cell
    std::vector<double>       gradients_of_groups, geometry; ///< of StrainCell
    std::vector<StrainKernel> kernels; ///< of the materials
    std::vector<Cell>         cells;

    /// Of the pairs of nodes i <= j of each cell: the place of the block in
    /// the pattern, or none. Without hanging nodes.
    std::vector<std::uint32_t>     pair_places;
    static constexpr std::uint32_t nowhere = -1;
    /// Work space.
    mutable std::vector<double>    force, displacements, cell_blocks;
    mutable std::vector<Direction> a, S_a, N_a, Y_a;
  };
} // namespace Percuss
