// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/ledger/ledger.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

// What holds for the schemes for models of any kind: mass, forces and contacts
// that depend on the state.

namespace Percuss::Test
{
  namespace
  {
    /// Nothing is constant, diagonal or zero here: two rods and a slider, a
    /// driven pivot, forces that follow velocities, a wall that moves, a curved
    /// floor, and friction. Of no mechanical sense, but for the equations.
    const Overrides nasty_system = {
      "model/type=lagrangian",
      "model/lagrangian/coordinates=x, a, b",
      "model/lagrangian/constants=m = 1.3; L = 0.7; k = 20; g = 9.81; c = 0.2",
      "model/lagrangian/kinetic energy=1/2*m*x'^2 + 1/2*m*L^2*a'^2*(2 + "
      "cos(b)) + 1/2*(1 + x^2)*b'^2 + L*x'*a'*cos(a) + 1/5*a'*b'*sin(x + t)",
      "model/lagrangian/potential energy=1/2*k*x^2*(1 + 1/10*sin(t)) - "
      "m*g*L*cos(a) + k/4*(b - a)^4 + exp(x*b/5)",
      "model/lagrangian/forces=x = -c*x'*abs(x') + 30*sin(7*t); a = 20*cos(3*t) -c*a'*b'; b = "
      "-c*b' - 1/2*x",
      "model/lagrangian/initial position=x = 0.3; a = 0.5; b = 0.2",
      "model/lagrangian/initial velocity=x = -0.5; a = 0.3; b = -1",
      "model/lagrangian/contacts/gaps=wall = x + 1/10*cos(2*t) + a^2/4; floor "
      "= 1 - L*cos(a) - b*x/3 - 1/5; stop = b + 1/2",
      "model/lagrangian/contacts/restitution=wall = 0.6; floor = 0.2; stop = 1",
      "model/lagrangian/contacts/friction=wall = 0.4; floor = 0.3",
      "model/lagrangian/contacts/tangential restitution=floor = 0.3",
      "model/lagrangian/contacts/sliding velocities=wall = L*a' + x*b' + "
      "1/10*sin(t)",
      "model/lagrangian/contacts/sliding points=floor = L*sin(a) + x, b*cos(x)",
      "contact/law=coulomb",
      "contact/solver=newton"};

    Overrides
    with(Overrides overrides, const Overrides &more)
    {
      overrides.insert(overrides.end(), more.begin(), more.end());
      return overrides;
    }

    class EveryGeneralScheme : public testing::TestWithParam<std::string>
    {
    protected:
      Overrides
      entries(const Overrides &more = {}) const
      {
        return with(with(nasty_system, {"scheme/type=" + GetParam()}), more);
      }
    };

    TEST_P(EveryGeneralScheme, ClosesItsBalanceOfEnergy)
    {
      const Parts parts("", entries());
      const auto &stepper = *parts.scheme;
      parts.scheme->set_step_size(5e-3);
      State state = parts.model->initial_state();
      stepper.start(state);
      Ledger ledger({1e-11}, *parts.model);
      ledger.open(state, stepper.promise());
      State        end       = state;
      unsigned int n_impacts = 0;
      for (unsigned int i = 0; i < 1500; ++i)
        {
          StepReport report;
          stepper.advance(state, end, report);
          ASSERT_TRUE(report.converged) << "step " << i;
          ASSERT_NO_THROW(ledger.record(state, end, report, stepper.promise()));
          n_impacts += impulses(end).linfty_norm() > 0;
          state.swap(end);
        }
      EXPECT_GT(n_impacts, 50u);
      EXPECT_LT(ledger.worst_residual(), 1e-12);
      EXPECT_NE(ledger.works().friction, 0);
      EXPECT_NE(ledger.works().external, 0);
      EXPECT_LT(ledger.works().contact, 0);
    }

    TEST_P(EveryGeneralScheme, IsCaughtWhenAnImpulseIsWrong)
    {
      const Parts parts("", entries());
      const auto &stepper = *parts.scheme;
      parts.scheme->set_step_size(5e-3);
      State state = parts.model->initial_state();
      stepper.start(state);
      State end = state;
      for (unsigned int i = 0; i < 1500; ++i)
        {
          StepReport report;
          stepper.advance(state, end, report);
          ASSERT_TRUE(report.converged);
          if (impulses(end).linfty_norm() > 0.1)
            {
              Ledger ledger({1e-8}, *parts.model);
              ledger.open(state, stepper.promise());
              end.memory.front().values *= 1.001;
              EXPECT_ANY_THROW(
                ledger.record(state, end, report, stepper.promise()));
              return;
            }
          state.swap(end);
        }
      FAIL() << "no impact";
    }

