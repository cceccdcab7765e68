// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_large_strains.h"

#include <percuss/base/processor.h>

#include <algorithm>
#include <utility>

namespace Percuss
{
  namespace
  {
    StrainKernel
    kernel_of(const unsigned int dim, const SolidMaterial::Law law)
    {
      const auto         number = static_cast<unsigned int>(law);
      const StrainKernel fast   = avx2_strain_kernel(dim, number);
      return fast != nullptr && processor_has_avx2() ?
               fast :
               portable_strain_kernel(dim, number);
    }
  } // namespace



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
    , n_groups((n_points + StrainCell::n_lanes - 1) / StrainCell::n_lanes)
    , force(dim * n_nodes)
    , displacements(dim * n_nodes)
    , cell_blocks(n_nodes * n_nodes * dim * dim)
    , a(n_nodes)
    , S_a(n_nodes)
    , N_a(n_nodes)
    , Y_a(n_nodes)
  {
    for (unsigned int q = 0; q < n_points; ++q)
      for (unsigned int i = 0; i < n_nodes; ++i)
        shape_gradients.push_back(element.shape_grad(i, quadrature.point(q)));
    for (unsigned int group = 0; group < n_groups; ++group)
      for (unsigned int i = 0; i < n_nodes; ++i)
        for (unsigned int d = 0; d < dim; ++d)
          for (unsigned int lane = 0; lane < StrainCell::n_lanes; ++lane)
            gradients_of_groups.push_back(
              shape_gradients[std::min(group * StrainCell::n_lanes + lane,
                                       n_points - 1) *
                                n_nodes +
                              i][d]);
    for (const SolidMaterial &material : materials)
      kernels.push_back(kernel_of(dim, material.law));
  }



  template <int dim>
  void
  LargeStrains<dim>::add_cell(const Cell                  &cell,
                              const dealii::FEValues<dim> &values)
  {
    cells.push_back(cell);
    geometry.resize(cells.size() * n_groups * (dim * dim + 1) *
                    StrainCell::n_lanes);
    for (unsigned int q = 0; q < n_groups * StrainCell::n_lanes; ++q)
      {
        const unsigned int point   = std::min(q, n_points - 1);
        const Matrix       inverse = Matrix(values.inverse_jacobian(point));
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            geometry[place_of(cells.size() - 1, q, c * dim + d)] =
              inverse[c][d];
        geometry[place_of(cells.size() - 1, q, dim * dim)] =
          q < n_points ? values.JxW(q) : 0;
      }
  }



  template <int dim>
  void
  LargeStrains<dim>::finish(
    std::unique_ptr<CondensedCells<dim>> cells_with_weights)
  {
    condensed = std::move(cells_with_weights);
    if (condensed)
      return;
    for (const Cell &cell : cells)
      find_places(cell);
  }



  template <int dim>
  std::size_t
  LargeStrains<dim>::place_of(const std::size_t  cell,
                              const unsigned int point,
                              const unsigned int entry) const
  {
    constexpr unsigned int n_lanes = StrainCell::n_lanes;
    return ((cell * n_groups + point / n_lanes) * (dim * dim + 1) + entry) *
             n_lanes +
           point % n_lanes;
  }



  template <int dim>
  dealii::Tensor<2, dim>
  LargeStrains<dim>::inverse_jacobian(const std::size_t point) const
  {
    Matrix result;
    for (unsigned int c = 0; c < dim; ++c)
      for (unsigned int d = 0; d < dim; ++d)
        result[c][d] =
          geometry[place_of(point / n_points, point % n_points, c * dim + d)];
    return result;
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
    return of_unit_cell * inverse_jacobian(point);
  }



  template <int dim>
  double
  LargeStrains<dim>::energy(const double *q) const
  {
    double sum = 0;
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (cells[c].is_own)
        for (std::size_t p = c * n_points; p < (c + 1) * n_points; ++p)
          sum += weight(p) * Law::energy(materials[cells[c].material],
                                         gradient(q, cells[c], p));
    return sum;
  }



