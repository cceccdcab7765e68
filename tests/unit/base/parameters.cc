// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/base/suggestion.h>

#include <gtest/gtest.h>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    /// The message of the Error that @p action throws.
    template <typename Action>
    std::string
    error_of(const Action &action)
    {
      try
        {
          action();
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

    TEST(Suggestion, FindsTypingErrors)
    {
      const std::vector<std::string> words = {"length", "area", "density"};
      EXPECT_EQ(nearest_word("lenght", words), "length");
      EXPECT_EQ(nearest_word("densty", words), "density");
      EXPECT_EQ(nearest_word("colour", words), "");
      EXPECT_EQ(did_you_mean("aera", words), "; did you mean 'area'?");
    }

    TEST(Expression, EvaluatesAndReportsTheColumn)
    {
      Expression expression("2*x + sin(pi/2)", {"x"});
      EXPECT_DOUBLE_EQ(expression(3), 7);
      EXPECT_FALSE(expression.is_constant());
      const Expression copy = expression;
      expression.assign("5");
      EXPECT_TRUE(expression.is_constant());
      EXPECT_DOUBLE_EQ(copy(1), 3);
      try
        {
          expression.assign("1 + foo(x)");
          ADD_FAILURE();
        }
      catch (const std::invalid_argument &error)
        {
          EXPECT_TRUE(contains(error.what(), "column 5")) << error.what();
        }
      EXPECT_DOUBLE_EQ(expression(0), 5) << "a refused formula changes nothing";
    }

    TEST(Range, KnowsOpenAndClosedBounds)
    {
      EXPECT_FALSE(Range::positive().contains(0));
      EXPECT_TRUE(Range::non_negative().contains(0));
      EXPECT_TRUE(Range::between(0, 1).contains(1));
      EXPECT_FALSE(Range::any().contains(std::nan("")));
      EXPECT_FALSE(Range::any().contains(1 / 0.));
      EXPECT_EQ(Range::positive().text(), "number > 0");
      EXPECT_EQ(Range::between(0, 0.5).text(), "number in [0, 0.5]");
    }

    struct Sample
    {
      ParameterTree       tree;
      double              x      = 1;
      unsigned int        n      = 2;
      bool                is_on  = false;
      std::vector<double> list   = {1, 2};
      std::string         choice = "red";

      Sample()
      {
        ParameterSection section = tree.root().subsection("part");
        section.add("x", x, "In m", Range::positive());
        section.add("n", n, "Count", 1);
        section.add("on", is_on, "Switch");
        section.add("list", list, "Numbers", Range::non_negative());
        section.add_choice("colour", choice, "Hue", {"red", "green"});
        section.require("n", [this]() {
          return n > list.size() ? "is more than the list has" : std::string();
        });
      }

      void
      set(const std::string &path, const std::string &value)
      {
        tree.assign({{path, value, "file.prm:3"}}, {});
      }
    };

    TEST(ParameterTree, BindsValues)
    {
      Sample sample;
      sample.tree.assign({{"part/x", "2.5e-3", "a:1"},
                          {"part/list", "3, 4.5 ,6", "a:2"},
                          {"part/on", "true", "a:3"},
                          {"part/colour", "green", "a:4"}},
                         {{"part/n", "3", "--set"}});
      EXPECT_EQ(sample.x, 2.5e-3);
      EXPECT_EQ(sample.list, (std::vector<double>{3, 4.5, 6}));
      EXPECT_TRUE(sample.is_on);
      EXPECT_EQ(sample.choice, "green");
      EXPECT_EQ(sample.n, 3u);
      EXPECT_EQ(sample.tree.overridden().size(), 1u);
    }

    TEST(ParameterTree, RefusesWhatIsWrong)
    {
      const auto refusal = [](const std::string &path,
                              const std::string &value) {
        return error_of([&]() { Sample().set(path, value); });
      };
      for (const std::string value :
           {"0", "-1", "1m", "nan", "inf", "", "1e999", "{1|2}", "0x10"})
        EXPECT_TRUE(contains(refusal("part/x", value), "file.prm:3")) << value;
      for (const std::string value : {"0", "-3", "2.5", "99999999999", ""})
        EXPECT_TRUE(contains(refusal("part/n", value), "whole number"))
          << value;
      EXPECT_TRUE(contains(refusal("part/list", "1,,2"), "not a number"));
      EXPECT_TRUE(contains(refusal("part/on", "yes"), "neither"));
      EXPECT_TRUE(
        contains(refusal("part/colour", "gren"), "did you mean 'green'"));
      EXPECT_TRUE(contains(refusal("part/y", "1"), "Valid names: x, n"));
      EXPECT_TRUE(contains(refusal("prat/x", "1"), "unknown section 'prat'"));
      EXPECT_TRUE(contains(refusal("part/n", "5"), "more than the list has"));
      EXPECT_TRUE(contains(error_of([]() {
                             Sample().tree.assign({{"part/x", "1", "a:1"},
                                                   {"part/x", "2", "a:9"}},
                                                  {});
                           }),
                           "a:9: entry 'part/x' is set a second time; the "
                           "first is at a:1"));
    }

    TEST(ParameterTree, ReadsBackWhatItPrints)
    {
      const TemporaryFolder folder;
      Settings              first;
      assign(first,
             "tutorial/impacting_bar.prm",
             {"time/step size=3e-7", "contact/solver=projection"});
      std::ostringstream text;
      first.tree.print(text, true);
      const std::string path = folder.path / "echo.prm";
      Files::write(path, text.str());
      Settings second;
      second.tree.assign(read_parameter_file(path, MPI_COMM_SELF), {});
      EXPECT_EQ(second.time.step_size, 3e-7);
      EXPECT_EQ(second.contact_solver.name(), "projection");
      std::ostringstream again;
      second.tree.print(again, true);
      EXPECT_EQ(text.str(), again.str());
    }

    TEST(ParameterFile, UnderstandsContinuationsCommentsAndIncludes)
    {
      const TemporaryFolder folder;
      const std::string     path = folder.path / "main.prm";
      Files::write(folder.path / "part.inc", "  set b = 2 # two\n");
      Files::write(path,
                   "\xEF\xBB\xBF# comment\r\n"
                   "subsection outer\r\n"
                   "  set a = 1 \\\r\n"
                   "          + 1\r\n"
                   "  include part.inc\n"
                   "end\n");
      const auto assignments = read_parameter_file(path, MPI_COMM_SELF);
      ASSERT_EQ(assignments.size(), 3u);
      EXPECT_TRUE(assignments[0].opens_section);
      EXPECT_EQ(assignments[0].path, "outer");
      EXPECT_EQ(assignments[1].path, "outer/a");
      EXPECT_EQ(assignments[1].value, "1 + 1");
      EXPECT_EQ(assignments[1].origin, path + ":3");
      EXPECT_EQ(assignments[2].path, "outer/b");
    }

    TEST(ParameterFile, MaySetAnewWhatAnIncludedFileSets)
    {
      const TemporaryFolder folder;
      Files::write(folder.path / "base.prm",
                   "subsection time\n set end time = 1\nend\n");
      Files::write(folder.path / "variant.prm",
                   "include base.prm\n"
                   "subsection time\n set end time = 2\nend\n");
      Settings settings;
      settings.tree.assign(read_parameter_file(folder.path / "variant.prm",
                                               MPI_COMM_SELF),
                           {});
      EXPECT_EQ(settings.time.end_time, 2);
      // The other way round it would be a trap.
      Files::write(folder.path / "trap.prm",
                   "subsection time\n set end time = 2\nend\n"
                   "include base.prm\n");
      Settings other;
      EXPECT_THROW(other.tree.assign(read_parameter_file(
                                       folder.path / "trap.prm", MPI_COMM_SELF),
                                     {}),
                   Error);
    }

    TEST(Files, HaveTheStandardChecksum)
    {
      EXPECT_EQ(Files::checksum("123456789"), 0xCBF43926u);
    }
  } // namespace
} // namespace Percuss::Test
