// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace Percuss
{
  /// A face of a body that may touch another one. Its nodes are in
  /// lexicographic order, along each direction at the points of Gauss and
  /// Lobatto.
  template <int dim>
  struct MortarFace
  {
    using Node = dealii::types::global_dof_index;

    std::vector<Node>               nodes;
    std::vector<dealii::Point<dim>> places;          ///< present ones
    std::vector<dealii::Point<dim>> undeformed;      ///< the same before
    double                          orientation = 1; ///< of the outer normal

    /// For each node those that it hangs on, with weights; itself where it does
    /// not hang. Empty where none does.
    std::vector<std::vector<std::pair<Node, double>>> supports;

    /// Calls @p action(node, weight) for what node @p k hangs on, or itself.
    template <typename Action>
    void
    for_supports(const std::size_t k, const Action &action) const
    {
      if (supports.empty())
        action(nodes[k], 1.);
      else
        for (const auto &[node, weight] : supports[k])
          action(node, weight);
    }

    bool
    hangs(const std::size_t k) const
    {
      return !supports.empty() &&
             (supports[k].size() != 1 || supports[k].front().first != nodes[k]);
    }

    template <typename Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &nodes &places &undeformed &orientation &supports;
    }
  };



  /// The function of degree 1 of corner @p c of a unit segment or square.
  template <int n>
  double
  corner_shape(const unsigned int c, const dealii::Point<n> &xi)
  {
    double value = 1;
    for (unsigned int d = 0; d < n; ++d)
      value *= (c >> d & 1u) != 0 ? xi[d] : 1 - xi[d];
    return value;
  }



  /// A flat piece of a face between neighbouring nodes, with the shape
  /// functions of degree 1 of its corners.
  template <int dim>
  struct MortarFacet
  {
    static constexpr unsigned int n_corners = 1u << (dim - 1);

    std::array<unsigned int, n_corners>       nodes; ///< lexicographic
    std::array<dealii::Point<dim>, n_corners> corners;
    dealii::Point<dim - 1> lower, upper; ///< in coordinates of the face
    dealii::Tensor<1, dim> normal;       ///< outer, of length 1
    double                 area     = 0;
    double                 diameter = 0;

    /// From coordinates of the facet to those of the face.
    dealii::Point<dim - 1>
    on_face(const dealii::Point<dim - 1> &xi) const;

    /// The other way round.
    dealii::Point<dim - 1>
    from_face(const dealii::Point<dim - 1> &x) const;

    dealii::Point<dim>
    place(const dealii::Point<dim - 1> &xi) const;

    /// The coordinates of the facet where a point lies above or below it, along
    /// its normal; nothing where the point is beside it.
    std::optional<dealii::Point<dim - 1>>
    foot(const dealii::Point<dim> &point) const;
  };



  /// The shape functions of faces of degree p, and those of degree 1 between
  /// their nodes.
  template <int dim>
  class MortarShapes
  {
  public:
    explicit MortarShapes(unsigned int degree);

    unsigned int
    degree() const
    {
      return static_cast<unsigned int>(points.size()) - 1;
    }

    unsigned int
    n_nodes() const;

    /// N_j(xi), xi in [0, 1].
    void
    values(const dealii::Point<dim - 1> &xi, std::vector<double> &N) const;

    /// Those of degree 1 between neighbouring nodes, which are not negative.
    void
    hats(const dealii::Point<dim - 1> &xi, std::vector<double> &H) const;

    std::vector<MortarFacet<dim>>
    facets(const MortarFace<dim> &face) const;

  private:
    std::vector<double> points; ///< along an edge
  };



  /// A point of quadrature where two facets lie in front of each other.
  template <int dim>
  struct OverlapPoint
  {
    dealii::Point<dim - 1> slave, master; ///< coordinates of the faces
    double                 weight;        ///< in m or m^2
    double                 distance;      ///< along the slave's normal, in m
  };

  /// The part of a slave facet that a master facet covers.
  template <int dim>
  struct Overlap
  {
    std::vector<OverlapPoint<dim>> points; ///< none where there is no overlap

    /// Its corners one after the other, in coordinates of the slave facet.
    std::vector<dealii::Point<dim - 1>> corners;
  };

  /// The overlap when the master facet is projected along the slave's normal on
  /// the plane of the slave: a segment, or a polygon cut out by the algorithm
  /// of Sutherland and Hodgman. The quadrature is exact for products of shape
  /// functions of degree @p degree on facets that are parallelograms.
  template <int dim>
  Overlap<dim>
  overlap(const MortarFacet<dim> &slave,
          const MortarFacet<dim> &master,
          unsigned int            degree);
} // namespace Percuss
