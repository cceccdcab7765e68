// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_transfer.h"

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>

namespace Percuss
{
  namespace
  {
    /// @p result = P x with a matrix of the element, for each direction.
    template <int dim>
    std::vector<double>
    prolongate(const dealii::FullMatrix<double> &P,
               const std::vector<double>        &x)
    {
      std::vector<double> result(x.size());
      for (unsigned int i = 0; i < P.m(); ++i)
        for (unsigned int j = 0; j < P.n(); ++j)
          for (unsigned int d = 0; d < dim; ++d)
            result[dim * i + d] += P(i, j) * x[dim * j + d];
      return result;
    }

    /// Puts the values of a child at nodes of its parent there.
    template <int dim>
    void
    inject(const dealii::FullMatrix<double> &R,
           const std::vector<double>        &child,
           std::vector<double>              &parent)
    {
      for (unsigned int i = 0; i < R.m(); ++i)
        {
          bool   is_here    = false;
          double value[dim] = {};
          for (unsigned int j = 0; j < R.n(); ++j)
            {
              is_here |= R(i, j) != 0;
              for (unsigned int d = 0; d < dim; ++d)
                value[d] += R(i, j) * child[dim * j + d];
            }
          if (is_here)
            std::copy(value, value + dim, parent.begin() + dim * i);
        }
    }

    /// @p result += P^T x, for each direction.
    template <int dim>
    void
    add_transposed(const dealii::FullMatrix<double> &P,
                   const std::vector<double>        &x,
                   std::vector<double>              &result)
    {
      for (unsigned int i = 0; i < P.m(); ++i)
        for (unsigned int j = 0; j < P.n(); ++j)
          for (unsigned int d = 0; d < dim; ++d)
            result[dim * j + d] += P(i, j) * x[dim * i + d];
    }
  } // namespace



  template <int dim>
  CellMass<dim>::CellMass(const dealii::Mapping<dim> &mapping,
                          const dealii::FE_Q<dim>    &element,
                          const bool                  lumped)
    : values(mapping,
             element,
             lumped ?
               dealii::Quadrature<dim>(
                 dealii::QGaussLobatto<dim>(element.degree + 1)) :
               dealii::Quadrature<dim>(dealii::QGauss<dim>(element.degree + 1)),
             dealii::update_values | dealii::update_JxW_values)
  {}



  template <int dim>
  void
  CellMass<dim>::add(const Cell                &cell,
                     const double               density,
                     const std::vector<double> &v,
                     std::vector<double>       &momentum)
  {
    const unsigned int n = values.dofs_per_cell;
    values.reinit(cell);
    for (const unsigned int point : values.quadrature_point_indices())
      {
        double p[dim] = {};
        for (unsigned int a = 0; a < n; ++a)
          for (unsigned int d = 0; d < dim; ++d)
            p[d] += values.shape_value(a, point) * v[dim * a + d];
        const double weight = density * values.JxW(point);
        for (unsigned int a = 0; a < n; ++a)
          for (unsigned int d = 0; d < dim; ++d)
            momentum[dim * a + d] +=
              weight * values.shape_value(a, point) * p[d];
      }
  }



  template <int dim>
  SolidTransfer<dim>::SolidTransfer(
    SolidMesh<dim>                            &mesh,
    const dealii::Mapping<dim>                &mapping,
    const dealii::FE_Q<dim>                   &element,
    const bool                                 lumped,
    const std::function<double(const Cell &)> &density)
    : mesh(mesh)
    , element(element)
    , density(density)
    , mass(mapping, element, lumped)
  {}



  template <int dim>
  std::vector<CellMotion>
  SolidTransfer<dim>::by_cell(const std::vector<CellMotion> &of_own_cells) const
  {
    std::vector<CellMotion> result(mesh.cells().n_active_cells());
    auto                    next = of_own_cells.begin();
    for (const auto &cell : mesh.own_cells())
      result[cell->active_cell_index()] = *next++;
    return result;
  }



  template <int dim>
  bool
  SolidTransfer<dim>::fulfil(
    std::vector<CellMotion>                              &cells,
    const std::function<void(std::vector<CellMotion> &)> &fill)
  {
    const auto flag = [this, &cells](const bool halves) {
      std::vector<int> wishes;
      for (const CellMotion &cell : cells)
        wishes.push_back(halves ? cell.wish > 0 : -(cell.wish < 0));
      return mesh.flag(wishes);
    };
    bool has_changed = false;
    for (const bool halves : {true, false})
      // Cells are joined once.
      while (flag(halves))
        {
          if (!has_changed)
            fill(cells);
          execute(cells);
          has_changed = true;
          if (!halves)
            break;
        }
    return has_changed;
  }



