// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/matrix_operator.h>
#include <percuss/linear_algebra/sparse_matrix.h>
#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/aligned_vector.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solid_free_nodes.h"
#include "solid_kernel.h"
#include "solid_material.h"

namespace Percuss
{
  /// Products with the mass and the stiffness of a solid, computed from cell to
  /// cell by sum factorisation (Kronbichler and Kormann, Comput. Fluids 63,
  /// 2012) without any matrix:
  /// @f[ y = \sum_\text{cells} S^T G^T\,w\,\sigma(\nabla u)\,G\,S\,x, @f]
  /// S the shape functions at Gauss points, G their derivatives, each one
  /// direction after the other. Each rank does its own cells. Hanging nodes get
  /// their values before, and hand on their forces after the cells.
  template <int dim>
  class SolidOperator
  {
  public:
    using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;
    using MaterialOfCell = std::function<const SolidMaterial &(const Cell &)>;

    /// @p numbering is that of nodes, @p hanging those that hang on others, and
    /// @p owned the numbering of degrees of freedom. Collective.
    SolidOperator(const dealii::DoFHandler<dim>           &numbering,
                  const dealii::Mapping<dim>              &mapping,
                  const MaterialOfCell                    &material,
                  const dealii::AffineConstraints<double> &hanging,
                  const Partition                         &owned,
                  bool                                     is_lumped);

    /// The degrees of freedom of this rank that cannot move, hanging ones
    /// included.
    void
    set_supports(const std::vector<bool> &is_fixed);

    const Partition &
    partition() const
    {
      return owned;
    }

    /// y = M x, supports or not; entries of this rank. Hanging nodes have an
    /// entry on the diagonal and no other. Collective.
    void
    multiply_by_mass(const double *x, double *y) const;

    /// y = (m M + k K) x, where fixed degrees of freedom have an entry on the
    /// diagonal and no other. Collective.
    void
    multiply(double m, double k, const double *x, double *y) const;

    /// Of m M + k K.
    std::vector<double>
    diagonal(double m, double k) const;

    /// "matrix-free, with AVX2"
    std::string
    description() const;

    /// Of this rank, in bytes.
    std::size_t
    memory() const;

    /// For tests: whether the kernel for all processors shall be used.
    void
    use_portable_kernel(bool portable);

  private:
    using Values = dealii::FEValues<dim>;

    void
    make_shapes();
    /// With all nodes of own cells, and those that they hang on.
    void
    make_partition(const dealii::DoFHandler<dim>           &numbering,
                   const dealii::AffineConstraints<double> &hanging);
    /// The geometry of one cell in its lane.
    void
    set_geometry(const Values &values, bool is_affine, double *geometry) const;
    /// Puts cells into groups, which come after those before.
    void
    add_groups(const std::vector<Cell> &cells,
               bool                     is_affine,
               const MaterialOfCell    &material,
               Values                  &values);
    void
    make_diagonals(const dealii::DoFHandler<dim>           &numbering,
                   const dealii::Mapping<dim>              &mapping,
                   const MaterialOfCell                    &material,
                   const dealii::AffineConstraints<double> &hanging);

    /// A sum of shape functions of a cell, which are those of a free node in
    /// it, or a single one of a hanging node.
    struct Shape
    {
      dealii::types::global_dof_index node;
      FreeNodes::Weights              parts; ///< nodes of the cell
    };
    /// Adds the products of a shape with itself.
    void
    add_to_diagonals(const Shape         &shape,
                     const Values        &values,
                     const Values        &values_of_mass,
                     const SolidMaterial &m,
                     Vector              &mass,
                     Vector              &stiffness) const;

    static std::vector<Shape>
    shapes_of(const std::vector<dealii::types::global_dof_index> &nodes,
              const dealii::AffineConstraints<double>            &hanging);

    /// The product of all cells, without supports and lumped mass.
    void
    multiply_cells(double m, double k, const double *x, double *y) const;
    /// Pointers into the arrays.
    CellGroups
    groups() const;

    const unsigned int degree;
    const bool         is_lumped;
    const Partition    owned;
    Partition          ghosted; ///< with other nodes of own cells
    SolidKernel        kernel;

    unsigned int                        n_affine = 0, n_curved = 0; ///< groups
    dealii::AlignedVector<unsigned int> nodes;
    dealii::AlignedVector<double>       materials, affine, curved;
    std::vector<double>                 shapes, derivatives, weights;

    std::vector<HangingNode>  hanging_nodes; ///< of own cells
    std::vector<double>       masses;        ///< of nodes, the diagonal of M
    std::vector<double>       stiffness_diagonal;
    std::vector<unsigned int> fixed; ///< local numbers
    mutable Vector            x_ghosted, y_ghosted;
  };



  /// m M + k K.
  template <int dim>
  class SolidProduct : public MatrixOperator
  {
  public:
    using Assembly = std::function<std::unique_ptr<SparseMatrix>()>;

    SolidProduct(const std::shared_ptr<const SolidOperator<dim>> &cells,
                 const double                                     m,
                 const double                                     k,
                 const Assembly                                  &assembly)
      : cells(cells)
      , m(m)
      , k(k)
      , assembly(assembly)
    {}

    const Partition &
    partition() const override
    {
      return cells->partition();
    }

    void
    multiply(const double *x, double *y) const override
    {
      cells->multiply(m, k, x, y);
    }

    std::vector<double>
    diagonal() const override
    {
      return cells->diagonal(m, k);
    }

    std::unique_ptr<SparseMatrix>
    with_entries() const override
    {
      return assembly();
    }

  private:
    const std::shared_ptr<const SolidOperator<dim>> cells;
    const double                                    m, k;
    const Assembly                                  assembly;
  };
} // namespace Percuss
