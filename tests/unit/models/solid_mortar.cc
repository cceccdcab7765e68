// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_mortar.h"

#include <deal.II/base/quadrature_lib.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace Percuss::Test
{
  namespace
  {
    /// The faces of a square or of a line of n x n cells of a side on the plane
    /// z = @p height, with the lower corner at @p corner.
    template <int dim>
    std::vector<MortarFace<dim>>
    side(const unsigned int n,
         const unsigned int degree,
         const double       corner,
         const double       size,
         const double       height,
         const double       direction)
    {
      const dealii::QGaussLobatto<1> lobatto(degree + 1);
      const unsigned int             along      = n * degree + 1;
      const auto                     coordinate = [&](const unsigned int i) {
        const unsigned int cell = std::min(i / degree, n - 1);
        return corner + size / n * (cell + lobatto.point(i - degree * cell)[0]);
      };
      std::vector<MortarFace<dim>> faces;
      for (unsigned int cy = 0; cy < (dim == 2 ? 1 : n); ++cy)
        for (unsigned int cx = 0; cx < n; ++cx)
          {
            MortarFace<dim> face;
            for (unsigned int j = 0; j <= (dim == 2 ? 0 : degree); ++j)
              for (unsigned int i = 0; i <= degree; ++i)
                {
                  const unsigned int x = cx * degree + i, y = cy * degree + j;
                  dealii::Point<dim> place;
                  place[0]       = coordinate(x);
                  place[dim - 1] = height;
                  if (dim == 3)
                    place[1] = coordinate(y);
                  face.places.push_back(place);
                  face.nodes.push_back((direction < 0 ? 100000 : 0) + x +
                                       along * y);
                  face.undeformed.push_back(place);
                }
            const MortarShapes<dim> shapes(degree);
            const auto              normal = shapes.facets(face)[0].normal;
            face.orientation = normal[dim - 1] * direction > 0 ? 1 : -1;
            faces.push_back(face);
          }
      return faces;
    }

    /// Within 0.5 m.
    template <int dim>
    MortarCoupling<dim>
    couple_near(const unsigned int                  degree,
                const std::vector<MortarFace<dim>> &slaves,
                const std::vector<MortarFace<dim>> &masters,
                const bool                          is_one_side)
    {
      return couple(MortarShapes<dim>(degree),
                    slaves,
                    masters,
                    find_candidates(slaves, masters, 0.5),
                    {0.5, is_one_side});
    }

    template <int dim>
    void
    check_biorthogonality(const unsigned int degree)
    {
      const MortarShapes<dim>       shapes(degree);
      const dealii::QGauss<dim - 1> gauss(degree + 1);
      const unsigned int            n = shapes.n_nodes();
      std::vector<double>           N, of_N(n), N_N(n * n);
      for (unsigned int q = 0; q < gauss.size(); ++q)
        {
          shapes.values(gauss.point(q), N);
          for (unsigned int j = 0; j < n; ++j)
            {
              of_N[j] += gauss.weight(q) * N[j];
              for (unsigned int k = 0; k < n; ++k)
                N_N[j * n + k] += gauss.weight(q) * N[j] * N[k];
            }
        }
      const auto          e = dual_coefficients(of_N, N_N);
      std::vector<double> psi_N(n * n);
      for (unsigned int q = 0; q < gauss.size(); ++q)
        {
          shapes.values(gauss.point(q), N);
          double sum = 0;
          for (unsigned int j = 0; j < n; ++j)
            {
              double psi = 0;
              for (unsigned int l = 0; l < n; ++l)
                psi += e[j * n + l] * N[l];
              sum += psi;
              for (unsigned int k = 0; k < n; ++k)
                psi_N[j * n + k] += gauss.weight(q) * psi * N[k];
            }
          EXPECT_NEAR(sum, 1, 1e-12);
        }
      for (unsigned int j = 0; j < n; ++j)
        {
          EXPECT_GT(of_N[j], 0);
          for (unsigned int k = 0; k < n; ++k)
            EXPECT_NEAR(psi_N[j * n + k], j == k ? of_N[j] : 0, 1e-13);
        }
    }

    TEST(SolidMortar, MultipliersAreBiorthogonal)
    {
      for (const unsigned int degree : {1, 2, 3})
        {
          check_biorthogonality<2>(degree);
          check_biorthogonality<3>(degree);
        }
      // On a segment of length 1: 2 - 3x and 3x - 1.
      const auto e =
        dual_coefficients({0.5, 0.5}, {1. / 3, 1. / 6, 1. / 6, 1. / 3});
      EXPECT_NEAR(e[0], 2, 1e-14);
      EXPECT_NEAR(e[1], -1, 1e-14);
    }

    /// Sums of a constraint: of all weights, of the slave's and of the
    /// master's, and of coefficients times coordinates across the normal.
    template <int dim>
    void
    check_sides(const unsigned int degree,
                const double       corner,
                const double       size,
                const double       covered)
    {
      const auto slaves  = side<dim>(3, degree, 0, 1, 0.2, -1);
      const auto masters = side<dim>(4, degree, corner, size, 0, 1);
      const auto result  = couple_near<dim>(degree, slaves, masters, false);
      double     area    = 0;
      for (const auto &[number, node] : result.nodes)
        {
          double own = 0, other = 0;
          for (const auto &[k, coefficient] : node.coefficients)
            (k >= 100000 ? own : other) += coefficient;
          EXPECT_NEAR(own, 1, 1e-9);
          EXPECT_NEAR(other, -1, 1e-9);
          EXPECT_GT(node.weight, 0);
          EXPECT_NEAR(node.normal[dim - 1], 1, 1e-14);
          EXPECT_NEAR(node.gap(), 0.2, 1e-9);
          // No moment: the forces on both sides are in one line.
          EXPECT_NEAR(node.way[0], 0, 1e-9);
          area += node.weight;
        }
      EXPECT_NEAR(area, covered, 1e-9);
      EXPECT_LE(result.most_covered, 1 + 1e-12);
    }

    TEST(SolidMortar, ConstraintsFeelNoTranslation)
    {
      for (const unsigned int degree : {1, 2, 3})
        {
          check_sides<2>(degree, 0, 1, 1);
          check_sides<2>(degree, -0.3, 2, 1);
          check_sides<2>(degree, 0.37, 1, 0.63); // covered in part
          check_sides<3>(degree, 0, 1, 1);
          check_sides<3>(degree, -0.3, 2, 1);
          check_sides<3>(degree, 0.37, 1, 0.63 * 0.63);
        }
    }

    TEST(SolidMortar, FindsFacesInFrontOnly)
    {
      const auto slaves = side<3>(2, 1, 0, 1, 0.2, -1);
      const auto count  = [&](const std::vector<MortarFace<3>> &masters) {
        return couple_near<3>(1, slaves, masters, false).nodes.size();
      };
      EXPECT_EQ(count(side<3>(3, 1, 0, 1, 0, 1)), 9);
      EXPECT_EQ(count(side<3>(3, 1, 0, 1, -0.4, 1)), 0); // too far
      EXPECT_EQ(count(side<3>(3, 1, 0, 1, 0.25, 1)), 9); // a small overlap
      EXPECT_EQ(count(side<3>(3, 1, 0, 1, 0.4, 1)), 0);  // a deep one
      EXPECT_EQ(count(side<3>(3, 1, 0, 1, 0, -1)), 0);   // the same way
      EXPECT_EQ(count(side<3>(3, 1, 2, 1, 0, 1)), 0);    // beside
      // Of one face.
      EXPECT_EQ(count(side<3>(3, 1, 0, 0.5, 0, 1)), 4);
    }

    /// Sides that meet at an angle: the constraint of a node is its distance
    /// from the master in direction of the master's normal. Where the master
    /// ends in the first face, at c, the constraint of the first node, which
    /// has nothing in front of it, is the distance of the master's edge. Where
    /// the edge is closer to the slave than the second node is to the master,
    /// this face has the slave's normal, and the second node the mean of both.
    TEST(SolidMortar, SidesAtAnAngle)
    {
      const auto slaves = side<2>(3, 1, 0, 3, 0.2, -1);
      for (const double slope : {0.3, -0.1})
        for (const double c : {-0.4, 0., 0.25, 0.9, 0.9999})
          {
            auto masters = side<2>(4, 1, c, 4, 0, 1);
            for (auto &face : masters)
              for (auto &place : face.places)
                place[1] = 0.1 - slope * place[0];
            const auto result = couple(MortarShapes<2>(1),
                                       slaves,
                                       masters,
                                       find_candidates(slaves, masters, 2.),
                                       {2., false, true});
            ASSERT_EQ(result.nodes.size(), 4);
            const dealii::Tensor<1, 2> of_slave({0, 1}), of_master({slope, 1});
            for (const auto &[number, node] : result.nodes)
              {
                const bool   at_edge = number == 100000 && c > 0;
                const double x       = at_edge ? c : number - 100000.;
                auto         normal  = of_master / of_master.norm();
                if (slope > 0 && at_edge)
                  normal = of_slave;
                else if (slope > 0 && number == 100001 && c > 0)
                  normal += (1 - c) * of_slave; // twice the weights
                normal /= normal.norm();
                EXPECT_NEAR(node.way[0], 0, 1e-10);
                EXPECT_NEAR(node.way[1], 0.1 + slope * x, 1e-10);
                EXPECT_NEAR(node.normal * normal, 1, 1e-13);
              }
          }
    }

    /// In space, a flat master whose edges cross the slave's faces askew, so
    /// that covered parts are triangles and other polygons. Constraints of
    /// nodes in front of the master are the distances there. Functions add up
    /// to 1: weights add up to the area of the master, projected, and with the
    /// distances to its integral.
    TEST(SolidMortar, SidesAtAnAngleWithEdgesAskew)
    {
      const auto slaves  = side<3>(5, 1, 0, 5, 0.9, -1);
      const auto masters = side<3>(2, 1, -1.5, 3, 0, 1);
      const auto gap     = [](const double x, const double y) {
        return 0.9 + 0.2 * x - 0.1 * y;
      };
      for (const double angle : {0.1, 0.5, M_PI / 4})
        {
          const double c = std::cos(angle), s = std::sin(angle);
          auto         turned = masters;
          for (auto &face : turned)
            for (auto &place : face.places)
              {
                const double x = 2.6 + c * place[0] - s * place[1],
                             y = 2.3 + s * place[0] + c * place[1];
                place          = {x, y, 0.9 - gap(x, y)};
              }
          const auto result = couple(MortarShapes<3>(1),
                                     slaves,
                                     turned,
                                     find_candidates(slaves, turned, 3.),
                                     {3., false, true});
          double     area = 0, integral = 0;
          for (const auto &[number, node] : result.nodes)
            {
              const double x = (number - 100000) % 6, y = (number - 100000) / 6;
              const double dx = x - 2.6, dy = y - 2.3;
              const double along = c * dx + s * dy, across = c * dy - s * dx;
              EXPECT_NEAR(node.way[0], 0, 1e-10);
              EXPECT_NEAR(node.way[1], 0, 1e-10);
              if (std::max(std::abs(along), std::abs(across)) < 1.5)
                {
                  EXPECT_NEAR(node.way[2], gap(x, y), 1e-10);
                }
              area += node.weight;
              integral += node.weight * node.way[2];
            }
          EXPECT_NEAR(area, 9, 1e-10);
          EXPECT_NEAR(integral, 9 * gap(2.6, 2.3), 1e-10);
        }
    }

    /// Both lips of a slit are slaves and masters: that with the lower numbers
    /// has the contacts.
    TEST(SolidMortar, SelfContactCountsPairsOnce)
    {
      auto lips = side<3>(3, 1, 0, 1, 0.2, -1);
      for (const auto &face : side<3>(2, 1, 0, 1, 0, 1))
        lips.push_back(face);
      const auto result = couple_near<3>(1, lips, lips, true);
      EXPECT_EQ(result.nodes.size(), 9);
      for (const auto &[number, node] : result.nodes)
        {
          EXPECT_LT(number, 100000);
          EXPECT_NEAR(node.gap(), 0.2, 1e-12);
          EXPECT_NEAR(node.normal[2], -1, 1e-12);
        }
    }

    /// Rotated quadrilaterals: the overlap of two squares turned by 45 degrees
    /// is a regular octagon.
    TEST(SolidMortar, PolygonsAreCutExactly)
    {
      const auto facet = [](const double angle) {
        MortarFace<3> face;
        for (unsigned int c = 0; c < 4; ++c)
          {
            const double x = c % 2 - 0.5, y = c / 2 - 0.5;
            face.places.emplace_back(std::cos(angle) * x - std::sin(angle) * y,
                                     std::sin(angle) * x + std::cos(angle) * y,
                                     0);
          }
        return MortarShapes<3>(1).facets(face)[0];
      };
      const auto points = overlap<3>(facet(0), facet(M_PI / 4), 1).points;
      double     area = 0, moment = 0;
      for (const auto &point : points)
        {
          area += point.weight;
          const double x = point.slave[0] - 0.5, y = point.slave[1] - 0.5;
          moment += point.weight * x * x * y * y;
        }
      EXPECT_NEAR(area, 2 * (std::sqrt(2.) - 1), 1e-14);
      // Of the octagon, by its four cut corners.
      const double c = 0.5, a = std::sqrt(0.5); // |x| + |y| <= a
      double       exact = 4. / 9 * std::pow(c, 6);
      // Minus the corners: int over x+y > a of x^2 y^2 in the first quadrant.
      const dealii::QGauss<1> gauss(8);
      const double            first = a - c;
      for (unsigned int q = 0; q < gauss.size(); ++q)
        {
          const double x = first + (c - first) * gauss.point(q)[0];
          exact -= 4 * gauss.weight(q) * (c - first) * x * x / 3 *
                   (c * c * c - std::pow(a - x, 3));
        }
      EXPECT_NEAR(moment, exact, 1e-15);
    }
  } // namespace
} // namespace Percuss::Test
