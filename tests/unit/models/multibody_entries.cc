// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/multibody_entries.h"

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/base/parameter_tree.h>

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    using Point = MultibodyParameters::Point;

    /// The three-bar swing: a beam with a mass in its middle hangs on two
    /// links, and a pulse pushes it.
    const std::string swing = R"(
subsection model
  subsection multibody
    set gravity = 0, 0, 0
    subsection bodies
      subsection left link
        set mass   = 0.036
        set centre = 0, 0, -0.18
        set axis   = 0, 0, 1
        set shape  = box
        set size   = 0.01, 0.01, 0.36
      end
      subsection right link
        set mass   = 0.0509117
        set centre = 0.9, 0, -0.18
        set axis   = 1, 0, 1
        set first direction = 0, 1, 0
        set shape  = box
        set size   = 0.01, 0.01, 0.509117
      end
      subsection bar
        set type      = beam
        set start     = 0, 0, -0.36
        set end       = 0.72, 0, -0.36
        set elements  = 32
        set section   = rectangle
        set first direction = 0, 1, 0
        set width     = 5e-3
        set thickness = 1e-3
        set young modulus = 73e9
        set poisson ratio = 0.3
        set density       = 2700
      end
      subsection weight
        set type        = point mass
        set mass        = 0.5
        set attached to = bar at 0.5
      end
    end
    subsection joints
      subsection A
        set second = left link
        set point  = 0, 0, 0
      end
      subsection B
        set second = right link
        set point  = 1.08, 0, 0
      end
      subsection C
        set type   = revolute
        set first  = left link
        set second = bar start
        set point  = 0, 0, -0.36
        set axis   = 0, 1, 0
      end
      subsection D
        set type   = revolute
        set first  = right link
        set second = bar end
        set point  = 0.72, 0, -0.36
        set axis   = 0, 1, 0
      end
    end
    subsection loads
      subsection pulse
        set on    = weight
        set force = t < 0.128 ? t/0.064 : t < 0.256 ? 4 - t/0.064 : 0; 0; 0
      end
    end
  end
end
)";

    /// The swing with contacts.
    const std::string contacts = R"(
subsection model
  subsection multibody
    subsection contacts
      subsection floor
        set on          = bar
        set through     = 0, 0, -0.5
        set restitution = 0.5
        set friction    = 0.3
      end
      subsection stop
        set on              = left link
        set point           = 0, 0, -0.1
        set radius          = 0.01
        set obstacle        = cylinder
        set axis            = 0, 1, 0
        set through         = 0.2, 0, -0.1
        set obstacle radius = 0.02
      end
      subsection links
        set on       = left link
        set obstacle = point
        set other    = right link
        set radius   = 0.01
      end
    end
  end
