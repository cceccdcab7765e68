// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/compare.h>
#include <percuss/driver/series.h>
#include <percuss/driver/study.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "tools.h"

// The parts of studies and comparisons that run nothing.

namespace Percuss::Test
{
  namespace
  {
    using Numbers = std::vector<double>;

    constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

    TEST(Variation, IsReadFromText)
    {
      const Variation variation =
        parse_variation(" time/step size = 1e-3, 2e-3");
      EXPECT_EQ(variation.path, "time/step size");
      EXPECT_EQ(variation.entry(), "step size");
      EXPECT_EQ(variation.values, (std::vector<std::string>{"1e-3", "2e-3"}));
      EXPECT_EQ(variation.numbers(), (Numbers{1e-3, 2e-3}));
      const Variation lists = parse_variation("model/ball/mass=1,2; 3,4");
      EXPECT_EQ(lists.values, (std::vector<std::string>{"1,2", "3,4"}));
      EXPECT_TRUE(lists.numbers().empty());
      EXPECT_TRUE(parse_variation("scheme/type=moreau jean").numbers().empty());
    }

    TEST(Variation, RefusesWhatIsNone)
    {
      for (const std::string text :
           {"time/step size", "=1,2", "a=", "a=1,,2", "a=1,2,", "a=1,2,1"})
        EXPECT_THROW(parse_variation(text), Error) << text;
    }

    TEST(Combinations, AreTheProductWithTheFirstVariationFastest)
    {
      const std::vector<Variation> variations = {
        {"time/step size", {"1", "2"}},
        {"scheme/type", {"a b", "c"}},
      };
      const auto all = combinations(variations);
      ASSERT_EQ(all.size(), 4u);
      EXPECT_EQ(all[1], (std::vector<std::string>{"2", "a b"}));
      EXPECT_EQ(all[2], (std::vector<std::string>{"1", "c"}));
      EXPECT_EQ(combination_names(variations, all)[1], "step_size=2_type=a_b");
    }

    TEST(Combinations, HaveDifferentNames)
    {
      const std::vector<Variation> variations = {{"a/gap", {"1,2", "1;2"}},
                                                 {"b/gap", {"3"}}};
      const auto                   names =
        combination_names(variations, combinations(variations));
      EXPECT_EQ(names[0], "a_gap=1_2_b_gap=3");
      EXPECT_EQ(names[1], "a_gap=1_2_b_gap=3_2");
    }

    TEST(Series, AreInterpolatedInsideTheirRange)
    {
      const Numbers values =
        interpolate({0, 1, 3}, {0, 10, 30}, {-1, 0, 0.5, 1, 2, 3 + 1e-13, 4});
      EXPECT_TRUE(std::isnan(values[0]));
      EXPECT_EQ(values[1], 0);
      EXPECT_DOUBLE_EQ(values[2], 5);
      EXPECT_EQ(values[3], 10);
      EXPECT_DOUBLE_EQ(values[4], 20);
      EXPECT_EQ(values[5], 30);
      EXPECT_TRUE(std::isnan(values[6]));
      EXPECT_TRUE(std::isnan(interpolate({}, {}, {1})[0]));
    }

    TEST(Series, HaveNormsOfTheirDifference)
    {
      const Numbers a = {3, 0, -4, 9}, b = {0, 0, 0, not_a_number};
      EXPECT_DOUBLE_EQ(difference_norm("mean", a, b), 7. / 3);
      EXPECT_DOUBLE_EQ(difference_norm("rms", a, b), 5 / std::sqrt(3));
      EXPECT_DOUBLE_EQ(difference_norm("max", a, b), 4);
      EXPECT_DOUBLE_EQ(difference_norm("final", a, b), 4);
      EXPECT_TRUE(std::isnan(difference_norm("mean", {}, {})));
    }

    TEST(Series, HaveSlopes)
    {
      EXPECT_DOUBLE_EQ(slope(1, 1, 2, 4), 2);
      EXPECT_TRUE(std::isnan(slope(1, 0, 2, 4)));
      EXPECT_NEAR(slope({1, 2, 4, 8}, {3, 6, not_a_number, 24}), 1, 1e-14);
      EXPECT_TRUE(std::isnan(slope({1}, {1})));
      EXPECT_TRUE(std::isnan(slope({2, 2}, {1, 3})));
    }

    TEST(ForceVariation, IsOneForARectangleAndMoreForChatter)
    {
      const double  h    = 0.5;
      const Numbers time = {0, 0.5, 1, 1.5, 2, 2.5, 3};
      const auto    of   = [&](const Numbers &force) {
        Numbers impulse;
        for (const double F : force)
          impulse.push_back(h * F);
        return force_variation(time, impulse, force);
      };
      EXPECT_DOUBLE_EQ(of({0, 0, 7, 7, 7, 0, 0}), 1);
      EXPECT_DOUBLE_EQ(of({0, 6, 0, 6, 0, 6, 0}), 5);
      EXPECT_TRUE(std::isnan(of({0, 0, 0, 0, 0, 0, 0})));
    }

