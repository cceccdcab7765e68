// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_large_strains.h"

#include <percuss/base/error.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <utility>

#include "solid.h"

namespace Percuss
{
  template <int dim>
  LargeStrains<dim>::LargeStrains(
    const std::vector<SolidMaterial>          &materials,
    const std::shared_ptr<const BlockPattern> &pattern,
    const dealii::FiniteElement<dim>          &element,
    const dealii::Quadrature<dim>             &quadrature)
    : materials(materials)
    , pattern(pattern)
    , n_nodes(element.n_dofs_per_cell())
    , n_points(quadrature.size())
    , force(dim * n_nodes)
    , cell_blocks(n_nodes * n_nodes * dim * dim)
    , a(n_nodes)
    , S_a(n_nodes)
    , N_a(n_nodes)
    , Y_a(n_nodes)
  {
    for (unsigned int q = 0; q < n_points; ++q)
      for (unsigned int i = 0; i < n_nodes; ++i)
        shape_gradients.push_back(element.shape_grad(i, quadrature.point(q)));
  }



  template <int dim>
  void
  LargeStrains<dim>::add_cell(const Cell                  &cell,
                              const dealii::FEValues<dim> &values)
  {
    cells.push_back(cell);
    for (unsigned int q = 0; q < n_points; ++q)
      {
        inverse_jacobians.push_back(Matrix(values.inverse_jacobian(q)));
        weights.push_back(values.JxW(q));
      }
  }



  template <int dim>
  void
  LargeStrains<dim>::set_weights(
    std::unique_ptr<CondensedCells<dim>> cells_with_weights)
  {
    condensed = std::move(cells_with_weights);
  }



  template <int dim>
  dealii::Tensor<2, dim>
  LargeStrains<dim>::gradient(const double     *q,
                              const Cell       &cell,
                              const std::size_t point) const
  {
    const Direction *const gradients =
      shape_gradients.data() + (point % n_points) * n_nodes;
    Matrix of_unit_cell;
    for (unsigned int i = 0; i < n_nodes; ++i)
      for (unsigned int d = 0; d < dim; ++d)
        of_unit_cell[d] += q[cell.places[i] + d] * gradients[i];
    return of_unit_cell * inverse_jacobians[point];
  }



  template <int dim>
  double
  LargeStrains<dim>::energy(const double *q) const
  {
    double sum = 0;
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (cells[c].is_own)
        for (std::size_t p = c * n_points; p < (c + 1) * n_points; ++p)
          sum += weights[p] * Law::energy(materials[cells[c].material],
                                          gradient(q, cells[c], p));
    return sum;
  }



