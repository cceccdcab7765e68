// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "shared/rigid_bodies.h"
#include "tools.h"

// Badly scaled redundant contacts: sums in which large terms cancel. What
// natural_residual() says must not be less than what more digits show.

namespace Percuss::Test
{
  namespace
  {
    /// natural_residual() of Coulomb's law in long double, without any
    /// round-off of double precision.
    long double
    true_residual(const RigidBodies &bodies, const Vector &lambda)
    {
      const unsigned int       n      = bodies.partition->size();
      const auto              &values = bodies.matrix->rows().values;
      std::vector<long double> xi(n);
      long double              scale = 0, error = 0;
      for (unsigned int i = 0; i < n; ++i)
        {
          for (unsigned int j = 0; j < n; ++j)
            xi[i] += static_cast<long double>(values[std::size_t(i) * n + j]) *
                     lambda(j);
          const long double b = bodies.b(i);
          scale               = std::max({scale, std::abs(xi[i]), std::abs(b)});
          xi[i] += b;
        }
      for (const ContactPoint &point : bodies.points)
        {
          long double w = 0, square = 0;
          for (unsigned int i = point.first;
               i < point.first + point.n_directions;
               ++i)
            w = std::max<long double>(w, bodies.delassus->diagonal(i));
          std::array<long double, 3> moved{};
          for (unsigned int d = 0; d < point.n_directions; ++d)
            moved[d] = lambda(point.first + d) - xi[point.first + d] / w;
          moved[0] = std::max(0.L, moved[0]);
          for (unsigned int d = 1; d < point.n_directions; ++d)
            square += moved[d] * moved[d];
          const long double radius = point.friction * moved[0];
          for (unsigned int d = 0; d < point.n_directions; ++d)
            {
              if (d > 0 && square > radius * radius)
                moved[d] *= radius / std::sqrt(square);
              error =
                std::max(error,
                         w * std::abs(lambda(point.first + d) - moved[d]));
            }
        }
      return error == 0 ? 0 : error / scale;
    }



    unsigned int
    n_problems(const unsigned int without_wish)
    {
      const char *const wanted = std::getenv("PERCUSS_RANDOM_PROBLEMS");
      return wanted != nullptr ? static_cast<unsigned int>(std::atoi(wanted)) :
                                 without_wish;
    }

    /// 10^x for a random x.
    double
    power(const double largest, std::mt19937 &generator)
    {
      return std::pow(10.,
                      std::uniform_real_distribution<double>(-largest, largest)(
                        generator));
    }

    /// Masses and lever arms of many orders of magnitude, and every second
    /// contact opposite to the one before, up to a factor: both can be pressed
    /// without end.
    RigidBodies
    badly_scaled(const unsigned int seed, const double orders)
    {
      std::mt19937       generator(seed);
      const unsigned int n_directions = 1 + seed % 3;
      RigidBodies        bodies       = random_bodies(
        {2 + static_cast<unsigned int>(generator() % 7), n_directions, 1, true},
        generator);
      for (double &entry : bodies.inverse_mass)
        entry = power(orders, generator);
      for (std::size_t c = 0; c < bodies.points.size(); ++c)
        {
          const double factor      = power(orders / 2, generator);
          const bool   is_opposite = seed % 2 == 0 && c % 2 == 1;
          for (std::size_t i = bodies.points[c].first;
               i < bodies.points[c].first + n_directions;
               ++i)
            for (std::size_t k = 0; k < bodies.v.size(); ++k)
              bodies.D[i][k] = is_opposite ?
                                 -factor * bodies.D[i - n_directions][k] :
                                 factor * bodies.D[i][k];
        }
      bodies.complete();
      return bodies;
    }



    // Impulses that cancel, and b such that the sums as they are in double
    // vanish: nothing but round-off is wrong, and it is not seen.
    TEST(Certificate, CountsTheRoundOffOfSums)
    {
      const auto   law     = Settings().law.build({});
      unsigned int n_small = 0, n_large = 0;
      for (unsigned int seed = 0; seed < n_problems(3000); ++seed)
        {
          RigidBodies  bodies = badly_scaled(2 * seed, 3);
          std::mt19937 generator(seed);
          Vector       lambda(bodies.partition);
          for (std::size_t c = 0; c + 1 < bodies.points.size(); c += 2)
            {
              const unsigned int i = bodies.points[c].first,
                                 j = bodies.points[c + 1].first;
              lambda(i)            = power(3, generator);
              std::size_t k        = 0;
              while (bodies.D[j][k] == 0)
                ++k;
              lambda(j) = -lambda(i) * bodies.D[i][k] / bodies.D[j][k];
            }
          bodies.matrix->multiply(lambda, bodies.b);
          bodies.b *= -1.;
          const double residual =
            natural_residual(bodies.problem(*law), lambda);
          const long double truth = true_residual(bodies, lambda);
          n_small += truth > residual;
          n_large += residual > 1e3L * truth;
        }
      EXPECT_EQ(n_small, 0u);
      std::cout << "    " << n_problems(3000) << " certificates, " << n_small
                << " less than the true residual, " << n_large
                << " more than 1000 times it\n";
    }

    // Methods that are quick with such problems; the certificate is the same
    // for all.
    TEST(Certificate, AcceptsNothingAboveTheTolerance)
    {
      const auto law = Settings().law.build({});
      std::vector<std::unique_ptr<ContactSolver>> solvers;
      for (const char *const name : {"lemke",
                                     "interior point",
                                     "prox",
                                     "accelerated gradient",
                                     "active set",
                                     "mprgp"})
        solvers.push_back(
          Registry<ContactSolver>::plugins().at(name).make_builder()->build(
            {}));
      unsigned int n_accepted = 0, n_wrong = 0, n_reported = 0;
      for (unsigned int seed = 0; seed < n_problems(300); ++seed)
        {
          const RigidBodies bodies = badly_scaled(2 * seed + 1, 4);
          for (const auto &solver : solvers)
            {
              if (solver->needs.largest_frictional_block <
                  bodies.points.front().n_directions)
                continue;
              Vector lambda(bodies.partition);
              if (!solver->solve(bodies.problem(*law), lambda).converged)
                {
                  ++n_reported;
                  continue;
                }
              ++n_accepted;
              if (true_residual(bodies, lambda) > 1e-10L)
                {
                  ++n_wrong;
                  ADD_FAILURE() << solver->name << ", seed " << seed << ": "
                                << true_residual(bodies, lambda);
                }
            }
        }
      EXPECT_GT(n_accepted, n_reported);
      std::cout << "    " << n_accepted << " answers accepted, " << n_wrong
                << " of them wrongly, " << n_reported
                << " reported as failed\n";
    }
  } // namespace
} // namespace Percuss::Test
