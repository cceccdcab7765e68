// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_mortar_faces.h"

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// Overlaps below this part of a facet are round-off.
    constexpr double none = 1e-10;

    /// Normal times area of a facet, in one of its two directions.
    template <int dim>
    dealii::Tensor<1, dim>
    area_vector(const std::array<dealii::Point<dim>, 1u << (dim - 1)> &x)
    {
      if constexpr (dim == 2)
        return dealii::cross_product_2d(x[1] - x[0]);
      else
        return 0.5 * dealii::cross_product_3d(x[3] - x[0], x[2] - x[1]);
    }

    using Polygon = std::vector<dealii::Point<2>>;

    double
    cross(const dealii::Tensor<1, 2> &a, const dealii::Tensor<1, 2> &b)
    {
      return a[0] * b[1] - a[1] * b[0];
    }

    double
    area_of(const Polygon &polygon)
    {
      double twice = 0;
      for (std::size_t i = 2; i < polygon.size(); ++i)
        twice += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
      return twice / 2;
    }

    /// What is left of the line from @p a to @p b.
    Polygon
    cut(const Polygon          &polygon,
        const dealii::Point<2> &a,
        const dealii::Point<2> &b)
    {
      Polygon result;
      for (std::size_t i = 0; i < polygon.size(); ++i)
        {
          const auto  &p    = polygon[i];
          const auto  &q    = polygon[(i + 1) % polygon.size()];
          const double of_p = cross(b - a, p - a), of_q = cross(b - a, q - a);
          if (of_p >= 0)
            result.push_back(p);
          if ((of_p > 0 && of_q < 0) || (of_p < 0 && of_q > 0))
            result.push_back(p + of_p / (of_p - of_q) * (q - p));
        }
      return result;
    }

    /// Corners of a projected quadrilateral, in lexicographic order.
    using Quadrilateral = std::array<dealii::Point<2>, 4>;

    Polygon
    outline(const Quadrilateral &corners)
    {
      Polygon polygon = {corners[0], corners[1], corners[3], corners[2]};
      if (area_of(polygon) < 0)
        std::reverse(polygon.begin(), polygon.end());
      return polygon;
    }

    /// Coordinates of a point of a quadrilateral, by Newton's method; in
    /// parallelograms the first step is exact.
    dealii::Point<2>
    invert(const Quadrilateral &x, const dealii::Point<2> &p)
    {
      dealii::Point<2>           xi(0.5, 0.5);
      const dealii::Tensor<1, 2> twist = x[3] - x[2] - (x[1] - x[0]);
      for (unsigned int i = 0; i < 20; ++i)
        {
          const dealii::Tensor<1, 2> u = x[1] - x[0] + xi[1] * twist;
          const dealii::Tensor<1, 2> v = x[2] - x[0] + xi[0] * twist;
          const dealii::Tensor<1, 2> r =
            p - (x[0] + xi[0] * (x[1] - x[0]) + xi[1] * v);
          const double det = cross(u, v);
          if (det == 0)
            break;
          const dealii::Tensor<1, 2> step(
            {cross(r, v) / det, cross(u, r) / det});
          xi += step;
          if (step.norm() < 1e-15)
            break;
        }
      return xi;
    }

    Overlap<2>
    overlap_of(const MortarFacet<2> &slave,
               const MortarFacet<2> &master,
               const unsigned int    degree)
    {
      const double length  = slave.area;
      const auto   tangent = (slave.corners[1] - slave.corners[0]) / length;
      const double s[2]    = {(master.corners[0] - slave.corners[0]) * tangent,
                              (master.corners[1] - slave.corners[0]) * tangent};
      const double begin   = std::max(0., std::min(s[0], s[1]));
      const double end     = std::min(length, std::max(s[0], s[1]));
      Overlap<2>   result;
      if (end - begin <= none * length)
        return result;
      result.corners = {dealii::Point<1>(begin / length),
                        dealii::Point<1>(end / length)};
      const dealii::QGauss<1> gauss(degree + 1);
      for (unsigned int i = 0; i < gauss.size(); ++i)
        {
          const double           at = begin + (end - begin) * gauss.point(i)[0];
          const dealii::Point<1> of_slave(at / length);
          const dealii::Point<1> of_master((at - s[0]) / (s[1] - s[0]));
          result.points.push_back(
            {slave.on_face(of_slave),
             master.on_face(of_master),
             (end - begin) * gauss.weight(i),
             (master.place(of_master) - slave.place(of_slave)) * slave.normal});
        }
      return result;
    }

    /// Two directions in the plane of a facet.
    std::array<dealii::Tensor<1, 3>, 2>
    axes_of(const MortarFacet<3> &facet)
    {
      auto e1 = facet.corners[1] - facet.corners[0];
      e1 -= (e1 * facet.normal) * facet.normal;
      e1 /= e1.norm();
      return {{e1, dealii::cross_product_3d(facet.normal, e1)}};
    }

    dealii::Point<2>
    project(const dealii::Point<3>                    &point,
            const MortarFacet<3>                      &onto,
            const std::array<dealii::Tensor<1, 3>, 2> &axes)
    {
      const auto x = point - onto.corners[0];
      return dealii::Point<2>(x * axes[0], x * axes[1]);
    }

    /// The corners of a facet in the plane of another one.
    Quadrilateral
    project(const MortarFacet<3> &facet, const MortarFacet<3> &onto)
    {
      const auto    axes = axes_of(onto);
      Quadrilateral result;
      for (unsigned int c = 0; c < 4; ++c)
        result[c] = project(facet.corners[c], onto, axes);
      return result;
    }

    dealii::Point<1>
    foot_of(const MortarFacet<2> &facet, const dealii::Point<2> &point)
    {
      const auto edge = facet.corners[1] - facet.corners[0];
      return dealii::Point<1>((point - facet.corners[0]) * edge /
                              edge.norm_square());
    }

    dealii::Point<2>
    foot_of(const MortarFacet<3> &facet, const dealii::Point<3> &point)
    {
      return invert(project(facet, facet),
                    project(point, facet, axes_of(facet)));
    }

    Overlap<3>
    overlap_of(const MortarFacet<3> &slave,
               const MortarFacet<3> &master,
               const unsigned int    degree)
    {
      const Quadrilateral on_slave  = project(slave, slave),
                          on_master = project(master, slave);
      const Polygon frame           = outline(on_slave);
      Polygon       common          = outline(on_master);
      for (std::size_t i = 0; i < 4 && !common.empty(); ++i)
        common = cut(common, frame[i], frame[(i + 1) % 4]);
      Overlap<3> result;
      if (area_of(common) <= none * slave.area)
        return result;
      for (const auto &corner : common)
        {
          auto xi = invert(on_slave, corner);
          for (unsigned int d = 0; d < 2; ++d)
            xi[d] = std::clamp(xi[d], 0., 1.);
          result.corners.push_back(xi);
        }
      // Products of two such functions have the degree 4p in the plane, and
      // one more in the collapsed coordinates of triangles.
      const dealii::QGauss<1> gauss(2 * degree + 1);
      for (std::size_t t = 2; t < common.size(); ++t)
        {
          const auto a       = common[t - 1] - common[0],
                     b       = common[t] - common[t - 1];
          const double twice = cross(a, b);
          for (unsigned int i = 0; i < gauss.size(); ++i)
            for (unsigned int j = 0; j < gauss.size(); ++j)
              {
                const double u = gauss.point(i)[0], v = gauss.point(j)[0];
                const dealii::Point<2> p         = common[0] + u * (a + v * b);
                const auto             of_slave  = invert(on_slave, p);
                const auto             of_master = invert(on_master, p);
                result.points.push_back(
                  {slave.on_face(of_slave),
                   master.on_face(of_master),
                   twice * u * gauss.weight(i) * gauss.weight(j),
                   (master.place(of_master) - slave.place(of_slave)) *
                     slave.normal});
              }
        }
      return result;
    }
  } // namespace



  template <int dim>
  dealii::Point<dim - 1>
  MortarFacet<dim>::on_face(const dealii::Point<dim - 1> &xi) const
  {
    dealii::Point<dim - 1> result;
    for (unsigned int d = 0; d < dim - 1; ++d)
      result[d] = lower[d] + xi[d] * (upper[d] - lower[d]);
    return result;
  }



  template <int dim>
  dealii::Point<dim - 1>
  MortarFacet<dim>::from_face(const dealii::Point<dim - 1> &x) const
  {
    dealii::Point<dim - 1> result;
    for (unsigned int d = 0; d < dim - 1; ++d)
      result[d] = (x[d] - lower[d]) / (upper[d] - lower[d]);
    return result;
  }



  template <int dim>
  dealii::Point<dim>
  MortarFacet<dim>::place(const dealii::Point<dim - 1> &xi) const
  {
    dealii::Point<dim> result;
    for (unsigned int c = 0; c < n_corners; ++c)
      result += corner_shape<dim - 1>(c, xi) * corners[c];
    return result;
  }



  template <int dim>
  std::optional<dealii::Point<dim - 1>>
  MortarFacet<dim>::foot(const dealii::Point<dim> &point) const
  {
    const auto xi = foot_of(*this, point);
    for (unsigned int d = 0; d < dim - 1; ++d)
      if (!(xi[d] >= -none && xi[d] <= 1 + none))
        return {};
    return xi;
  }



  template <int dim>
  MortarShapes<dim>::MortarShapes(const unsigned int degree)
  {
    const dealii::QGaussLobatto<1> lobatto(degree + 1);
    for (const auto &point : lobatto.get_points())
      points.push_back(point[0]);
  }



  template <int dim>
  unsigned int
  MortarShapes<dim>::n_nodes() const
  {
    const auto n = static_cast<unsigned int>(points.size());
    return dim == 2 ? n : n * n;
  }



  template <int dim>
  void
  MortarShapes<dim>::values(const dealii::Point<dim - 1> &xi,
                            std::vector<double>          &N) const
  {
    const std::size_t n = points.size();
    N.assign(n_nodes(), 1.);
    for (unsigned int d = 0; d < dim - 1; ++d)
      for (std::size_t i = 0; i < n; ++i)
        {
          double value = 1;
          for (std::size_t k = 0; k < n; ++k)
            if (k != i)
              value *= (xi[d] - points[k]) / (points[i] - points[k]);
          for (std::size_t j = 0; j < N.size(); ++j)
            if ((d == 0 ? j % n : j / n) == i)
              N[j] *= value;
        }
  }



  template <int dim>
  void
  MortarShapes<dim>::hats(const dealii::Point<dim - 1> &xi,
                          std::vector<double>          &H) const
  {
    const std::size_t n = points.size();
    H.assign(n_nodes(), 1.);
    for (unsigned int d = 0; d < dim - 1; ++d)
      {
        std::size_t i = 0; // of the interval
        while (i + 2 < n && xi[d] > points[i + 1])
          ++i;
        const double at = (xi[d] - points[i]) / (points[i + 1] - points[i]);
        for (std::size_t j = 0; j < H.size(); ++j)
          {
            const std::size_t k = d == 0 ? j % n : j / n;
            H[j] *= k == i ? 1 - at : k == i + 1 ? at : 0;
          }
      }
  }



  template <int dim>
  std::vector<MortarFacet<dim>>
  MortarShapes<dim>::facets(const MortarFace<dim> &face) const
  {
    const unsigned int            p = degree(), n = p + 1;
    std::vector<MortarFacet<dim>> result;
    for (unsigned int j = 0; j < (dim == 2 ? 1 : p); ++j)
      for (unsigned int i = 0; i < p; ++i)
        {
          MortarFacet<dim>   facet;
          const unsigned int at[2] = {i, j};
          for (unsigned int c = 0; c < facet.n_corners; ++c)
            {
              facet.nodes[c]   = i + (c & 1u) + n * (j + (c >> 1u));
              facet.corners[c] = face.places[facet.nodes[c]];
            }
          for (unsigned int d = 0; d < dim - 1; ++d)
            {
              facet.lower[d] = points[at[d]];
              facet.upper[d] = points[at[d] + 1];
            }
          facet.normal = face.orientation * area_vector<dim>(facet.corners);
          facet.area   = facet.normal.norm();
          facet.normal /= facet.area;
          for (const auto &corner : facet.corners)
            facet.diameter =
              std::max(facet.diameter, corner.distance(facet.corners[0]));
          result.push_back(facet);
        }
    return result;
  }



  template <int dim>
  Overlap<dim>
  overlap(const MortarFacet<dim> &slave,
          const MortarFacet<dim> &master,
          const unsigned int      degree)
  {
    return overlap_of(slave, master, degree);
  }

  template struct MortarFacet<2>;
  template struct MortarFacet<3>;
  template class MortarShapes<2>;
  template class MortarShapes<3>;
  template Overlap<2>
  overlap(const MortarFacet<2> &, const MortarFacet<2> &, unsigned int);
  template Overlap<3>
  overlap(const MortarFacet<3> &, const MortarFacet<3> &, unsigned int);
} // namespace Percuss