  template <int dim>
  template <typename Stress>
  void
  LargeStrains<dim>::integrate_forces(const Stress &stress,
                                      const double  factor,
                                      Vector       &f) const
  {
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const Cell &cell = cells[c];
        std::fill(force.begin(), force.end(), 0.);
        for (std::size_t p = c * n_points; p < (c + 1) * n_points; ++p)
          {
            const Matrix of_unit_cell =
              factor * weights[p] *
              (stress(cell, p) * transpose(inverse_jacobians[p]));
            const Direction *const gradients =
              shape_gradients.data() + (p % n_points) * n_nodes;
            for (unsigned int i = 0; i < n_nodes; ++i)
              for (unsigned int d = 0; d < dim; ++d)
                force[dim * i + d] += of_unit_cell[d] * gradients[i];
          }
        if (condensed)
          {
            condensed->add_force(c, force);
            continue;
          }
        for (unsigned int i = 0; i < n_nodes; ++i)
          if (cell.columns[i] < pattern->n_rows())
            for (unsigned int d = 0; d < dim; ++d)
              f.local_element(dim * cell.columns[i] + d) += force[dim * i + d];
      }
    if (condensed)
      condensed->finish_forces(f);
  }



  template <int dim>
  void
  LargeStrains<dim>::add_forces(const double *q,
                                const double  factor,
                                Vector       &f) const
  {
    integrate_forces(
      [&](const Cell &cell, const std::size_t point) {
        return Law::stress(materials[cell.material], gradient(q, cell, point));
      },
      factor,
      f);
  }



  template <int dim>
  void
  LargeStrains<dim>::add_mean_forces(const double *q_0,
                                     const double *q_1,
                                     const double  factor,
                                     Vector       &f) const
  {
    integrate_forces(
      [&](const Cell &cell, const std::size_t point) {
        return Law::mean_stress(materials[cell.material],
                                gradient(q_0, cell, point),
                                gradient(q_1, cell, point));
      },
      factor,
      f);
  }



  /// Blocks of pairs i <= j; the others are their transposes.
  template <int dim>
  void
  LargeStrains<dim>::add_point(const typename Law::Derivative &derivative,
                               const std::size_t               point,
                               const double                    weight) const
  {
    const Direction *const gradients =
      shape_gradients.data() + (point % n_points) * n_nodes;
    for (unsigned int i = 0; i < n_nodes; ++i)
      {
        a[i]   = gradients[i] * inverse_jacobians[point];
        S_a[i] = derivative.S * a[i];
        N_a[i] = derivative.N * a[i];
        Y_a[i] = derivative.Y * a[i];
      }
    for (unsigned int i = 0; i < n_nodes; ++i)
      for (unsigned int j = i; j < n_nodes; ++j)
        {
          const double  both = weight * (a[i] * S_a[j]);
          const double  of_B = weight * derivative.mu * (a[i] * N_a[j]);
          double *const block =
            cell_blocks.data() + (i * n_nodes + j) * dim * dim;
          for (unsigned int d = 0; d < dim; ++d)
            {
              const double l = weight * derivative.lambda * Y_a[j][d];
              const double m = weight * derivative.mu * Y_a[i][d];
              for (unsigned int c = 0; c < dim; ++c)
                block[dim * d + c] +=
                  l * Y_a[i][c] + m * Y_a[j][c] + of_B * derivative.B[c][d];
              block[dim * d + d] += both;
            }
        }
  }



  template <int dim>
  void
  LargeStrains<dim>::add_to_pattern(const Cell              &cell,
                                    const std::vector<bool> &is_fixed,
                                    double                  *blocks) const
  {
    for (unsigned int i = 0; i < n_nodes; ++i)
      for (unsigned int j = i; j < n_nodes; ++j)
        {
          const bool         is_upper = cell.numbers[i] <= cell.numbers[j];
          const unsigned int row      = cell.columns[is_upper ? i : j];
          const unsigned int column   = cell.columns[is_upper ? j : i];
          if (row >= pattern->n_rows())
            continue;
          const double *const from =
            cell_blocks.data() + (i * n_nodes + j) * dim * dim;
          double *const to = blocks + pattern->find(row, column) * dim * dim;
          for (unsigned int c = 0; c < dim; ++c)
            for (unsigned int d = 0; d < dim; ++d)
              if (!is_fixed[dim * row + c] && !is_fixed[dim * column + d])
                to[dim * d + c] +=
                  is_upper ? from[dim * d + c] : from[dim * c + d];
        }
  }



  template <int dim>
  template <typename Derivative>
  void
  LargeStrains<dim>::integrate_tangent(const Derivative        &derivative,
                                       const double             factor,
                                       const std::vector<bool> &is_fixed,
                                       double                  *blocks) const
  {
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        std::fill(cell_blocks.begin(), cell_blocks.end(), 0.);
        for (std::size_t p = c * n_points; p < (c + 1) * n_points; ++p)
          add_point(derivative(cells[c], p), p, factor * weights[p]);
        if (condensed)
          condensed->add_blocks(c, cell_blocks, is_fixed, blocks);
        else
          add_to_pattern(cells[c], is_fixed, blocks);
      }
    if (condensed)
      condensed->finish_blocks(is_fixed, blocks);
  }



  template <int dim>
  void
  LargeStrains<dim>::add_tangent(const double            *q,
                                 const double             factor,
                                 const std::vector<bool> &is_fixed,
                                 double                  *blocks) const
  {
    integrate_tangent(
      [&](const Cell &cell, const std::size_t point) {
        return Law::derivative(materials[cell.material],
                               gradient(q, cell, point));
      },
      factor,
      is_fixed,
      blocks);
  }



  template <int dim>
  void
  LargeStrains<dim>::add_mean_tangent(const double            *q_0,
                                      const double            *q_1,
                                      const double             factor,
                                      const std::vector<bool> &is_fixed,
                                      double                  *blocks) const
  {
    integrate_tangent(
      [&](const Cell &cell, const std::size_t point) {
        return Law::mean_derivative(materials[cell.material],
                                    gradient(q_0, cell, point),
                                    gradient(q_1, cell, point));
      },
      factor,
      is_fixed,
      blocks);
  }

  template class LargeStrains<2>;
  template class LargeStrains<3>;



  /// The materials that cells have are the same on all ranks' coarse meshes, so
  /// that all decide alike.
  template <int dim>
  void
  Solid<dim>::make_large_strains()
  {
    const auto is_large = [](const SolidMaterial &material) {
      return material.law != SolidMaterial::Law::linear;
    };
    if (std::none_of(materials.begin(), materials.end(), is_large))
      return;
    if (dim == 2 && parameters.plane == "stress")
      throw EntryError("model/" + parameters.model() + "/plane",
                       "materials for large strains are for 'strain', not for "
                       "'stress'");
    const dealii::QGauss<dim> gauss(parameters.degree + 1);
    using namespace dealii;
    FEValues<dim> values(mapping,
                         element,
                         gauss,
                         update_inverse_jacobians | update_JxW_values);
    large_strains =
      std::make_unique<LargeStrains<dim>>(materials, pattern, element, gauss);
    for (Vector *vector : {&ghosts, &more_ghosts})
      vector->reinit(relevant);
    std::vector<types::global_dof_index> nodes(element.n_dofs_per_cell());
    std::unique_ptr<CondensedCells<dim>> condensed;
    if (has_any_hanging_nodes())
      condensed = std::make_unique<CondensedCells<dim>>(std::move(rows),
                                                        pattern,
                                                        relevant);
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (cell->is_artificial())
          continue;
        cell->get_dof_indices(nodes);
        typename LargeStrains<dim>::Cell entry;
        bool                             is_needed = cell->is_locally_owned();
        for (const auto node : nodes)
          {
            entry.places.push_back(relevant->global_to_local(dim * node));
            entry.columns.push_back(column(node));
            entry.numbers.push_back(static_cast<unsigned int>(node));
            is_needed |= !condensed && entry.columns.back() < pattern->n_rows();
          }
        if (!is_needed)
          continue;
        if (condensed)
          condensed->add_cell(FreeNodes(nodes, hanging));
        entry.material = mesh.material_of(cell);
        entry.is_own   = cell->is_locally_owned();
        values.reinit(cell);
        large_strains->add_cell(entry, values);
      }
    large_strains->set_weights(std::move(condensed));
  }



  template <int dim>
  void
  Solid<dim>::add_fixed_diagonal(const double factor, double *blocks) const
  {
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        if (is_fixed[dim * i + d])
          {
            const std::size_t place =
              pattern->start[i] * dim * dim + (dim + 1) * d;
            blocks[place] += factor * stiffness->values[place];
          }
  }



  /// Large strains are those of the whole body; of small ones the driving load
  /// has the part of moving supports.
  template <int dim>
  void
  Solid<dim>::evaluate(const Term           term,
                       const Configuration &at,
                       Vector              &result) const
  {
    MechanicalModel::evaluate(
      term,
      {at.time, large_strains ? displacement(at.time, at.q) : at.q, at.v},
      result);
  }



  template <int dim>
  void
  Solid<dim>::add_derivative(const Term           term,
                             const Argument       argument,
                             const Configuration &at,
                             const double         factor,
                             SparseMatrix        &matrix) const
  {
    if (cells)
      {
        MechanicalModel::add_derivative(term, argument, at, factor, matrix);
        return;
      }
    double *const blocks = matrix.values();
    if (argument == Argument::velocity)
      {
        if (term == Term::momentum)
          add_matrices(factor, 0, blocks);
        else if (term != Term::load)
          add_matrices(-factor * parameters.mass_damping,
                       -factor * parameters.stiffness_damping,
                       blocks);
      }
    else if (term == Term::force || term == Term::gradient)
      {
        if (!large_strains)
          add_matrices(0, -factor, blocks);
        else
          {
            large_strains->add_tangent(ghosted(displacement(at.time, at.q),
                                               ghosts),
                                       -factor,
                                       is_fixed,
                                       blocks);
            add_fixed_diagonal(-factor, blocks);
          }
      }
  }



  template <int dim>
  void
  Solid<dim>::add_conserving_force(const Vector &q_begin,
                                   const Vector &q_end,
                                   const double  factor,
                                   Vector       &f) const
  {
    make_room(internal, owned);
    if (large_strains)
      {
        internal = 0.;
        large_strains->add_mean_forces(ghosted(q_begin, ghosts),
                                       ghosted(q_end, more_ghosts),
                                       1,
                                       internal);
      }
    else
      {
        work = q_begin;
        work.sadd(0.5, 0.5, q_end);
        apply_stiffness(work, internal);
      }
    zero_fixed(internal);
    f.add(-factor, internal, factor, gravity_load);
  }



  template <int dim>
  void
  Solid<dim>::add_conserving_derivative(const Vector &q_begin,
                                        const Vector &q_end,
                                        const double  factor,
                                        SparseMatrix &matrix) const
  {
    if (!large_strains)
      {
        MechanicalModel::add_conserving_derivative(q_begin,
                                                   q_end,
                                                   factor,
                                                   matrix);
        return;
      }
    double *const blocks = matrix.values();
    large_strains->add_mean_tangent(ghosted(q_begin, ghosts),
                                    ghosted(q_end, more_ghosts),
                                    -factor,
                                    is_fixed,
                                    blocks);
    add_fixed_diagonal(-factor / 2, blocks);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
