// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>

#include "delays.h"

// The delayed ball and the groove of Biemond and Michiels; runs that go on.

namespace Percuss::Test
{
  namespace
  {
    struct BallCase
    {
      double              c;
      std::vector<double> impacts; ///< and the time of rest, in s
      double              speed;   ///< before the first impact, in m/s
    };

    const std::vector<BallCase> ball_cases = {
      {0.5,
       {.459947016367, .9076616672, 1.1414465026, 1.2613394139, 1.3781098805},
       4.201476144506},
      {5,
       {.609513115627, .9189703692, 1.1562062075, 1.3172291716, 1.4772732355},
       1.971315416448}};

    Overrides
    ball(const double c, const double h)
    {
      return {"model/lagrangian/constants=m = 1; g = 9.81; tau = 0.1; c = " +
                number(c),
              step_size(h),
              "output/table interval=1",
              "output/field interval=0"};
    }

    /// q = 1 - g sum_k (-c)^k (t - k tau)_+^(k+2)/(k+2)!
    double
    exact_fall(const double c, const double t)
    {
      double q = 1;
      for (int k = 0; t - 0.1 * k > 0; ++k)
        q -= 9.81 * std::pow(-c, k) * std::pow(t - 0.1 * k, k + 2) /
             std::tgamma(k + 3.);
      return q;
    }

    TEST(DelayedBall, FallsAsTheClosedForm)
    {
      for (const BallCase &each : ball_cases)
        {
          std::vector<double> h = {4e-3, 2e-3, 1e-3}, errors;
          for (const double step : h)
            {
              const FinishedRun run("benchmark/delayed_ball.prm",
                                    with(ball(each.c, step),
                                         {"time/end time=0.44"}));
              errors.push_back(std::abs(end_of(run).q.local_element(0) -
                                        exact_fall(each.c, 0.44)));
            }
          // Explicit Euler: half a step late.
          EXPECT_NEAR(observed_order(h, errors), 1, 0.05);
          EXPECT_LE(errors.back(), 9.81 * 0.44 * h.back());
        }
    }

    /// Times of the impacts from the velocity, which turns upwards.
    std::vector<double>
    impact_times(const FinishedRun &run)
    {
      const auto          time = run.column("probes", "time");
      const auto          u    = run.column("probes", "velocity");
      std::vector<double> result;
      for (std::size_t i = 1; i < u.size(); ++i)
        if (u[i - 1] < 0 && u[i] > 0)
          result.push_back(time[i]);
      return result;
    }

    TEST(DelayedBall, ImpactsAndRestAtTheRightTimes)
    {
      for (const BallCase &each : ball_cases)
        for (const double h : {1e-3, 2e-4})
          {
            const FinishedRun run("benchmark/delayed_ball.prm",
                                  ball(each.c, h));
            const auto        times = impact_times(run);
            ASSERT_GE(times.size(), 4u);
            // Half a step late in each fall, and some errors of the velocity
            // that grow from impact to impact, by 1/e at most.
            for (unsigned int i = 0; i < 4; ++i)
              EXPECT_NEAR(times[i], each.impacts[i], (2 + 2 * i) * h);
            // Zeno: in the end the last jumps are smaller than g h.
            const auto time = run.column("probes", "time");
            const auto u    = run.column("probes", "velocity");
            double     rest = 0;
            for (std::size_t i = 0; i < u.size(); ++i)
              if (std::abs(u[i]) > 2 * 9.81 * h)
                rest = time[i];
            // From a jump v = 2 g h on the flights take 2 v/(g (1-e)) = 8 h,
            // more where the damper lifts; impacts before are late, too.
            EXPECT_NEAR(rest, each.impacts[4], 40 * h);
            EXPECT_LE(std::abs(end_of(run).v.local_element(0)), 1e-12);
          }
    }

    /// Order 1 with impacts: the mean of |q - q_ref| over the first bounces.
    TEST(DelayedBall, OrderOneWithImpacts)
    {
      for (const BallCase &each : ball_cases)
        {
          std::vector<double> h = {4e-3, 1e-3, 2.5e-4}, errors;
          for (const double step : h)
            {
              const FinishedRun run("benchmark/delayed_ball.prm",
                                    with(ball(each.c, step),
                                         {"time/end time=1"}));
              // From the table: c = 0.5 and c = 5.
              const double exact = each.c < 1 ? .06247541 : .05066787;
              errors.push_back(
                std::abs(end_of(run).q.local_element(0) - exact));
            }
          EXPECT_NEAR(observed_order(h, errors), 1, 0.3) << each.c;
          EXPECT_LE(errors.back(), 20 * h.back());
        }
    }

    struct GrooveCase
    {
      double c;
      double q[6][2]; ///< at t = 1..6
      double largest; ///< error of the scheme at h = 1e-3, in m
    };

