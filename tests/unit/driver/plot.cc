// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/plot.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tools.h"

// Pictures, without drawing them.

namespace Percuss::Test
{
  namespace
  {
    bool
    contains(const std::string &text, const std::string &part)
    {
      return text.find(part) != std::string::npos;
    }

    TEST(ThinOut, KeepsPeaks)
    {
      Curve curve;
      for (unsigned int i = 0; i < 100000; ++i)
        {
          curve.x.push_back(i);
          curve.y.push_back(std::sin(1e-3 * i));
        }
      curve.y[12345]   = 7;
      curve.y[77777]   = -8;
      const Curve thin = thin_out(curve, 1000);
      EXPECT_LE(thin.x.size(), 1000u);
      EXPECT_GE(thin.x.size(), 900u);
      EXPECT_EQ(thin.y.size(), thin.x.size());
      EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
      EXPECT_EQ(thin.x.front(), 0);
      EXPECT_EQ(thin.x.back(), 99999);
      EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 7);
      EXPECT_EQ(*std::min_element(thin.y.begin(), thin.y.end()), -8);
      curve.x.resize(1000);
      curve.y.resize(1000);
      EXPECT_EQ(thin_out(curve, 1000).x, curve.x);
    }

    TEST(Script, QuotesTexts)
    {
      EXPECT_EQ(gnuplot_quoted("it's"), "'it''s'");
      EXPECT_EQ(gnuplot_quoted("a\nb`c`"), "'a b`c`'");
    }

    TEST(Script, HasAllPanelsAndCurves)
    {
      Figure figure;
      figure.title = "two";
      figure.panels.resize(3);
      figure.panels[0].title            = "first_panel";
      figure.panels[0].x_is_logarithmic = true;
      figure.panels[0].curves = {{"a_b", {1, 2}, {3, 4}, Curve::Style::steps}};
      figure.panels[1].map =
        ColourMap{{0, 1}, {0, 1}, {{1, 2}, {3, 4}}, 4, "v"};
      const std::string script = gnuplot_script(figure, "a.png");
      EXPECT_TRUE(contains(script, "pngcairo size 1200,800"));
      EXPECT_TRUE(contains(script, "noenhanced"));
      EXPECT_TRUE(contains(script, "layout 2,2 title 'two'"));
      EXPECT_TRUE(
        contains(script, "'" + data_file(0, 0) + "' using 1:2 with "));
      EXPECT_TRUE(contains(script, "title 'a_b'"));
      EXPECT_TRUE(contains(script, "\nset logscale x"));
      EXPECT_TRUE(contains(script, "'" + data_file(1, -1) + "' nonuniform"));
      EXPECT_TRUE(contains(script, "set cbrange [-4:4]"));
      figure.width  = 500;
      figure.height = 300;
      EXPECT_TRUE(contains(gnuplot_script(figure, "a.svg"),
                           "set terminal svg size 500,300"));
      EXPECT_THROW(gnuplot_script(figure, "a.pdf"), Error);
      EXPECT_EQ(picture_format("A.SVG"), "svg");
      EXPECT_EQ(picture_format("a.b.PNG"), "png");
    }

    TEST(Script, GivesAPanelAloneThePage)
    {
      Figure figure;
      figure.panels.resize(1);
      std::string script = gnuplot_script(figure, "a.png");
      EXPECT_TRUE(contains(script, "size 900,600"));
      EXPECT_TRUE(contains(script, "layout 1,1"));
      figure.panels.resize(2);
      script = gnuplot_script(figure, "a.png");
      EXPECT_TRUE(contains(script, "size 1200,400"));
    }

    TEST(Script, WritesTheNumbersOfAnAxisAlike)
    {
      Figure figure;
      figure.panels.resize(1);
      Panel &panel           = figure.panels[0];
      panel.x_is_logarithmic = panel.y_is_logarithmic = true;
      panel.x_tics                                    = {2e-2, 1e-3, 2.5e-4};
      panel.curves       = {{"a", {1e-3, 2e-3}, {0.03, 0.04}}};
      std::string script = gnuplot_script(figure, "a.png");
      EXPECT_TRUE(contains(script, "'2e-2' 0.02, '1e-3' 0.001, '2.5e-4' "));
      EXPECT_TRUE(contains(script, "set ytics (1e-2, 2e-2, 5e-2, "));
      panel.x_tics = {10, 25};
      script       = gnuplot_script(figure, "a.png");
      EXPECT_TRUE(contains(script, "'10' 10, '25' 25"));
    }

    TEST(Script, DotsExactCurvesAndGuidesOnly)
    {
      Figure figure;
      figure.panels.resize(1);
      for (const auto style : {Curve::Style::line,
                               Curve::Style::steps,
                               Curve::Style::points,
                               Curve::Style::line_with_points})
        for (unsigned int i = 0; i < 9; ++i)
          figure.panels[0].curves.push_back({"a", {1}, {1}, style, i, i % 2});
      EXPECT_FALSE(contains(gnuplot_script(figure, "a.png"), " dt 3"));
      figure.panels[0].curves.push_back({"a", {1}, {1}, Curve::Style::exact});
      EXPECT_TRUE(contains(gnuplot_script(figure, "a.png"), " dt 3"));
    }

