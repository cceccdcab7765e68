// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/kept_tangent.h>

#include <gtest/gtest.h>

#include <cmath>

namespace Percuss::Test
{
  namespace
  {
    /// A step whose errors shrink by @p theta, from 1; they start after a new
    /// tangent where one is due. Returns the error at its end.
    double
    make_step(KeptTangent &kept, const double theta, unsigned int &n_iterations)
    {
      kept.begin_step(false);
      double error = 1;
      for (n_iterations = 1; n_iterations < 100; ++n_iterations)
        {
          const bool is_new = kept.is_due();
          if (is_new)
            kept.renew();
          const double next = is_new ? error * error / 4 : theta * error;
          if (kept.is_last(error - next))
            return next;
          error = next;
        }
      return error;
    }

    /// What is missing at the end is below 1e-13, and no iteration more is made
    /// than that takes. From then on the tangent stays.
    TEST(KeptTangent, LeavesNoMoreThanItSays)
    {
      for (const double theta : {2e-4, 3e-3, 0.01, 0.02})
        {
          KeptTangent  kept;
          unsigned int n = 0;
          make_step(kept, theta, n);
          EXPECT_FALSE(kept.is_due());
          const double error = make_step(kept, theta, n);
          EXPECT_LE(error, 1e-13 * (1 + 1e-10));
          EXPECT_EQ(n, std::ceil(-13 / std::log10(theta))) << theta;
          EXPECT_FALSE(kept.is_due());
          EXPECT_TRUE(kept.has_served());
        }
    }

    TEST(KeptTangent, IsReplacedWhereItIsSlow)
    {
      KeptTangent kept;
      kept.drop();
      kept.begin_step(false);
      EXPECT_TRUE(kept.is_due());
      kept.renew();
      EXPECT_FALSE(kept.is_last(1));
      EXPECT_FALSE(kept.is_due());
      EXPECT_FALSE(kept.is_last(0.26));
      EXPECT_TRUE(kept.is_due());
      // In a step of more than eight iterations: with the next step.
      unsigned int n = 0;
      kept.renew();
      make_step(kept, 0.1, n);
      EXPECT_GT(n, 8);
      EXPECT_TRUE(kept.is_due());
    }

    /// Newton's method squares errors: done after a change of 1e-9. So is an
    /// iteration that round-off stops.
    TEST(KeptTangent, EndsAtRoundOff)
    {
      KeptTangent kept;
      kept.begin_step(true);
      for (const double change : {1., 1e-3, 1e-8})
        {
          EXPECT_TRUE(kept.is_due());
          kept.renew();
          EXPECT_FALSE(kept.is_last(change));
        }
      kept.renew();
      EXPECT_TRUE(kept.is_last(1e-9));
      EXPECT_FALSE(kept.has_served());
      kept.begin_step(false);
      EXPECT_FALSE(kept.is_last(3e-9));
      EXPECT_FALSE(kept.is_last(1.8e-9));
      EXPECT_FALSE(kept.is_last(1e-9)); // as much is missing still
      EXPECT_FALSE(kept.is_last(1.8e-11));
      EXPECT_TRUE(kept.is_last(1e-11));
    }

    /// Round-off at the end of one step tells nothing of the next one.
    TEST(KeptTangent, FirstChangesAreNotComparedWithRoundOffOfBefore)
    {
      KeptTangent kept;
      kept.begin_step(false);
      kept.renew();
      for (const double change : {1e-3, 1e-8, 9e-10, 1e-10, 2e-11, 9e-12})
        ASSERT_FALSE(kept.is_last(change)) << change;
      ASSERT_TRUE(kept.is_last(8e-12)); // no longer shrinks
      kept.begin_step(false);
      EXPECT_FALSE(kept.is_last(9e-12));
    }

    TEST(KeptTangent, KnowsNoNumber)
    {
      KeptTangent kept;
      kept.begin_step(false);
      kept.renew();
      EXPECT_FALSE(kept.is_last(1));
      EXPECT_FALSE(kept.is_last(std::nan("")));
      EXPECT_TRUE(kept.is_due());
    }
  } // namespace
} // namespace Percuss::Test
