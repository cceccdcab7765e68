// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/solid.h"
#include "models/solid_mesh.h"
#include "models/solid_mesh_file.h"

// Displacements of a solid against known ones, on one rank.

namespace Percuss::Test
{
  /// Displacements by the places of nodes, in steps of 1e-6. The nodes of the
  /// model are where a displacement u = x says, shifted by 1, since hanging
  /// nodes have zeros.
  template <int dim>
  class NodalValues
  {
  public:
    /// @p parameters have no supports.
    NodalValues(typename Solid<dim>::Parameters parameters, const Vector &q)
      : q(q)
    {
      for (auto &body : parameters.bodies)
        body.second.initial_displacement =
          dim == 2 ? "x = 1 + x; y = 1 + y" : "x = 1 + x; y = 1 + y; z = 1 + z";
      const Solid<dim> model(parameters, {MPI_COMM_SELF});
      const Vector     places = model.initial_state().q;
      for (unsigned int i = 0; i < places.size(); i += dim)
        {
          dealii::Point<dim> place;
          for (unsigned int d = 0; d < dim; ++d)
            place[d] = places(i + d) - 1;
          first_of[key(place)] = i;
        }
    }

    double
    operator()(const dealii::Point<dim> &place, const unsigned int d) const
    {
      return q(first_of.at(key(place)) + d);
    }

  private:
    static std::array<long, dim>
    key(const dealii::Point<dim> &place)
    {
      std::array<long, dim> result;
      for (unsigned int d = 0; d < dim; ++d)
        result[d] = std::lround(1e6 * place[d] + 0.123);
      return result;
    }

    const Vector                                 &q;
    std::map<std::array<long, dim>, unsigned int> first_of;
  };



  /// A known displacement along a direction.
  template <int dim>
  using Displacement =
    std::function<double(const dealii::Point<dim> &, unsigned int)>;

  /// The L2 norm of the difference of @p q from @p exact, by Gauss points of
  /// the cells, with elements of deal.II's own. @p parameters have no supports.
  template <int dim>
  double
  error_norm(const typename Solid<dim>::Parameters &parameters,
             const Vector                          &q,
             const Displacement<dim>               &exact)
  {
    const NodalValues<dim>      of_nodes(parameters, q);
    const SolidMesh<dim>        mesh(with_mesh_files(parameters, MPI_COMM_SELF),
                              MPI_COMM_SELF);
    const unsigned int          degree = parameters.degree;
    const dealii::MappingQ<dim> mapping(mesh.is_curved() ? degree : 1);
    const dealii::FE_Q<dim>     element(degree);
    dealii::DoFHandler<dim>     numbering(mesh.cells());
    dealii::AffineConstraints<double> hanging;
    numbering.distribute_dofs(element);
    dealii::DoFTools::make_hanging_node_constraints(numbering, hanging);
    hanging.close();
    std::map<dealii::types::global_dof_index, dealii::Point<dim>> places;
    dealii::DoFTools::map_dofs_to_support_points(mapping, numbering, places);
    const dealii::QGauss<dim> rule(degree + 3);
    dealii::FEValues<dim>     of_cell(mapping,
                                  element,
                                  rule,
                                  dealii::update_values |
                                    dealii::update_quadrature_points |
                                    dealii::update_JxW_values);
    std::vector<double>       u(rule.size());
    double                    sum = 0;
    for (unsigned int d = 0; d < dim; ++d)
      {
        dealii::Vector<double> values(numbering.n_dofs());
        for (const auto &[i, place] : places)
          if (!hanging.is_constrained(i))
            values(i) = of_nodes(place, d);
        hanging.distribute(values);
        for (const auto &cell : numbering.active_cell_iterators())
          {
            of_cell.reinit(cell);
            of_cell.get_function_values(values, u);
            for (const unsigned int k : of_cell.quadrature_point_indices())
              sum += std::pow(u[k] - exact(of_cell.quadrature_point(k), d), 2) *
                     of_cell.JxW(k);
          }
      }
    return std::sqrt(sum);
  }
} // namespace Percuss::Test
