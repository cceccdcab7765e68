// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// The closed-form motions of balls and bars.

namespace Percuss::Test
{
  namespace
  {
    const Overrides bouncing_bar = {"model/type=bar",
                                    "model/bar/length=10",
                                    "model/bar/area=1",
                                    "model/bar/young modulus=900",
                                    "model/bar/density=1",
                                    "model/bar/elements=20",
                                    "model/bar/gravity=-10",
                                    "model/bar/left end/condition=wall",
                                    "model/bar/left end/gap=5"};

    const Overrides impacting_bar = {"model/type=bar",
                                     "model/bar/young modulus=4",
                                     "model/bar/density=1",
                                     "model/bar/elements=20",
                                     "model/bar/initial velocity=-0.1",
                                     "model/bar/left end/condition=wall",
                                     "model/bar/left end/gap=0.05"};

    Overrides
    operator+(Overrides list, const Overrides &more)
    {
      list.insert(list.end(), more.begin(), more.end());
      return list;
    }

    /// The exact state at a time; fails where none is known.
    State
    exact(const Parts &parts, const double time)
    {
      State state = parts.model->initial_state();
      EXPECT_TRUE(parts.model->exact_state(time, state));
      return state;
    }

    double
    distance(Vector x, const Vector &y)
    {
      x -= y;
      return x.linfty_norm();
    }

    /// The motion begins as the model does, is continuous, and its velocity is
    /// the difference quotient of its displacement: with at most one front on
    /// its way through a node, over all but a few of the intervals.
    void
    check_kinematics(const Parts &parts, const double end_time, const double v)
    {
      const State initial = parts.model->initial_state();
      const State start   = exact(parts, 0);
      EXPECT_LE(distance(start.q, initial.q), 1e-12);
      EXPECT_LE(distance(start.v, initial.v), 1e-12);
      constexpr unsigned int n = 20000;
      const double           h = end_time / n;
      std::vector<int>       n_jumps(start.q.locally_owned_size());
      for (unsigned int i = 0; i < n; ++i)
        {
          const State a = exact(parts, i * h), b = exact(parts, (i + 1) * h);
          const State middle = exact(parts, (i + 0.5) * h);
          EXPECT_LE(distance(a.q, b.q), 1.001 * v * h) << i * h;
          for (unsigned int j = 0; j < n_jumps.size(); ++j)
            {
              const double quotient =
                (b.q.local_element(j) - a.q.local_element(j)) / h;
              n_jumps[j] +=
                std::abs(quotient - middle.v.local_element(j)) > 1e-6 * v;
            }
        }
      for (const int number : n_jumps)
        EXPECT_LE(number, 24); // ten fronts in a period of the bouncing bar
    }

    TEST(ExactMotion, OfTheBouncingBarIsThePublishedOne)
    {
      const Parts parts("", bouncing_bar);
      // t, and heights over the wall at 0, L/2 and L.
      const std::vector<std::vector<double>> table = {
        {0, 5, 5, 5},
        {1.16667, 0, -1.805556, -1.805556},
        {1.33333, 0, -2.083333, -3.888889},
        {1.5, 0, -2.361111, -2.638889},
        {2.0, 1.666667, 1.944444, 2.777778},
        {2.66667, 3.888889, 4.166667, 5.0},
        {3.2, 2.644444, 2.922222, 2.866667},
        {3.9, 0, -2.25, -3.172222},
        {5.0, 4.444444, 4.444444, 4.444444}};
      for (const auto &row : table)
        for (const double period : {0., 16. / 3})
          {
            const State state = exact(parts, row[0] + period);
            for (unsigned int i = 0; i < 3; ++i)
              EXPECT_NEAR(state.q.local_element(10 * i) + 5, row[1 + i], 6e-5)
                << row[0] << ' ' << i;
          }
      // The lower end takes off with v_f - 2 g L/c.
      EXPECT_NEAR(exact(parts, 5. / 3 + 1e-9).v.local_element(0),
                  10. / 3,
                  1e-6);
    }

    TEST(ExactMotion, OfTheBouncingBarKeepsItsEnergy)
    {
      const Parts  parts("", bouncing_bar + Overrides{"model/bar/degree=6"});
      const double energy =
        parts.model->energy(parts.model->initial_state()).total();
      for (double time = 0; time < 5; time += 0.37)
        EXPECT_NEAR(parts.model->energy(exact(parts, time)).total(), energy, 40)
          << time; // a front inside an element; the largest part is 2800
    }

    TEST(ExactMotion, OfBarsIsKinematicallyRight)
    {
      check_kinematics(Parts("", bouncing_bar), 11, 20);
      check_kinematics(Parts("", impacting_bar), 2, 0.1);
    }

