// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "shared/rigid_bodies.h"
#include "tools.h"

// More contacts than rigid bodies need: impulses are not unique, velocities
// are, and every solver must find them or say that it does not.

namespace Percuss::Test
{
  namespace
  {
    std::unique_ptr<ContactLaw>
    coulomb()
    {
      Settings settings;
      return settings.law.build({});
    }



    /// A cube of mass 2 kg and edge 1 m that falls flat on its four lower
    /// corners with 3 m/s; its dofs are v_x, v_y, v_z, omega_x, ...
    RigidBodies
    falling_cube(const double friction, const double restitution)
    {
      RigidBodies cube(6);
      cube.inverse_mass = {0.5, 0.5, 0.5, 3., 3., 3.}; // m a^2 / 6
      cube.v[2]         = -3;
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          {
            const double z = -0.5;
            cube.add({{0, 0, 1, y, -x, 0},
                      {1, 0, 0, 0, z, -y},
                      {0, 1, 0, -z, 0, x}},
                     friction);
          }
      cube.complete();
      for (unsigned int i = 0; i < 12; i += 3)
        cube.b(i) += restitution * -3;
      return cube;
    }

    class RedundantContacts : public testing::TestWithParam<std::string>
    {};

    TEST_P(RedundantContacts, CubeOnFourCornersDoesNotTurn)
    {
      const auto solver = Registry<ContactSolver>::plugins()
                            .at(GetParam())
                            .make_builder()
                            ->build({});
      const auto law = coulomb();
      for (const double friction : {0., 0.4})
        for (const double restitution : {0., 0.7})
          {
            if (friction > 0 && solver->needs.largest_frictional_block < 3)
              continue;
            const RigidBodies cube = falling_cube(friction, restitution);
            Vector            lambda(cube.partition);
            const auto report = solver->solve(cube.problem(*law), lambda);
            EXPECT_TRUE(report.converged) << report.residual;
            const auto after = cube.velocities_after(lambda);
            for (const unsigned int k : {0, 1, 3, 4, 5})
              EXPECT_NEAR(after[k], 0, 1e-8);
            EXPECT_NEAR(after[2], 3 * restitution, 1e-8);
            EXPECT_NEAR(lambda(0) + lambda(3) + lambda(6) + lambda(9),
                        2 * 3 * (1 + restitution),
                        1e-8);
          }
    }

    // Two walls approach a body: xi_1 + xi_2 = -2 for all impulses. Impulses
    // that grow until velocities vanish in their round-off are no answer.
    TEST_P(RedundantContacts, JammedBodiesAreReported)
    {
      const auto solver = Registry<ContactSolver>::plugins()
                            .at(GetParam())
                            .make_builder()
                            ->build({});
      const auto law = coulomb();
      for (const unsigned int n_bodies : {1, 40})
        {
          RigidBodies bodies(n_bodies);
          for (unsigned int i = 0; i < n_bodies; ++i)
            for (const double side : {1., -1.})
              {
                std::vector<double> row(n_bodies);
                row[i] = side;
                bodies.add({row}, 0);
              }
          bodies.complete();
          bodies.b = -1.;
          Vector lambda(bodies.partition);
          EXPECT_FALSE(solver->solve(bodies.problem(*law), lambda).converged);
        }
    }

    INSTANTIATE_TEST_SUITE_P(
      Registered,
      RedundantContacts,
      testing::ValuesIn(Registry<ContactSolver>::names()));



    /// A wall of bricks 2 m x 1 m in the plane, each course one brick shorter
    /// than the one below, each brick with two contacts on either of the two
    /// that bear it. Dofs of a brick: v_x, v_y, omega.
    RigidBodies
    wall(const unsigned int n_courses, const double friction)
    {
      RigidBodies  result(3 * n_courses * (n_courses + 1) / 2);
      unsigned int upper = 0, first_below = 0; // dofs
      for (unsigned int course = 0; course < n_courses; ++course)
        {
          const unsigned int first = upper;
          for (unsigned int brick = 0; brick < n_courses - course;
               ++brick, upper += 3)
            {
              result.inverse_mass[upper + 2] = 12. / 5;
              result.v[upper + 1]            = -0.01; // gravity
              for (const double end : {-1., -0.1, 0.1, 1.})
                {
                  std::vector<double> normal(result.v.size()),
                    tangent(result.v.size());
                  const auto add = [&](const unsigned int dof,
                                       const double       arm_x,
                                       const double       arm_y,
                                       const double       sign) {
                    normal[dof + 1]  = sign;
                    normal[dof + 2]  = sign * arm_x;
                    tangent[dof]     = sign;
                    tangent[dof + 2] = -sign * arm_y;
                  };
                  add(upper, end, -0.5, 1);
                  if (course > 0) // the brick below to the left or right
                    add(first_below + 3 * (brick + (end > 0 ? 1 : 0)),
                        end > 0 ? end - 1 : end + 1,
                        0.5,
                        -1);
                  result.add({normal, tangent}, friction);
                }
            }
          first_below = first;
        }
      result.complete();
      return result;
    }