    TEST_P(EveryGeneralScheme, IsCaughtWhenAForceIsForgotten)
    {
      // The steps of one system under the eyes of another, which has one force
      // more.
      const Parts parts("", entries());
      const Parts other("",
                        entries({"model/lagrangian/forces=x = -c*x'*abs(x') + "
                                 "30*sin(7*t); a = 20*cos(3*t) - c*a'*b'; b = "
                                 "-c*b' - 1/2*x + 1/100"}));
      for (const Parts *part : {&parts, &other})
        part->scheme->set_step_size(5e-3);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      State      end = state;
      StepReport report;
      parts.scheme->advance(state, end, report);
      ASSERT_TRUE(report.converged);
      Ledger right({1e-8}, *parts.model), wrong({1e-8}, *other.model);
      right.open(state, parts.scheme->promise());
      wrong.open(state, other.scheme->promise());
      EXPECT_NO_THROW(
        right.record(state, end, report, parts.scheme->promise()));
      EXPECT_THROW(wrong.record(state, end, report, other.scheme->promise()),
                   Error);
    }

    TEST_P(EveryGeneralScheme, ClosesItsBalanceWhenTheStepSizeChanges)
    {
      const Parts parts("", entries());
      parts.scheme->set_step_size(5e-3);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      Ledger ledger({1e-11}, *parts.model);
      ledger.open(state, parts.scheme->promise());
      State end = state;
      for (unsigned int i = 0; i < 300; ++i)
        {
          parts.scheme->set_step_size(i % 6 < 4 ? 5e-3 : 2.5e-3);
          StepReport report;
          parts.scheme->advance(state, end, report);
          ASSERT_TRUE(report.converged);
          ASSERT_NO_THROW(
            ledger.record(state, end, report, parts.scheme->promise()));
          state.swap(end);
        }
    }

    TEST_P(EveryGeneralScheme, GivesForcesTheRightTimeWhenTheStepSizeChanges)
    {
      // Free fall: the velocities know how long the weight has acted.
      const Parts parts("",
                        {"model/type=lagrangian", "scheme/type=" + GetParam()});
      parts.scheme->set_step_size(0.1);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      State end = state;
      for (unsigned int i = 0; i < 12; ++i)
        {
          parts.scheme->set_step_size(i < 8 ? 0.1 : 0.05);
          StepReport report;
          parts.scheme->advance(state, end, report);
          state.swap(end);
        }
      EXPECT_NEAR(state.time, 1, 1e-12);
      EXPECT_NEAR(state.v(0), -9.81 * (1 + state.lead), 1e-12);
      // Two changes of the step size, each an error of order h^2. Velocities
      // before the kick of a step are late by half of it.
      const double late = GetParam() == "delayed moreau" ?
                            9.81 / 2 * (8 * 0.1 * 0.1 + 4 * 0.05 * 0.05) :
                            0;
      EXPECT_NEAR(state.q(0), -9.81 / 2 + late, 9.81 * 0.1 * 0.1 / 4);
    }

    TEST_P(EveryGeneralScheme, ObeysTheLawsOfContact)
    {
      const Parts parts("", entries());
      const auto &stepper  = *parts.scheme;
      const auto &contacts = parts.model->contacts();
      parts.scheme->set_step_size(5e-3);
      State state = parts.model->initial_state();
      stepper.start(state);
      State  end = state;
      Vector before(contacts.partition()), after(contacts.partition());
      for (unsigned int i = 0; i < 1500; ++i)
        {
          StepReport report;
          stepper.advance(state, end, report);
          ASSERT_TRUE(report.converged);
          const bool at_end = stepper.promise().momentum->has_contacts_of_end();
          const State &place = at_end ? end : state;
          contacts.place(place.time, place.q);
          contacts.velocities(state.v, before);
          contacts.velocities(end.v, after);
          for (const ContactPoint &point : contacts.points())
            {
              const double *const lambda = impulses(end).begin() + point.first;
              EXPECT_GE(lambda[0], 0);
              if (lambda[0] == 0)
                continue;
              // Newton's law, and friction against sliding.
              const auto xi = [&](const unsigned int d, const double e) {
                return after.local_element(point.first + d) +
                       e * before.local_element(point.first + d);
              };
              EXPECT_NEAR(xi(0, point.restitution), 0, 1e-8);
              double force = 0, speed = 0, power = 0;
              for (unsigned int d = 1; d < point.n_directions; ++d)
                {
                  const double slip = xi(d, point.tangential_restitution);
                  force += lambda[d] * lambda[d];
                  speed += slip * slip;
                  power += lambda[d] * slip;
                }
              force = std::sqrt(force);
              speed = std::sqrt(speed);
              EXPECT_LE(force, point.friction * lambda[0] * (1 + 1e-10));
              if (speed > 1e-6)
                {
                  EXPECT_NEAR(power,
                              -point.friction * lambda[0] * speed,
                              1e-8 * (1 + lambda[0]));
                }
            }
          state.swap(end);
        }
    }

