// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/driver/figure.h>
#include <percuss/driver/run_folder.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  struct PlotOptions
  {
    std::vector<std::string> folders;
    std::vector<std::string> quantities; ///< all where it is empty
    std::vector<std::string> labels;     ///< instead of the folders' names
    std::string              file; ///< empty for plot.png in the first folder
    std::string              title;
    std::string              probes;     ///< "a,b": only these
    std::string              phase;      ///< "a,b": axes of the phase portrait
    std::string              time_range; ///< "0.1:0.2", in s
    std::string              size;       ///< "800x600", in pixels
  };

  /// Draws runs into one picture and says where it is.
  /// @throws Error with ExitCode::usage or ExitCode::io
  void
  plot_command(const PlotOptions &options, std::ostream &out);

  /// What PlotOptions::quantities may hold.
  std::vector<std::string>
  plot_quantities();

  /// The panels for which the runs have data.
  Figure
  make_figure(const std::vector<RunFolder> &runs, const PlotOptions &options);

  /// "0.1:0.2" as two numbers; either may be left out.
  /// @throws Error with ExitCode::usage
  std::pair<double, double>
  parse_time_range(const std::string &text);

  /// "800x600".
  /// @throws Error with ExitCode::usage
  std::pair<unsigned int, unsigned int>
  parse_size(const std::string &text);
} // namespace Percuss
