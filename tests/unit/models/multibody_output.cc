// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <deal.II/base/utilities.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "tools.h"
#include "vtu_reader.h"

namespace Percuss::Test
{
  namespace
  {
    constexpr double g = 9.81;

    const std::string bodies = "model/multibody/bodies/";
    const std::string joints = "model/multibody/joints/";

    const std::vector<std::string> schemes = {
      "null space variational",
      "energy momentum",
      "position velocity generalized alpha"};

    Overrides
    join(Overrides first, const Overrides &second)
    {
      first.insert(first.end(), second.begin(), second.end());
      return first;
    }

    Overrides
    rigid_body(const std::string &name,
               const std::string &mass,
               const std::string &centre)
    {
      return {bodies + name + "/type=rigid",
              bodies + name + "/mass=" + mass,
              bodies + name + "/centre=" + centre};
    }

    Overrides
    joint(const std::string &name,
          const std::string &type,
          const std::string &first,
          const std::string &second,
          const std::string &point)
    {
      return {joints + name + "/type=" + type,
              joints + name + "/first=" + first,
              joints + name + "/second=" + second,
              joints + name + "/point=" + point};
    }

    Overrides
    run_of(const std::string &scheme, const std::string &probes)
    {
      return {"model/type=multibody",
              "model/multibody/gravity=0, 0, -9.81",
              "scheme/type=" + scheme,
              "time/step size=1e-3",
              "time/end time=0.01",
              "output/probes=" + probes};
    }

    /// A parameter file with these entries, which may name new bodies and
    /// joints. It vanishes with the object.
    class SystemFile
    {
    public:
      explicit SystemFile(const Overrides &entries)
        : folder(MPI_COMM_SELF)
      {
        std::map<std::string, std::string> sections;
        for (const std::string &entry : entries)
          {
            const std::size_t slash = entry.rfind('/', entry.find('='));
            sections[entry.substr(0, slash)] +=
              "set " + entry.substr(slash + 1) + "\n";
          }
        std::string text;
        for (const auto &[path, lines] : sections)
          {
            const auto names = dealii::Utilities::split_string_list(path, '/');
            for (const std::string &name : names)
              text += "subsection " + name + "\n";
            text += lines;
            for (std::size_t i = 0; i < names.size(); ++i)
              text += "end\n";
          }
        Files::write(folder.path / "system.prm", text);
      }

      /// From the folder of the parameter files.
      std::string
      name() const
      {
        return std::filesystem::relative(folder.path / "system.prm",
                                         parameter_files())
          .string();
      }

    private:
      const TemporaryFolder folder;
    };

    double
    last(const FinishedRun &run, const std::string &probe)
    {
      return run.column("probes", probe).back();
    }

    TEST(MultibodyOutput, JointsBearWeights)
    {
      for (const std::string &scheme : schemes)
        {
          SCOPED_TRACE(scheme);
          Overrides system = run_of(scheme,
                                    "upper = reaction force z of joint A; "
                                    "lower = reaction force z of joint B; "
                                    "turned = reaction moment y of B");
          system           = join(system, rigid_body("a", "2", "0, 0, -1"));
          system           = join(system, rigid_body("b", "3", "0, 0, -2"));
          system =
            join(system, joint("A", "spherical", "ground", "a", "0, 0, 0"));
          system = join(system, joint("B", "revolute", "a", "b", "0, 0, -1.5"));
          system.push_back(joints + "B/axis=0, 1, 0");
          const SystemFile  file(system);
          const FinishedRun run(file.name(), {});
          EXPECT_NEAR(last(run, "upper"), 5 * g, 1e-8);
          EXPECT_NEAR(last(run, "lower"), 3 * g, 1e-8);
          EXPECT_NEAR(last(run, "turned"), 0, 1e-8);
        }
    }

