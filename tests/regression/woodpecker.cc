// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// The woodpecker toy: three frictional contacts, and a limit cycle.

namespace Percuss::Test
{
  namespace
  {
    /// The columns of a run, and where the beak hits.
    struct Cycle
    {
      explicit Cycle(const Overrides &more)
        : run("benchmark/woodpecker_toy.prm", overrides(more))
        , time(run.column("probes", "time"))
        , height(run.column("probes", "height"))
        , beak(run.column("probes", "beak_impulse"))
      {
        for (std::size_t i = 1; i < time.size(); ++i)
          if (beak[i] > 0 &&
              (hits.empty() || time[i] - time[hits.back()] > 0.05))
            hits.push_back(i);
      }

      static Overrides
      overrides(const Overrides &more)
      {
        Overrides result = {"output/field interval=0",
                            "output/table interval=1"};
        result.insert(result.end(), more.begin(), more.end());
        return result;
      }

      const FinishedRun         run;
      const std::vector<double> time, height, beak;
      std::vector<std::size_t>  hits;
    };

    TEST(Woodpecker, FindsItsLimitCycle)
    {
      const Cycle       cycle({});
      const std::size_t n = cycle.hits.size();
      ASSERT_GE(n, 13u);
      // Ten cycles after the transient.
      const std::size_t from = cycle.hits[n - 11], to = cycle.hits[n - 1];
      const double      duration = cycle.time[to] - cycle.time[from];
      EXPECT_NEAR(duration / 10, 0.1460, 0.0005);
      EXPECT_NEAR((cycle.height[to] - cycle.height[from]) / duration,
                  -0.1335,
                  0.001);
      // Another program with steps of 1e-4 s: extremes in the cycle.
      const auto range = [&](const std::string &name) {
        const auto values = cycle.run.column("probes", name);
        const auto extremes =
          std::minmax_element(values.begin() + from, values.begin() + to);
        return std::make_pair(*extremes.first, *extremes.second);
      };
      EXPECT_NEAR(range("bird_angle").first, -0.5334, 0.005);
      EXPECT_NEAR(range("bird_angle").second, 0.12, 0.002);
      EXPECT_NEAR(range("sleeve_angle").first, -0.10345, 2e-3);
      EXPECT_NEAR(range("sleeve_angle").second, 0.10345, 4e-3);
      EXPECT_NEAR(range("bird_rate").first, -10.53, 0.1);
      EXPECT_NEAR(range("bird_rate").second, 17.82, 0.3);
      EXPECT_NEAR(range("sleeve_rate").first, -11.5, 0.3);
      EXPECT_NEAR(range("sleeve_rate").second, 32.3, 0.7);
      EXPECT_NEAR(range("velocity").first, -0.389, 0.015);
      EXPECT_NEAR(range("velocity").second, 0.089, 0.015);
    }

    TEST(Woodpecker, HasItsEventsInOrder)
    {
      // Times relative to a hit of the beak, in s, of another program.
      const Cycle       cycle({"time/step size=2e-5", "time/end time=1.6"});
      const std::size_t n   = cycle.hits.size();
      const std::size_t hit = cycle.hits[n - 2], next = cycle.hits[n - 1];
      const auto        upper = cycle.run.column("probes", "upper_impulse");
      const auto        lower = cycle.run.column("probes", "lower_impulse");
      const auto        speed = cycle.run.column("probes", "velocity");
      const auto        after = [&](const std::size_t i) {
        return cycle.time[i] - cycle.time[hit];
      };
      std::size_t i = hit - 1;
      while (upper[i] == 0)
        --i;
      while (upper[i - 1] > 0)
        --i;
      EXPECT_NEAR(after(i), -3.1e-3, 5e-4) << "upper sleeve";
      i = hit + 1;
      while (upper[i] == 0)
        ++i;
      EXPECT_GT(after(i), 1e-4) << "second contact of the upper sleeve";
      EXPECT_LT(after(i), 3e-3);
      i = hit;
      while (lower[i] == 0)
        ++i;
      EXPECT_NEAR(after(i), 37.7e-3, 5e-4) << "lower sleeve";
      std::size_t last = next;
      while (lower[last] == 0)
        --last;
      EXPECT_NEAR(after(last), 132.0e-3, 1e-3) << "end of the lower contact";
      // Jamming: the sleeve sticks.
      std::size_t jam_begin = 0, jam_end = 0;
      for (std::size_t k = hit; k < next; ++k)
        if (lower[k] > 0 && std::abs(speed[k]) < 1e-9)
          {
            if (jam_begin == 0)
              jam_begin = k;
            jam_end = k;
          }
      EXPECT_NEAR(after(jam_begin), 86.6e-3, 1.5e-3) << "jam";
      EXPECT_NEAR(after(jam_end), 126.2e-3, 1.5e-3) << "end of the jam";
    }

    TEST(Woodpecker, DissipatesInEverySchemeAndSolver)
    {
      for (const std::string scheme : {"moreau",
                                       "symmetric moreau",
                                       "variational moreau",
                                       "moreau jean",
                                       "generalized alpha"})
        for (const std::string solver :
             {"lemke", "projection", "prox", "newton"})
          {
            const FinishedRun run("benchmark/woodpecker_toy.prm",
                                  Cycle::overrides({"scheme/type=" + scheme,
                                                    "contact/solver=" + solver,
                                                    "time/end time=0.2"}));
            const auto        friction = run.column("energy", "work_friction");
            const auto        contact  = run.column("energy", "work_contact");
            // Not friction alone: in an impact that turns the sliding round it
            // works with the velocity before.
            for (std::size_t i = 1; i < friction.size(); ++i)
              EXPECT_LE(friction[i] + contact[i],
                        friction[i - 1] + contact[i - 1] + 1e-12)
                << scheme;
            EXPECT_LT(contact.back(), 0) << scheme;
            EXPECT_NEAR(run.column("probes", "height").back(), -0.0240, 0.0015)
              << scheme << ", " << solver;
          }
    }
  } // namespace
} // namespace Percuss::Test
