// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include "random_system.h"
#include "tools.h"

// Schemes that keep bodies apart and joints together, to round-off.

namespace Percuss::Test
{
  namespace
  {
    const std::vector<std::string> corrected =
      {"position velocity generalized alpha", "decoupled generalized alpha"};

    TEST(PositionLevel, BallAndBarDoNotPenetrate)
    {
      for (const std::string &scheme : corrected)
        {
          const FinishedRun ball("tutorial/bouncing_ball.prm",
                                 {"scheme/type=" + scheme,
                                  "output/field interval=0"});
          EXPECT_LT(ball.values.at("max penetration"), 1e-15) << scheme;
          // It rests exactly after the Zeno point.
          EXPECT_LT(ball.simulation->final_state().q.linfty_norm(), 1e-15);
          EXPECT_LT(ball.simulation->final_state().v.linfty_norm(), 1e-15);
          for (const std::string mass : {"consistent", "lumped"})
            {
              const FinishedRun bar("tutorial/impacting_bar.prm",
                                    {"scheme/type=" + scheme,
                                     "model/bar/elements=200",
                                     "model/bar/mass matrix=" + mass,
                                     "output/field interval=0"});
              EXPECT_LT(bar.values.at("max penetration"), 1e-15) << scheme;
              EXPECT_NEAR(bar.values.at("contact impulse"), 0.48984, 5e-3);
            }
        }
    }

    TEST(PositionLevel, OtherPositionSchemesDoNotPenetrateEither)
    {
      for (const std::string scheme :
           {"contact stabilized newmark", "redistributed mass newmark"})
        {
          const FinishedRun bar(
            "tutorial/impacting_bar.prm",
            {"scheme/type=" + scheme,
             "model/bar/elements=200",
             "model/bar/mass matrix=" +
               std::string(scheme[0] == 'r' ? "redistributed" : "consistent"),
             "output/field interval=0"});
          EXPECT_LT(bar.values.at("max penetration"), 1e-15) << scheme;
          EXPECT_NEAR(bar.values.at("contact impulse"), 0.48984, 5e-3);
        }
    }

    /// Steps through the benchmark and returns the largest violations: of the
    /// rod in m, of its velocity in m/s, of the wall in m.
    std::array<double, 3>
    violations_of_the_pendulum(const std::string &scheme)
    {
      const Parts parts("benchmark/rigid_pendulum_exact.prm",
                        {"scheme/type=" + scheme});
      const auto &joints = *parts.model->constraints();
      parts.scheme->set_step_size(1e-3);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      State                 end   = state;
      std::array<double, 3> worst = {{0, 0, 0}};
      Vector                gap(parts.model->contacts().partition());
      for (unsigned int i = 0; i < 3000; ++i)
        {
          StepReport report;
          parts.scheme->advance(state, end, report);
          EXPECT_TRUE(report.converged);
          const auto G = joints.dense_jacobian(end.q);
          parts.model->contacts().gaps(end.q, gap);
          worst[0] = std::max(worst[0], std::abs(joints.residuals(end.q)[0]));
          worst[1] =
            std::max(worst[1],
                     std::abs(G(0, 0) * end.v(0) + G(0, 1) * end.v(1)));
          worst[2] = std::max(worst[2], -gap(0));
          state.swap(end);
        }
      return worst;
    }

    TEST(PositionLevel, RodAndWallOfThePendulumHold)
    {
      for (const std::string &scheme : corrected)
        {
          const auto worst = violations_of_the_pendulum(scheme);
          EXPECT_LT(worst[0], 1e-12) << scheme;
          EXPECT_LT(worst[1], 1e-12) << scheme;
          EXPECT_LT(worst[2], 1e-14) << scheme;
        }
    }

    /// The largest error of the angle in the run.
    double
    error_of_the_pendulum(const std::string &scheme,
                          const double       step,
                          const double       end_time)
    {
      const FinishedRun run("benchmark/rigid_pendulum_exact.prm",
                            {"scheme/type=" + scheme,
                             "time/step size=" + std::to_string(step),
                             "time/end time=" + std::to_string(end_time),
                             "output/field interval=0"});
      const auto        time  = run.column("probes", "time");
      const auto        angle = run.column("probes", "angle");
      State             exact = run.simulation->final_state();
      double            worst = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          EXPECT_TRUE(
            run.simulation->mechanical_model().exact_state(time[i], exact));
          worst =
            std::max(worst,
                     std::abs(angle[i] - std::atan2(exact.q(0), -exact.q(1))));
        }
      return worst;
    }

    TEST(PositionLevel, PendulumConvergesWithOrderTwoBeforeAndOneAfterImpacts)
    {
      for (const std::string &scheme : corrected)
        {
          std::vector<double> h, smooth, impacts;
          for (const double step : {8e-3, 4e-3, 2e-3, 1e-3})
            {
              h.push_back(step);
              smooth.push_back(error_of_the_pendulum(scheme, step, 0.56));
              impacts.push_back(error_of_the_pendulum(scheme, step, 4));
            }
          EXPECT_NEAR(observed_order(h, smooth), 2, 0.05) << scheme;
          EXPECT_GT(observed_order(h, impacts), 0.7) << scheme;
          EXPECT_LT(impacts.back(), 20 * h.back()) << scheme;
        }
    }

