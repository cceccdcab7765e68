// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/fclib_file.h>
#include <percuss/driver/contact_problem_command.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

#include "tools.h"

// The contact problems of runs as files, and the problems of the collection
// FCLIB, solved by the command contact-problem.

namespace Percuss::Test
{
  namespace
  {
    namespace fs = std::filesystem;

    std::vector<fs::path>
    files_in(const fs::path &folder)
    {
      std::set<fs::path> sorted;
      if (fs::exists(folder))
        for (const auto &file : fs::directory_iterator(folder))
          sorted.insert(file.path());
      return {sorted.begin(), sorted.end()};
    }

    /// The step in "step_00000021_1.hdf5".
    double
    step_of(const fs::path &path)
    {
      return std::stod(path.filename().string().substr(5, 8));
    }

    /// What the command prints.
    std::string
    command(const ContactProblemOptions &options)
    {
      std::ostringstream out;
      contact_problem_command(options, MPI_COMM_SELF, out);
      return out.str();
    }

    // The impulses of a block that slides are m g h and mu m g h.
    TEST(ContactProblemFiles, HoldTheImpulsesOfABlock)
    {
      const FinishedRun run("benchmark/sliding_block.prm",
                            {"contact/problem files=all",
                             "time/end time=0.01",
                             "output/field interval=0",
                             "output/table interval=1"});
      const auto        files = files_in(run.folder.path / "contact_problems");
      std::set<double>  steps, expected;
      for (const fs::path &path : files)
        {
          const FclibProblem problem = read_fclib_file(path, MPI_COMM_SELF);
          ASSERT_EQ(problem.solution.size(), 2u);
          EXPECT_EQ(problem.mu, std::vector<double>({0.3}));
          EXPECT_NEAR(problem.solution[0], 9.81e-3, 1e-12);
          EXPECT_NEAR(problem.solution[1], -0.3 * 9.81e-3, 1e-12);
          EXPECT_NE(problem.description.find("automatic converged"),
                    std::string::npos);
          steps.insert(step_of(path));
        }
      const auto time   = run.column("contacts", "time");
      const auto active = run.column("contacts", "n_active");
      for (std::size_t i = 0; i < time.size(); ++i)
        if (active[i] > 0)
          expected.insert(std::round(time[i] / 1e-3));
      EXPECT_EQ(expected.size(), 10u);
      EXPECT_EQ(steps, expected);
    }

    TEST(ContactProblemFiles, KeepTheHardest)
    {
      const Overrides   overrides = {"time/end time=0.4",
                                     "output/field interval=0",
                                     "output/table interval=1",
                                     "contact/solver=projection"};
      Overrides         with      = overrides;
      const FinishedRun plain("benchmark/rocking_block.prm", overrides);
      with.push_back("contact/problem files=hardest");
      const FinishedRun run("benchmark/rocking_block.prm", with);
      EXPECT_NEAR(run.values.at("final energy"),
                  plain.values.at("final energy"),
                  1e-12);
      EXPECT_TRUE(files_in(plain.folder.path / "contact_problems").empty());
      const auto files = files_in(run.folder.path / "contact_problems");
      ASSERT_EQ(files.size(), 1u);
      // Two corners are active in few steps only, among them the hardest.
      const FclibProblem problem = read_fclib_file(files[0], MPI_COMM_SELF);
      EXPECT_EQ(problem.mu.size(), 2u);
      EXPECT_EQ(problem.guess.size(), 4u);
    }

    TEST(ContactProblemFiles, KeepWhatFailed)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        problems = folder.path / "contact_problems";
      Settings              settings;
      assign(settings,
             "benchmark/rocking_block.prm",
             {"contact/problem files=failed",
              "contact/solver=projection",
              "contact/projection/maximum sweeps=1",
              "time/end time=0.5",
              "time/largest refinement=1",
              "output/field interval=0"});
      fs::create_directories(problems);
      std::ofstream(problems / "stale.hdf5") << "of another run";
      Simulation simulation(settings, {folder.path}, MPI_COMM_SELF);
      EXPECT_THROW((void)simulation.run(), Error);
      const auto files = files_in(problems);
      ASSERT_FALSE(files.empty());
      for (const fs::path &path : files)
        {
          EXPECT_EQ(step_of(path), simulation.final_state().step + 1);
          EXPECT_TRUE(read_fclib_file(path, MPI_COMM_SELF).solution.empty());
          // Another solver does it.
          ContactProblemOptions options;
          options.file = path.string();
          EXPECT_NE(command(options).find("converged"), std::string::npos);
        }
    }

