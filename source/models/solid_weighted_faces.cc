// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <memory>

#include "solid.h"
#include "solid_face_nodes.h"
#include "solid_free_nodes.h"
#include "solid_mortar_faces.h"
#include "solid_weighted.h"

// Points of quadrature on the sides of solids, for weighted constraints.

namespace Percuss
{
  namespace
  {
    /// Gauss points between neighbouring nodes of a face.
    template <int dim>
    dealii::Quadrature<dim - 1>
    rule_between_nodes(const unsigned int degree, const unsigned int n_points)
    {
      const dealii::QGaussLobatto<1> nodes(degree + 1);
      const dealii::QGauss<1>        gauss(n_points);
      std::vector<dealii::Point<1>>  points;
      std::vector<double>            weights;
      for (unsigned int i = 0; i < degree; ++i)
        {
          const double begin  = nodes.point(i)[0];
          const double length = nodes.point(i + 1)[0] - begin;
          for (unsigned int g = 0; g < n_points; ++g)
            {
              points.emplace_back(begin + length * gauss.point(g)[0]);
              weights.push_back(length * gauss.weight(g));
            }
        }
      const dealii::Quadrature<1> on_edge(points, weights);
      if constexpr (dim == 2)
        return on_edge;
      else
        return dealii::Quadrature<2>(on_edge, on_edge);
    }

    /// The points of a rule on the face of a cell.
    template <int dim>
    dealii::Quadrature<dim>
    on_face(const dealii::Quadrature<dim - 1> &rule, const unsigned int face)
    {
      std::vector<dealii::Point<dim>> points;
      for (const auto &xi : rule.get_points())
        {
          dealii::Point<dim> x;
          for (unsigned int d = 0, i = 0; d < dim; ++d)
            x[d] = d == face / 2 ? face % 2 : xi[i++];
          points.push_back(x);
        }
      return {points, rule.get_weights()};
    }

    /// The area of a face for its area on the unit cell.
    template <int dim>
    double
    stretch(const dealii::DerivativeForm<1, dim, dim> &jacobian,
            const unsigned int                         face)
    {
      dealii::Tensor<1, dim> tangents[2];
      for (unsigned int d = 0, i = 0; d < dim; ++d)
        if (d != face / 2)
          {
            for (unsigned int c = 0; c < dim; ++c)
              tangents[i][c] = jacobian[c][d];
            ++i;
          }
      if constexpr (dim == 2)
        return tangents[0].norm();
      else
        return dealii::cross_product_3d(tangents[0], tangents[1]).norm();
    }

    /// Weights of a node on those that it hangs on that are not negative and
    /// add up to 1.
    template <typename Weights>
    Weights
    positive(const Weights &weights)
    {
      Weights result = weights;
      double  sum    = 0;
      for (auto &[i, weight] : result)
        sum += weight = std::max(weight, 0.);
      for (auto &[i, weight] : result)
        weight /= sum;
      return result;
    }

    /// The functions of a face with nodes that are sums of free ones; places
    /// and areas are missing.
    template <int dim>
    WeightedFace<dim>
    functions_of(const FreeNodes                   &free,
                 const MortarShapes<dim>           &shapes,
                 const dealii::Quadrature<dim - 1> &rule)
    {
      const std::size_t n = free.nodes.size();
      WeightedFace<dim> face;
      face.nodes = free.nodes;
      face.shapes.resize(rule.size() * n);
      face.weights.resize(rule.size() * n);
      std::vector<double> N, hats;
      for (unsigned int p = 0; p < rule.size(); ++p)
        {
          shapes.values(rule.point(p), N);
          shapes.hats(rule.point(p), hats);
          for (std::size_t a = 0; a < N.size(); ++a)
            {
              for (const auto &[i, weight] : free.weights[a])
                face.shapes[p * n + i] += weight * N[a];
              for (const auto &[i, weight] : positive(free.weights[a]))
                face.weights[p * n + i] += weight * hats[a];
            }
        }
      return face;
    }
  } // namespace



  template <int dim>
  std::vector<WeightedFace<dim>>
  Solid<dim>::weighted_faces(const SolidParameters::Contact &contact,
                             const std::string              &name) const
  {
    const auto [body, side] =
      parameters.read_side(contact.on, "contacts/" + name + "/on");
    const auto rule =
      rule_between_nodes<dim>(parameters.degree, contact.n_points);
    const auto face_nodes = nodes_of_faces<dim>(element);
    Vector     fixed(relevant); // 1 where degrees of freedom are fixed
    for (unsigned int i = 0; i < fixed.locally_owned_size(); ++i)
      fixed.local_element(i) = is_fixed[i] ? 1 : 0;
    fixed.update_ghost_values();
    const MortarShapes<dim>        shapes(parameters.degree);
    std::vector<Node>              nodes(element.n_dofs_per_cell());
    std::vector<WeightedFace<dim>> result;
    for (const auto &cell : numbering.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        {
          if (!cell->is_locally_owned() ||
              !mesh.is_on(cell->face(f), body, side))
            continue;
          cell->get_dof_indices(nodes);
          std::vector<Node> of_face;
          for (const unsigned int a : face_nodes[f])
            of_face.push_back(nodes[a]);
          auto face =
            functions_of<dim>(FreeNodes(of_face, hanging), shapes, rule);
          for (const Node node : face.nodes)
            for (unsigned int d = 0; d < dim; ++d)
              face.is_fixed.push_back(fixed(dim * node + d) != 0);
          dealii::FEValues<dim> values(mapping,
                                       element,
                                       on_face<dim>(rule, f),
                                       dealii::update_quadrature_points |
                                         dealii::update_jacobians);
          values.reinit(cell);
          face.places = values.get_quadrature_points();
          for (unsigned int p = 0; p < rule.size(); ++p)
            face.areas.push_back(rule.weight(p) *
                                 stretch<dim>(values.jacobian(p), f));
          result.push_back(std::move(face));
        }
    return result;
  }



  template <int dim>
  void
  Solid<dim>::make_weighted_side(const unsigned int contact, const Vector &q)
  {
    const auto &[name, of_file] = parameters.contacts[contact];
    const auto   faces          = weighted_faces(of_file, name);
    unsigned int n_moving       = 0;
    for (const WeightedFace<dim> &face : faces)
      for (const Node node : face.nodes)
        n_moving += moving_supports && moving_supports->moves(node);
    if (dealii::Utilities::MPI::max(n_moving, communicator) > 0)
      throw EntryError("model/" + parameters.model() + "/contacts/" + name +
                         "/constraints",
                       "a side with weighted constraints needs nodes that no "
                       "support moves");
    auto side =
      std::make_unique<WeightedSide<dim>>(*obstacles[contact],
                                          fetch_own(faces, owned, communicator),
                                          owned,
                                          of_file.smoothing);
    if (of_file.search_distance > 0)
      side->keep_near(of_file.search_distance);
    side->complete(owned);
    side->import(q);
    weighted_sides[contact] = std::move(side);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
