// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/ledger/ledger.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "random_system.h"
#include "tools.h"

// What holds for every registered scheme with its default parameters.

namespace Percuss::Test
{
  namespace
  {
    class EveryScheme : public testing::TestWithParam<std::string>
    {
    protected:
      Overrides
      scheme() const
      {
        Overrides overrides = {"scheme/type=" + GetParam()};
        if (is("central differences"))
          overrides.push_back("model/bar/mass matrix=lumped");
        return overrides;
      }

      RandomSystem
      system(const unsigned int seed,
             const unsigned int n,
             const unsigned int n_contacts) const
      {
        return RandomSystem(seed,
                            n,
                            n_contacts,
                            RandomSystem::kind_for(GetParam()));
      }

      bool
      is(const std::string &part) const
      {
        return GetParam().find(part) != std::string::npos;
      }
    };

    /// With contacts, and for bodies that have mass at them.
    class SchemeForRigidBodies : public EveryScheme
    {};

    /// That meets Newton's law of impact. The counterexamples do not, as
    /// regression/naive.cc shows.
    class SchemeWithRestitution : public EveryScheme
    {};

    /// All schemes but those with one of these words in their names.
    std::vector<std::string>
    schemes_without(const std::vector<std::string> &words)
    {
      std::vector<std::string> names;
      for (const std::string &name : Registry<TimeStepper>::names())
        if (std::none_of(words.begin(), words.end(), [&](const auto &word) {
              return name.find(word) != std::string::npos;
            }))
          names.push_back(name);
      return names;
    }

    std::string
    name_of(const testing::TestParamInfo<std::string> &info)
    {
      std::string name = info.param;
      std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      return name;
    }

    /// The state of @p model after n steps of size T/n.
    State
    integrate(const Parts        &parts,
              const RandomSystem &model,
              State               state,
              const double        T,
              const unsigned int  n)
    {
      const auto scheme = parts.make_scheme(model);
      scheme->set_step_size(T / n);
      scheme->start(state);
      State end = state;
      for (unsigned int i = 0; i < n; ++i)
        {
          StepReport report;
          scheme->advance(state, end, report);
          EXPECT_TRUE(report.converged);
          state.swap(end);
        }
      return state;
    }

    /// dq/dt = v, M dv/dt = f, by the classical Runge-Kutta method.
    State
    runge_kutta(const RandomSystem &model,
                State               state,
                const double        T,
                const unsigned int  n)
    {
      const auto mass_matrix = model.assemble(1, 0, 0);
      Settings   settings;
      const auto solver = settings.linear_solver.build({*mass_matrix});
      const auto slope  = [&](const State &s, Vector &dq, Vector &dv) {
        Vector f(model.partition());
        model.internal_forces(s.q, s.v, f);
        f *= -1;
        f += model.dead;
        model.add_driving_load(s.time, 1, f);
        dq = s.v;
        EXPECT_TRUE(solver->solve(f, dv).converged);
      };
      const double h = T / n;
      Vector       dq[4], dv[4];
      for (int k = 0; k < 4; ++k)
        {
          dq[k].reinit(model.partition());
          dv[k].reinit(model.partition());
        }
      for (unsigned int i = 0; i < n; ++i)
        {
          State stage = state;
          slope(stage, dq[0], dv[0]);
          const double fraction[] = {0.5, 0.5, 1};
          for (int k = 0; k < 3; ++k)
            {
              stage      = state;
              stage.time = state.time + fraction[k] * h;
              stage.q.add(fraction[k] * h, dq[k]);
              stage.v.add(fraction[k] * h, dv[k]);
              slope(stage, dq[k + 1], dv[k + 1]);
            }
          const double weight[] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
          for (int k = 0; k < 4; ++k)
            {
              state.q.add(weight[k] * h, dq[k]);
              state.v.add(weight[k] * h, dv[k]);
            }
          state.time += h;
        }
      return state;
    }