    /// References: each wall by itself, by events, to 12 digits.
    const std::vector<GrooveCase> groove_cases = {{5,
                                                   {{.0563651, .4202958},
                                                    {-.0203281, .1380952},
                                                    {.0340402, .1196807},
                                                    {-.0381831, .0474574},
                                                    {-.0428198, .0428207},
                                                    {-.0428201, .0428204}},
                                                   1.0e-2},
                                                  {0.5,
                                                   {{.1478492, .3365071},
                                                    {.1736949, .2645154},
                                                    {.1529796, .2438001},
                                                    {.0654880, .1563084},
                                                    {-.0454101, .0454104},
                                                    {-.0454101, .0454104}},
                                                   .23}};

    TEST(DelayedGroove, PositionsOfBiemondAndMichiels)
    {
      for (const GrooveCase &each : groove_cases)
        for (const double h : {1e-3, 1e-4})
          {
            const FinishedRun run(
              "benchmark/delayed_two_constraints.prm",
              {"model/lagrangian/constants=A = 10; tau = 0.1; g = 9.81; c = " +
                 number(each.c),
               step_size(h),
               "output/table interval=" + std::to_string(std::lround(0.1 / h)),
               "output/field interval=0"});
            const auto x = run.column("probes", "x");
            const auto y = run.column("probes", "y");
            ASSERT_EQ(x.size(), 61u);
            // Of order 1; ten times smaller steps at least five times better.
            const double allowed =
              h == 1e-3 ? 1.1 * each.largest : each.largest / 5;
            for (unsigned int t = 1; t <= 6; ++t)
              EXPECT_LE(std::hypot(x[10 * t] - each.q[t - 1][0],
                                   y[10 * t] - each.q[t - 1][1]),
                        allowed)
                << "c = " << each.c << ", h = " << h << ", t = " << t;
          }
    }

    /// The mass lies on a wall between the accumulation of impacts and the time
    /// when the force lifts it.
    TEST(DelayedGroove, StaysOnTheWallForAWhile)
    {
      const double      h = 1e-4;
      const FinishedRun run("benchmark/delayed_two_constraints.prm",
                            {step_size(h),
                             "output/table interval=10",
                             "output/field interval=0"});
      const auto        time = run.column("probes", "time");
      const auto        x    = run.column("probes", "x");
      const auto        y    = run.column("probes", "y");
      const auto        u    = run.column("probes", "u");
      const auto        v    = run.column("probes", "v");
      // Wall 2 (c = 5) and wall 1, from the references.
      struct Interval
      {
        double side, begin, end;
      };
      for (const auto &[side, begin, end] :
           {Interval{-1, 2.57182334, 2.74700408},
            Interval{-1, 3.43823044, 3.74700408},
            Interval{-1, 4.43823044, 4.74700408},
            Interval{1, 4.90746174, 4.99528412},
            Interval{1, 5.68834244, 5.99700408}})
        {
          double lifted = 0;
          for (std::size_t i = 0; i < time.size(); ++i)
            {
              const double gap = (y[i] + side * x[i]) / std::sqrt(2.);
              const double w   = (v[i] + side * u[i]) / std::sqrt(2.);
              // An accumulation is cut off where jumps are below g h.
              if (time[i] > begin + 0.02 && time[i] < end - 0.002)
                {
                  EXPECT_NEAR(gap, 0, 20 * h) << time[i];
                  EXPECT_NEAR(w, 0, 20 * h) << time[i];
                }
              if (lifted == 0 && time[i] > begin + 0.02 && w > 20 * h)
                lifted = time[i];
            }
          if (end < 5.9) // else the run ends first
            {
              // The force grows by some 60 N/s: w = 20 h takes 8 ms.
              EXPECT_NEAR(lifted, end, 0.012) << begin;
            }
        }
    }



