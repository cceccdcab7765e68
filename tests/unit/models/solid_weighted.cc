// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_weighted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "models/solid.h"
#include "tools.h"

// Weighted constraints of solids: gaps, directions and rates.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    /// A block of edge 1 with two cells along each edge, of which the bottom is
    /// in front of an obstacle.
    template <int dim>
    Parameters<dim>
    block(const unsigned int degree, const std::string &obstacle)
    {
      Parameters<dim> parameters;
      parameters.degree = degree;
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, 2.);
      parameters.bodies.emplace_back("block", body);
      SolidParameters::Contact contact;
      contact.on          = "block bottom";
      contact.obstacle    = obstacle;
      contact.constraints = "weighted";
      for (auto *list : {&contact.through,
                         &contact.centre,
                         &contact.corner,
                         &contact.pivot,
                         &contact.normal,
                         &contact.axis,
                         &contact.turning_axis})
        {
          list->assign(dim, 0.1);
          list->back() = 0.7;
        }
      contact.size.assign(dim, 0.4);
      parameters.contacts.emplace_back("floor", contact);
      return parameters;
    }

    double
    gap_of(const ContactSet &set, const ContactPoint &point, const Vector &q)
    {
      Vector gaps(set.partition());
      set.place(0, q);
      set.gaps(q, gaps);
      return gaps(point.first);
    }

    /// In front of an inclined plane g = a + s x the mean over a hat function
    /// with the lengths l and r to the neighbours is that of the node and
    /// s (r - l)/3.
    TEST(SolidWeighted, MeansOverHatFunctions)
    {
      for (const unsigned int degree : {1, 2, 3})
        {
          auto  parameters = block<2>(degree, "plane");
          auto &contact    = parameters.contacts[0].second;
          contact.through  = {0, -0.2};
          contact.normal   = {-0.6, 0.8};
          const Solid<2>      model(parameters, {MPI_COMM_SELF});
          const ContactSet   &set = model.contacts();
          std::vector<double> inside;
          if (degree == 2)
            inside = {0.5};
          if (degree == 3)
            inside = {0.5 - 0.5 / std::sqrt(5.), 0.5 + 0.5 / std::sqrt(5.)};
          std::vector<double> nodes = {0};
          for (const double begin : {0., 0.5})
            {
              for (const double x : inside)
                nodes.push_back(begin + 0.5 * x);
              nodes.push_back(begin + 0.5);
            }
          std::vector<double> expected;
          for (std::size_t i = 0; i < nodes.size(); ++i)
            {
              const double l = i == 0 ? 0 : nodes[i] - nodes[i - 1];
              const double r =
                i + 1 == nodes.size() ? 0 : nodes[i + 1] - nodes[i];
              expected.push_back(0.8 * 0.2 - 0.6 * (nodes[i] + (r - l) / 3));
            }
          ASSERT_TRUE(set.has_constant_directions());
          ASSERT_EQ(set.size(), expected.size());
          // Nodes are in the order of cells; gaps fall along the side.
          std::vector<double> gaps;
          Vector              q(model.partition());
          for (const ContactPoint &point : set.points())
            gaps.push_back(gap_of(set, point, q));
          std::sort(gaps.rbegin(), gaps.rend());
          for (std::size_t i = 0; i < gaps.size(); ++i)
            EXPECT_NEAR(gaps[i], expected[i], 1e-13) << degree;
        }
    }

    /// The smooth minimum over a hat function, by a fine rule.
    double
    smooth_minimum(const double                         node,
                   const double                         delta,
                   const std::function<double(double)> &gap)
    {
      const unsigned int n   = 100000;
      double             sum = 0, weight = 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          const double x   = (i + 0.5) / n;
          const double hat = std::max(0., 1 - std::abs(x - node) / 0.5);
          sum += hat * std::exp(-gap(x) / delta);
          weight += hat;
        }
      return -delta * std::log(sum / weight);
    }

    TEST(SolidWeighted, SmoothMinimaOverHatFunctions)
    {
      for (const double delta : {0.02, 0.1, 100.})
        {
          auto  parameters  = block<2>(1, "sphere");
          auto &contact     = parameters.contacts[0].second;
          contact.centre    = {0.3, -0.2};
          contact.radius    = 0.15;
          contact.n_points  = 20;
          contact.smoothing = delta;
          const Solid<2>      model(parameters, {MPI_COMM_SELF});
          const ContactSet   &set = model.contacts();
          const Vector        q(model.partition());
          std::vector<double> gaps, expected;
          for (const ContactPoint &point : set.points())
            gaps.push_back(gap_of(set, point, q));
          for (const double node : {0., 0.5, 1.})
            expected.push_back(smooth_minimum(node, delta, [](const double x) {
              return std::hypot(x - 0.3, 0.2) - 0.15;
            }));
          std::sort(gaps.begin(), gaps.end());
          std::sort(expected.begin(), expected.end());
          ASSERT_EQ(gaps.size(), 3u);
          for (unsigned int i = 0; i < 3; ++i)
            EXPECT_NEAR(gaps[i], expected[i], 1e-8) << delta;
        }
    }

    /// Directions are the derivatives of gaps, rates those by time.
    template <int dim>
    void
    check_derivatives(const unsigned int degree, const std::string &obstacle)
    {
      auto  parameters  = block<dim>(degree, obstacle);
      auto &contact     = parameters.contacts[0].second;
      contact.friction  = 0.2;
      contact.radius    = 0.3;
      contact.smoothing = 0.05;
      contact.motion    = "x = sin(t)";
      contact.turning   = "t";
      contact.distance  = "x^2 + 2*y^2 - 0.3 + t*x";
      const Solid<dim>  model(parameters, {MPI_COMM_SELF});
      const ContactSet &set = model.contacts();
      ASSERT_FALSE(set.has_constant_directions());
      Vector q(model.partition()), v(q), moved(q);
      for (unsigned int i = 0; i < q.size(); ++i)
        {
          q(i) = 0.01 * std::sin(i);
          v(i) = std::cos(3 * i);
        }
      const double t = 0.4, h = 1e-6;
      Vector       before(set.partition()), after(before), u(before);
      for (const double sign : {-1., 1.})
        {
          moved = q;
          moved.add(sign * h, v);
          set.place(t + sign * h, moved);
          set.gaps(moved, sign < 0 ? before : after);
        }
      set.place(t, q);
      set.velocities(v, u);
      for (const ContactPoint &point : set.points())
        EXPECT_NEAR((after(point.first) - before(point.first)) / (2 * h),
                    u(point.first),
                    1e-6)
          << dim << " " << degree << " " << obstacle;
    }

    TEST(SolidWeighted, DirectionsAreDerivatives)
    {
      for (const unsigned int degree : {1, 2, 3})
        for (const std::string obstacle : {"sphere", "plane", "box"})
          {
            check_derivatives<2>(degree, obstacle);
            check_derivatives<3>(degree, obstacle);
          }
    }

    /// A search distance looks at points of quadrature, not at nodes.
    TEST(SolidWeighted, SearchDistanceOfPoints)
    {
      auto  parameters        = block<3>(1, "sphere");
      auto &contact           = parameters.contacts[0].second;
      contact.centre          = {0.25, 0.25, -0.1};
      contact.radius          = 0.05;
      contact.search_distance = 0.1;
      EXPECT_EQ(Solid<3>(parameters, {MPI_COMM_SELF}).contacts().size(), 4u);
      contact.search_distance = 0.01;
      EXPECT_EQ(Solid<3>(parameters, {MPI_COMM_SELF}).contacts().size(), 0u);
      contact.constraints     = "nodes";
      contact.search_distance = 0.1;
      EXPECT_EQ(Solid<3>(parameters, {MPI_COMM_SELF}).contacts().size(), 0u);
    }
  } // namespace
} // namespace Percuss::Test