    TEST(ContactProblemFiles, OfAnEarlierRunAreRemoved)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const fs::path        problems = folder.path / "contact_problems";
      Settings              settings;
      assign(settings,
             "benchmark/sliding_block.prm",
             {"time/end time=0.002", "output/field interval=0"});
      fs::create_directories(problems);
      Simulation simulation(settings, {folder.path}, MPI_COMM_SELF);
      EXPECT_EQ(simulation.run(), ExitCode::done);
      EXPECT_FALSE(fs::exists(problems));
    }

    /// A planar problem of two contacts.
    FclibProblem
    small_problem()
    {
      FclibProblem problem;
      problem.space_dimension = 2;
      problem.W.start         = {0, 2, 3, 5, 6};
      problem.W.columns       = {0, 2, 1, 0, 2, 3};
      problem.W.values        = {2, 1, 1, 1, 2, 1};
      problem.q               = {-1, 0.1, -1, 0.2};
      problem.mu              = {0.2, 0.4};
      return problem;
    }

    TEST(ContactProblemCommand, PrintsAllSolvers)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      ContactProblemOptions options;
      options.file      = (folder.path / "a.hdf5").string();
      options.solver    = "all";
      options.n_repeats = 2;
      write_fclib_file(options.file, small_problem());
      const std::string text = command(options);
      for (const std::string &name : Registry<ContactSolver>::names())
        EXPECT_NE(text.find("\n  " + name + " "), std::string::npos) << text;
      EXPECT_NE(text.find("entries of W        6, symmetric"),
                std::string::npos)
        << text;
      EXPECT_NE(text.find("friction            0.2 to 0.4"), std::string::npos);
      EXPECT_NE(text.find("knows no friction"), std::string::npos);
    }

    TEST(ContactProblemCommand, SaysWhatFailed)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      ContactProblemOptions options;
      options.file    = (folder.path / "a.hdf5").string();
      const auto code = [&options]() {
        try
          {
            (void)command(options);
          }
        catch (const Error &error)
          {
            return error.code;
          }
        return ExitCode::done;
      };
      write_fclib_file(options.file, small_problem());
      EXPECT_EQ(code(), ExitCode::done);
      options.solver = "petsc vi";
      EXPECT_EQ(code(), ExitCode::solver);
      options.solver = "newtno";
      EXPECT_EQ(code(), ExitCode::usage);
      // u_N = -1 whatever r does: there is no solution.
      FclibProblem impossible = small_problem();
      impossible.W.values     = {0, 0, 1, 0, 0, 1};
      write_fclib_file(options.file, impossible);
      options.solver = "newton";
      EXPECT_EQ(code(), ExitCode::solver);
      options.solver = "all";
      EXPECT_EQ(code(), ExitCode::solver);
    }

    /// The folder of problems of the collection.
    fs::path
    collection()
    {
      const char *const folder = std::getenv("PERCUSS_FCLIB");
      return folder != nullptr ? folder : fclib_files();
    }

    /// max |W r + q - u| / max |u|.
    double
    distance(const StoredProblem &stored, const Vector &r, const Vector &u)
    {
      Vector found(u);
      stored.problem().W.multiply(r, found);
      found += stored.problem().b;
      found -= u;
      return found.linfty_norm() / u.linfty_norm();
    }

    struct OfCollection
    {
      std::string  file;
      unsigned int n_contacts;
      bool         is_symmetric;
      /// Whether the file has velocities of a solution that another program
      /// found with a tolerance of 1e-8 or less. (No file has impulses: their
      /// datasets were never written.)
      bool has_velocities;
    };

    const std::vector<OfCollection> problems = {
      {"Box_Stacks-i0122-82-5.hdf5", 82, true, true},
      {"Capsules-i125-1213.hdf5", 286, false, true},
      // With rolling friction.
      {"Chute-ndof-768-nc-4-3.hdf5", 4, false, true},
      {"CubeH8.hdf5", 1, true, false},
      {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 60, true, false},
      // Its velocities were found with a tolerance of 1e-4 and belong to no
      // solution: bodies without closed contacts have impulses.
      {"spheres-in-a-box-98-i10000-256-10.hdf5", 256, true, false}};

    // The velocities prove the order of rows, signs and forms of matrices.
    TEST(Fclib, ProblemsOfTheCollectionAreSolved)
    {
      if (!fs::exists(collection()))
        GTEST_SKIP() << "no folder " << collection()
                     << "; PERCUSS_FCLIB names another one";
      const auto solver = Registry<ContactSolver>::plugins()
                            .at(ContactProblemOptions::default_solver)
                            .make_builder()
                            ->build({1e-8});
      for (const OfCollection &expected : problems)
        {
          SCOPED_TRACE(expected.file);
          const FclibProblem file =
            read_fclib_file(collection() / expected.file, MPI_COMM_SELF);
          const StoredProblem stored(file, MPI_COMM_SELF);
          EXPECT_EQ(file.mu.size(), expected.n_contacts);
          EXPECT_TRUE(file.solution.empty());
          EXPECT_EQ(stored.problem().W.is_symmetric(), expected.is_symmetric);
          Vector r = stored.share({});
          EXPECT_TRUE(solver->solve(stored.problem(), r).converged);
          EXPECT_LT(fclib_error(stored.problem(), r), 1e-8);
          EXPECT_GT(r.linfty_norm(), 0);
          if (expected.has_velocities)
            {
              EXPECT_LT(distance(stored, r, stored.share(file.velocity)), 1e-5);
            }
        }
    }

    TEST(Fclib, OtherFilesOfTheCollectionAreRefused)
    {
      if (!fs::exists(collection()))
        GTEST_SKIP() << "no folder " << collection()
                     << "; PERCUSS_FCLIB names another one";
      EXPECT_THROW((void)read_fclib_file(collection() / "test.hdf5",
                                         MPI_COMM_SELF),
                   Error);
    }
  } // namespace
} // namespace Percuss::Test