    TEST(StudyTable, FindsOrders)
    {
      const std::vector<Variation> variations = {{"time/step size",
                                                  {"0.4", "0.2", "0.1"}},
                                                 {"scheme/type", {"a", "b"}}};
      std::vector<StudyTable::Row> rows;
      for (const auto &values : combinations(variations))
        {
          const double h     = std::stod(values[0]);
          const double error = values[1] == "a" ? h : h * h;
          rows.push_back({values, {{"error_q", "m", error, true, 0, true}}});
        }
      rows[4].measures.clear();
      rows[4].code    = 4;
      rows[4].message = "no convergence, alas";
      const StudyTable table(variations, rows);
      EXPECT_TRUE(std::isnan(table.order(0, "error_q")));
      EXPECT_NEAR(table.order(1, "error_q"), 1, 1e-12);
      EXPECT_NEAR(table.order_of_curve(0, "error_q"), 1, 1e-12);
      EXPECT_TRUE(std::isnan(table.order(3, "error_q"))); // another curve
      EXPECT_NEAR(table.order(5, "error_q"), 2, 1e-12);   // over the failure
      const std::string csv = table.csv();
      EXPECT_EQ(csv.find("time/step size,scheme/type,error_q,order_q,"), 0u);
      EXPECT_NE(csv.find("\n# as given,as given,m,1,"), std::string::npos);
      EXPECT_NE(csv.find(",4,\"no convergence, alas\"\n"), std::string::npos);
      std::ostringstream text;
      table.print(text);
      EXPECT_NE(text.str().find("failed with code 4: no conv"),
                std::string::npos);
      const Figure figure = table.figure("mean");
      ASSERT_EQ(figure.panels.size(), 1u);
      EXPECT_EQ(figure.panels[0].curves.size(), 4u); // two and two guides
      EXPECT_NEAR(figure.panels[0].curves[3].y[1], 0.4 / 16, 1e-12);
    }

    TEST(StudyTable, CountsOrdersAgainstNumbersOfElements)
    {
      const std::vector<Variation> variations = {
        {"model/bar/elements", {"10", "20"}}};
      const StudyTable table(variations,
                             {{{"10"}, {{"error_q", "m", 0.4, true}}},
                              {{"20"}, {{"error_q", "m", 0.1, true}}}});
      EXPECT_NEAR(table.order(1, "error_q"), 2, 1e-12);
    }

    TEST(StudyTable, HasOrdersOnlyWhereTheyMeanSomething)
    {
      const auto order = [](const std::string &path) {
        const StudyTable table({{path, {"10", "20"}}},
                               {{{"10"}, {{"error_q", "m", 0.4, true}}},
                                {{"20"}, {{"error_q", "m", 0.1, true}}}});
        const Figure     figure = table.figure("mean");
        EXPECT_EQ(figure.panels.at(0).curves.size(),
                  std::isnan(table.order(1, "error_q")) ? 1u : 3u); // guides
        return table.order(1, "error_q");
      };
      EXPECT_NEAR(order("model/bar/degree"), 2, 1e-12);
      EXPECT_NEAR(order("time/step size"), -2, 1e-12);
      EXPECT_TRUE(std::isnan(order("time/end time")));
      EXPECT_TRUE(std::isnan(order("model/ball/restitution")));
    }

    TEST(StudyTable, HasNoOrdersOfRoundOff)
    {
      std::vector<StudyTable::Row> rows;
      for (const auto &[h, error] :
           {std::pair("4", 4.), std::pair("2", 2.), std::pair("1", 1e-3)})
        rows.push_back({{h}, {{"error_q", "m", error, true, 0.01}}});
      const StudyTable table({{"time/step size", {"4", "2", "1"}}}, rows);
      EXPECT_NEAR(table.order(1, "error_q"), 1, 1e-12);
      EXPECT_TRUE(std::isnan(table.order(2, "error_q")));
      EXPECT_NEAR(table.order_of_curve(0, "error_q"), 1, 1e-12);
    }

    TEST(StudyTable, NamesCurvesAndAxes)
    {
      const std::vector<Variation> variations = {{"time/step size", {"2", "1"}},
                                                 {"a/restitution", {"0"}},
                                                 {"scheme/type", {"x y"}}};
      std::vector<StudyTable::Row> rows;
      for (const auto &values : combinations(variations))
        rows.push_back({values, {{"error_q", "m", 1, true}}});
      const Figure figure = StudyTable(variations, rows).figure("mean");
      EXPECT_EQ(figure.panels.at(0).x_label, "step size in s");
      EXPECT_EQ(figure.panels[0].curves[0].label, "restitution = 0, x y");
    }