    TEST_P(EveryScheme, GivesTheSameResultTwice)
    {
      const Parts        parts("", scheme());
      const RandomSystem model   = system(7, 5, 2);
      const auto         stepper = parts.make_scheme(model);
      stepper->set_step_size(0.01);
      State begin = model.initial_state();
      stepper->start(begin);
      State first = begin, second = begin;
      for (int i = 0; i < 30; ++i)
        {
          StepReport report, report_again;
          stepper->advance(begin, first, report);
          // A step in between must leave no trace.
          StepReport other;
          stepper->advance(first, second, other);
          stepper->advance(begin, second, report_again);
          second.q -= first.q;
          second.v -= first.v;
          EXPECT_EQ(second.q.linfty_norm(), 0);
          EXPECT_EQ(second.v.linfty_norm(), 0);
          for (std::size_t k = 0; k < first.memory.size(); ++k)
            {
              second.memory[k].values -= first.memory[k].values;
              EXPECT_EQ(second.memory[k].values.linfty_norm(), 0)
                << first.memory[k].name;
            }
          EXPECT_EQ(report.n_active, report_again.n_active);
          begin.swap(first);
        }
    }



    TEST_P(EveryScheme, ClosesItsBalanceWhenTheStepSizeChanges)
    {
      const Parts parts("", scheme());
      for (unsigned int seed = 0; seed < 10; ++seed)
        {
          const RandomSystem model   = system(seed, 6, 3);
          const auto         stepper = parts.make_scheme(model);
          stepper->set_step_size(0.02);
          State state = model.initial_state();
          stepper->start(state);
          Ledger ledger({1e-10}, model);
          ledger.open(state, stepper->promise());
          State end = state;
          for (unsigned int i = 0; i < 60; ++i)
            {
              // A step in halves now and then, as the driver does it.
              stepper->set_step_size(i % 6 < 4 ? 0.02 : 0.01);
              StepReport report;
              stepper->advance(state, end, report);
              ASSERT_TRUE(report.converged);
              ASSERT_NO_THROW(
                ledger.record(state, end, report, stepper->promise()));
              state.swap(end);
            }
        }
    }



    TEST_P(EveryScheme, ConvergesInSmoothMotion)
    {
      const Parts         parts("", scheme());
      const RandomSystem  model = system(3, 4, 0);
      const State         start = model.initial_state();
      const State         exact = runge_kutta(model, start, 1., 2000);
      std::vector<double> h, error;
      for (const unsigned int n : {100, 200, 400})
        {
          State result = integrate(parts, model, start, 1., n);
          result.q -= exact.q;
          h.push_back(1. / n);
          error.push_back(result.q.l2_norm());
        }
      // The forces of the system depend on velocities: order 1 for 'moreau'.
      const bool is_of_first_order = is("schatzman") || is("dissipative") ||
                                     is("delayed") || GetParam() == "moreau";
      EXPECT_NEAR(observed_order(h, error), is_of_first_order ? 1 : 2, 0.1);
      EXPECT_LT(error.back(), 0.05);
    }



    TEST_P(EveryScheme, ClosesItsEnergyBalanceOnRandomSystems)
    {
      const Parts  parts("", scheme());
      unsigned int n_impacts = 0;
      for (unsigned int seed = 0; seed < 100; ++seed)
        {
          const RandomSystem model   = system(seed, 6, 3);
          const auto         stepper = parts.make_scheme(model);
          stepper->set_step_size(0.02);
          State state = model.initial_state();
          stepper->start(state);
          Ledger ledger({1e-10}, model);
          ledger.open(state);
          State end = state;
          for (unsigned int i = 0; i < 40; ++i)
            {
              StepReport report;
              stepper->advance(state, end, report);
              ASSERT_TRUE(report.converged);
              ASSERT_NO_THROW(
                ledger.record(state, end, report, stepper->promise()));
              n_impacts += impulses(end).linfty_norm() > 0;
              state.swap(end);
            }
          EXPECT_LT(ledger.worst_residual(), 1e-10);
        }
      if (is("smooth"))
        EXPECT_EQ(n_impacts, 0u);
      else
        EXPECT_GT(n_impacts, 500u) << "too few to count as a test";
    }