    TEST(Wall, StandsStill)
    {
      const auto law = coulomb();
      for (const unsigned int n_courses : {2, 8})
        for (const double friction : {0., 0.3, 1.})
          {
            const RigidBodies bricks = wall(n_courses, friction);
            const auto        solver = Registry<ContactSolver>::plugins()
                                  .at("automatic")
                                  .make_builder()
                                  ->build({});
            Vector     lambda(bricks.partition);
            const auto report = solver->solve(bricks.problem(*law), lambda);
            EXPECT_TRUE(report.converged)
              << report.residual << ' ' << solver->description();
            // The residual e bounds the power of the contacts, and so the
            // square of velocities: (e s)^1/2 with impulses of some s.
            for (const double velocity : bricks.velocities_after(lambda))
              EXPECT_NEAR(velocity, 0, 0.01 * 1e-4);
          }
    }



    /// The cone, its dual and their product, written out: the largest
    /// violation in terms of a velocity s and an impulse s / w.
    double
    violation(const RigidBodies &bodies, const Vector &lambda)
    {
      Vector xi(bodies.partition);
      bodies.matrix->multiply(lambda, xi);
      xi += bodies.b;
      double       worst = 0;
      const double s     = xi.linfty_norm() + bodies.b.linfty_norm();
      for (const ContactPoint &point : bodies.points)
        {
          const unsigned int i       = point.first;
          double             impulse = 0, slip = 0, product = 0;
          for (unsigned int d = 1; d < point.n_directions; ++d)
            {
              impulse = std::hypot(impulse, lambda(i + d));
              slip    = std::hypot(slip, xi(i + d));
              product += lambda(i + d) * xi(i + d);
            }
          product += lambda(i) * (xi(i) + point.friction * slip);
          const double w = bodies.delassus->diagonal(i);
          worst          = std::max({worst,
                                     w * (impulse - point.friction * lambda(i)) / s,
                                     -xi(i) / s,
                                     std::abs(product) / (s * (s / w + lambda(i)))});
        }
      return worst;
    }

    // Up to 8 contacts in the plane and in space; every second problem is
    // redundant.
    TEST(RandomFriction, IsSolvedOrReported)
    {
      const char *const  wanted = std::getenv("PERCUSS_RANDOM_PROBLEMS");
      const unsigned int n =
        wanted != nullptr ? static_cast<unsigned int>(std::atoi(wanted)) : 500;
      const auto law    = coulomb();
      const auto solver = Registry<ContactSolver>::plugins()
                            .at("automatic")
                            .make_builder()
                            ->build({});
      unsigned int n_reported = 0, n_silent = 0;
      for (unsigned int seed = 0; seed < n; ++seed)
        {
          std::mt19937       generator(seed);
          const unsigned int n_contacts = 1 + generator() % 8;
          const RigidBodies  bodies =
            random_bodies({n_contacts, 2 + seed % 2, 1, seed % 4 > 1},
                          generator);
          Vector lambda(bodies.partition);
          if (!solver->solve(bodies.problem(*law), lambda).converged)
            ++n_reported;
          else
            n_silent += !(violation(bodies, lambda) <= 1e-8);
        }
      EXPECT_EQ(n_silent, 0u);
      EXPECT_EQ(n_reported, 0u);
      std::cout << "    " << n << " problems, " << n_reported
                << " reported as failed, " << n_silent << " accepted wrongly; "
                << solver->description() << '\n';
    }
  } // namespace
} // namespace Percuss::Test