    /// The largest difference of the two schemes over random systems.
    double
    difference_of_the_schemes(const RandomSystem::Kind &kind,
                              const Overrides          &choice)
    {
      Overrides first  = {"scheme/type=" + corrected[0]},
                second = {"scheme/type=" + corrected[1]};
      for (const std::string &text : choice)
        {
          first.push_back("scheme/" + corrected[0] + "/" + text);
          second.push_back("scheme/" + corrected[1] + "/" + text);
        }
      const Parts a("", first), b("", second);
      double      worst     = 0;
      unsigned    n_impacts = 0;
      for (unsigned int seed = 0; seed < 30; ++seed)
        {
          const RandomSystem model(seed, 5, 2, kind);
          const auto         coupled = a.make_scheme(model),
                     decoupled       = b.make_scheme(model);
          coupled->set_step_size(0.02);
          decoupled->set_step_size(0.02);
          State begin = model.initial_state();
          coupled->start(begin);
          State one = begin, other = begin;
          for (unsigned int i = 0; i < 50; ++i)
            {
              StepReport report, report_other;
              coupled->advance(begin, one, report);
              decoupled->advance(begin, other, report_other);
              EXPECT_TRUE(report.converged && report_other.converged);
              n_impacts += report.n_active > 0;
              other.q -= one.q;
              other.v -= one.v;
              worst =
                std::max({worst,
                          other.q.linfty_norm() / (1 + one.q.linfty_norm()),
                          other.v.linfty_norm() / (1 + one.v.linfty_norm())});
              begin.swap(one);
            }
        }
      EXPECT_GT(n_impacts, 100u);
      return worst;
    }

    TEST(PositionLevel, DecoupledIsCoupledForUndampedLinearSystems)
    {
      RandomSystem::Kind undamped;
      undamped.has_damping = false;
      for (const std::string radius : {"1", "0.8", "0"})
        EXPECT_LT(difference_of_the_schemes(undamped,
                                            {"spectral radius=" + radius}),
                  1e-11)
          << radius;
      // With damping the predictor's velocity enters the positions.
      EXPECT_GT(difference_of_the_schemes({}, {}), 1e-8);
    }

    TEST(PositionLevel, ThetaOneHalfIsNewmarkOnDampedRandomSystems)
    {
      const Parts  a("", {"scheme/type=moreau jean"});
      const Parts  b("",
                    {"scheme/type=generalized alpha",
                      "scheme/generalized alpha/parameter set=newmark"});
      const Parts  c("",
                    {"scheme/type=dissipative moreau jean",
                      "scheme/dissipative moreau jean/theta=0.5"});
      unsigned int n_impacts = 0;
      for (unsigned int seed = 0; seed < 30; ++seed)
        {
          const RandomSystem model(seed, 5, 2);
          State              states[3];
          const Parts *const parts[] = {&a, &b, &c};
          for (unsigned int k = 0; k < 3; ++k)
            {
              const auto scheme = parts[k]->make_scheme(model);
              scheme->set_step_size(0.02);
              State begin = RandomSystem(seed, 5, 2).initial_state();
              scheme->start(begin);
              states[k] = begin;
              for (unsigned int i = 0; i < 50; ++i)
                {
                  StepReport report;
                  scheme->advance(begin, states[k], report);
                  EXPECT_TRUE(report.converged);
                  n_impacts += impulses(states[k]).linfty_norm() > 0;
                  begin.swap(states[k]);
                }
              states[k].swap(begin);
            }
          for (unsigned int k = 1; k < 3; ++k)
            {
              states[k].q -= states[0].q;
              states[k].v -= states[0].v;
              EXPECT_LT(states[k].q.linfty_norm(), 1e-10) << seed;
              EXPECT_LT(states[k].v.linfty_norm(), 1e-10) << seed;
            }
        }
      EXPECT_GT(n_impacts, 300u);
    }

    /// The velocity of a closed contact node of the stabilised scheme is not
    /// zero; damping must not feel it.
    TEST(PositionLevel, StabilizedSchemeConvergesWithDamping)
    {
      const auto energy = [](const std::string &scheme) {
        const FinishedRun run("benchmark/bouncing_bar_gravity.prm",
                              {"scheme/type=" + scheme,
                               "model/bar/elements=40",
                               "model/bar/stiffness damping=0.1",
                               "time/step size=4e-3",
                               "output/field interval=0"});
        return run.values.at("final energy");
      };
      EXPECT_NEAR(energy("contact stabilized newmark"),
                  energy("generalized alpha"),
                  1);
    }
  } // namespace
} // namespace Percuss::Test