    /// A body that a joint holds at a distance; the ground as first and as
    /// second place.
    TEST(MultibodyOutput, JointsBearMoments)
    {
      for (const std::string &scheme : schemes)
        for (const bool is_turned : {false, true})
          {
            SCOPED_TRACE(scheme);
            const std::string ground = "ground", a = "a";
            Overrides         system =
              run_of(scheme,
                     "force = reaction force z of joint wall; "
                     "moment = reaction moment y of joint wall");
            system = join(system, rigid_body("a", "2", "0.5, 0, 0"));
            system = join(system,
                          joint("wall",
                                "rigid",
                                is_turned ? a : ground,
                                is_turned ? ground : a,
                                "0, 0, 0"));
            const SystemFile  file(system);
            const FinishedRun run(file.name(), {});
            const double      sign = is_turned ? -1 : 1;
            EXPECT_NEAR(last(run, "force"), sign * 2 * g, 1e-8);
            EXPECT_NEAR(last(run, "moment"), -sign * g, 1e-8);
          }
    }

    /// Two joints where one would do bear the same.
    TEST(MultibodyOutput, RedundantJointsShare)
    {
      Overrides system =
        join(run_of("energy momentum", ""), rigid_body("a", "2", "0, 0.5, 0"));
      system =
        join(system, joint("left", "revolute", "ground", "a", "0, 0, 0"));
      system =
        join(system, joint("right", "revolute", "ground", "a", "0, 1, 0"));
      system =
        join(system,
             {joints + "left/axis=0, 1, 0", joints + "right/axis=0, 1, 0"});
      const SystemFile file(system);
      const Parts      parts(file.name(), {});
      State            state = parts.model->initial_state();
      state.memory.push_back({"joint force", Vector(parts.model->partition())});
      state.memory.back().values.local_element(2) = 20;
      for (const std::string name : {"left", "right"})
        EXPECT_NEAR(parts.model
                      ->make_probe("p", "reaction force z of joint " + name)
                      .value(state),
                    10,
                    1e-3);
    }

    TEST(MultibodyOutput, AJointTurnsTheVelocity)
    {
      for (const std::string &scheme : schemes)
        {
          SCOPED_TRACE(scheme);
          Overrides system = run_of(scheme,
                                    "x = reaction force x of joint pivot; "
                                    "y = reaction force y of joint pivot");
          system = join(system, rigid_body("stone", "1.5", "1, 0, 0"));
          system =
            join(system,
                 joint("pivot", "revolute", "ground", "stone", "0, 0, 0"));
          system = join(system,
                        {bodies + "stone/velocity=0, 2, 0",
                         bodies + "stone/angular velocity=0, 0, 2"});
          const SystemFile  file(system);
          const FinishedRun run(file.name(), {});
          // Means of a step, and the force at its end.
          const bool   is_of_end = scheme == "position velocity generalized "
                                             "alpha";
          const double angle     = 0.02 - (is_of_end ? 0 : 0.001);
          EXPECT_NEAR(last(run, "x"), -6 * std::cos(angle), 1e-4);
          EXPECT_NEAR(last(run, "y"), -6 * std::sin(angle), 1e-4);
        }
    }

    const Overrides rod = {"model/type=multibody",
                           "scheme/type=energy momentum",
                           bodies + "rod/type=beam",
                           bodies + "rod/end=2, 0, 0",
                           bodies + "rod/elements=4",
                           bodies + "rod/section=given",
                           bodies + "rod/force stiffness=10, 20, 3000",
                           bodies + "rod/moment stiffness=4, 5, 6"};

    TEST(MultibodyOutput, SectionsBearForces)
    {
      const SystemFile file(rod);
      const Parts      parts(file.name(), {});
      State            state = parts.model->initial_state();
      for (unsigned int i = 0; i < state.q.size(); i += 12)
        state.q.local_element(i) *= 1.001;
      for (const std::string place : {"start", "end", "at 0.5"})
        {
          const auto value = [&](const std::string &what) {
            return parts.model->make_probe("p", what + " of rod " + place)
              .value(state);
          };
          EXPECT_NEAR(value("section force 3"), 3, 1e-10);
          EXPECT_NEAR(value("section force 1"), 0, 1e-10);
          EXPECT_NEAR(value("section moment 2"), 0, 1e-10);
        }
      EXPECT_EQ(
        parts.model->make_probe("p", "section moment 1 of rod end").unit,
        "N m");
    }