    TEST_P(SchemeForRigidBodies, KeepsABallAtRest)
    {
      Overrides overrides = scheme();
      for (const std::string text : {"model/type=ball",
                                     "model/ball/height=0",
                                     "model/ball/velocity=0",
                                     "time/step size=0.01",
                                     "time/end time=1"})
        overrides.push_back(text);
      const FinishedRun run("", overrides);
      // The weight of 1 kg is carried: no motion but for round-off.
      EXPECT_NEAR(run.values.at("contact impulse"), 9.81, 1e-10);
      EXPECT_LT(run.simulation->final_state().q.linfty_norm(), 1e-12);
      EXPECT_LT(run.simulation->final_state().v.linfty_norm(), 1e-12);
    }



    TEST_P(SchemeWithRestitution, GoesThroughTheZenoPointOfABallWithOrderOne)
    {
      std::vector<double> h, error;
      for (const double step : {1e-2, 4e-3, 1e-3, 4e-4, 1e-4})
        {
          Overrides overrides = scheme();
          overrides.push_back("time/step size=" + std::to_string(step));
          overrides.push_back("output/field interval=0");
          const FinishedRun run("tutorial/bouncing_ball.prm", overrides);
          const auto        time   = run.column("probes", "time");
          const auto        height = run.column("probes", "height");
          double            sum    = 0;
          for (std::size_t i = 0; i < time.size(); ++i)
            {
              // Exact flight between the impacts t_n, at rest after t_inf.
              const double g = 9.81, e = 0.75;
              double       t = std::sqrt(2 / g), speed = e * g * t, exact = 0;
              if (time[i] < t)
                exact = 1 - g * time[i] * time[i] / 2;
              else if (time[i] < t * (1 + e) / (1 - e))
                {
                  while (t + 2 * speed / g <= time[i])
                    {
                      t += 2 * speed / g;
                      speed *= e;
                    }
                  exact = speed * (time[i] - t) -
                          g * (time[i] - t) * (time[i] - t) / 2;
                }
              sum += std::abs(height[i] - exact);
            }
          h.push_back(step);
          error.push_back(sum / static_cast<double>(time.size()));
          const double penetration = run.values.at("max penetration");
          EXPECT_LE(std::abs(height.back()), 2 * penetration + 1e-12);
          EXPECT_LE(std::abs(run.simulation->final_state().v(0)), 9.81 * step);
        }
      EXPECT_GT(observed_order(h, error), 0.8);
      EXPECT_LT(observed_order(h, error), 1.2);
    }

    /// A scheme that promises that an energy does not grow.
    struct Certificate
    {
      std::string scheme;
      Overrides   overrides;
      double      largest_restitution    = 1;
      bool        damping_is_dissipative = true; ///< in each step
    };

    std::vector<Certificate>
    certificates()
    {
      const auto alpha = [](const std::string &scheme,
                            const std::string &gamma,
                            const std::string &beta) -> Certificate {
        const std::string section = "scheme/" + scheme + "/";
        return {scheme,
                {section + "parameter set=newmark",
                 section + "gamma=" + gamma,
                 section + "beta=" + beta},
                1,
                false};
      };
      const auto hht = [](const std::string &scheme,
                          const std::string &value) -> Certificate {
        const std::string section = "scheme/" + scheme + "/";
        return {scheme,
                {section + "parameter set=hht", section + "alpha=" + value},
                1,
                false};
      };
      return {
        {"moreau jean", {}},
        {"moreau jean", {"scheme/moreau jean/theta=0.6"}, 0.6},
        {"moreau jean", {"scheme/moreau jean/theta=1"}, 0},
        {"dissipative moreau jean", {}},
        {"dissipative moreau jean", {"scheme/dissipative moreau jean/theta=1"}},
        alpha("generalized alpha", "0.5", "0.25"),
        alpha("generalized alpha", "0.6", "0.3"),
        alpha("generalized alpha", "0.6", "0.4"),
        alpha("generalized alpha", "1", "0.5"),
        hht("generalized alpha", "0.05"),
        hht("generalized alpha", "0.3"),
        alpha("smooth generalized alpha", "0.7", "0.4"),
        hht("smooth generalized alpha", "0.2"),
        {"central differences", {"model/bar/mass matrix=lumped"}, 1, false},
        {"contact stabilized newmark", {}, 1, false}};
    }