    TEST(PlotOptions, AreRead)
    {
      EXPECT_EQ(parse_time_range("0.1:2"), std::make_pair(0.1, 2.));
      EXPECT_EQ(parse_time_range("0.1:").first, 0.1);
      EXPECT_GT(parse_time_range("0.1:").second, 1e300);
      for (const std::string text : {"1", "2:1", "a:b", "1:2s"})
        EXPECT_THROW(parse_time_range(text), Error) << text;
      EXPECT_EQ(parse_size("800x600"), std::make_pair(800u, 600u));
      for (const std::string text : {"800", "800x", "ax600", "1x1"})
        EXPECT_THROW(parse_size(text), Error) << text;
    }

    TEST(Panels, ShowWhatThereIs)
    {
      const FinishedRun      bar("tutorial/impacting_bar.prm",
                            {"model/bar/elements=50",
                                  "time/step size=1e-5",
                                  "output/field interval=2"});
      std::vector<RunFolder> runs;
      runs.emplace_back(bar.folder.path);
      PlotOptions  options;
      const Figure figure = make_figure(runs, options);
      ASSERT_EQ(figure.panels.size(), 4u);
      const Panel &waves = figure.panels[0];
      ASSERT_TRUE(waves.map.has_value());
      EXPECT_EQ(waves.y_label, "t in ms");
      EXPECT_NEAR(waves.map->values[0][3], -0.1, 1e-6);
      EXPECT_NEAR(waves.map->largest, 0.1, 0.05);
      EXPECT_EQ(figure.panels[1].y_label, "contact force in N");
      EXPECT_EQ(figure.panels[2].curves.size(), 6u); // three and exact
      options.quantities  = {"probes"};
      options.probes      = "mean_velocity";
      options.time_range  = "0:1e-3";
      const Figure probes = make_figure(runs, options);
      ASSERT_EQ(probes.panels.size(), 1u);
      EXPECT_EQ(probes.panels[0].curves.size(), 2u);
      EXPECT_EQ(probes.panels[0].curves[0].x.size(), 101u);
      EXPECT_EQ(probes.panels[0].x_range.second, 1);
      options.probes = "mean_velocty";
      EXPECT_THROW(make_figure(runs, options), Error);
      options.probes     = "";
      options.time_range = "5:6";
      EXPECT_THROW(make_figure(runs, options), Error);
      // Of several runs each probe has a panel.
      options.time_range = "";
      runs.emplace_back(bar.folder.path);
      const Figure overlay = make_figure(runs, options);
      ASSERT_EQ(overlay.panels.size(), 3u);
      for (const Panel &panel : overlay.panels)
        EXPECT_EQ(panel.curves.size(), 3u); // two and exact
    }

    TEST(Panels, OverlayRuns)
    {
      const Overrides        overrides = {"time/end time=0.6"};
      const FinishedRun      ball("tutorial/bouncing_ball.prm", overrides);
      std::vector<RunFolder> runs;
      runs.emplace_back(ball.folder.path);
      runs.emplace_back(ball.folder.path);
      PlotOptions options;
      options.labels      = {"one", "two"};
      const Figure figure = make_figure(runs, options);
      ASSERT_EQ(figure.panels.size(), 5u);
      EXPECT_EQ(figure.panels[0].curves[1].label, "two");
      EXPECT_FALSE(figure.panels[1].y_is_logarithmic); // one impact
      EXPECT_EQ(figure.panels[3].title, "Total energy");
      EXPECT_EQ(figure.panels[4].x_label, "height in m");
    }

    TEST(Panels, ShowImpulsesOfSeveralMagnitudesOnALogarithmicAxis)
    {
      const FinishedRun      ball("tutorial/bouncing_ball.prm", {});
      std::vector<RunFolder> runs;
      runs.emplace_back(ball.folder.path);
      PlotOptions options;
      options.quantities = {"force"};
      EXPECT_TRUE(make_figure(runs, options).panels.at(0).y_is_logarithmic);
    }

    TEST(Panels, ShowRoundOffLastAndWithoutExactCurve)
    {
      const FinishedRun      pendulum("benchmark/rigid_pendulum_exact.prm",
                                 {"time/end time=0.3",
                                       "output/field interval=0"});
      std::vector<RunFolder> runs;
      runs.emplace_back(pendulum.folder.path);
      const Figure figure = make_figure(runs, {});
      ASSERT_GE(figure.panels.size(), 3u);
      EXPECT_EQ(figure.panels[0].y_label, "angle in rad");
      EXPECT_EQ(figure.panels.back().y_label, "rod_violation in m");
      EXPECT_EQ(figure.panels.back().curves.size(), 1u);
    }
  } // namespace
} // namespace Percuss::Test
