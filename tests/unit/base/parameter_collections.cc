// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <gtest/gtest.h>

#include <deque>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    using Vector3 = dealii::Tensor<1, 3>;

    struct Ball
    {
      std::string name;
      std::string type   = "hollow";
      std::string wall   = "thin";
      double      mass   = 1;
      double      height = 2;
      Vector3     centre = Vector3();

      void
      declare(ParameterSection section)
      {
        section.add_choice("type", type, "What it is", {"hollow", "full"});
        section.add_choice("wall", wall, "Of a hollow one", {"thin", "thick"});
        section.add("mass", mass, "In kg", Range::positive());
        section.add("height", height, "Of a thick wall, in m");
        section.add("centre", centre, "In m");
        section.matters_with("wall", "type", "hollow");
        section.matters_with("height", "wall", "thick");
        section.require("height", [this]() {
          return height > mass ? "is more than the mass" : std::string();
        });
      }
    };

    /// The section part/balls is a collection.
    struct Sample
    {
      ParameterTree    tree;
      std::deque<Ball> balls;
      double           x = 1;

      Sample()
      {
        ParameterSection section = tree.root().subsection("part");
        section.add("x", x, "In m");
        section.add_collection(
          "balls",
          "What rolls",
          [this](const std::string &name, ParameterSection child) {
            balls.emplace_back().name = name;
            balls.back().mass         = 3;
            balls.back().declare(child);
            child.require("", [name]() {
              return name == "cube" ? "a cube is no ball" : std::string();
            });
          },
          [example = std::make_shared<Ball>()](ParameterSection child) {
            example->declare(child);
          });
      }

      void
      read(const std::string &text, const Overrides &overrides = {})
      {
        const TemporaryFolder folder;
        Files::write(folder.path / "main.prm", text);
        Files::write(folder.path / "base.prm",
                     "subsection part\n"
                     " subsection balls\n"
                     "  subsection red\n   set mass = 4\n  end\n"
                     " end\n"
                     "end\n");
        std::vector<Assignment> assignments;
        for (const std::string &override : overrides)
          assignments.push_back(parse_override(override));
        tree.assign(read_parameter_file(folder.path / "main.prm",
                                        MPI_COMM_SELF),
                    assignments);
      }

      std::string
      text(const bool with_descriptions) const
      {
        std::ostringstream out;
        tree.print(out, with_descriptions);
        return out.str();
      }
    };

    std::string
    in_balls(const std::string &text)
    {
      return "subsection part\nsubsection balls\n" + text + "\nend\nend\n";
    }

    std::string
    error_of(const std::string &text, const Overrides &overrides = {})
    {
      try
        {
          Sample().read(text, overrides);
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::usage);
          return error.what();
        }
      return "";
    }

    bool
    contains(const std::string &text, const std::string &part)
    {
      return text.find(part) != std::string::npos;
    }

    const std::string two_balls = in_balls("subsection red ball\n"
                                           "  set mass = 2.5\n"
                                           "  set centre = 1, -2 ,3e-1\n"
                                           "end\n"
                                           "subsection a_2-b\n"
                                           "end");

    TEST(ParameterCollection, MakesWhatTheFileOpens)
    {
      Sample sample;
      sample.read(two_balls, {"part/balls/red ball/height=1"});
      ASSERT_EQ(sample.balls.size(), 2u);
      EXPECT_EQ(sample.balls[0].name, "red ball");
      EXPECT_EQ(sample.balls[0].mass, 2.5);
      EXPECT_EQ(sample.balls[0].height, 1);
      EXPECT_EQ(sample.balls[0].centre, Vector3({1, -2, 0.3}));
      EXPECT_EQ(sample.balls[1].name, "a_2-b");
      EXPECT_EQ(sample.balls[1].mass, 3);
      EXPECT_TRUE(
        contains(sample.tree.origin("part/balls/red ball/mass"), "main.prm:4"));
      // Defaults and sections: where the section is opened.
      EXPECT_TRUE(
        contains(sample.tree.origin("part/balls/a_2-b/mass"), "main.prm:7"));
      EXPECT_TRUE(
        contains(sample.tree.origin("part/balls/a_2-b"), "main.prm:7"));
      EXPECT_TRUE(contains(sample.tree.origin("part/balls"), "main.prm:2"));
      EXPECT_EQ(sample.tree.origin("part/x"), "default value");
    }

    TEST(ParameterCollection, RefusesWhatIsWrong)
    {
      for (const std::string name : {"a,b", "a.b", "a\"", "a  b", "k\xC3\xB6"})
        EXPECT_TRUE(
          contains(error_of(in_balls("subsection " + name + "\nend")),
                   "main.prm:3: the name '" + name + "' of a section in "))
          << name;
      EXPECT_TRUE(contains(error_of(in_balls("subsection a/b\nend")),
                           "unknown section 'a' in section 'part/balls'"));
      EXPECT_TRUE(contains(error_of(in_balls("subsection a/\nend")), ":3: "));
      EXPECT_TRUE(contains(error_of(in_balls("set mass = 1")),
                           "unknown entry 'mass' in section 'part/balls'"));
      EXPECT_TRUE(contains(
        error_of(in_balls("subsection red\n set mas = 1\nend")),
        "main.prm:4: unknown entry 'mas' in section 'part/balls/red'; did you "
        "mean 'mass'? Valid names: type, wall"));
      EXPECT_TRUE(
        contains(error_of(in_balls("subsection red\n set mass = 1\nend")),
                 "main.prm:3: entry 'part/balls/red/height': is more than the "
                 "mass."));
      EXPECT_TRUE(contains(
        error_of(in_balls("subsection red\nsubsection green\nend\nend")),
        "main.prm:4: unknown section 'green' in section 'part/balls/red'. "
        "Valid names: none. Is an 'end' missing before it?"));
      EXPECT_TRUE(contains(error_of(in_balls("subsection cube\nend")),
                           "main.prm:3: section 'part/balls/cube': a cube is "
                           "no ball."));
      EXPECT_TRUE(
        contains(error_of("set part/balls/red/mass = 1\n" + two_balls),
                 "main.prm:1: unknown section 'red'"));
    }

    TEST(ParameterCollection, IsNotEnlargedByOverrides)
    {
      EXPECT_TRUE(contains(error_of(two_balls, {"part/balls/red bal/mass=1"}),
                           "unknown section 'red bal' in section 'part/balls'; "
                           "did you mean 'red ball'? Valid names: red ball, "
                           "a_2-b."));
      EXPECT_TRUE(contains(error_of("", {"part/balls/red ball/mass=1"}),
                           "Valid names: none."));
      EXPECT_TRUE(contains(error_of(two_balls, {"part/balls/a_2-b=1"}),
                           "'part/balls/a_2-b' is a section, not an entry."));
      EXPECT_TRUE(contains(error_of(two_balls, {"part/balls/a_2-b/mass=-1"}),
                           "out of range"));
    }

    TEST(ParameterCollection, OpensEachSectionOnce)
    {
      EXPECT_TRUE(contains(error_of(in_balls("subsection red\nend\n"
                                             "subsection red\nend")),
                           "main.prm:5: section 'part/balls/red' is opened a "
                           "second time; the first is at "));
      // The collection itself may be opened again.
      EXPECT_EQ(error_of(two_balls + in_balls("subsection green\nend")), "");
      // A file may change what a file it includes has made, once.
      Sample            sample;
      const std::string change = in_balls("subsection red\n set mass = 5\nend");
      sample.read("include base.prm\n" + change);
      ASSERT_EQ(sample.balls.size(), 1u);
      EXPECT_EQ(sample.balls[0].mass, 5);
      EXPECT_TRUE(contains(error_of("include base.prm\n" + change + change),
                           "second time"));
      EXPECT_TRUE(contains(error_of(change + "include base.prm\n"),
                           "base.prm:3: section 'part/balls/red' is opened a "
                           "second time"));
    }

    TEST(ParameterCollection, PrintsWhatMattersAndReadsItBack)
    {
      Sample first;
      first.read(two_balls, {"part/balls/red ball/type=full"});
      const std::string echo = first.text(false);
      EXPECT_EQ(echo,
                "subsection part\n"
                "  set x = 1\n"
                "  subsection balls\n"
                "    subsection red ball\n"
                "      set type   = full\n"
                "      set mass   = 2.5\n"
                "      set centre = 1, -2 ,3e-1\n"
                "    end\n"
                "    subsection a_2-b\n"
                "      set type   = hollow\n"
                "      set wall   = thin\n"
                "      set mass   = 3\n"
                "      set centre = 0, 0, 0\n"
                "    end\n"
                "  end\n"
                "end\n");
      Sample second;
      second.read(echo);
      EXPECT_EQ(second.text(false), echo);
      EXPECT_EQ(second.tree.text_of_section("part"),
                first.tree.text_of_section("part"));
      Sample third;
      third.read(first.text(true));
      EXPECT_EQ(third.text(false), echo);
      Sample other;
      other.read(echo, {"part/balls/a_2-b/mass=8"});
      EXPECT_NE(other.tree.text_of_section("part"),
                first.tree.text_of_section("part"));
    }

    TEST(ParameterCollection, TellsOverridesWithoutEffect)
    {
      Sample sample;
      sample.read(two_balls,
                  {"part/balls/a_2-b/height=1",
                   "part/balls/red ball/type=full",
                   "part/balls/red ball/wall=thick",
                   "part/balls/red ball/height=1"});
      const auto sentences = sample.tree.idle_overrides();
      ASSERT_EQ(sentences.size(), 3u);
      EXPECT_TRUE(contains(sentences[0], "wall' is 'thin'"));
      EXPECT_TRUE(contains(sentences[1], "type' is 'full'"));
      EXPECT_TRUE(contains(sentences[2], "type' is 'full'"));
    }

    TEST(ParameterCollection, ShowsAnExampleInTemplates)
    {
      Sample sample;
      sample.tree.assign({}, {});
      const std::string text = sample.text(true);
      EXPECT_TRUE(contains(text,
                           "  subsection balls\n"
                           "    # What rolls (any number of subsections with "
                           "names of your own)\n"
                           "    # subsection NAME\n"
                           "    #   # What it is (one of hollow | full)\n"
                           "    #   set type   = hollow\n"))
        << text;
      EXPECT_TRUE(contains(text, "    #   set height = 2\n    #   # In m"));
      EXPECT_TRUE(contains(text, "    # end\n  end\nend\n"));
      EXPECT_EQ(sample.balls.size(), 0u);
      Sample again;
      again.read(text);
      EXPECT_EQ(again.text(true), text);
      EXPECT_FALSE(contains(sample.text(false), "balls"));
    }

    struct Vectors
    {
      ParameterTree             tree;
      Vector3                   point    = Vector3({1, 0.5, 0});
      Vector3                   optional = Vector3();
      bool                      is_given = false;
      std::array<Expression, 3> force    = {{Expression("0", {"t"}),
                                             Expression("t", {"t"}),
                                             Expression("0", {"t"})}};

      Vectors()
      {
        ParameterSection root = tree.root();
        root.add("point", point, "In m", Range::non_negative());
        root.add_optional("place", optional, is_given, "origin", "In m");
        root.add("force", force, "In N");
      }

      std::string
      refusal(const std::string &entry, const std::string &value)
      {
        try
          {
            tree.assign({{entry, value, "file.prm:3"}}, {});
          }
        catch (const Error &error)
          {
            return error.what();
          }
        return "";
      }
    };

    TEST(ParameterTree, ReadsVectors)
    {
      Vectors vectors;
      EXPECT_EQ(vectors.tree.value("point"), "1, 0.5, 0");
      EXPECT_EQ(vectors.tree.value("place"), "origin");
      EXPECT_EQ(vectors.tree.value("force"), "0; t; 0");
      vectors.tree.assign({{"point", "1,2 , .036", "a:1"},
                           {"place", "0, -1, 1", "a:2"},
                           {"force", "t<1 ? 2*t : 0; -t;max(1,t)", "a:3"}},
                          {});
      EXPECT_EQ(vectors.point, Vector3({1, 2, 0.036}));
      EXPECT_TRUE(vectors.is_given);
      EXPECT_EQ(vectors.optional, Vector3({0, -1, 1}));
      EXPECT_EQ(vectors.force[0](0.5), 1);
      EXPECT_EQ(vectors.force[1](3), -3);
      EXPECT_EQ(vectors.force[2](3), 3);
      vectors.tree.assign({}, {{"place", "origin", "--set"}});
      EXPECT_FALSE(vectors.is_given);
    }

    TEST(ParameterTree, RefusesWrongVectors)
    {
      for (const std::string value :
           {"1, 2", "1", "", "1, 2, 3, 4", "1, 2,", "1;2;3", "1, -2, 3"})
        EXPECT_TRUE(contains(Vectors().refusal("point", value),
                             "Expected: three numbers with commas, each a "
                             "number >= 0"))
          << value;
      EXPECT_TRUE(contains(Vectors().refusal("point", "1, 2"), "2 numbers"));
      EXPECT_TRUE(contains(Vectors().refusal("place", "orign"),
                           "Expected: 'origin' or three numbers"));
      for (const std::string value : {"", "0", "0; 1", "0; 1; 2; 3", "0, 1, 2"})
        EXPECT_TRUE(contains(Vectors().refusal("force", value),
                             "it has not three formulas"))
          << value;
      EXPECT_TRUE(contains(Vectors().refusal("force", "0; ; 1"), "column 3"));
      EXPECT_TRUE(
        contains(Vectors().refusal("force", "0; t; 1 + foo"), "column 11"))
        << Vectors().refusal("force", "0; t; 1 + foo");
      EXPECT_TRUE(contains(Vectors().refusal("force", "t = 1; t; 1"),
                           "column 3: it assigns"));
    }
  } // namespace
} // namespace Percuss::Test
