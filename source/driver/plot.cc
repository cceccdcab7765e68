// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/driver/plot.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

#include "plot_panels.h"

namespace Percuss
{
  namespace fs = std::filesystem;

  namespace
  {
    double
    number_in(const std::string &text, const std::string &option)
    {
      double     number = 0;
      const auto end    = text.data() + text.size();
      const auto result = std::from_chars(text.data(), end, number);
      if (result.ec != std::errc() || result.ptr != end)
        throw Error(ExitCode::usage,
                    option + ": '" + text + "' is not a number.");
      return number;
    }
  } // namespace



  std::pair<double, double>
  parse_time_range(const std::string &text)
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::pair<double, double> range(-infinity, infinity);
    if (text.empty())
      return range;
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      throw Error(ExitCode::usage,
                  "--time-range '" + text + "' has no ':'; write a:b, in s.");
    if (colon > 0)
      range.first = number_in(text.substr(0, colon), "--time-range");
    if (colon + 1 < text.size())
      range.second = number_in(text.substr(colon + 1), "--time-range");
    if (!(range.first < range.second))
      throw Error(ExitCode::usage, "--time-range '" + text + "' is empty.");
    return range;
  }



  std::pair<unsigned int, unsigned int>
  parse_size(const std::string &text)
  {
    if (text.empty())
      return {0, 0};
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos)
      throw Error(ExitCode::usage,
                  "--size '" + text + "' has no 'x'; write 800x600.");
    const double width  = number_in(text.substr(0, cross), "--size");
    const double height = number_in(text.substr(cross + 1), "--size");
    for (const double number : {width, height})
      if (number < 50 || number > 20000)
        throw Error(ExitCode::usage,
                    "--size '" + text + "': 50 to 20000 pixels are possible.");
    return {static_cast<unsigned int>(width),
            static_cast<unsigned int>(height)};
  }



  std::vector<std::string>
  plot_quantities()
  {
    return {"energy", "force", "probes", "phase", "space-time"};
  }



  Figure
  make_figure(const std::vector<RunFolder> &runs, const PlotOptions &options)
  {
    PlotPanels panels(runs, options);
    const auto is_wanted = [&](const std::string &quantity) {
      return options.quantities.empty() ||
             std::count(options.quantities.begin(),
                        options.quantities.end(),
                        quantity) > 0;
    };
    if (is_wanted("space-time"))
      panels.add_space_time();
    if (is_wanted("probes"))
      panels.add_probes("m");
    if (is_wanted("force"))
      panels.add_force();
    if (is_wanted("probes"))
      panels.add_probes("m/s");
    if (is_wanted("probes"))
      panels.add_probes("");
    if (is_wanted("energy"))
      panels.add_energy();
    if (is_wanted("phase"))
      panels.add_phase();
    panels.add_last();
    Figure figure;
    figure.title                          = options.title;
    figure.panels                         = panels.panels;
    std::tie(figure.width, figure.height) = parse_size(options.size);
    return figure;
  }



  void
  plot_command(const PlotOptions &options, std::ostream &out)
  {
    const fs::path file = options.file.empty() ?
                            fs::path(options.folders.at(0)) / "plot.png" :
                            fs::path(options.file);
    picture_format(file);
    if (options.labels.size() > options.folders.size())
      throw Error(ExitCode::usage, "there are more labels than folders.");
    if (!options.phase.empty() && names_in(options.phase).size() != 2)
      throw Error(ExitCode::usage,
                  "--phase '" + options.phase +
                    "': write the names of two probes, x,y.");
    std::vector<RunFolder> runs;
    for (const std::string &folder : options.folders)
      runs.emplace_back(folder);
    const Figure figure = make_figure(runs, options);
    if (figure.panels.empty())
      throw Error(ExitCode::usage,
                  "there is nothing to plot: the runs have no such data. Waves "
                  "need output/field interval > 0, probes need output/probes.");
    draw(figure, file);
    out << "Picture: " << file.string() << '\n';
  }
} // namespace Percuss