end
)";

    struct Sample
    {
      ParameterTree       tree;
      MultibodyParameters parameters;

      Sample()
      {
        ParameterSection section =
          tree.root().subsection("model").subsection("multibody");
        parameters.declare(section);
      }

      void
      read(const std::string &text, const Overrides &overrides = {})
      {
        const TemporaryFolder folder;
        Files::write(folder.path / "main.prm", text);
        std::vector<Assignment> assignments;
        for (const std::string &override : overrides)
          assignments.push_back(parse_override("model/multibody/" + override));
        tree.assign(read_parameter_file(folder.path / "main.prm",
                                        MPI_COMM_SELF),
                    assignments);
      }

      std::string
      text() const
      {
        std::ostringstream out;
        tree.print(out, false);
        return out.str();
      }
    };

    bool
    contains(const std::string &text, const std::string &part)
    {
      return text.find(part) != std::string::npos;
    }

    /// What is said about the swing with contacts where entries are changed.
    std::string
    refusal(const Overrides &overrides)
    {
      try
        {
          Sample().read(swing + contacts, overrides);
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::usage);
          return error.what();
        }
      return "";
    }

    TEST(MultibodyEntries, ReadTheSwing)
    {
      Sample sample;
      sample.read(swing);
      const auto &bodies = sample.parameters.bodies;
      ASSERT_EQ(bodies.size(), 4u);
      EXPECT_EQ(bodies[0].first, "left link");
      EXPECT_EQ(bodies[0].second.size, Point({0.01, 0.01, 0.36}));
      EXPECT_EQ(bodies[1].second.first_direction, Point({0, 1, 0}));
      EXPECT_EQ(bodies[2].second.n_nodes(), 33u);
      EXPECT_EQ(bodies[2].second.point_of_line(0.5), Point({0.36, 0, -0.36}));
      EXPECT_EQ(bodies[3].second.attached_to, "bar at 0.5");
      ASSERT_EQ(sample.parameters.joints.size(), 4u);
      EXPECT_EQ(sample.parameters.joints[0].second.type, "spherical");
      EXPECT_EQ(sample.parameters.joints[3].second.axis, Point({0, 1, 0}));
      ASSERT_EQ(sample.parameters.loads.size(), 1u);
      const auto &load = sample.parameters.loads[0].second;
      EXPECT_TRUE(load.moment.is_zero());
      EXPECT_FALSE(load.force.is_zero());
      EXPECT_DOUBLE_EQ(load.force(0.128)[0], 2);
      EXPECT_DOUBLE_EQ(load.force(0.192)[0], 1);
      EXPECT_EQ(load.force(0.3), Point());
      EXPECT_TRUE(sample.parameters.contacts.empty());
    }

    TEST(MultibodyEntries, AreRepeatedAsFarAsTheyMatter)
    {
      Sample first;
      first.read(swing + contacts);
      const std::string text = first.text();
      EXPECT_TRUE(contains(text,
                           "      subsection weight\n"
                           "        set type        = point mass\n"
                           "        set mass        = 0.5\n"
                           "        set attached to = bar at 0.5\n"
                           "      end\n"))
        << text;
      EXPECT_FALSE(contains(text, "diameter"));
      EXPECT_FALSE(contains(text, "second axis"));
      Sample second;
      second.read(text);
      EXPECT_EQ(second.text(), text);
      EXPECT_EQ(second.parameters.contacts[1].second.point,
                Point({0, 0, -0.1}));
      EXPECT_TRUE(second.parameters.contacts[1].second.has_point);
      EXPECT_FALSE(second.parameters.contacts[0].second.has_point);
    }

    TEST(MultibodyEntries, AreDescribedWithoutAFile)
    {
      Sample sample;
      sample.tree.assign({}, {});
      std::ostringstream out;
      sample.tree.print(out, true);
      for (const std::string part : {"subsection bodies",
                                     "#   set poisson ratio",
                                     "subsection joints",
                                     "#   set second axis",
                                     "#   set follows",
                                     "#   set other point"})
        EXPECT_TRUE(contains(out.str(), part)) << part << out.str();
      EXPECT_TRUE(sample.parameters.bodies.empty());
    }

    TEST(MultibodyEntries, RefuseWhatIsWrong)
    {
      const std::vector<std::pair<std::string, std::string>> wrong = {
        {"bodies/left link/mass=0", "out of range"},
        {"bodies/left link/axis=0, 0, 0", "has no direction"},
        {"bodies/left link/first direction=0, 0, -2", "is along the axis"},
        {"bodies/left link/size=0, 0, 1", "more than one length is zero"},
        {"bodies/left link/inertia=1, 1, 2.1", "2.1 is more than 1 + 1"},
        {"bodies/left link/inertia=1, 1, 0", "of a line"},
        {"bodies/bar/end=0, 0, -0.36", "is the start"},
        {"bodies/bar/first direction=1, 0, 0", "is along the axis"},
        {"bodies/bar/degree=4", "above 3"},
        {"bodies/bar/elements=0", "out of range"},
        {"bodies/bar/poisson ratio=-1", "out of range"},
        {"bodies/bar/curve=s; 0", "three formulas"},
        {"bodies/bar/curve=s; t; 0", "column 4"},
        {"bodies/bar/curve=0; 0; 1", "stands still at s = 0"},
        {"bodies/bar/curve=s; log(s); 1", "is not a number at s = 0"},
        {"bodies/bar/curve=0; s; 0", "starts along the first direction"},
        {"joints/A/second=", "names no place"},
        {"joints/A/second=ground", "the same place"},
        {"joints/D/second=right link", "the same place"},
        {"joints/C/first=lift link", "did you mean 'left link'?"},
        {"joints/C/first=bar", "name a node of it: 'bar start'"},
        {"joints/C/first=weight end", "is no beam"},
        {"joints/C/first=bar at 1.5", "no number from 0 to 1"},
        {"joints/C/first=bar at x", "no number from 0 to 1"},
        {"joints/C/axis=0, 0, 0", "has no direction"},
        {"joints/C/type=revolt", "did you mean 'revolute'?"},
        {"bodies/weight/attached to=weight", "in a circle"},
        {"bodies/weight/attached to=ground", "does not move"},
        {"bodies/weight/attached to=bar", "name a node"},
        {"loads/pulse/on=ground", "no load"},
        {"loads/pulse/force=0; 0; t + u", "column 11"},
        {"contacts/floor/point=0, 0, 0", "all nodes of a beam"},
        {"contacts/floor/normal=0, 0, 0", "has no direction"},
        {"contacts/floor/restitution=1.1", "out of range"},
        {"contacts/floor/friction=-1", "out of range"},
        {"contacts/stop/axis=0, 0, 0", "has no direction"},
        {"contacts/links/other=left link", "is the place of 'on'"},
        {"contacts/links/other=ground", "take a sphere"},
        {"contacts/links/on=bar", "name a node"},
        {"contacts/links/radius=0", "no distance"}};
      for (const auto &[override, reason] : wrong)
        {
          const std::string said = refusal({override});
          EXPECT_TRUE(contains(said, reason)) << override << ": " << said;
          EXPECT_TRUE(contains(said, "--set")) << override << ": " << said;
        }
      EXPECT_TRUE(contains(refusal({"bodies/bar/section=pipe",
                                    "bodies/bar/inner diameter=0.02"}),
                           "is not less than the diameter 0.01"));
      EXPECT_TRUE(contains(refusal({"joints/A/type=universal",
                                    "joints/A/second axis=0, 0, 1"}),
                           "is along the axis"));
      EXPECT_TRUE(contains(refusal({"contacts/stop/side=inside",
                                    "contacts/stop/radius=0.02"}),
                           "has no room"));
      EXPECT_TRUE(contains(refusal({"bodies/bar/section=given",
                                    "bodies/bar/line inertia=1, 1, 3"}),
                           "is more than"));
    }

    TEST(MultibodyEntries, DoNotMindWhatDoesNotMatter)
    {
      EXPECT_EQ(refusal({"bodies/bar/axis=0, 0, 0",
                         "bodies/bar/inertia=1, 1, 5",
                         "bodies/left link/degree=7",
                         "bodies/left link/inertia=0.1, 0.2, 0.3",
                         "bodies/weight/first direction=0, 0, 1",
                         "joints/A/axis=0, 0, 0",
                         "contacts/stop/normal=0, 0, 0"}),
                "");
    }

    TEST(MultibodyEntries, RefuseNamesOfPlaces)
    {
      for (const std::string name : {"ground", "bar end", "a start", "a at 1"})
        {
          std::string       text = swing;
          const std::string old  = "subsection weight";
          text.replace(text.find(old), old.size(), "subsection " + name);
          try
            {
              Sample().read(text);
              ADD_FAILURE() << name;
            }
          catch (const Error &error)
            {
              EXPECT_TRUE(contains(error.what(),
                                   "main.prm:34: section "
                                   "'model/multibody/bodies/" +
                                     name + "'"))
                << error.what();
            }
        }
    }

    TEST(MultibodyPlace, FindsBodiesAndNodes)
    {
      Sample sample;
      sample.read(swing);
      const auto &parameters = sample.parameters;
      const auto  read       = [&](const std::string &text) {
        return MultibodyPlace::read(text, parameters, "joints/A/first");
      };
      EXPECT_TRUE(read(" ground ").is_ground);
      EXPECT_EQ(read("right link").body, 1u);
      EXPECT_EQ(read("bar end").node(parameters), 32u);
      EXPECT_EQ(read("bar at 0.26").node(parameters), 8u);
      EXPECT_EQ(read("weight").body, 2u);
      EXPECT_EQ(read("weight").s, 0.5);
      EXPECT_TRUE(read("weight").is_same(read("bar at 0.51"), parameters));
      EXPECT_FALSE(read("weight").is_same(read("bar end"), parameters));
      EXPECT_TRUE(MultibodyPlace::read("bar", parameters, "contacts/x/on", true)
                    .is_whole_beam);
      try
        {
          read("bar strat");
          ADD_FAILURE();
        }
      catch (const EntryError &error)
        {
          EXPECT_EQ(error.path, "model/multibody/joints/A/first");
          EXPECT_EQ(error.reason,
                    "'bar strat' is no place; did you mean 'bar start'? "
                    "Places: ground, left link, right link, bar start, bar "
                    "end, bar at 0.5, weight.");
        }
    }
  } // namespace
} // namespace Percuss::Test
