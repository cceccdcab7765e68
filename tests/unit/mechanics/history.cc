// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/history.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    using Interpolation = History::Interpolation;

    void
    append(History     &history,
           const double time,
           const double q,
           const double v_before,
           const double v_after)
    {
      double *const values = history.append(time, v_before != v_after);
      values[0]            = q;
      values[1]            = v_before;
      values[2]            = v_after;
    }

    /// The sine, with n steps on [0, 1].
    History
    sine(const unsigned int n, const Interpolation interpolation)
    {
      History history(1, interpolation);
      for (unsigned int i = 0; i <= n; ++i)
        {
          const double t = static_cast<double>(i) / n;
          append(history, t, std::sin(t), std::cos(t), std::cos(t));
        }
      return history;
    }

    double
    value(const History &history, const Argument argument, const double time)
    {
      const std::size_t i = history.find(time, 1e-14);
      return history.between(history[i], history[i + 1], argument, 0, time);
    }

    /// The largest error between the nodes.
    double
    error(const unsigned int  n,
          const Interpolation interpolation,
          const Argument      argument)
    {
      const History history = sine(n, interpolation);
      double        largest = 0;
      for (unsigned int i = 0; i < 10 * n; ++i)
        {
          const double t = (i + 0.5) / (10. * n);
          const double exact =
            argument == Argument::position ? std::sin(t) : std::cos(t);
          largest =
            std::max(largest, std::abs(value(history, argument, t) - exact));
        }
      return largest;
    }

    double
    order(const Interpolation interpolation, const Argument argument)
    {
      std::vector<double> h, errors;
      for (const unsigned int n : {8, 16, 32})
        {
          h.push_back(1. / n);
          errors.push_back(error(n, interpolation, argument));
        }
      return observed_order(h, errors);
    }

    TEST(History, LinearInterpolationHasOrder2)
    {
      EXPECT_NEAR(order(Interpolation::linear, Argument::position), 2, 0.1);
      EXPECT_NEAR(order(Interpolation::linear, Argument::velocity), 2, 0.1);
    }

    TEST(History, CubicInterpolationHasOrder4AndItsDerivative3)
    {
      EXPECT_NEAR(order(Interpolation::cubic, Argument::position), 4, 0.1);
      EXPECT_NEAR(order(Interpolation::cubic, Argument::velocity), 3, 0.1);
    }

    /// A ball that falls, is thrown back at t = 2 and falls: within a step
    /// before the jump the velocity is that before it, and nothing of the one
    /// after it.
    TEST(History, DoesNotInterpolateAcrossAJump)
    {
      for (const auto interpolation :
           {Interpolation::linear, Interpolation::cubic})
        {
          History history(1, interpolation);
          append(history, 0, 5, -1, -1);
          append(history, 1, 4, -1, -1);
          append(history, 2, 3, -1, 2);
          append(history, 3, 5, 2, 2);
          for (const double x : {0.1, 0.5, 0.999})
            {
              EXPECT_EQ(value(history, Argument::velocity, 1 + x), -1);
              EXPECT_NEAR(value(history, Argument::velocity, 2 + x), 2, 1e-14);
              EXPECT_NEAR(value(history, Argument::position, 1 + x),
                          4 - x,
                          1e-14);
              EXPECT_NEAR(value(history, Argument::position, 2 + x),
                          3 + 2 * x,
                          1e-14);
            }
          EXPECT_EQ(value(history, Argument::velocity, 2), 2);
        }
    }

    TEST(History, FindsTheNodeDespiteRoundOff)
    {
      History history(1, Interpolation::linear);
      for (const double t : {0., 0.1, 0.15, 0.3, 0.7})
        append(history, t, t, 1, 1);
      EXPECT_EQ(history.find(0.1 - 1e-16, 1e-15), 1u);
      EXPECT_EQ(history.find(0.1 - 1e-14, 1e-15), 0u);
      EXPECT_EQ(history.find(0.29, 1e-15), 2u);
      EXPECT_EQ(history.find(0.3, 1e-15), 3u);
      EXPECT_EQ(history.find(0.69, 1e-15), 3u);
      EXPECT_EQ(history.find(5, 1e-15), 4u);
      EXPECT_EQ(history.find(-1, 1e-15), 0u);
    }

    TEST(History, ForgetsWhatIsNotNeededInConstantMemory)
    {
      History history(1, Interpolation::linear);
      history.reserve(108);
      const std::size_t memory = history.memory();
      for (unsigned int i = 0; i <= 1000000; ++i)
        {
          append(history, i, 2. * i, 2, 2);
          history.forget_before(i - 100.5);
        }
      EXPECT_EQ(history.memory(), memory);
      EXPECT_LE(history.size(), 104u);
      EXPECT_LE(history[0].time, 1000000 - 100.5);
      for (const double t : {999900., 999950.25, 999999.5})
        EXPECT_EQ(value(history, Argument::position, t), 2 * t);
    }

    TEST(History, GrowsWhereMoreMustBeKept)
    {
      History history(2, Interpolation::linear);
      for (unsigned int i = 0; i < 100; ++i)
        {
          double *const values = history.append(i, false);
          for (unsigned int k = 0; k < 6; ++k)
            values[k] = 10. * i + k;
          if (i < 20)
            history.forget_before(i -
                                  3.); // the ring has turned before it grows
        }
      for (std::size_t i = 0; i < history.size(); ++i)
        {
          const History::Record record = history[i];
          EXPECT_EQ(record.q[1], 10 * record.time + 1);
          EXPECT_EQ(record.v_after[1], 10 * record.time + 5);
        }
      EXPECT_EQ(history[history.size() - 1].time, 99);
    }
  } // namespace
} // namespace Percuss::Test
