// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "tools.h"

// Bodies that are faster than contacts see in a step.

namespace Percuss::Test
{
  namespace
  {
    const std::string ends = "model/solid 2d/contacts/ends/";
    const std::string probes =
      "first = displacement y of first at 0.5, 5; "
      "second = displacement y of second at 0.5, 15; "
      "force = contact force y of ends; mean = mean velocity";

    unsigned int
    halved_steps(const FinishedRun &run)
    {
      return nlohmann::json::parse(
        std::ifstream(run.folder.path / "run.json"))["halved_steps"];
    }

    /// Two bars that are 2.16 mm apart, with u = 0.1 m/s, h = 5 ms.
    FinishedRun
    bars_meet(const std::string &search_distance, const Overrides &more = {})
    {
      Overrides overrides = {"model/solid 2d/bodies/first/cells=2, 20",
                             "model/solid 2d/bodies/second/cells=3, 20",
                             "model/solid 2d/bodies/second/corner=0, 10.00216",
                             ends + "pairs=of the motion",
                             ends + "search distance=" + search_distance,
                             "scheme/type=moreau jean",
                             "time/step size=5e-3",
                             "time/end time=0.5",
                             "output/field interval=0",
                             "output/table interval=1",
                             "output/probes=" + probes};
      overrides.insert(overrides.end(), more.begin(), more.end());
      return FinishedRun("benchmark/two_bars_as_solids.prm", overrides);
    }

    /// A step takes the bars h u = 0.5 mm towards each other, from 0.16 mm in
    /// the fifth. With a search distance d = 0.1 mm they would pass; the step
    /// is halved until they are not deeper in each other than d/4, twice. Where
    /// nothing has to be halved they touch up to h earlier or later: their
    /// displacements, with velocities up to u, differ by up to h u.
    TEST(SolidPassage, StepsOfFastBodiesAreHalved)
    {
      const double h = 5e-3, u = 0.1;
      const auto   far = bars_meet("0.01"), near = bars_meet("1e-4");
      EXPECT_EQ(halved_steps(far), 0u);
      EXPECT_GE(halved_steps(near), 2u);
      EXPECT_GT(far.values.at("contact impulse"), 0);
      EXPECT_LE(near.values.at("max penetration"), 1e-4 / 4);
      for (const std::string body : {"first", "second"})
        {
          const auto one = far.column("probes", body);
          const auto two = near.column("probes", body);
          ASSERT_EQ(one.size(), two.size());
          for (std::size_t i = 0; i < one.size(); ++i)
            EXPECT_NEAR(one[i], two[i], h * u);
        }
      for (const double mean : near.column("probes", "mean"))
        EXPECT_NEAR(mean, u / 2, 1e-12);
    }

    /// The force of a step is that of all its parts, in probes and in tables.
    TEST(SolidPassage, ForcesOfHalvedStepsAreThoseOfAllHalves)
    {
      const auto run = bars_meet("1e-4");
      EXPECT_GE(halved_steps(run), 2u);
      const auto   in_table = run.column("contacts", "total_force");
      const auto   probe    = run.column("probes", "force");
      const double largest =
        *std::max_element(in_table.begin(), in_table.end());
      EXPECT_GT(largest, 0);
      ASSERT_EQ(probe.size(), in_table.size());
      for (std::size_t i = 0; i < probe.size(); ++i)
        EXPECT_NEAR(std::abs(probe[i]), in_table[i], 1e-9 * largest) << i;
    }

    /// Bodies that fly together are no danger to each other: steps of 0.5 mm
    /// with d = 0.1 mm are not halved.
    TEST(SolidPassage, FlightTogetherIsNoPassage)
    {
      const auto run =
        bars_meet("1e-4",
                  {"model/solid 2d/bodies/second/corner=0, 10.00005",
                   "model/solid 2d/bodies/second/initial velocity=y = 0.1"});
      EXPECT_EQ(run.code, ExitCode::done);
      EXPECT_EQ(halved_steps(run), 0u);
    }

    /// A block that slides by 0.8 mm in a step, on a side that it sees 0.1 mm
    /// deep at most.
    TEST(SolidPassage, SlidingIsNoPassage)
    {
      const FinishedRun run("benchmark/sliding_blocks.prm",
                            {"model/solid 2d/bodies/upper/initial velocity=x=4",
                             "model/solid 2d/contacts/between/"
                             "search distance=4e-4",
                             "time/step size=2e-4",
                             "time/end time=0.02",
                             "output/field interval=0"});
      EXPECT_EQ(run.code, ExitCode::done);
      EXPECT_EQ(halved_steps(run), 0u);
      EXPECT_NEAR(run.column("probes", "upper").back(),
                  4 - 0.3 * 9.81 * 0.02,
                  0.02);
    }

    /// Without halving the run stops, and says which step size or search
    /// distance would do; both do.
    TEST(SolidPassage, WhatTheMessageProposesServes)
    {
      const auto message = [](const Overrides &overrides) {
        try
          {
            bars_meet("1e-4", overrides);
            return std::string();
          }
        catch (const Error &error)
          {
            EXPECT_EQ(error.code, ExitCode::invariant);
            return std::string(error.what());
          }
      };
      const std::string none         = "time/largest refinement=0";
      const std::string text         = message({none});
      const auto        number_after = [&text](const std::string &words) {
        const auto at = text.find(words);
        return at == std::string::npos ?
                        "missing" :
                        text.substr(at + words.size(),
                             text.find(' ', at + words.size()) - at -
                               words.size());
      };
      const std::string step = number_after("'step size' of at most ");
      const std::string distance =
        number_after("'search distance' of at least ");
      EXPECT_NEAR(std::stod(step), 2.5e-4, 1e-5); // h d / (4 h u)
      EXPECT_NEAR(std::stod(distance), 2e-3, 1e-4);
      EXPECT_EQ(message({none, "time/step size=" + step}), "");
      EXPECT_EQ(message({none, ends + "search distance=" + distance}), "");
    }
  } // namespace
} // namespace Percuss::Test
