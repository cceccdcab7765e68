// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_obstacles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"
#include "tools.h"

// Distances, normals and velocities of rigid obstacles, and what contacts make
// of them.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    SolidParameters::Contact
    obstacle(const std::string &shape)
    {
      SolidParameters::Contact contact;
      contact.obstacle = shape;
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
      contact.distance = dim == 2 ? "3*(sqrt(x^2 + 2*y^2) - 0.3) + t" :
                                    "x^2 + 2*y^2 + z^2 - 0.3 + t*x";
      return contact;
    }

    template <int dim>
    std::vector<SolidParameters::Contact>
    all_obstacles()
    {
      std::vector<SolidParameters::Contact> all;
      for (const std::string shape :
           {"plane", "sphere", "box", "formula", "cylinder"})
        for (const std::string side : {"outside", "inside"})
          {
            if (dim == 2 && shape == "cylinder")
              continue;
            all.push_back(obstacle<dim>(shape));
            all.back().side = side;
            all.push_back(all.back());
            all.back().motion  = "x = 0.2*sin(3*t); y = -t";
            all.back().turning = "0.5 + t^2";
          }
      return all;
    }

    /// Places around the obstacles, none on an edge of the box.
    template <int dim>
    std::vector<dealii::Point<dim>>
    places()
    {
      std::vector<dealii::Point<dim>> result;
      for (unsigned int i = 0; i < 40; ++i)
        {
          dealii::Point<dim> x;
          for (unsigned int d = 0; d < dim; ++d)
            x[d] = std::sin(1.7 * i + 2.1 * d * i + d);
          result.push_back(x);
        }
      return result;
    }

    /// The gap grows by one along the normal, and not across it; with time by
    /// the speed at which the obstacle gives way. A formula is no distance, and
    /// is tested on its surface below.
    template <int dim>
    void
    check_differences()
    {
      SolidParameters parameters(dim);
      const double    t = 0.3, h = 1e-6;
      for (const auto &contact : all_obstacles<dim>())
        {
          const SolidObstacle<dim> solid(parameters, contact, "contacts/a");
          const auto gap = [&](const double time, const dealii::Point<dim> &x) {
            solid.set_time(time);
            return solid.view(x).gap;
          };
          for (dealii::Point<dim> x : places<dim>())
            {
              // To the surface, where formulas have the gap of a distance.
              if (contact.obstacle == "formula")
                for (unsigned int i = 0; i < 30; ++i)
                  {
                    gap(t, x);
                    x -= solid.view(x).gap * solid.view(x).normal;
                  }
              gap(t, x);
              const auto view = solid.view(x);
              EXPECT_NEAR(view.normal.norm(), 1, 1e-13);
              for (unsigned int d = 0; d < dim; ++d)
                {
                  dealii::Tensor<1, dim> step;
                  step[d] = h;
                  EXPECT_NEAR((gap(t, x + step) - gap(t, x - step)) / (2 * h),
                              view.normal[d],
                              1e-7)
                    << contact.obstacle << " at " << x;
                }
              EXPECT_NEAR((gap(t + h, x) - gap(t - h, x)) / (2 * h),
                          -(view.normal * view.velocity),
                          1e-7)
                << contact.obstacle << " at " << x;
            }
        }
    }

    TEST(SolidObstacles, NormalsAndRatesAreDifferences)
    {
      check_differences<2>();
      check_differences<3>();
    }

    /// Distances that are known.
    TEST(SolidObstacles, DistancesOfShapes)
    {
      const SolidParameters parameters(3);
      auto                  entry = obstacle<3>("box");
      entry.corner                = {0, 0, 0};
      entry.size                  = {1, 2, 3};
      const SolidObstacle<3> box(parameters, entry, "contacts/a");
      EXPECT_NEAR(box.view({4, 6, 1}).gap, 5, 1e-14); // an edge
      EXPECT_NEAR(box.view({4, 6, 1}).normal[0], 0.6, 1e-14);
      EXPECT_NEAR(box.view({-1, 4, 5}).gap, 3, 1e-14); // a corner
      EXPECT_NEAR(box.view({0.9, 1, 1}).gap, -0.1, 1e-14);
      EXPECT_NEAR(box.view({0.9, 1, 1}).normal[0], 1, 1e-14);
      entry        = obstacle<3>("cylinder");
      entry.centre = {1, 0, 7};
      entry.axis   = {0, 0, 2};
      entry.radius = 2;
      entry.side   = "inside";
      const SolidObstacle<3> cylinder(parameters, entry, "contacts/a");
      EXPECT_NEAR(cylinder.view({2, 0, 1}).gap, 1, 1e-14);
      EXPECT_NEAR(cylinder.view({2, 0, 1}).normal[0], -1, 1e-14);
      EXPECT_NEAR(cylinder.view({1, 0, 1}).gap, 2, 1e-14); // on the axis
    }

    /// A drum that turns about its axis drags what touches it.
    TEST(SolidObstacles, SurfaceOfATurningDrum)
    {
      const SolidParameters parameters(2);
      auto                  entry = obstacle<2>("sphere");
      entry.centre = entry.pivot = {1, 0};
      entry.radius               = 0.5;
      entry.turning              = "3*t";
      const SolidObstacle<2> drum(parameters, entry, "contacts/a");
      drum.set_time(0.7);
      const auto view = drum.view({1, 0.5});
      EXPECT_NEAR(view.gap, 0, 1e-14);
      EXPECT_NEAR(view.velocity[0], -1.5, 1e-14);
      EXPECT_NEAR(view.velocity[1], 0, 1e-14);
    }

    /// The directions of the contact set are the derivatives of its gaps, its
    /// rates those by time; frames are orthonormal and change little where
    /// positions do.
    template <int dim>
    void
    check_contact_set()
    {
      typename Solid<dim>::Parameters parameters;
      SolidParameters::Body           body;
      body.corner.assign(dim, -0.5);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, 2.);
      parameters.bodies.emplace_back("block", body);
      for (const std::string shape : {"sphere", "plane"})
        {
          auto contact     = obstacle<dim>(shape);
          contact.on       = "block bottom";
          contact.friction = 0.2;
          contact.radius   = 0.3;
          contact.motion   = "x = sin(t)";
          contact.turning  = "t";
          parameters.contacts.emplace_back(shape, contact);
        }
      const Solid<dim>   model(parameters, {MPI_COMM_SELF});
      const ContactSet  &set = model.contacts();
      const unsigned int n   = dim == 2 ? 3 : 9;
      ASSERT_EQ(set.size(), 2 * n);
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
        {
          EXPECT_NEAR((after(point.first) - before(point.first)) / (2 * h),
                      u(point.first),
                      1e-7);
          for (unsigned int i = 0; i < dim; ++i)
            for (unsigned int j = 0; j < dim; ++j)
              {
                double     product = 0;
                const auto a       = set.row(point.first + i);
                const auto b       = set.row(point.first + j);
                for (unsigned int k = 0; k < dim; ++k)
                  product += a[k].second * b[k].second;
                EXPECT_NEAR(product, i == j ? 1 : 0, 1e-13);
              }
        }
    }

    TEST(SolidObstacles, ContactSetFollows)
    {
      check_contact_set<2>();
      check_contact_set<3>();
    }
  } // namespace
} // namespace Percuss::Test