    std::string
    refusal(const MechanicalModel &model, const std::string &what)
    {
      try
        {
          model.make_probe("p", what);
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "";
    }

    TEST(MultibodyOutput, WrongProbesAreExplained)
    {
      const Parts parts("benchmark/three_bar_swing.prm", {});
      const auto  has = [&](const std::string &what, const std::string &part) {
        const std::string text = refusal(*parts.model, what);
        EXPECT_NE(text.find(part), std::string::npos) << text;
      };
      has("reaction force x of joint E", "'E' is no joint");
      has("reaction force 1 of joint A", "is not understood");
      has("section forse 1 of bar end", "did you mean 'section force'?");
      has("section force 1 of left link", "is not on a beam");
      has("section force 1 of ground", "the ground does not move");
      has("gap of floor", "'floor' is no contact");
      has("displacement x of bor end", "did you mean");
      has("displacement x", "Write 'QUANTITY x of PLACE'");
    }

    TEST(MultibodyOutput, FrameOfTheSwing)
    {
      const FinishedRun run("benchmark/three_bar_swing.prm",
                            {bodies + "bar/elements=8",
                             "time/end time=0.01",
                             "output/field interval=20"});
      const VtuText file(run.folder.path / "solution/solution_00000020.vtu");
      EXPECT_TRUE(file.is_well_formed());
      // Nodes, corners of two boxes, four joints, the mass.
      EXPECT_EQ(file.attribute("Piece", "NumberOfPoints"), "30");
      // One line, six sides of each box, joints and mass.
      EXPECT_EQ(file.attribute("Piece", "NumberOfCells"), "18");
      const auto types = file.values<std::uint8_t>("types");
      EXPECT_EQ(std::count(types.begin(), types.end(), 4), 1);
      EXPECT_EQ(std::count(types.begin(), types.end(), 9), 12);
      EXPECT_EQ(file.of_kind(0, "section_force").size(), 9u);
      for (const auto &radius : file.of_kind(0, "radius"))
        EXPECT_NEAR(radius[0], std::sqrt(5e-6 / M_PI), 1e-8);
      // Directors of a beam along x, with the first along y.
      const auto d3 = file.of_kind(0, "d3"), d1 = file.of_kind(0, "d1");
      EXPECT_NEAR(d3[4][0], 1, 1e-3);
      EXPECT_NEAR(d1[4][1], 1, 1e-6);
      // The joints are where they were drawn, and bear something.
      const auto force = file.of_kind(2, "reaction_force");
      const auto point = file.of_kind(2, "points");
      ASSERT_EQ(force.size(), 4u);
      for (const auto &value : force)
        EXPECT_GT(std::hypot(value[0], value[2]), 1e-6);
      for (const auto &x : point)
        EXPECT_NEAR(x[2], std::abs(x[2]) > 0.1 ? -0.36 : 0, 1e-4);
    }

    TEST(MultibodyOutput, ContactsShowForceAndGap)
    {
      const std::string floor = "model/multibody/contacts/floor/";
      Overrides         system =
        join(run_of("null space variational", "gap = gap of floor"),
             rigid_body("ball", "2", "0, 0, 0.1"));
      system.insert(system.end(),
                    {bodies + "ball/shape=sphere",
                     bodies + "ball/radius=0.1",
                     floor + "on=ball",
                     floor + "radius=0.1",
                     "output/field interval=10"});
      const SystemFile  entries(system);
      const FinishedRun run(entries.name(), {});
      EXPECT_NEAR(last(run, "gap"), 0, 1e-8);
      const VtuText file(run.folder.path / "solution/solution_00000010.vtu");
      const auto    force = file.of_kind(3, "contact_force");
      const auto    point = file.of_kind(3, "points");
      ASSERT_EQ(force.size(), 1u);
      EXPECT_NEAR(force[0][2], 2 * g, 1e-4);
      EXPECT_NEAR(point[0][2], 0, 1e-6);
      EXPECT_EQ(file.of_kind(1, "velocity").size(), 24u * 11 + 2);
    }
  } // namespace
} // namespace Percuss::Test
