// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tools.h"

// The spring pendulum of Capobianco and Eugster (2016, 2018): mass matrix and
// forces depend on the state, and no impact loses energy.

namespace Percuss::Test
{
  namespace
  {
    const std::string file   = "benchmark/spring_pendulum.prm";
    constexpr double  energy = -7.1303892758; // at the start, in J

    /// The exact motion, event-driven: Runge-Kutta steps of order 4, and the
    /// impact within a step by Newton's method.
    class Exact
    {
    public:
      using Point = std::array<double, 4>; // l, phi, l', phi'

      explicit Exact(const double end)
      {
        Point  x = {{1.1, std::atan(1.), 0, 0}};
        double t = 0;
        motion.push_back(x);
        while (t < end - h / 2)
          {
            Point next = step(x, h);
            if (next[1] < 0)
              {
                double part = h * x[1] / (x[1] - next[1]);
                for (unsigned int i = 0; i < 20; ++i)
                  {
                    next = step(x, part);
                    part -= next[1] / next[3];
                  }
                next = step(x, part);
                impacts.push_back(t + part);
                next[1] = 0;
                next[3] *= -1;
                next = step(next, h - part);
              }
            x = next;
            t += h;
            motion.push_back(x);
          }
      }

      /// At a multiple of h.
      const Point &
      at(const double time) const
      {
        return motion.at(static_cast<std::size_t>(std::lround(time / h)));
      }

      std::vector<double> impacts;

    private:
      static Point
      rate(const Point &x)
      {
        const double g = 9.81, k = 100;
        return {{x[2],
                 x[3],
                 x[0] * x[3] * x[3] - k * (x[0] - 1) + g * std::cos(x[1]),
                 -(g * std::sin(x[1]) + 2 * x[2] * x[3]) / x[0]}};
      }

      static Point
      step(const Point &x, const double h)
      {
        const auto moved = [&](const Point &slope, const double part) {
          Point y = x;
          for (unsigned int i = 0; i < 4; ++i)
            y[i] += part * slope[i];
          return y;
        };
        const Point a = rate(x), b = rate(moved(a, h / 2)),
                    c = rate(moved(b, h / 2)), d = rate(moved(c, h));
        Point y = x;
        for (unsigned int i = 0; i < 4; ++i)
          y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
        return y;
      }

      static constexpr double h = 1.25e-4;
      std::vector<Point>      motion;
    };

    const Exact &
    exact()
    {
      static const Exact motion(10);
      return motion;
    }

    struct Scheme
    {
      std::string name, start;
    };

    const std::vector<Scheme> schemes = {{"moreau", "as given"},
                                         {"symmetric moreau", "half kick"},
                                         {"variational moreau", "half kick"},
                                         {"moreau jean", ""}};

    Overrides
    entries(const Scheme &scheme, const double h, const double end)
    {
      Overrides overrides = {"scheme/type=" + scheme.name,
                             "time/step size=" + std::to_string(h),
                             "time/end time=" + std::to_string(end),
                             "output/field interval=0",
                             "output/table interval=1"};
      if (!scheme.start.empty())
        overrides.push_back("scheme/" + scheme.name + "/start=" + scheme.start);
      return overrides;
    }

    /// Equation (65) of the paper, (1/T) int |q_exact - q|^2 dt: the square of
    /// an error.
    double
    squared_error(const Scheme &scheme, const double h, const double end)
    {
      const FinishedRun run(file, entries(scheme, h, end));
      const auto        time   = run.column("probes", "time");
      const auto        length = run.column("probes", "length");
      const auto        angle  = run.column("probes", "angle");
      double            sum    = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          const auto  &x  = exact().at(time[i]);
          const double dl = length[i] - x[0], da = angle[i] - x[1];
          const bool   is_end = i == 0 || i + 1 == time.size();
          sum += (is_end ? 0.5 : 1) * h * (dl * dl + da * da);
        }
      return sum / end;
    }

    TEST(SpringPendulum, ExactMotionAgreesWithAnotherProgram)
    {
      // An event-driven solution of order 8 with tolerances 1e-13.
      const std::vector<double> impacts = {0.564542261,
                                           1.69596743,
                                           2.83267738,
                                           3.97445745,
                                           5.11905060,
                                           6.26346837,
                                           7.40475988,
                                           8.54082370,
                                           9.67177448};
      ASSERT_EQ(exact().impacts.size(), impacts.size());
      for (std::size_t i = 0; i < impacts.size(); ++i)
        EXPECT_NEAR(exact().impacts[i], impacts[i], 1e-7);
      const Exact::Point last = {
        {1.05967703, 0.60605123, -0.02230993, 1.48331878}};
      for (unsigned int i = 0; i < 4; ++i)
        EXPECT_NEAR(exact().at(10)[i], last[i], 1e-7);
    }

