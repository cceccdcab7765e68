// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/ledger/contact_record.h>
#include <percuss/ledger/ledger.h>

#include <gtest/gtest.h>

#include "tools.h"

// A ball thrown on the floor by hand: states that no scheme has computed.

namespace Percuss::Test
{
  namespace
  {
    struct Impact
    {
      Impact()
        : parts("",
                {"model/type=ball",
                 "model/ball/mass=2",
                 "model/ball/height=0",
                 "model/ball/velocity=-3",
                 "model/ball/gravity=0",
                 "scheme/type=moreau jean"})
      {
        begin = parts.model->initial_state();
        parts.scheme->start(begin);
        end      = begin;
        end.time = 0.1;
        end.step = 1;
        // From -3 to +1.5 m/s by an impulse of 9 N s.
        end.v(0)                = 1.5;
        end.memory[0].values(0) = 9;
        report.n_active         = 1;
      }

      const Parts parts;
      State       begin, end;
      StepReport  report;
    };

    TEST(Ledger, BooksAnImpact)
    {
      Impact impact;
      Ledger ledger({1e-12}, *impact.parts.model);
      ledger.open(impact.begin);
      ledger.record(impact.begin,
                    impact.end,
                    impact.report,
                    impact.parts.scheme->promise());
      EXPECT_DOUBLE_EQ(ledger.energy().kinetic, 2.25);
      EXPECT_DOUBLE_EQ(ledger.works().contact, 0.5 * (-3 + 1.5) * 9);
      EXPECT_LT(ledger.worst_residual(), 1e-15);
      EXPECT_EQ(ledger.take_residual(), 0);
    }

    TEST(Ledger, StopsAWrongImpulse)
    {
      Impact impact;
      impact.end.memory[0].values(0) *= 1 + 1e-6;
      Ledger ledger({1e-8}, *impact.parts.model);
      ledger.open(impact.begin);
      try
        {
          ledger.record(impact.begin,
                        impact.end,
                        impact.report,
                        impact.parts.scheme->promise());
          ADD_FAILURE() << "the wrong impulse went unnoticed";
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::invariant);
        }
      EXPECT_EQ(ledger.works().contact, 0) << "the step must not be booked";
      EXPECT_DOUBLE_EQ(ledger.energy().kinetic, 9);
    }

    TEST(Ledger, StopsAnEnergyThatGrowsAgainstThePromise)
    {
      // Two metres per second more than it had: the balance closes, but the
      // scheme promised a loss.
      Impact impact;
      impact.end.v(0)                = 5;
      impact.end.memory[0].values(0) = 16;
      Ledger        ledger({1e-12}, *impact.parts.model);
      EnergyPromise promise = impact.parts.scheme->promise();
      ledger.open(impact.begin);
      EXPECT_THROW(
        ledger.record(impact.begin, impact.end, impact.report, promise), Error);
      EXPECT_EQ(ledger.inequality().n_steps_within, 0u);
      promise.promises_dissipation = false;
      ledger.record(impact.begin, impact.end, impact.report, promise);
      EXPECT_EQ(ledger.inequality().n_steps_outside, 1u);
      EXPECT_EQ(ledger.inequality().n_gains, 1u);
      EXPECT_DOUBLE_EQ(ledger.inequality().largest_gain, 16);
      EXPECT_EQ(ledger.take_verdict(), std::make_pair(false, false));
      EXPECT_EQ(ledger.take_verdict(), std::make_pair(true, true));
    }

    TEST(Ledger, StopsAJointThatDoesNotHoldAndForcesThatAreNoJointForces)
    {
      const Parts parts("benchmark/rigid_pendulum_exact.prm", {});
      parts.scheme->set_step_size(1e-3);
      State begin = parts.model->initial_state();
      parts.scheme->start(begin);
      State      end = begin;
      StepReport report;
      parts.scheme->advance(begin, end, report);
      const JointAudit audit(*parts.model);
      EXPECT_LT(audit.measure(end, end).position, 1e-15);
      EXPECT_LT(audit.measure(end, end).velocity, 1e-15);
      EXPECT_LT(audit.measure(end, end).force, 1e-14);
      State wrong = end;
      wrong.q *= 1 + 1e-6;
      EXPECT_NEAR(audit.measure(wrong, wrong).position, 1e-6, 1e-11);
      wrong = end;
      wrong.v(0) += 1e-6;
      EXPECT_NEAR(audit.measure(wrong, wrong).velocity, 1e-6, 1e-11);
      wrong = end;
      wrong.recall("joint force")(1) += 1;
      EXPECT_GT(audit.measure(wrong, wrong).force, 0.01);
    }

    TEST(Ledger, StopsNotANumber)
    {
      Impact impact;
      impact.end.v(0) = std::nan("");
      Ledger ledger({1e-8}, *impact.parts.model);
      ledger.open(impact.begin);
      EXPECT_THROW(ledger.record(impact.begin,
                                 impact.end,
                                 impact.report,
                                 impact.parts.scheme->promise()),
                   Error);
    }

    TEST(ContactRecord, CountsImpulsesAndPenetration)
    {
      Impact        impact;
      ContactRecord record(*impact.parts.model);
      impact.end.q(0) = -0.02;
      record.record(impact.begin, impact.end, impact.report);
      EXPECT_EQ(record.totals().first_contact, 0.1);
      EXPECT_EQ(record.totals().impulse, 9);
      EXPECT_EQ(record.totals().max_penetration, 0.02);
      const auto interval = record.take_interval();
      EXPECT_EQ(interval.impulse, 9);
      EXPECT_DOUBLE_EQ(interval.duration, 0.1);
      EXPECT_EQ(record.take_interval().impulse, 0);
    }
  } // namespace
} // namespace Percuss::Test
