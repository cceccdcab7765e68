// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Pairs of numbers and how they look.
  struct Curve
  {
    enum class Style
    {
      line,
      steps, ///< each value holds since the one before
      points,
      line_with_points,
      exact, ///< black and dotted
      guide  ///< thin, grey and dotted
    };

    std::string         label; ///< in the legend; none where it is empty
    std::vector<double> x, y;
    Style               style  = Style::line;
    unsigned int        colour = 0; ///< number in a palette
    unsigned int        dashes = 0; ///< 1 for dashes
  };

  /// At most @p n_largest points of a curve, more than 3. The smallest and the
  /// largest value of each of many intervals are kept: peaks stay visible.
  Curve
  thin_out(const Curve &curve, std::size_t n_largest);



  /// Values on a grid, as colours that are symmetric about 0.
  struct ColourMap
  {
    std::vector<double>              x, y;
    std::vector<std::vector<double>> values;      ///< a row for each y
    double                           largest = 1; ///< of the colours
    std::string                      label;
  };



  struct Panel
  {
    std::string              title, x_label, y_label;
    std::vector<Curve>       curves;
    std::optional<ColourMap> map;
    bool                     x_is_logarithmic = false;
    bool                     y_is_logarithmic = false;
    std::vector<double>      x_tics; ///< automatic where it is empty
    /// Of the first axis; as it comes where the two are equal.
    std::pair<double, double> x_range = {0, 0};
  };



  /// Panels in two columns on one page.
  struct Figure
  {
    std::string        title;
    std::vector<Panel> panels;
    unsigned int       width = 0, height = 0; ///< in pixels; 0 for automatic
  };

  /// The format that belongs to the name of a file, "png" or "svg".
  /// @throws Error with ExitCode::usage
  std::string
  picture_format(const std::filesystem::path &file);

  /// The name of the data of a panel's curve, or of its map where @p curve is
  /// -1.
  std::string
  data_file(std::size_t panel, int curve);

  /// What gnuplot is to do in a folder that has the data files.
  std::string
  gnuplot_script(const Figure &figure, const std::filesystem::path &file);

  /// A text in gnuplot's quotes.
  std::string
  gnuplot_quoted(const std::string &text);

  /// Writes a PNG or SVG file.
  /// @throws Error with ExitCode::io, for example where gnuplot is missing
  void
  draw(const Figure &figure, const std::filesystem::path &file);
} // namespace Percuss
