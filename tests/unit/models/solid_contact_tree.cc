// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_contact_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"
#include "tools.h"

// Trees of contacts: those beyond the reach of a step are left out, all others
// are as without them.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    typename Solid<dim>::Parameters
    plate(const std::string &obstacle)
    {
      typename Solid<dim>::Parameters parameters;
      SolidParameters::Body           body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.size.back() = 0.1;
      body.cells.assign(dim, dim == 2 ? 100. : 12.);
      body.cells.back() = 1;
      parameters.bodies.emplace_back("plate", body);
      SolidParameters::Contact contact;
      contact.on       = "plate bottom";
      contact.obstacle = obstacle;
      contact.friction = 0.3;
      for (auto *list : {&contact.through,
                         &contact.centre,
                         &contact.corner,
                         &contact.pivot,
                         &contact.normal,
                         &contact.axis,
                         &contact.turning_axis})
        {
          list->assign(dim, 0.3);
          list->back() = -0.4;
        }
      contact.normal.back() = 1;
      contact.radius        = 0.35;
      contact.size.assign(dim, 0.3);
      contact.motion   = "x = 0.1*t";
      contact.turning  = "0.2*t";
      contact.distance = dim == 2 ?
                           "(x - 0.3)^2 + 3*(y + 0.4)^2 - 0.35 + 0.1*t*x" :
                           "3*sqrt((x - 0.3)^2 + 2*(y - 0.5)^2 + (z + 0.4)^2) "
                           "- 1 + 0.05*sin(3*x)*t";
      parameters.contacts.emplace_back("floor", contact);
      return parameters;
    }

    /// At random displacements and velocities: what a step sees.
    template <int dim>
    unsigned int
    compare_with_all(const Solid<dim> &model, const unsigned int seed)
    {
      const ContactSet &set = model.contacts();
      Vector            q(model.partition()), v(q);
      for (unsigned int i = 0; i < q.size(); ++i)
        {
          q(i) = 0.03 * std::sin(0.01 * i + seed);
          v(i) = std::cos(0.02 * i * seed);
        }
      const double       t = 0.1 * seed, h = 0.02, tolerance = 1e-3;
      const ContactReach reach{tolerance, h, v.linfty_norm()};
      Vector             all(set.partition()), near(all), u_all(all), u(all);
      set.place(t, q);
      set.gaps(q, all);
      set.velocities(v, u_all);
      set.place(t + 1, q, reach); // elsewhere
      set.place(t, q, reach);
      set.gaps(q, near);
      set.velocities(v, u);
      unsigned int n_far = 0;
      for (const ContactPoint &point : set.points())
        {
          const unsigned int i         = point.first;
          const bool         is_active = all(i) + h * u_all(i) <= tolerance;
          EXPECT_EQ(near(i) + h * u(i) <= tolerance, is_active);
          if (near(i) == all(i))
            for (unsigned int k = 0; k < point.n_directions; ++k)
              EXPECT_EQ(u(i + k), u_all(i + k));
          else
            {
              ++n_far;
              EXPECT_GT(near(i), 0);
              EXPECT_LE(near(i), all(i));
              EXPECT_EQ(u(i), 0);
            }
        }
      return n_far;
    }

    template <int dim>
    void
    check_obstacles()
    {
      for (const std::string constraints : {"nodes", "weighted"})
        for (const std::string obstacle :
             {"plane", "sphere", "box", "formula", "cylinder"})
          {
            if (dim == 2 && obstacle == "cylinder")
              continue;
            auto parameters                           = plate<dim>(obstacle);
            parameters.contacts[0].second.constraints = constraints;
            const Solid<dim> model(parameters, {MPI_COMM_SELF});
            unsigned int     n_far = 0;
            for (const unsigned int seed : {1, 2, 3})
              n_far += compare_with_all<dim>(model, seed);
            EXPECT_GT(n_far, 0u) << dim << " " << obstacle;
          }
    }

    TEST(SolidContactTree, LeavesOutNothingThatMatters)
    {
      check_obstacles<2>();
      check_obstacles<3>();
    }

    /// Bounds of balls hold at their places.
    template <int dim>
    void
    check_bounds()
    {
      for (const std::string shape :
           {"plane", "sphere", "box", "formula", "cylinder"})
        for (const std::string side : {"outside", "inside"})
          {
            if (dim == 2 && shape == "cylinder")
              continue;
            auto parameters = plate<dim>(shape);
            auto contact    = parameters.contacts[0].second;
            contact.side    = side;
            const SolidObstacle<dim> obstacle(parameters, contact, "a");
            obstacle.set_time(0.7);
            unsigned int n_useful = 0;
            for (unsigned int i = 0; i < 200; ++i)
              {
                dealii::Point<dim> centre;
                for (unsigned int d = 0; d < dim; ++d)
                  centre[d] = 2 * std::sin(1.7 * i + 2.1 * d * i + d);
                const double radius = 0.3 * (1 + std::cos(i));
                const auto   bound  = obstacle.bound(centre, radius);
                n_useful += bound.gap > 0;
                for (unsigned int k = 0; k < 50; ++k)
                  {
                    dealii::Tensor<1, dim> way;
                    for (unsigned int d = 0; d < dim; ++d)
                      way[d] = std::cos(2.3 * k + 3.1 * d * k + d);
                    const auto view = obstacle.view(
                      centre + radius * std::sin(0.7 * k) * way / way.norm());
                    if (bound.gap > 0)
                      {
                        EXPECT_GE(view.gap, bound.gap * (1 - 1e-12)) << shape;
                      }
                    EXPECT_LE(view.velocity.norm(), bound.speed * (1 + 1e-12))
                      << shape;
                  }
              }
            if (side == "outside")
              {
                EXPECT_GT(n_useful, 20u) << shape;
              }
          }
    }

    TEST(SolidContactTree, BoundsOfBalls)
    {
      check_bounds<2>();
      check_bounds<3>();
    }
  } // namespace
} // namespace Percuss::Test
