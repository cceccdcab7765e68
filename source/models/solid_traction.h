// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace Percuss
{
  /// A node on the side of a contact, as it is drawn.
  template <int dim>
  struct SolidSurfacePoint
  {
    dealii::Point<dim> place;
    unsigned int       first; ///< of its degrees of freedom in `relevant`
  };

  /// A point of a loaded side or body, for quadrature.
  template <int dim>
  struct SolidLoadPoint
  {
    unsigned int          formula; ///< its first component
    dealii::Point<dim>    place;
    std::vector<unsigned> nodes;   ///< first degrees of freedom, in `relevant`
    std::vector<double>   weights; ///< shape functions times area
    /// Of a pressure, normal to the undeformed side; of other loads zero.
    dealii::Tensor<1, dim> inward = {};
  };

  /// What acts on a node in contact.
  template <int dim>
  struct ContactTraction
  {
    enum Status
    {
      open,
      sticking,
      sliding
    };

    double                 pressure = 0; ///< in Pa
    dealii::Tensor<1, dim> normal, friction;
    Status                 status = open;
  };

  /// Sums of forces and of their first and second moments.
  template <int dim>
  struct ForceMoments
  {
    double force = 0, second = 0, first[dim] = {};

    void
    add(const double f, const dealii::Point<dim> &place)
    {
      force += f;
      second += f * place.square();
      for (unsigned int d = 0; d < dim; ++d)
        first[d] += f * place[d];
    }

    /// The root of the mean square distance of the forces from their centre c,
    /// in the undeformed body, in m: sqrt(sum f |x - c|^2 / sum f) with
    /// c = sum f x / sum f.
    double
    spread() const
    {
      if (force <= 0)
        return 0;
      double square = second / force;
      for (unsigned int d = 0; d < dim; ++d)
        square -= std::pow(first[d] / force, 2);
      return std::sqrt(std::max(square, 0.));
    }
  };

  /// Sums of tractions; only doubles, for MPI.
  template <int dim>
  struct TractionSums
  {
    double largest = 0, area = 0; ///< in Pa; of nodes under pressure, in m^2
    double sticking_area = 0, force[dim] = {};
    ForceMoments<dim> of_pressure, of_friction;

    void
    add(const ContactTraction<dim> &traction,
        const dealii::Point<dim>   &place,
        const double                area_of_node)
    {
      const double f = traction.pressure * area_of_node;
      largest        = std::max(largest, traction.pressure);
      area += f > 0 ? area_of_node : 0;
      sticking_area +=
        traction.status == ContactTraction<dim>::sticking ? area_of_node : 0;
      of_pressure.add(f, place);
      of_friction.add(traction.friction.norm() * area_of_node, place);
      for (unsigned int d = 0; d < dim; ++d)
        force[d] +=
          f * traction.normal[d] + area_of_node * traction.friction[d];
    }
  };

  /// What a probe shows of them.
  template <int dim>
  struct ContactQuantity
  {
    std::string                                      name, unit;
    std::function<double(const TractionSums<dim> &)> value;
  };
} // namespace Percuss