    TEST(Certificates, HoldOverTenThousandRandomSteps)
    {
      for (const Certificate &certificate : certificates())
        for (const std::string approaching : {"true", "false"})
          {
            Overrides overrides = certificate.overrides;
            overrides.push_back("scheme/type=" + certificate.scheme);
            overrides.push_back(
              "contact/activation of approaching contacts only=" + approaching);
            const Parts parts("", overrides);
            auto        kind = RandomSystem::kind_for(certificate.scheme);
            kind.largest_restitution = certificate.largest_restitution;
            unsigned long n_within = 0, n_outside = 0;
            for (unsigned int seed = 0; seed < 100; ++seed)
              {
                const RandomSystem model(seed, 6, 3, kind);
                const auto         stepper = parts.make_scheme(model);
                stepper->set_step_size(0.03);
                State state = model.initial_state();
                stepper->start(state);
                Ledger ledger({1e-10}, model);
                ledger.open(state, stepper->promise());
                EXPECT_TRUE(stepper->promise().promises_dissipation);
                EXPECT_TRUE(stepper->promise().hypotheses_hold());
                State end = state;
                for (unsigned int i = 0; i < 100; ++i)
                  {
                    StepReport report;
                    stepper->advance(state, end, report);
                    ASSERT_TRUE(report.converged);
                    ASSERT_NO_THROW(
                      ledger.record(state, end, report, stepper->promise()))
                      << certificate.scheme << ' ' << seed;
                    state.swap(end);
                  }
                n_within += ledger.inequality().n_steps_within;
                n_outside += ledger.inequality().n_steps_outside;
              }
            EXPECT_EQ(n_within + n_outside, 10000u);
            EXPECT_GT(n_within, 8000u) << certificate.scheme;
            // What is outside the hypotheses: systems that start inside the
            // walls for the stabilised scheme, separating contacts for the
            // others, and positive work of the damping where positions and
            // velocities differ in a step.
            if (approaching == "true" && certificate.damping_is_dissipative)
              {
                EXPECT_EQ(n_outside, 0u) << certificate.scheme;
              }
          }
    }

    TEST(Certificates, AreNotGivenWhereTheirHypothesesFail)
    {
      const RandomSystem model(1, 4, 2);
      const auto         promise = [&](const Overrides &overrides) {
        const Parts parts("", overrides);
        const auto  stepper = parts.make_scheme(model);
        stepper->set_step_size(0.01);
        return stepper->promise();
      };
      EXPECT_FALSE(
        promise({"scheme/type=moreau jean", "scheme/moreau jean/theta=1"})
          .hypotheses_hold());
      for (const std::string scheme : {"schatzman paoli",
                                       "generalized alpha",
                                       "position velocity generalized alpha",
                                       "naive velocity newmark"})
        EXPECT_FALSE(promise({"scheme/type=" + scheme}).promises_dissipation)
          << scheme;
    }

    INSTANTIATE_TEST_SUITE_P(Registered,
                             EveryScheme,
                             testing::ValuesIn(Registry<TimeStepper>::names()),
                             name_of);
    INSTANTIATE_TEST_SUITE_P(
      Registered,
      SchemeForRigidBodies,
      testing::ValuesIn(schemes_without({"smooth", "redistributed"})),
      name_of);
    INSTANTIATE_TEST_SUITE_P(Registered,
                             SchemeWithRestitution,
                             testing::ValuesIn(schemes_without({"smooth",
                                                                "redistributed",
                                                                "stabilized",
                                                                "naive"})),
                             name_of);
  } // namespace
} // namespace Percuss::Test