    /// A block slides on a floor, u' = -mu g - c u(t - tau), until it sticks:
    /// the damper's push, once backwards, is weaker than friction.
    TEST(DelayedFriction, SlidesAndSticks)
    {
      const double        mu_g = 0.3 * 9.81, c = 1, tau = 0.1, dt = 1e-5;
      std::vector<double> u      = {2};
      const auto          before = [&](const long node) {
        return node < 0 ? 2. : u[node];
      };
      const long n_delay = std::lround(tau / dt);
      while (u.back() > 0)
        {
          const long i = static_cast<long>(u.size()) - 1 - n_delay;
          u.push_back(u.back() -
                      dt * (mu_g + c * (before(i) + before(i + 1)) / 2));
        }
      const double stop = dt * static_cast<double>(u.size() - 1);
      double       way  = 0;
      for (const double velocity : u)
        way += dt * velocity;
      for (const std::string scheme :
           {"delayed moreau", "moreau jean", "generalized alpha"})
        {
          const double      h = 1e-3;
          const FinishedRun run(
            "benchmark/delayed_two_constraints.prm",
            {"scheme/type=" + scheme,
             step_size(h),
             "time/end time=1",
             "output/table interval=1",
             "output/field interval=0",
             "model/lagrangian/constants=c = 1; tau = 0.1; g = 9.81",
             "model/lagrangian/forces=x = -c*x'(t - tau)",
             "model/lagrangian/initial position=",
             "model/lagrangian/initial velocity=x = 2",
             "model/lagrangian/initial history=",
             "model/lagrangian/contacts/gaps=floor = y",
             "model/lagrangian/contacts/restitution=0",
             "model/lagrangian/contacts/friction=0.3",
             "model/lagrangian/contacts/sliding velocities=floor = x'",
             "model/lagrangian/drawing/arrows="});
          const auto time = run.column("probes", "time");
          const auto v    = run.column("probes", "u");
          double     end  = 0;
          for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i] > 1e-10)
              end = time[i];
          EXPECT_NEAR(end, stop, 2 * h) << scheme;
          EXPECT_NEAR(end_of(run).q(0), way, 2 * 2 * h) << scheme;
          EXPECT_LE(std::abs(end_of(run).v(0)), 1e-10) << scheme;
        }
    }

    /// A body with a joint and a controller, and the same with one angle.
    TEST(DelayedPendulum, InTwoModels)
    {
      const FinishedRun angle(
        "benchmark/rigid_pendulum.prm",
        {"scheme/type=generalized alpha",
         step_size(1e-4),
         "time/end time=1",
         "model/lagrangian/forces=phi = -0.5*L*cos(phi)*L*cos(phi(t - "
         "0.05))*phi'(t - 0.05)",
         "output/table interval=5000",
         "output/field interval=0",
         "output/probes=x = sin(phi)"});
      const auto exact = angle.column("probes", "x");
      ASSERT_EQ(exact.size(), 3u);
      for (const std::string scheme :
           {"null space variational", "energy momentum"})
        {
          const double      h = 1e-3;
          const FinishedRun body("benchmark/delayed_pendulum.prm",
                                 {"scheme/type=" + scheme,
                                  step_size(h),
                                  "time/end time=1",
                                  "output/table interval=500",
                                  "output/field interval=0"});
          const auto        x = body.column("probes", "x");
          ASSERT_EQ(x.size(), 3u);
          // Order 2 in free swing; the impact is up to a step late.
          EXPECT_NEAR(x[1], exact[1], 20 * h * h) << scheme;
          EXPECT_NEAR(x[2], exact[2], 4.4 * h) << scheme;
        }
    }

    TEST(DelayedRuns, GoOnFromACheckpointBitForBit)
    {
      const std::vector<std::pair<std::string, Overrides>> cases = {
        {"benchmark/delayed_two_constraints.prm", {step_size(1e-3)}},
        {"benchmark/delayed_bar.prm",
         {"model/bar/elements=20",
          "model/bar/delayed stiffness damping=1e-4",
          "model/bar/damping delay=0.03",
          "time/end time=3"}}};
      for (const auto &[file, entries] : cases)
        {
          const FinishedRun whole(file, entries);
          FinishedRun       half(file, with(entries, {"time/end time=1.5"}));
          Settings          settings;
          assign(settings, file, entries);
          Simulation::Options options{half.folder.path};
          options.resume = true;
          Simulation rest(settings, options, MPI_COMM_SELF);
          EXPECT_EQ(rest.run(), ExitCode::done);
          const State &a = end_of(whole), &b = rest.final_state();
          EXPECT_EQ(a.step, b.step);
          for (unsigned int i = 0; i < a.q.locally_owned_size(); ++i)
            {
              EXPECT_EQ(a.q.local_element(i), b.q.local_element(i));
              EXPECT_EQ(a.v.local_element(i), b.v.local_element(i));
            }
          EXPECT_EQ(a.history.size(), b.history.size());
        }
    }

    /// The ring does not grow, however long the run.
    TEST(DelayedRuns, KeepNoMoreThanTheDelay)
    {
      const FinishedRun some("benchmark/delayed_ball.prm",
                             {step_size(1e-3), "time/end time=0.5"});
      const FinishedRun many("benchmark/delayed_ball.prm",
                             {step_size(1e-3),
                              "time/end time=20",
                              "output/field interval=0"});
      EXPECT_EQ(end_of(many).history.memory(), end_of(some).history.memory());
      EXPECT_LE(end_of(many).history.size(), 104u);
    }
  } // namespace
} // namespace Percuss::Test
