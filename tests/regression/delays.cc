// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "delays.h"

#include <percuss/base/registry.h>

#include <cctype>

// Forces that depend on the motion before, without impacts, in every scheme.

namespace Percuss::Test
{
  namespace
  {
    double
    error_of_delay_equation(const double h, const double tau, const double c)
    {
      const FinishedRun run("benchmark/delay_equation.prm",
                            {step_size(h),
                             "time/end time=1.2",
                             "output/table interval=1",
                             "model/lagrangian/constants=c = " + number(c) +
                               "; tau = " + number(tau)});
      const auto        time    = run.column("probes", "time");
      const auto        u       = run.column("probes", "u");
      double            largest = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        largest =
          std::max(largest,
                   std::abs(u[i] - exact_delay_equation(c, tau, time[i])));
      return largest;
    }

    /// The scheme has order 2; the delay is a multiple of no step.
    TEST(Delays, PolynomialPiecesOfTheDelayEquation)
    {
      const double        tau = 0.1234;
      std::vector<double> h   = {0.01, 0.005, 0.0025, 0.00125}, errors;
      for (const double step : h)
        errors.push_back(error_of_delay_equation(step, tau, 5));
      EXPECT_NEAR(observed_order(h, errors), 2, 0.25);
      // The error constant of the trapezoidal rule is c^3 h^2 / 12 t.
      EXPECT_LE(errors.back(), 2 * std::pow(5, 3) / 12 * std::pow(h.back(), 2));
    }

    /// Also where several steps do not fit into the delay, or none.
    TEST(Delays, ShorterThanTheStep)
    {
      std::vector<double> h = {0.1, 0.05, 0.025}, errors;
      for (const double step : h)
        errors.push_back(error_of_delay_equation(step, 0.02, 2));
      EXPECT_NEAR(observed_order(h, errors), 2, 0.25);
      EXPECT_LE(errors.back(), 2 * std::pow(2, 3) / 12 * std::pow(h.back(), 2));
    }

    /// No delay at all is damping: the same numbers as without a history.
    TEST(Delays, NoneIsDamping)
    {
      for (const std::string scheme :
           {"generalized alpha", "moreau jean", "energy momentum"})
        {
          const Overrides   common = {"scheme/type=" + scheme,
                                      "time/end time=0.5",
                                      step_size(0.01)};
          const FinishedRun delayed(
            "benchmark/delay_equation.prm",
            with(common, {"model/lagrangian/constants=c = 5; tau = 0"}));
          const FinishedRun damped("benchmark/delay_equation.prm",
                                   with(common,
                                        {"model/lagrangian/forces=x = -c*x'"}));
          EXPECT_NEAR(end_of(delayed).v.local_element(0),
                      end_of(damped).v.local_element(0),
                      1e-11)
            << scheme;
        }
    }

    /// A velocity that jumps at the start is seen as it was by a force at the
    /// end of a step, and as it is by one at the start: the trapezoidal rule is
    /// exact for the polynomials up to 3 tau. (Schemes that filter forces have
    /// order 1 where these jump.)
    TEST(Delays, SeeJumpsFromTheRightSide)
    {
      const FinishedRun run("benchmark/delay_equation.prm",
                            {"scheme/type=moreau jean",
                             step_size(0.02),
                             "time/end time=0.3",
                             "model/lagrangian/initial history=x = 0"});
      // u = 1 up to tau, then 1 - c (t - tau), and so on.
      EXPECT_NEAR(end_of(run).v.local_element(0),
                  1 - 5 * 0.2 + 25 * 0.1 * 0.1 / 2,
                  1e-12);
    }

    /// Only what a run can need is kept.
    TEST(Delays, LongerThanTheRun)
    {
      const FinishedRun run("benchmark/delay_equation.prm",
                            {"model/lagrangian/constants=c = 5; tau = 1e6",
                             "model/lagrangian/initial history=x = sin(t)",
                             "time/end time=0.1"});
      EXPECT_LE(end_of(run).history.memory(), 10000u);
      // u' = -c cos(t - 1e6)
      EXPECT_NEAR(end_of(run).v.local_element(0),
                  1 - 5 * (std::sin(0.1 - 1e6) - std::sin(-1e6)),
                  1e-6);
    }

    /// The pantograph equation u' = -u(t/2): a delay that starts at 0, grows
    /// and crosses all multiples of the step. u = sum a_k t^k.
    TEST(Delays, ThatDependOnTime)
    {
      double exact = 0, a = 1, power = 1;
      for (int k = 0; k < 30; ++k)
        {
          exact += a * power;
          a *= -1 / std::pow(2, k) / (k + 1);
          power *= 2; // t = 2
        }
      std::vector<double> h = {0.04, 0.02, 0.01}, errors;
      for (const double step : h)
        {
          const FinishedRun run("benchmark/delay_equation.prm",
                                {step_size(step),
                                 "model/lagrangian/forces=x = -x'(t/2)",
                                 "time/end time=2"});
          errors.push_back(std::abs(end_of(run).v.local_element(0) - exact));
        }
      EXPECT_NEAR(observed_order(h, errors), 2, 0.2);
      EXPECT_LE(errors.back(), std::pow(h.back(), 2));
    }