    TEST_P(EveryGeneralScheme, ConvergesInSmoothMotion)
    {
      const auto run = [&](const double h) {
        const Parts parts("",
                          entries({"model/lagrangian/contacts/gaps=far = x + "
                                   "100",
                                   "model/lagrangian/contacts/restitution=0",
                                   "model/lagrangian/contacts/friction=0",
                                   "model/lagrangian/contacts/tangential "
                                   "restitution=0",
                                   "model/lagrangian/contacts/sliding "
                                   "velocities=",
                                   "model/lagrangian/contacts/sliding "
                                   "points="}));
        parts.scheme->set_step_size(h);
        State state = parts.model->initial_state();
        parts.scheme->start(state);
        State end = state;
        for (long i = 0; i < std::lround(0.5 / h); ++i)
          {
            StepReport report;
            parts.scheme->advance(state, end, report);
            EXPECT_TRUE(report.converged);
            state.swap(end);
          }
        return state.q;
      };
      // Differences of neighbours fall with the order as well.
      const Vector coarse = run(4e-3), middle = run(2e-3), fine = run(1e-3);
      Vector       first = coarse, second = middle;
      first -= middle;
      second -= fine;
      const bool is_of_first_order = GetParam() == "moreau" ||
                                     GetParam() == "delayed moreau" ||
                                     GetParam() == "moreau jean";
      EXPECT_NEAR(std::log2(first.l2_norm() / second.l2_norm()),
                  is_of_first_order ? 1 : 2,
                  0.1);
    }

    TEST_P(EveryGeneralScheme, DoesTheSameOnALinearModelOfEitherKind)
    {
      // sin(y)^2 + cos(y)^2 is 1, but not for a computer: the same equations
      // once with constant matrices, once without.
      const auto run = [&](const std::string &one) {
        return FinishedRun(
          "benchmark/linear_oscillator.prm",
          {"scheme/type=" + GetParam(),
           "model/lagrangian/kinetic energy=1/2*m*(y1'^2 + y2'^2)" + one,
           "time/end time=0.6",
           "output/field interval=0"});
      };
      const FinishedRun linear = run(""),
                        other  = run("*(sin(y1)^2 + cos(y1)^2)");
      EXPECT_NE(linear.simulation->final_state().q(0), 1);
      for (unsigned int i = 0; i < 2; ++i)
        {
          EXPECT_NEAR(linear.simulation->final_state().q(i),
                      other.simulation->final_state().q(i),
                      1e-9);
          EXPECT_NEAR(linear.simulation->final_state().v(i),
                      other.simulation->final_state().v(i),
                      1e-7);
        }
    }

    INSTANTIATE_TEST_SUITE_P(Schemes,
                             EveryGeneralScheme,
                             testing::Values("moreau",
                                             "delayed moreau",
                                             "symmetric moreau",
                                             "variational moreau",
                                             "moreau jean",
                                             "generalized alpha"));

    TEST(Lagrangian, HasExactDerivatives)
    {
      const Parts        parts("", nasty_system);
      const auto        &model = *parts.model;
      const unsigned int n     = 3;
      State              state = model.initial_state();
      const double       time = 0.4, d = 1e-3;
      ASSERT_FALSE(model.is_linear());
      for (const Term term :
           {Term::momentum, Term::gradient, Term::force, Term::load})
        for (const Argument argument : {Argument::position, Argument::velocity})
          {
            const auto tangent = model.make_tangent();
            model.add_derivative(
              term, argument, {time, state.q, state.v}, 2, *tangent);
            for (unsigned int j = 0; j < n; ++j)
              {
                // Differences of order 6.
                const double weights[3] = {45. / 60, -9. / 60, 1. / 60};
                Vector       sum(model.partition()), value(model.partition());
                for (int k = 1; k <= 3; ++k)
                  for (const int sign : {1, -1})
                    {
                      State   moved = state;
                      Vector &x =
                        argument == Argument::position ? moved.q : moved.v;
                      x(j) += sign * k * d;
                      model.evaluate(term, {time, moved.q, moved.v}, value);
                      sum.add(sign * weights[k - 1] / d, value);
                    }
                for (unsigned int i = 0; i < n; ++i)
                  EXPECT_NEAR(tangent->rows().values[i * n + j],
                              2 * sum(i),
                              1e-9 * (1 + std::abs(sum(i))));
              }
          }
    }

