// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/files.h>
#include <percuss/driver/commands.h>
#include <percuss/driver/progress.h>

#include <gtest/gtest.h>

#include <sstream>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    TEST(Progress, TellsTheRateAndTheTimeLeft)
    {
      const Progress    progress(false, 100);
      const std::string line = progress.line({600, 1100, 0.5, 3, -1e-3}, 10.);
      EXPECT_NE(line.find("step 600"), std::string::npos) << line;
      EXPECT_NE(line.find("50 steps/s"), std::string::npos) << line;
      EXPECT_NE(line.find("10 s left"), std::string::npos) << line;
      EXPECT_NE(line.find("3 in contact"), std::string::npos) << line;
    }

    TEST(TimeParameters, RoundTheNumberOfSteps)
    {
      TimeParameters time;
      time.step_size = 0.1;
      time.end_time  = 0.3; // 0.3/0.1 is below 3
      EXPECT_EQ(time.n_steps(), 3u);
    }

    TEST(List, NamesAllPlugins)
    {
      std::ostringstream text;
      list_command("", text);
      for (const std::string name : {"ball",
                                     "bar",
                                     "moreau jean",
                                     "generalized alpha",
                                     "signorini",
                                     "lemke",
                                     "projection",
                                     "petsc vi",
                                     "prox",
                                     "newton",
                                     "direct",
                                     "cg"})
        EXPECT_NE(text.str().find("  " + name + " "), std::string::npos)
          << name;
    }

    TEST(Template, IsACompleteFileOfTheChosenParts)
    {
      std::ostringstream text;
      template_command("ball", "moreau jean", text);
      EXPECT_NE(text.str().find("subsection ball"), std::string::npos);
      EXPECT_EQ(text.str().find("subsection bar\n"), std::string::npos);
      const TemporaryFolder folder;
      Files::write(folder.path / "t.prm", text.str());
      EXPECT_EQ(check_command({(folder.path / "t.prm").string()},
                              {},
                              MPI_COMM_SELF),
                ExitCode::done);
    }

    // Conjugate gradients with few iterations solve the systems of short steps
    // only.
    Overrides
    short_iterations(const std::string &n_iterations)
    {
      return {"model/bar/elements=20",
              "model/bar/mass matrix=lumped",
              "model/bar/left end/condition=free",
              "model/bar/initial velocity=x < 0.31 ? 1 : exp(x)",
              "scheme/type=moreau jean",
              "time/step size=2e-5",
              "time/end time=1e-4",
              "linear solver/type=cg",
              "linear solver/cg/maximum iterations=" + n_iterations,
              "output/field interval=0"};
    }

    nlohmann::json
    run_file(const std::filesystem::path &folder)
    {
      return nlohmann::json::parse(Files::read(folder / "run.json"));
    }

    TEST(Simulation, HalvesStepsThatFail)
    {
      const std::string file = "tutorial/impacting_bar.prm";
      const FinishedRun whole(file, short_iterations("100"));
      const FinishedRun halved(file, short_iterations("8"));
      EXPECT_EQ(run_file(whole.folder.path).at("halved_steps"), 0);
      EXPECT_GT(run_file(halved.folder.path).at("halved_steps"), 0);
      EXPECT_EQ(halved.simulation->final_state().step, 5u);
      EXPECT_NEAR(halved.values.at("final energy"),
                  halved.values.at("initial energy"),
                  1e-9);
    }

    TEST(Simulation, FailsAtTheSmallestStepWithACheckpoint)
    {
      Settings  settings;
      Overrides overrides = short_iterations("2");
      overrides.push_back("time/largest refinement=1");
      assign(settings, "tutorial/impacting_bar.prm", overrides);
      const TemporaryFolder folder;
      Simulation            simulation(settings, {folder.path}, MPI_COMM_SELF);
      try
        {
          simulation.run();
          ADD_FAILURE();
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::solver);
        }
      EXPECT_EQ(run_file(folder.path).at("status"), "failed");
      EXPECT_TRUE(std::filesystem::exists(folder.path / "checkpoints/slot_0"));
    }
  } // namespace
} // namespace Percuss::Test