    /// x'' = -k x - c x'(t - tau) - b x(t - tau), x = cos(t) for t <= 0, by the
    /// classical Runge-Kutta method with Hermite's interpolation.
    std::pair<double, double>
    reference_oscillator(const double end_time)
    {
      const double        k = 4, c = 0.8, b = 0.5, tau = 0.3;
      const int           n_delay = 600;
      const double        h       = tau / n_delay;
      std::vector<double> x = {1}, v = {0}, a;
      const auto          past = [&](const int node) {
        const double t = node * h;
        return node < 0 ? std::make_pair(std::cos(t), -std::sin(t)) :
                                   std::make_pair(x[node], v[node]);
      };
      const auto acceleration_before = [&](const int node) {
        return node < 0 ? -std::cos(node * h) : a[node];
      };
      const auto middle = [&](const int node) {
        const double t      = (node + 0.5) * h;
        const auto [x0, v0] = past(node);
        if (node < 0)
          return std::make_pair(std::cos(t), -std::sin(t));
        const auto [x1, v1] = past(node + 1);
        return std::make_pair((x0 + x1) / 2 + h / 8 * (v0 - v1),
                              (v0 + v1) / 2 +
                                h / 8 *
                                  (acceleration_before(node) -
                                   acceleration_before(node + 1)));
      };
      const auto force = [&](const double                     position,
                             const std::pair<double, double> &before) {
        return -k * position - c * before.second - b * before.first;
      };
      const int n = static_cast<int>(std::lround(end_time / h));
      for (int i = 0; i < n; ++i)
        {
          const int  d  = i - n_delay;
          const auto p0 = past(d), pm = middle(d), p1 = past(d + 1);
          a.push_back(force(x[i], p0));
          const double k1v = a[i], k1x = v[i];
          const double k2x = v[i] + h / 2 * k1v,
                       k2v = force(x[i] + h / 2 * k1x, pm);
          const double k3x = v[i] + h / 2 * k2v,
                       k3v = force(x[i] + h / 2 * k2x, pm);
          const double k4x = v[i] + h * k3v, k4v = force(x[i] + h * k3x, p1);
          x.push_back(x[i] + h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x));
          v.push_back(v[i] + h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v));
        }
      return {x.back(), v.back()};
    }

    const Overrides oscillator = {
      "model/type=lagrangian",
      "model/lagrangian/constants=k = 4; c = 0.8; b = 0.5; tau = 0.3",
      "model/lagrangian/kinetic energy=1/2*x'^2",
      "model/lagrangian/potential energy=1/2*k*x^2",
      "model/lagrangian/forces=x = -c*x'(t - tau) - b*x(t - tau)",
      "model/lagrangian/initial position=x = 1",
      "model/lagrangian/initial history=x = cos(t)",
      "time/end time=1.92"};

    class EveryDelayedScheme : public testing::TestWithParam<std::string>
    {};

    /// Each scheme sees the forces at its own times. The delay is no multiple
    /// of the steps.
    TEST_P(EveryDelayedScheme, ConvergesWithDelays)
    {
      const double              exact = reference_oscillator(1.92).first;
      const std::vector<double> h     = {0.032, 0.016, 0.008};
      std::vector<double>       errors;
      for (const double step : h)
        {
          const FinishedRun run(
            "",
            with(oscillator, {"scheme/type=" + GetParam(), step_size(step)}));
          EXPECT_EQ(run.code, ExitCode::done);
          EXPECT_LE(run.simulation->energy_ledger().worst_residual(), 1e-10);
          errors.push_back(std::abs(end_of(run).q.local_element(0) - exact));
        }
      const bool is_first_order = GetParam() == "delayed moreau" ||
                                  GetParam() == "dissipative moreau jean" ||
                                  GetParam() == "schatzman paoli";
      EXPECT_GT(observed_order(h, errors), is_first_order ? 0.85 : 1.8);
      EXPECT_LE(errors.back(), is_first_order ? 5 * 0.008 : 30 * 0.008 * 0.008);
    }

    std::vector<std::string>
    all_schemes()
    {
      std::vector<std::string> names;
      for (const auto &plugin : Registry<TimeStepper>::plugins())
        names.push_back(plugin.first);
      return names;
    }

    INSTANTIATE_TEST_SUITE_P(All,
                             EveryDelayedScheme,
                             testing::ValuesIn(all_schemes()),
                             [](const auto &scheme) {
                               std::string name = scheme.param;
                               for (char &c : name)
                                 if (!std::isalnum(c))
                                   c = '_';
                               return name;
                             });
  } // namespace
} // namespace Percuss::Test
