// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_operator.h"

#include <percuss/base/processor.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/polynomial.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_lanes = CellGroups::n_lanes;

    SolidKernel
    find_kernel(const unsigned int dim,
                const unsigned int degree,
                const bool         portable)
    {
      const SolidKernel fast = avx2_solid_kernel(dim, degree);
      return fast != nullptr && processor_has_avx2() && !portable ?
               fast :
               portable_solid_kernel(dim, degree);
    }



    /// Whether the Jacobian is the same at all points, up to rounding.
    template <int dim>
    bool
    has_constant_jacobian(const dealii::FEValues<dim> &values)
    {
      double difference = 0, size = 0;
      for (const unsigned int q : values.quadrature_point_indices())
        for (unsigned int c = 0; c < dim; ++c)
          for (unsigned int d = 0; d < dim; ++d)
            {
              const double first = values.inverse_jacobian(0)[c][d];
              size               = std::max(size, std::abs(first));
              difference =
                std::max(difference,
                         std::abs(values.inverse_jacobian(q)[c][d] - first));
            }
      return difference <= 1e-12 * size;
    }
  } // namespace



  template <int dim>
  SolidOperator<dim>::SolidOperator(
    const dealii::DoFHandler<dim>           &numbering,
    const dealii::Mapping<dim>              &mapping,
    const MaterialOfCell                    &material,
    const dealii::AffineConstraints<double> &hanging,
    const Partition                         &owned,
    const bool                               is_lumped)
    : degree(numbering.get_fe().degree)
    , is_lumped(is_lumped)
    , owned(owned)
    , kernel(find_kernel(dim, degree, false))
  {
    AssertThrow(degree >= 1 && degree <= 3, dealii::ExcNotImplemented());
    make_shapes();
    make_partition(numbering, hanging);
    Values            values(mapping,
                  numbering.get_fe(),
                  dealii::QGauss<dim>(degree + 1),
                  dealii::update_inverse_jacobians | dealii::update_JxW_values);
    std::vector<Cell> straight, bent;
    for (const auto &cell : numbering.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          (has_constant_jacobian(values) ? straight : bent).push_back(cell);
        }
    add_groups(straight, true, material, values);
    add_groups(bent, false, material, values);
    make_diagonals(numbering, mapping, material, hanging);
  }



  /// Gauss points and the Gauss-Lobatto nodes of FE_Q, in one dimension.
  template <int dim>
  void
  SolidOperator<dim>::make_shapes()
  {
    const dealii::QGauss<1> gauss(degree + 1);
    const auto of_nodes = dealii::Polynomials::generate_complete_Lagrange_basis(
      dealii::QGaussLobatto<1>(degree + 1).get_points());
    const auto of_points =
      dealii::Polynomials::generate_complete_Lagrange_basis(gauss.get_points());
    for (const auto &point : gauss.get_points())
      for (unsigned int i = 0; i <= degree; ++i)
        {
          std::vector<double> value_and_derivative(2);
          shapes.push_back(of_nodes[i].value(point[0]));
          of_points[i].value(point[0], value_and_derivative);
          derivatives.push_back(value_and_derivative[1]);
        }
    weights = dealii::QGauss<dim>(degree + 1).get_weights();
  }



  template <int dim>
  void
  SolidOperator<dim>::make_partition(
    const dealii::DoFHandler<dim>           &numbering,
    const dealii::AffineConstraints<double> &hanging)
  {
    dealii::IndexSet active, mine(owned->size()), others(owned->size());
    dealii::DoFTools::extract_locally_active_dofs(numbering, active);
    mine.add_range(owned->local_range().first, owned->local_range().second);
    for (const auto node : active)
      {
        others.add_range(dim * node, dim * (node + 1));
        if (hanging.is_constrained(node))
          for (const auto &on : *hanging.get_constraint_entries(node))
            others.add_range(dim * on.first, dim * (on.first + 1));
      }
    others.subtract_set(mine);
    ghosted = std::make_shared<const dealii::Utilities::MPI::Partitioner>(
      mine, others, owned->get_mpi_communicator());
    hanging_nodes =
      find_hanging_nodes({active.begin(), active.end()}, hanging, dim, ghosted);
    const bool is_shared = owned->n_mpi_processes() > 1;
    if (is_shared || !hanging_nodes.empty())
      x_ghosted.reinit(ghosted);
    if (is_shared)
      y_ghosted.reinit(ghosted);
  }



  template <int dim>
  void
  SolidOperator<dim>::set_geometry(const Values &values,
                                   const bool    is_affine,
                                   double       *geometry) const
  {
    for (unsigned int q = 0; q < (is_affine ? 1 : weights.size()); ++q)
      {
        const auto &inverse = values.inverse_jacobian(q);
        for (unsigned int e = 0; e < dim; ++e)
          for (unsigned int d = 0; d < dim; ++d, geometry += n_lanes)
            *geometry = inverse[e][d];
        *geometry = values.JxW(q) / (is_affine ? weights[0] : 1);
        geometry += n_lanes;
      }
  }



  template <int dim>
  void
  SolidOperator<dim>::add_groups(const std::vector<Cell> &cells,
                                 const bool               is_affine,
                                 const MaterialOfCell    &material,
                                 Values                  &values)
  {
    const auto n_groups =
      static_cast<unsigned int>((cells.size() + n_lanes - 1) / n_lanes);
    const auto n_nodes = static_cast<unsigned int>(weights.size());
    const auto n_numbers =
      n_lanes * (dim * dim + 1) * (is_affine ? 1 : n_nodes);
    const std::size_t first  = n_affine + n_curved;
    auto             &target = is_affine ? affine : curved;
    const auto order = dynamic_cast<const dealii::FE_Q<dim> &>(values.get_fe())
                         .get_poly_space_numbering_inverse();
    (is_affine ? n_affine : n_curved) = n_groups;
    nodes.resize((first + n_groups) * n_nodes * n_lanes);
    materials.resize((first + n_groups) * 3 * n_lanes, 0.);
    target.resize(std::size_t(n_groups) * n_numbers, 0.);
    std::vector<dealii::types::global_dof_index> numbers(n_nodes);
    for (std::size_t i = 0; i < n_groups * n_lanes; ++i)
      {
        const std::size_t group = i / n_lanes, lane = i % n_lanes;
        const Cell       &cell = cells[std::min(i, cells.size() - 1)];
        cell->get_dof_indices(numbers);
        for (unsigned int a = 0; a < n_nodes; ++a)
          nodes[((first + group) * n_nodes + a) * n_lanes + lane] =
            ghosted->global_to_local(dim * numbers[order[a]]);
        if (i >= cells.size())
          continue;
        values.reinit(cell);
        set_geometry(values,
                     is_affine,
                     target.data() + group * n_numbers + lane);
        const SolidMaterial &m = material(cell);
        double *const to   = materials.data() + (first + group) * 3 * n_lanes;
        to[lane]           = m.lambda;
        to[n_lanes + lane] = m.mu;
        to[2 * n_lanes + lane] = m.density;
      }
  }



  template <int dim>
  std::vector<typename SolidOperator<dim>::Shape>
  SolidOperator<dim>::shapes_of(
    const std::vector<dealii::types::global_dof_index> &nodes,
    const dealii::AffineConstraints<double>            &hanging)
  {
    const FreeNodes    free(nodes, hanging);
    std::vector<Shape> result;
    for (const auto node : free.nodes)
      result.push_back({node, {}});
    for (unsigned int a = 0; a < nodes.size(); ++a)
      {
        for (const auto &[i, weight] : free.weights[a])
          result[i].parts.emplace_back(a, weight);
        if (hanging.is_constrained(nodes[a]))
          result.push_back({nodes[a], {{a, 1.}}});
      }
    return result;
  }



  /// Where the mass is lumped, a free node has parts of that of hanging ones.
  template <int dim>
  void
  SolidOperator<dim>::make_diagonals(
    const dealii::DoFHandler<dim>           &numbering,
    const dealii::Mapping<dim>              &mapping,
    const MaterialOfCell                    &material,
    const dealii::AffineConstraints<double> &hanging)
  {
    using namespace dealii;
    const QGauss<dim>     gauss(degree + 1);
    const Quadrature<dim> lobatto = QGaussLobatto<dim>(degree + 1);
    Values                values(mapping,
                  numbering.get_fe(),
                  gauss,
                  update_gradients | update_JxW_values);
    Values                values_of_mass(mapping,
                          numbering.get_fe(),
                          is_lumped ? lobatto : Quadrature<dim>(gauss),
                          update_values | update_JxW_values);
    Vector                mass(ghosted), stiffness(ghosted);
    std::vector<types::global_dof_index> numbers(weights.size());
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (!cell->is_locally_owned())
          continue;
        values.reinit(cell);
        values_of_mass.reinit(cell);
        cell->get_dof_indices(numbers);
        for (const Shape &shape : shapes_of(numbers, hanging))
          add_to_diagonals(
            shape, values, values_of_mass, material(cell), mass, stiffness);
      }
    mass.compress(VectorOperation::add);
    stiffness.compress(VectorOperation::add);
    masses.reserve(owned->locally_owned_size() / dim);
    for (unsigned int i = 0; i < owned->locally_owned_size(); i += dim)
      masses.push_back(mass.local_element(i));
    stiffness_diagonal.assign(stiffness.begin(), stiffness.end());
  }



  template <int dim>
  void
  SolidOperator<dim>::add_to_diagonals(const Shape         &shape,
                                       const Values        &values,
                                       const Values        &values_of_mass,
                                       const SolidMaterial &m,
                                       Vector              &mass,
                                       Vector              &stiffness) const
  {
    double                 of_mass = 0, sum = 0;
    dealii::Tensor<1, dim> squares;
    for (unsigned int q = 0; q < weights.size(); ++q)
      {
        double                 value = 0;
        dealii::Tensor<1, dim> gradient;
        for (const auto &[a, weight] : shape.parts)
          {
            value += weight * values_of_mass.shape_value(a, q);
            gradient += weight * values.shape_grad(a, q);
          }
        of_mass +=
          m.density * value * (is_lumped ? 1 : value) * values_of_mass.JxW(q);
        for (unsigned int d = 0; d < dim; ++d)
          squares[d] += gradient[d] * gradient[d] * values.JxW(q);
      }
    for (unsigned int d = 0; d < dim; ++d)
      sum += m.mu * squares[d];
    const auto i = ghosted->global_to_local(dim * shape.node);
    for (unsigned int d = 0; d < dim; ++d)
      {
        mass.local_element(i + d) += of_mass;
        stiffness.local_element(i + d) += sum + (m.lambda + m.mu) * squares[d];
      }
  }



  template <int dim>
  void
  SolidOperator<dim>::set_supports(const std::vector<bool> &is_fixed)
  {
    fixed.clear();
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      if (is_fixed[i])
        fixed.push_back(i);
    if (!fixed.empty())
      make_room(x_ghosted, ghosted);
  }



  template <int dim>
  CellGroups
  SolidOperator<dim>::groups() const
  {
    CellGroups cells;
    cells.n_affine    = n_affine;
    cells.n_curved    = n_curved;
    cells.nodes       = nodes.data();
    cells.materials   = materials.data();
    cells.affine      = affine.data();
    cells.curved      = curved.data();
    cells.shapes      = shapes.data();
    cells.derivatives = derivatives.data();
    cells.weights     = weights.data();
    return cells;
  }



  template <int dim>
  void
  SolidOperator<dim>::multiply_cells(const double        m,
                                     const double        k,
                                     const double *const x,
                                     double *const       y) const
  {
    const unsigned int n         = owned->locally_owned_size();
    const bool         is_shared = owned->n_mpi_processes() > 1;
    if (!is_shared && hanging_nodes.empty())
      {
        std::fill_n(y, n, 0.);
        kernel(groups(), m, k, x, y);
        return;
      }
    if (x != x_ghosted.begin())
      std::copy_n(x, n, x_ghosted.begin());
    if (is_shared)
      x_ghosted.update_ghost_values();
    interpolate(hanging_nodes, dim, x_ghosted.begin());
    double *const sums = is_shared ? y_ghosted.begin() : y;
    std::fill_n(sums, n + ghosted->n_ghost_indices(), 0.);
    kernel(groups(), m, k, x_ghosted.begin(), sums);
    distribute(hanging_nodes, dim, sums);
    if (!is_shared)
      return;
    x_ghosted.zero_out_ghost_values();
    y_ghosted.compress(dealii::VectorOperation::add);
    std::copy_n(y_ghosted.begin(), n, y);
  }



  template <int dim>
  void
  SolidOperator<dim>::multiply_by_mass(const double *const x,
                                       double *const       y) const
  {
    if (!is_lumped)
      {
        multiply_cells(1, 0, x, y);
        for (const HangingNode &node : hanging_nodes)
          if (node.first < owned->locally_owned_size())
            for (unsigned int i = node.first; i < node.first + dim; ++i)
              y[i] = masses[i / dim] * x[i];
        return;
      }
    for (std::size_t node = 0; node < masses.size(); ++node)
      for (unsigned int d = 0; d < dim; ++d)
        y[dim * node + d] = masses[node] * x[dim * node + d];
  }



  template <int dim>
  void
  SolidOperator<dim>::multiply(const double        m,
                               const double        k,
                               const double *const x,
                               double *const       y) const
  {
    const double *free = x;
    if (!fixed.empty())
      {
        std::copy_n(x, owned->locally_owned_size(), x_ghosted.begin());
        for (const unsigned int i : fixed)
          x_ghosted.local_element(i) = 0;
        free = x_ghosted.begin();
      }
    multiply_cells(is_lumped ? 0 : m, k, free, y);
    if (is_lumped && m != 0)
      for (std::size_t node = 0; node < masses.size(); ++node)
        for (unsigned int d = 0; d < dim; ++d)
          y[dim * node + d] += m * masses[node] * x[dim * node + d];
    for (const unsigned int i : fixed)
      y[i] = (m * masses[i / dim] + k * stiffness_diagonal[i]) * x[i];
  }



  template <int dim>
  std::vector<double>
  SolidOperator<dim>::diagonal(const double m, const double k) const
  {
    std::vector<double> result(stiffness_diagonal.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = m * masses[i / dim] + k * stiffness_diagonal[i];
    return result;
  }



  template <int dim>
  std::string
  SolidOperator<dim>::description() const
  {
    return kernel == portable_solid_kernel(dim, degree) ?
             "matrix-free" :
             "matrix-free, with AVX2";
  }



  template <int dim>
  std::size_t
  SolidOperator<dim>::memory() const
  {
    return nodes.memory_consumption() + materials.memory_consumption() +
           affine.memory_consumption() + curved.memory_consumption() +
           sizeof(double) * (masses.size() + stiffness_diagonal.size()) +
           x_ghosted.memory_consumption() + y_ghosted.memory_consumption();
  }



  template <int dim>
  void
  SolidOperator<dim>::use_portable_kernel(const bool portable)
  {
    kernel = find_kernel(dim, degree, portable);
  }

  template class SolidOperator<2>;
  template class SolidOperator<3>;
} // namespace Percuss