    TEST(ExactMotion, OfTheImpactingBarComesBack)
    {
      // Contact from 0.5 to 1.5; the front is in the middle at 0.75.
      const Parts parts("", impacting_bar);
      const State state = exact(parts, 0.75 + 1e-9);
      EXPECT_NEAR(state.q.local_element(0), -0.05, 1e-12);
      EXPECT_NEAR(state.q.local_element(20), -0.075, 1e-9);
      EXPECT_EQ(state.v.local_element(10), 0);
      EXPECT_EQ(state.v.local_element(11), -0.1);
      const State after = exact(parts, 2);
      for (unsigned int i = 0; i <= 20; ++i)
        {
          EXPECT_NEAR(after.q.local_element(i), 0, 1e-12);
          EXPECT_EQ(after.v.local_element(i), 0.1);
        }
    }

    TEST(ExactMotion, OfABarAtARightWallIsMirrored)
    {
      const Parts left("", impacting_bar), right("",
                                                 {"model/type=bar",
                                                  "model/bar/young modulus=4",
                                                  "model/bar/density=1",
                                                  "model/bar/elements=20",
                                                  "model/bar/initial "
                                                  "velocity=0.1",
                                                  "model/bar/right "
                                                  "end/condition=wall",
                                                  "model/bar/right "
                                                  "end/gap=0.05"});
      for (const double time : {0.1, 0.8, 1.3, 1.9})
        {
          const State a = exact(left, time), b = exact(right, time);
          for (unsigned int i = 0; i <= 20; ++i)
            {
              EXPECT_NEAR(a.q.local_element(i),
                          -b.q.local_element(20 - i),
                          1e-14);
              EXPECT_EQ(a.v.local_element(i), -b.v.local_element(20 - i));
            }
        }
    }

    TEST(ExactMotion, OfBarsIsNotInvented)
    {
      for (const std::string override : {"model/bar/gravity=-9",
                                         "model/bar/mass damping=1",
                                         "model/bar/initial velocity=-1",
                                         "model/bar/initial displacement=0.1",
                                         "model/bar/right end/condition=wall",
                                         "model/bar/left end/condition=free"})
        {
          const Parts parts("", bouncing_bar + Overrides{override});
          State       state = parts.model->initial_state();
          EXPECT_FALSE(parts.model->exact_state(1, state)) << override;
        }
    }

    TEST(ExactMotion, OfBallsBounces)
    {
      // Flights of 1.8, 1.62, ... s after t = 1; Zeno point at 19; the second
      // mass is elastic with flights of 2 s, the third starts upward.
      const Parts parts("",
                        {"model/type=ball",
                         "model/ball/masses=3",
                         "model/ball/gravity=2",
                         "model/ball/velocity=0,0,2",
                         "model/ball/restitution=0.9,1,0"});
      const auto  q = [&](const double time, const unsigned int mass) {
        return exact(parts, time).q.local_element(mass);
      };
      EXPECT_DOUBLE_EQ(q(0.5, 0), 0.75);
      EXPECT_DOUBLE_EQ(q(1.9, 0), 0.81); // the top of the first bounce
      EXPECT_NEAR(q(1 + 1.8 + 0.81, 0), 0.81 * 0.81, 1e-14);
      EXPECT_EQ(q(19.1, 0), 0);
      EXPECT_EQ(exact(parts, 19.1).v.local_element(0), 0);
      EXPECT_NEAR(q(1002, 1), 1, 1e-9);
      EXPECT_DOUBLE_EQ(q(1, 2), 2);
      EXPECT_EQ(q(3, 2), 0);
      check_kinematics(parts, 4, 4.5);
      const Parts floating("", {"model/type=ball", "model/ball/gravity=0"});
      State       state = floating.model->initial_state();
      EXPECT_FALSE(floating.model->exact_state(1, state));
    }

    TEST(ExactMotion, IsWrittenBesideTheProbes)
    {
      const FinishedRun run("tutorial/bouncing_ball.prm",
                            {"time/end time=1", "output/table interval=7"});
      EXPECT_EQ(run.column("exact", "time"), run.column("probes", "time"));
      const auto exact_heights = run.column("exact", "height");
      const auto heights       = run.column("probes", "height");
      for (std::size_t i = 0; i < heights.size(); ++i)
        EXPECT_NEAR(heights[i], exact_heights[i], 0.01);
      const FinishedRun unknown("tutorial/bouncing_ball.prm",
                                {"time/end time=0.1", "model/ball/gravity=0"});
      EXPECT_FALSE(std::filesystem::exists(unknown.folder.path / "exact.csv"));
    }
  } // namespace
} // namespace Percuss::Test
