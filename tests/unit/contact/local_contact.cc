// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_problem.h>
#include <percuss/contact/local_contact.h>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    std::unique_ptr<ContactLaw>
    coulomb()
    {
      Settings settings;
      assign(settings, "", {"contact/law=coulomb"});
      return settings.law.build({});
    }

    TEST(LocalContact, SolvesRandomProblems)
    {
      const auto                             law = coulomb();
      std::mt19937                           generator(1);
      std::uniform_real_distribution<double> number(-1, 1);
      for (unsigned int count = 0; count < 3000; ++count)
        {
          LocalContact contact;
          const auto   n       = 1 + count % 3;
          contact.n_directions = n;
          contact.friction     = 1 + number(generator);
          double factor[3][3], c[3], lambda[3], again[3], xi[3];
          for (auto &row : factor)
            for (double &entry : row)
              entry = number(generator);
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              {
                contact.W[i][j] = i == j ? 0.01 : 0;
                for (unsigned int k = 0; k < n; ++k)
                  contact.W[i][j] += factor[i][k] * factor[j][k];
              }
          for (unsigned int i = 0; i < n; ++i)
            {
              c[i]      = number(generator);
              lambda[i] = number(generator);
            }
          ASSERT_TRUE(contact.solve(c, lambda)) << count;
          contact.velocity(c, lambda, xi);
          ContactPoint point;
          point.n_directions = n;
          point.friction     = contact.friction;
          const double size  = 1 + std::abs(lambda[0]);
          EXPECT_LT(law_violation(*law, point, 1, lambda, xi), 1e-11 * size)
            << count;
          // A solution is left as it is, also where there are several.
          std::copy_n(lambda, n, again);
          ASSERT_TRUE(contact.solve(c, again));
          for (unsigned int i = 0; i < n; ++i)
            EXPECT_NEAR(again[i], lambda[i], 1e-10 * size) << count;
        }
    }

    /// A matrix F F^T + 0.01, with directions of rolling that are lighter.
    LocalContact
    random_rolling_contact(const unsigned int                      n,
                           std::mt19937                           &generator,
                           std::uniform_real_distribution<double> &number)
    {
      LocalContact contact;
      contact.n_directions     = n;
      contact.friction         = 1 + number(generator);
      contact.rolling_friction = 0.5 * (1 + number(generator));
      double factor[5][5];
      for (unsigned int i = 0; i < 5; ++i)
        for (double &entry : factor[i])
          entry = (i < 3 ? 1 : 2) * number(generator);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          {
            contact.W[i][j] = i == j ? 0.01 : 0;
            for (unsigned int k = 0; k < 5; ++k)
              contact.W[i][j] += factor[i][k] * factor[j][k];
          }
      return contact;
    }

    /// Whether a part reaches the limit @p radius of its impulse. Expects that
    /// the impulse is not above it, and there opposite to the velocity.
    bool
    obeys_friction(const double *lambda,
                   const double *xi,
                   const double  second, ///< 0 for one direction
                   const double  radius,
                   const double  tolerance)
    {
      const double impulse = std::hypot(lambda[0], second * lambda[1]);
      const double speed   = std::hypot(xi[0], second * xi[1]);
      const double power   = lambda[0] * xi[0] + second * lambda[1] * xi[1];
      EXPECT_LT(impulse, radius + tolerance);
      EXPECT_NEAR(power, -radius * speed, tolerance * (1 + speed));
      return speed > 1e-6;
    }

    // The law written out.
    TEST(LocalContact, SolvesRandomProblemsWithRolling)
    {
      std::mt19937                           generator(2);
      std::uniform_real_distribution<double> number(-1, 1);
      std::map<std::string, unsigned int>    counts;
      for (unsigned int count = 0; count < 3000; ++count)
        {
          SCOPED_TRACE(count);
          const unsigned int n = 4 + count % 2;
          const LocalContact contact =
            random_rolling_contact(n, generator, number);
          double c[5] = {}, lambda[5] = {}, again[5] = {}, xi[5] = {};
          for (unsigned int i = 0; i < n; ++i)
            {
              c[i]      = (i == 0 ? 1 : 0.5) * number(generator);
              lambda[i] = number(generator);
            }
          ASSERT_TRUE(contact.solve(c, lambda));
          contact.velocity(c, lambda, xi);
          const double tolerance = 1e-11 * (1 + std::abs(lambda[0]));
          EXPECT_GE(lambda[0], 0);
          EXPECT_GT(xi[0], -tolerance);
          EXPECT_NEAR(lambda[0] * xi[0], 0, tolerance);
          const bool slides = obeys_friction(
            lambda + 1, xi + 1, 1, contact.friction * lambda[0], tolerance);
          const bool rolls =
            obeys_friction(lambda + 3,
                           xi + 3,
                           n - 4,
                           contact.rolling_friction * lambda[0],
                           tolerance);
          ++counts[lambda[0] == 0  ? "open" :
                   slides && rolls ? "slides and rolls" :
                   slides          ? "slides" :
                   rolls           ? "rolls" :
                                     "sticks"];
          // A solution is left as it is, also where there are several.
          std::copy_n(lambda, n, again);
          ASSERT_TRUE(contact.solve(c, again));
          for (unsigned int i = 0; i < n; ++i)
            EXPECT_NEAR(again[i], lambda[i], 100 * tolerance);
        }
      EXPECT_EQ(counts.size(), 5u);
      for (const auto &[what, n_times] : counts)
        EXPECT_GT(n_times, 50u) << what;
    }

    TEST(LocalContact, KeepsTheNearestOfSeveralSolutions)
    {
      // W_NN < mu W_NT: sliding backwards, friction pulls the contact down.
      LocalContact contact;
      contact.n_directions = 2;
      contact.friction     = 2;
      contact.W[0][0]      = 1;
      contact.W[0][1] = contact.W[1][0] = 0.8;
      contact.W[1][1]                   = 1;
      const double c[2]                 = {0.1, 1};
      double       lambda[2]            = {0, 0};
      ASSERT_TRUE(contact.solve(c, lambda));
      EXPECT_EQ(lambda[0], 0);
      // Stick: lambda = -W^-1 c.
      const double det = 0.36, stick[2] = {-(0.1 - 0.8) / det, -0.92 / det};
      ASSERT_LE(std::abs(stick[1]), 2 * stick[0]);
      lambda[0] = 1.5;
      lambda[1] = -2;
      ASSERT_TRUE(contact.solve(c, lambda));
      EXPECT_NEAR(lambda[0], stick[0], 1e-14);
      EXPECT_NEAR(lambda[1], stick[1], 1e-14);
    }

    TEST(LocalContact, RefusesAMatrixThatIsNotPositive)
    {
      LocalContact contact;
      contact.W[0][0]     = -1;
      const double c      = -1;
      double       lambda = 3;
      EXPECT_FALSE(contact.solve(&c, &lambda));
      EXPECT_EQ(lambda, 3);
    }
  } // namespace
} // namespace Percuss::Test