    TEST(SpringPendulum, HasOrderOneAndTwoBeforeTheFirstImpact)
    {
      // The error is squared: slopes are twice the order. Values of another
      // program at h = 1e-3.
      const std::vector<double> slopes = {2, 4, 4, 2};
      const std::vector<double> values = {5.15e-7, 1.01e-13, 1.00e-13, 1.0e-9};
      for (std::size_t s = 0; s < schemes.size(); ++s)
        {
          const std::vector<double> h = {5e-3, 2.5e-3, 1e-3};
          std::vector<double>       error;
          for (const double step : h)
            error.push_back(squared_error(schemes[s], step, 0.5));
          EXPECT_NEAR(observed_order(h, error), slopes[s], 0.15)
            << schemes[s].name;
          EXPECT_NEAR(error.back() / values[s], 1, 0.02) << schemes[s].name;
        }
      // The half kick gives Moreau's scheme a better first step, not an order.
      EXPECT_LT(squared_error({"moreau", "half kick"}, 1e-3, 0.5),
                squared_error(schemes[0], 1e-3, 0.5));
    }

    TEST(SpringPendulum, HasOrderOneWithImpacts)
    {
      const std::vector<double> values = {9.83e-5, 4.36e-5, 4.36e-5, 1.50e-4};
      for (std::size_t s = 0; s < schemes.size(); ++s)
        {
          // Where in a step an impact falls scatters the error.
          const std::vector<double> h = {2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4};
          std::vector<double>       error;
          for (const double step : h)
            error.push_back(squared_error(schemes[s], step, 10));
          EXPECT_NEAR(observed_order(h, error), 2, 0.4) << schemes[s].name;
          EXPECT_NEAR(error[1] / values[s], 1, 0.01) << schemes[s].name;
        }
    }

    TEST(SpringPendulum, GeneralizedAlphaHasOrderTwoAndOne)
    {
      const Scheme        scheme = {"generalized alpha", ""};
      std::vector<double> h      = {5e-3, 2.5e-3, 1e-3}, error;
      for (const double step : h)
        error.push_back(squared_error(scheme, step, 0.5));
      EXPECT_NEAR(observed_order(h, error), 4, 0.2);
      h = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
      error.clear();
      for (const double step : h)
        error.push_back(squared_error(scheme, step, 10));
      EXPECT_NEAR(observed_order(h, error), 2, 0.4);
    }

    TEST(SpringPendulum, KeepsOrLosesItsEnergyOver250Seconds)
    {
      // (E - E0) / E0 of another program. E0 is negative: with -0.38 the
      // energy has grown.
      const std::vector<double> values = {-0.3796, -0.00232, -0.00232, -0.0448};
      for (std::size_t s = 0; s < schemes.size(); ++s)
        {
          Overrides overrides = entries(schemes[s], 2e-3, 250);
          overrides.push_back("output/table interval=1000");
          const FinishedRun run(file, overrides);
          EXPECT_NEAR(run.values.at("initial energy"), energy, 1e-9);
          const double error =
            (run.values.at("final energy") - energy) / energy;
          EXPECT_NEAR(error, values[s], s == 0 || s == 3 ? 5e-5 : 5e-6)
            << schemes[s].name;
          if (s != 1 && s != 2)
            continue;
          for (const double least : run.column("energy", "smallest_total"))
            EXPECT_LT((least - energy) / energy, 0.0013);
          for (const double most : run.column("energy", "largest_total"))
            EXPECT_GT((most - energy) / energy, -0.0040);
        }
    }

    TEST(SpringPendulum, HasEnergiesAtBothSidesOfAJump)
    {
      Overrides overrides = entries(schemes[2], 1e-3, 2);
      overrides.push_back("output/energy limits=true");
      const FinishedRun run(file, overrides);
      const auto        total    = run.column("energy", "total");
      const auto        before   = run.column("energy", "total_before_jump");
      const auto        midpoint = run.column("energy", "total_midpoint");
      const auto        impulse  = run.column("contacts", "total_impulse");
      const auto        work     = run.column("energy", "work_contact");
      for (std::size_t i = 1; i < total.size(); ++i)
        {
          // Energy of an element, of second order; of a node, of first.
          EXPECT_NEAR(midpoint[i], energy, 5e-3);
          EXPECT_NEAR(total[i], energy, 3e-2);
          // Elastic impacts do no work.
          EXPECT_NEAR(work[i], 0, 1e-12);
          if (impulse[i] > 0)
            {
              EXPECT_GT(std::abs(total[i] - before[i]), 1e-6);
            }
        }
    }
  } // namespace
} // namespace Percuss::Test