    TEST(StudyTable, SaysOnceWhyARunFailed)
    {
      const StudyTable   table({{"time/step size", {"2", "1"}}},
                             {{{"2"},
                                 {{"error_q", "m", 1, true}, {"drift", "1", 1}}},
                                {{"1"}, {}, 4, "no convergence"}});
      std::ostringstream text;
      table.print(text);
      const std::size_t place = text.str().find("no convergence");
      EXPECT_NE(place, std::string::npos);
      EXPECT_EQ(text.str().find("no convergence", place + 1),
                std::string::npos);
      EXPECT_NE(text.str().find("failed\n"), std::string::npos);
    }

    TEST(StudyTable, DrawsNothingOverWords)
    {
      const StudyTable table({{"scheme/type", {"a", "b"}}},
                             {{{"a"}, {{"error_q", "m", 0.4, true}}},
                              {{"b"}, {{"error_q", "m", 0.1, true}}}});
      EXPECT_TRUE(table.figure("mean").panels.empty());
      EXPECT_TRUE(std::isnan(table.order(1, "error_q")));
    }

    TEST(Measures, OfARun)
    {
      const FinishedRun run("tutorial/impacting_bar.prm",
                            {"model/bar/elements=99",
                             "output/field interval=0"});
      const RunFolder   folder(run.folder.path);
      const auto        value = [](const std::vector<Measure> &measures,
                            const std::string          &name) {
        for (const Measure &measure : measures)
          if (measure.name == name)
            return measure.value;
        return not_a_number;
      };
      const auto measures = measure_run(folder);
      EXPECT_NEAR(value(measures, "energy_drift"), 0, 0.01);
      EXPECT_LE(value(measures, "energy_drift"), 0);
      EXPECT_NEAR(value(measures, "contact_impulse"), 0.48984, 0.01);
      EXPECT_GE(value(measures, "force_variation"), 1);
      EXPECT_LE(value(measures, "force_variation"), 10);
      EXPECT_GT(value(measures, "time_of_step"), 0);
      const auto errors = measure_errors(folder, folder.table("exact"), "mean");
      EXPECT_GT(value(errors, "error_mean_velocity"), 0);
      EXPECT_LE(value(errors, "error_mean_velocity"), 2e-3);
      EXPECT_LE(value(errors, "error_first_contact"), 2e-6);
      EXPECT_TRUE(std::isnan(
        value(measure_errors(folder, {}, "mean"), "error_mean_velocity")));
    }

    TEST(Measures, OfRigidBodiesHaveNoForce)
    {
      const FinishedRun run("tutorial/bouncing_ball.prm",
                            {"time/end time=0.6"});
      for (const Measure &measure : measure_run(RunFolder(run.folder.path)))
        EXPECT_EQ(std::isnan(measure.value), measure.name == "force_variation");
    }

    CsvContents
    table(const std::vector<std::string> &names,
          const std::vector<Numbers>     &numbers)
    {
      CsvContents contents;
      for (const std::string &name : names)
        contents.columns.emplace_back(name, "1");
      contents.numbers = numbers;
      return contents;
    }

    TEST(Comparison, OfTables)
    {
      const auto first =
        table({"time", "a", "zero", "iterations", "mine"},
              {{0, 1, 2}, {0, 2, 4}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}});
      const auto second = table({"time", "a", "zero", "iterations", "theirs"},
                                {{0, 2}, {0, 4.4}, {0, 0}, {7, 7}, {0, 0}});
      std::vector<std::string> mine, theirs;
      const auto differences = compare_tables(first, second, mine, theirs);
      ASSERT_EQ(differences.size(), 2u);
      EXPECT_EQ(differences[0].name, "a");
      EXPECT_NEAR(differences[0].absolute, 0.4, 1e-14);
      EXPECT_NEAR(differences[0].relative, 0.4 / 4.4, 1e-14);
      EXPECT_EQ(differences[1].absolute, 0);
      EXPECT_EQ(differences[1].relative, 0);
      EXPECT_EQ(mine, std::vector<std::string>{"mine"});
      EXPECT_EQ(theirs, std::vector<std::string>{"theirs"});
    }

    TEST(Comparison, OfFolders)
    {
      const Overrides    overrides = {"output/field interval=0",
                                      "time/end time=0.1"};
      const FinishedRun  whole("tutorial/bouncing_ball.prm", overrides);
      const FinishedRun  shorter("tutorial/bouncing_ball.prm",
                                {"output/field interval=0",
                                  "time/end time=0.05"});
      std::ostringstream text;
      const std::string  folder = whole.folder.path.string();
      EXPECT_EQ(compare_command(folder, folder, 0, text), ExitCode::done);
      EXPECT_EQ(compare_command(folder, shorter.folder.path.string(), 1, text),
                ExitCode::invariant);
      EXPECT_NE(text.str().find("end at different times"), std::string::npos);
      EXPECT_THROW(compare_command(folder, folder + "/none", 0, text), Error);
    }
  } // namespace
} // namespace Percuss::Test