    TEST(Lagrangian, HasConsistentTerms)
    {
      // h = b - (dp/dq) v - dp/dt, and p = M v + p(v = 0).
      const Parts  parts("", nasty_system);
      const auto  &model = *parts.model;
      const State  state = model.initial_state();
      const double time = 0.4, d = 1e-4;
      Vector       h(model.partition()), b(h), p(h), later(h);
      model.evaluate(Term::force, {time, state.q, state.v}, h);
      model.evaluate(Term::gradient, {time, state.q, state.v}, b);
      State moved = state;
      moved.q.add(d, state.v);
      model.evaluate(Term::momentum, {time + d, moved.q, state.v}, later);
      moved.q.add(-2 * d, state.v);
      model.evaluate(Term::momentum, {time - d, moved.q, state.v}, p);
      for (unsigned int i = 0; i < 3; ++i)
        EXPECT_NEAR(h(i), b(i) - (later(i) - p(i)) / (2 * d), 1e-6);
    }

    /// Positions at the end of a run of some scheme.
    Vector
    final_position(const Overrides &system, const std::string &scheme)
    {
      const FinishedRun run("",
                            with(system,
                                 {"model/type=lagrangian",
                                  "scheme/type=" + scheme,
                                  "time/step size=1e-3",
                                  "time/end time=1"}));
      return run.simulation->final_state().q;
    }

    TEST_P(EveryGeneralScheme, KnowsKineticEnergiesWithOtherPartsThanSquares)
    {
      const double tolerance = 5e-3; // of order 1 with h = 1e-3, and a factor
      // A rotating tube: r'' = w^2 r, from r = 1 at rest.
      EXPECT_NEAR(final_position({"model/lagrangian/coordinates=r",
                                  "model/lagrangian/kinetic energy=1/2*(r'^2 + "
                                  "4*r^2)",
                                  "model/lagrangian/potential energy=0",
                                  "model/lagrangian/initial position=r = 1"},
                                 GetParam())(0),
                  std::cosh(2.),
                  4 * tolerance);
      // A part that depends on time: x'' = -2 t.
      EXPECT_NEAR(final_position({"model/lagrangian/kinetic "
                                  "energy=1/2*x'^2 + t^2*x'",
                                  "model/lagrangian/potential energy=0"},
                                 GetParam())(0),
                  -1. / 3,
                  tolerance);
      // A charge in a magnetic field: x' = cos(B t), y' = -sin(B t).
      const Vector circle =
        final_position({"model/lagrangian/coordinates=x, y",
                        "model/lagrangian/kinetic energy=1/2*(x'^2 + y'^2) + "
                        "3/2*(x*y' - y*x')",
                        "model/lagrangian/potential energy=0",
                        "model/lagrangian/initial velocity=x = 1"},
                       GetParam());
      EXPECT_NEAR(circle(0), std::sin(3.) / 3, tolerance);
      EXPECT_NEAR(std::abs(circle(1)), (1 - std::cos(3.)) / 3, tolerance);
    }

    TEST(MoreauTypeSchemes, CoincideForConstantMassAndForcesOfPositions)
    {
      const auto compare = [](const std::string &file, const Overrides &more) {
        for (const std::string start : {"half kick", "as given"})
          {
            std::vector<State> ends;
            for (const std::string scheme :
                 {"moreau", "symmetric moreau", "variational moreau"})
              {
                const FinishedRun run(file,
                                      with(more,
                                           {"scheme/type=" + scheme,
                                            "scheme/" + scheme +
                                              "/start=" + start,
                                            "output/field interval=0"}));
                ends.push_back(run.simulation->final_state());
              }
            for (unsigned int k = 1; k < 3; ++k)
              {
                const double scale_q = ends[0].q.linfty_norm();
                const double scale_v = ends[0].v.linfty_norm();
                ends[k].q -= ends[0].q;
                ends[k].v -= ends[0].v;
                EXPECT_LT(ends[k].q.linfty_norm(), 1e-11 * scale_q);
                EXPECT_LT(ends[k].v.linfty_norm(), 1e-9 * scale_v);
              }
          }
      };
      compare("benchmark/linear_oscillator.prm", {"time/end time=0.6"});
      compare("tutorial/impacting_bar.prm",
              {"model/bar/elements=50",
               "time/step size=2e-6",
               "time/end time=1e-3"});
    }

    TEST(MoreauTypeSchemes, RefuseUnstableSteps)
    {
      // The highest frequency of linear elements with a consistent mass is
      // sqrt(12) c / length: stable steps are below length / (sqrt(3) c).
      const double stable = 0.02 / (std::sqrt(3) * std::sqrt(2.1e11 / 7800));
      const auto   run    = [&](const double h) {
        return FinishedRun("tutorial/impacting_bar.prm",
                           {"scheme/type=moreau",
                            "model/bar/elements=50",
                            "output/field interval=0",
                            "time/step size=" + std::to_string(h * 1e6) + "e-6",
                            "time/end time=" + std::to_string(h * 4e7) +
                              "e-6"});
      };
      EXPECT_NO_THROW(run(0.99 * stable));
      EXPECT_THROW(run(1.02 * stable), Error);
    }
  } // namespace
} // namespace Percuss::Test