  template <int dim>
  void
  SolidTransfer<dim>::execute(std::vector<CellMotion> &cells)
  {
    motions = by_cell(cells);
    mesh.change([this](const Cell  &cell,
                       const Status status) { return pack(cell, status); },
                [this]() {
                  motions.clear();
                  motions.resize(mesh.cells().n_active_cells());
                },
                [this](const Cell  &cell,
                       const Status status,
                       const auto  &data) { unpack(cell, status, data); });
    cells.clear();
    for (const auto &cell : mesh.own_cells())
      cells.push_back(motion_of(cell));
  }



  template <int dim>
  std::vector<char>
  SolidTransfer<dim>::pack(const Cell &cell, const Status status)
  {
    const CellMotion motion =
      status == SolidMesh<dim>::Triangulation::CELL_COARSEN ? join(cell) :
                                                              motion_of(cell);
    std::vector<double> numbers = {motion.wish,
                                   static_cast<double>(motion.at_nodes.size()),
                                   static_cast<double>(motion.in_mean.size())};
    for (const auto *const fields :
         {&motion.at_nodes, &motion.in_mean, &motion.momenta})
      for (const std::vector<double> &field : *fields)
        numbers.insert(numbers.end(), field.begin(), field.end());
    const auto *const bytes = reinterpret_cast<const char *>(numbers.data());
    return {bytes, bytes + numbers.size() * sizeof(double)};
  }



  template <int dim>
  CellMotion
  SolidTransfer<dim>::join(const Cell &cell)
  {
    const std::size_t n = dim * element.n_dofs_per_cell();
    CellMotion        result;
    for (unsigned int c = 0; c < cell->n_children(); ++c)
      {
        const CellMotion &child = motion_of(cell->child(c));
        const auto       &R     = element.get_restriction_matrix(c);
        result.at_nodes.resize(child.at_nodes.size(), std::vector<double>(n));
        result.in_mean.resize(child.in_mean.size(), std::vector<double>(n));
        result.momenta.resize(child.in_mean.size(), std::vector<double>(n));
        for (std::size_t i = 0; i < child.at_nodes.size(); ++i)
          inject<dim>(R, child.at_nodes[i], result.at_nodes[i]);
        for (std::size_t i = 0; i < child.in_mean.size(); ++i)
          {
            std::vector<double> momentum(n);
            mass.add(cell->child(c),
                     density(cell->child(c)),
                     child.in_mean[i],
                     momentum);
            inject<dim>(R, child.in_mean[i], result.in_mean[i]);
            add_transposed<dim>(element.get_prolongation_matrix(c),
                                momentum,
                                result.momenta[i]);
          }
      }
    return result;
  }



  template <int dim>
  void
  SolidTransfer<dim>::unpack(const Cell      &cell,
                             const Status     status,
                             const CellBytes &bytes)
  {
    const CellMotion motion = read(bytes);
    if (status != SolidMesh<dim>::Triangulation::CELL_REFINE)
      {
        motions[cell->active_cell_index()] = motion;
        return;
      }
    for (unsigned int c = 0; c < cell->n_children(); ++c)
      {
        const auto &P     = element.get_prolongation_matrix(c);
        CellMotion &child = motions[cell->child(c)->active_cell_index()];
        child.wish        = std::max(motion.wish - 1, 0.);
        for (const std::vector<double> &field : motion.at_nodes)
          child.at_nodes.push_back(prolongate<dim>(P, field));
        for (const std::vector<double> &field : motion.in_mean)
          child.in_mean.push_back(prolongate<dim>(P, field));
      }
  }



  template <int dim>
  CellMotion
  SolidTransfer<dim>::read(const CellBytes &bytes) const
  {
    const std::size_t   n = dim * element.n_dofs_per_cell();
    std::vector<double> numbers((bytes.end() - bytes.begin()) / sizeof(double));
    std::copy(bytes.begin(),
              bytes.end(),
              reinterpret_cast<char *>(numbers.data()));
    CellMotion result;
    result.wish         = numbers[0];
    const auto at_nodes = static_cast<std::size_t>(numbers[1]);
    const auto in_mean  = static_cast<std::size_t>(numbers[2]);
    for (auto next = numbers.begin() + 3; next != numbers.end(); next += n)
      (result.at_nodes.size() < at_nodes ? result.at_nodes :
       result.in_mean.size() < in_mean   ? result.in_mean :
                                           result.momenta)
        .emplace_back(next, next + n);
    return result;
  }

  template class CellMass<2>;
  template class CellMass<3>;
  template class SolidTransfer<2>;
  template class SolidTransfer<3>;
} // namespace Percuss