  template <int dim>
  template <typename Integrate>
  void
  LargeStrains<dim>::add_cells(const Integrate &integrate,
                               const double     factor,
                               Vector          &f) const
  {
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const Cell &cell = cells[c];
        integrate(c);
        if (factor != 1)
          for (double &entry : force)
            entry *= factor;
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
    const auto integrate = [&](const std::size_t c) {
      const Cell          &cell     = cells[c];
      const SolidMaterial &material = materials[cell.material];
      for (unsigned int i = 0; i < n_nodes; ++i)
        std::copy_n(q + cell.places[i], dim, displacements.begin() + dim * i);
      kernels[cell.material]({n_nodes,
                              n_groups,
                              gradients_of_groups.data(),
                              geometry.data() + place_of(c, 0, 0),
                              material.lambda,
                              material.mu},
                             displacements.data(),
                             force.data());
    };
    add_cells(integrate, factor, f);
  }



  template <int dim>
  void
  LargeStrains<dim>::integrate_mean_forces(const double     *q_0,
                                           const double     *q_1,
                                           const std::size_t c) const
  {
    const Cell &cell = cells[c];
    std::fill(force.begin(), force.end(), 0.);
    for (std::size_t p = c * n_points; p < (c + 1) * n_points; ++p)
      {
        const Matrix stress = Law::mean_stress(materials[cell.material],
                                               gradient(q_0, cell, p),
                                               gradient(q_1, cell, p));
        const Matrix of_unit_cell =
          weight(p) * (stress * transpose(inverse_jacobian(p)));
        const Direction *const gradients =
          shape_gradients.data() + (p % n_points) * n_nodes;
        for (unsigned int i = 0; i < n_nodes; ++i)
          for (unsigned int d = 0; d < dim; ++d)
            force[dim * i + d] += of_unit_cell[d] * gradients[i];
      }
  }



  template <int dim>
  void
  LargeStrains<dim>::add_mean_forces(const double *q_0,
                                     const double *q_1,
                                     const double  factor,
                                     Vector       &f) const
  {
    add_cells([&](const std::size_t c) { integrate_mean_forces(q_0, q_1, c); },
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
    const Matrix inverse = inverse_jacobian(point);
    for (unsigned int i = 0; i < n_nodes; ++i)
      {
        a[i]   = gradients[i] * inverse;
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
  LargeStrains<dim>::find_places(const Cell &cell)
  {
    for (unsigned int i = 0; i < n_nodes; ++i)
      for (unsigned int j = i; j < n_nodes; ++j)
        {
          const bool         is_upper = cell.numbers[i] <= cell.numbers[j];
          const unsigned int row      = cell.columns[is_upper ? i : j];
          const unsigned int column   = cell.columns[is_upper ? j : i];
          pair_places.push_back(
            row < pattern->n_rows() ?
              static_cast<std::uint32_t>(pattern->find(row, column)) :
              nowhere);
        }
  }



  template <int dim>
  void
  LargeStrains<dim>::add_to_pattern(const std::size_t        number,
                                    const std::vector<bool> &is_fixed,
                                    double                  *blocks) const
  {
    const Cell          &cell = cells[number];
    const std::uint32_t *place =
      pair_places.data() + number * (n_nodes * (n_nodes + 1) / 2);
    for (unsigned int i = 0; i < n_nodes; ++i)
      for (unsigned int j = i; j < n_nodes; ++j, ++place)
        {
          if (*place == nowhere)
            continue;
          const bool          is_upper = cell.numbers[i] <= cell.numbers[j];
          const unsigned int  row      = cell.columns[is_upper ? i : j];
          const unsigned int  column   = cell.columns[is_upper ? j : i];
          const double *const from =
            cell_blocks.data() + (i * n_nodes + j) * dim * dim;
          double *const to = blocks + std::size_t(*place) * dim * dim;
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
          add_point(derivative(cells[c], p), p, factor * weight(p));
        if (condensed)
          condensed->add_blocks(c, cell_blocks, is_fixed, blocks);
        else
          add_to_pattern(c, is_fixed, blocks);
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
} // namespace Percuss
