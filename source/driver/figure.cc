// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/base/suggestion.h>
#include <percuss/driver/figure.h>
#include <percuss/driver/process.h>

#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace Percuss
{
  namespace fs = std::filesystem;

  namespace
  {
    constexpr std::size_t n_points_of_curve = 5000;
    // In pixels; a panel alone is larger.
    constexpr unsigned int panel_width = 600, panel_height = 400;
    constexpr unsigned int single_width = 900, single_height = 600;

    /// Okabe and Ito's colours, which all eyes can tell apart, without yellow.
    const std::vector<std::string> palette = {"#0072B2",
                                              "#D55E00",
                                              "#009E73",
                                              "#CC79A7",
                                              "#E69F00",
                                              "#56B4E9",
                                              "#606060"};

    /// Gnuplot's numbers of filled and open marks.
    const std::vector<unsigned int> marks = {7, 5, 9, 13, 11, 6, 4};

    /// A folder that vanishes with the object.
    class TemporaryFolder
    {
    public:
      TemporaryFolder()
      {
        std::string name =
          (fs::temp_directory_path() / "percuss_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
          throw Error(ExitCode::io,
                      "cannot create a folder in '" +
                        fs::temp_directory_path().string() + "'.");
        path = name;
      }
      TemporaryFolder(const TemporaryFolder &) = delete;
      TemporaryFolder &
      operator=(const TemporaryFolder &) = delete;
      ~TemporaryFolder()
      {
        std::error_code ignored;
        fs::remove_all(path, ignored);
      }

      fs::path path;
    };

    std::string
    text_of(const Curve &curve)
    {
      std::string text;
      for (std::size_t i = 0; i < curve.x.size(); ++i)
        text +=
          shortest_text(curve.x[i]) + ' ' + shortest_text(curve.y[i]) + '\n';
      return text;
    }

    /// Gnuplot's matrix: the first row has the x, the first column the y.
    std::string
    text_of(const ColourMap &map)
    {
      std::string text = std::to_string(map.x.size());
      for (const double x : map.x)
        text += ' ' + shortest_text(x);
      for (std::size_t row = 0; row < map.y.size(); ++row)
        {
          text += '\n' + shortest_text(map.y[row]);
          for (const double value : map.values[row])
            text += ' ' + shortest_text(static_cast<float>(value));
        }
      return text + '\n';
    }

    std::string
    look(const Curve &curve)
    {
      const std::string colour =
        " lc rgb '" + palette[curve.colour % palette.size()] + "'";
      const std::string dashes = curve.dashes > 0 ? " dt 2" : "";
      switch (curve.style)
        {
          case Curve::Style::steps:
            return "fsteps lw 1.5" + dashes + colour;
          case Curve::Style::points:
            return "points pt 7 ps 0.4" + colour;
          case Curve::Style::line_with_points:
            return "linespoints lw 1.5 ps 0.9 pt " +
                   std::to_string(marks[curve.colour % marks.size()]) + dashes +
                   colour;
          case Curve::Style::exact:
            return "lines lw 1.5 dt 3 lc rgb 'black'";
          case Curve::Style::guide:
            return "lines lw 1 dt 3 lc rgb '" +
                   std::string(curve.colour > 0 ? "#404040'" : "#909090'");
          default:
            return "lines lw 1.5" + dashes + colour;
        }
    }

    /// The title, and below it the legend, in rows of three.
    std::string
    head(const Panel &panel)
    {
      const auto n =
        std::count_if(panel.curves.begin(),
                      panel.curves.end(),
                      [](const Curve &curve) { return !curve.label.empty(); });
      if (n == 0)
        return "unset key\nset title " + gnuplot_quoted(panel.title) + '\n';
      return "unset title\nset key above center Left reverse samplen 2 maxrows " +
             std::to_string((n + 2) / 3) + " font ',9' title " +
             gnuplot_quoted(panel.title) + " font ',11'\n";
    }

    /// All numbers of an axis are written alike: 0.5 and 0.25, or 5e-4 and
    /// 2.5e-4.
    std::string
    tic_text(const double x, const std::vector<double> &all)
    {
      const auto [smallest, largest] =
        std::minmax_element(all.begin(), all.end());
      if (x <= 0 || (*smallest >= 0.01 && *largest < 1e5))
        return shortest_text(x);
      const int exponent = static_cast<int>(std::floor(std::log10(x) + 1e-12));
      std::ostringstream text;
      text << std::setprecision(4) << x / std::pow(10., exponent) << 'e'
           << exponent;
      return text.str();
    }

    std::string
    x_axis(const Panel &panel)
    {
      std::string range = "set xrange [*:*]\nset autoscale xfix\n",
                  tics  = "set xtics autofreq\n";
      if (panel.x_range.first < panel.x_range.second)
        range = "set xrange [" + shortest_text(panel.x_range.first) + ":" +
                shortest_text(panel.x_range.second) + "]\n";
      if (!panel.x_tics.empty())
        {
          std::vector<std::string> places;
          for (const double x : panel.x_tics)
            places.push_back(gnuplot_quoted(tic_text(x, panel.x_tics)) + ' ' +
                             shortest_text(x));
          tics = "set xtics (" + join(places) + ")\n";
          const auto [smallest, largest] =
            std::minmax_element(panel.x_tics.begin(), panel.x_tics.end());
          range = "set xrange [" + shortest_text(*smallest / 1.3) + ":" +
                  shortest_text(*largest * 1.3) + "]\n";
        }
      return range + tics;
    }

    /// On a logarithmic axis with few decades the numbers 1, 2 and 5.
    std::string
    y_axis(const Panel &panel)
    {
      double least = std::numeric_limits<double>::max(), most = 0;
      for (const Curve &curve : panel.curves)
        for (const double y : curve.y)
          if (y > 0)
            {
              least = std::min(least, y);
              most  = std::max(most, y);
            }
      const std::string automatic = "set ytics autofreq\n";
      if (!panel.y_is_logarithmic)
        return "set format y '%g'\n" + automatic;
      const std::string format = "set format y '%.0te%T'\n";
      if (!(most < 300 * least))
        return format + automatic;
      std::vector<std::string> places;
      const int first = static_cast<int>(std::floor(std::log10(least)));
      const int last  = static_cast<int>(std::ceil(std::log10(most)));
      for (int exponent = first; exponent <= last; ++exponent)
        for (const std::string mantissa : {"1", "2", "5"})
          places.push_back(mantissa + "e" + std::to_string(exponent));
      return format + "set ytics (" + join(places) + ")\n";
    }

    /// Room around the curves, but not at the ends of time.
    std::string
    margins(const Panel &panel)
    {
      const bool is_over_time = panel.x_range.first < panel.x_range.second;
      return panel.map ?
               "unset offsets\n" :
             is_over_time || panel.x_is_logarithmic ?
               "set offsets 0, 0, graph 0.05, graph 0.05\n" :
               "set offsets graph 0.03, graph 0.03, graph 0.05, graph "
               "0.05\n";
    }

    /// The first curve over the later ones, dashed and exact ones over all.
    std::vector<std::size_t>
    drawing_order(const Panel &panel)
    {
      std::vector<std::size_t> order;
      for (std::size_t i = panel.curves.size(); i-- > 0;)
        order.push_back(i);
      std::stable_partition(order.begin(), order.end(), [&](const auto i) {
        return panel.curves[i].style != Curve::Style::exact &&
               panel.curves[i].dashes == 0;
      });
      return order;
    }

    void
    write_panel(std::ostream &out, const Panel &panel, const std::size_t number)
    {
      out << "\nset xlabel " << gnuplot_quoted(panel.x_label) << "\nset ylabel "
          << gnuplot_quoted(panel.y_label) << '\n'
          << head(panel) << (panel.x_is_logarithmic ? "set" : "unset")
          << " logscale x\n"
          << (panel.y_is_logarithmic ? "set" : "unset") << " logscale y\n"
          << y_axis(panel) << margins(panel);
      out << x_axis(panel);
      out << "set autoscale yfix\n";
      std::vector<std::string> parts;
      if (panel.map)
        {
          out << "set cblabel " << gnuplot_quoted(panel.map->label)
              << "\nset cbrange [" << -panel.map->largest << ':'
              << panel.map->largest << "]\n";
          parts.push_back(gnuplot_quoted(data_file(number, -1)) +
                          " nonuniform matrix using 1:2:3 with image notitle");
        }
      for (const std::size_t i : drawing_order(panel))
        parts.push_back(gnuplot_quoted(data_file(number, static_cast<int>(i))) +
                        " using 1:2 with " + look(panel.curves[i]) +
                        " notitle");
      for (const Curve &curve : panel.curves)
        if (!curve.label.empty())
          parts.push_back("keyentry with " + look(curve) + " title " +
                          gnuplot_quoted(curve.label));
      out << "plot " << join(parts, ", \\\n     ") << '\n';
    }

    std::string
    terminal(const std::string &format,
             const unsigned int width,
             const unsigned int height)
    {
      const std::string size =
        " size " + std::to_string(width) + "," + std::to_string(height);
      if (format == "svg")
        return "set terminal svg" + size +
               " font 'Helvetica,12' background 'white' noenhanced\n";
      return "if (strstrt(GPVAL_TERMINALS, ' pngcairo') > 0) set terminal "
             "pngcairo" +
             size + " font 'Sans,10' noenhanced; else set terminal png" + size +
             " noenhanced\n";
    }
  } // namespace



  Curve
  thin_out(const Curve &curve, const std::size_t n_largest)
  {
    const std::size_t n = curve.x.size(), n_bins = n_largest / 2 - 1;
    if (n <= n_largest)
      return curve;
    Curve      thin = curve;
    const auto keep = [&](const std::size_t i) {
      thin.x.push_back(curve.x[i]);
      thin.y.push_back(curve.y[i]);
    };
    thin.x.clear();
    thin.y.clear();
    keep(0);
    for (std::size_t bin = 0; bin < n_bins; ++bin)
      {
        const std::size_t begin = 1 + bin * (n - 2) / n_bins;
        const std::size_t end   = 1 + (bin + 1) * (n - 2) / n_bins;
        const auto [smallest, largest] =
          std::minmax_element(curve.y.begin() + begin, curve.y.begin() + end);
        const std::size_t i = smallest - curve.y.begin();
        const std::size_t j = largest - curve.y.begin();
        keep(std::min(i, j));
        if (i != j)
          keep(std::max(i, j));
      }
    keep(n - 1);
    return thin;
  }



  std::string
  picture_format(const fs::path &file)
  {
    std::string extension = file.extension().string();
    std::transform(extension.begin(),
                   extension.end(),
                   extension.begin(),
                   [](const unsigned char c) { return std::tolower(c); });
    if (extension == ".png" || extension == ".svg")
      return extension.substr(1);
    throw Error(ExitCode::usage,
                "'" + file.string() +
                  "': a picture's name ends with .png or "
                  ".svg.");
  }



  std::string
  data_file(const std::size_t panel, const int curve)
  {
    return "panel_" + std::to_string(panel) +
           (curve < 0 ? "_map" : "_curve_" + std::to_string(curve)) + ".txt";
  }



  std::string
  gnuplot_quoted(const std::string &text)
  {
    std::string quoted = "'";
    for (const char c : text)
      quoted += c == '\'' ? std::string("''") :
                c == '\n' ? std::string(" ") :
                            std::string(1, c);
    return quoted + "'";
  }



  std::string
  gnuplot_script(const Figure &figure, const fs::path &file)
  {
    const auto         n = static_cast<unsigned int>(figure.panels.size());
    const unsigned int n_columns = n > 1 ? 2 : 1;
    const unsigned int n_rows    = n > 1 ? (n + 1) / 2 : 1;
    const unsigned int width  = n > 1 ? n_columns * panel_width : single_width;
    const unsigned int height = n > 1 ? n_rows * panel_height : single_height;
    std::ostringstream out;
    out << terminal(picture_format(file),
                    figure.width > 0 ? figure.width : width,
                    figure.height > 0 ? figure.height : height)
        << "set output " << gnuplot_quoted(file.string())
        << "\nset datafile missing 'nan'\n"
           "set format '%g'\n"
           "set grid lc rgb '#DDDDDD' lt 1 lw 0.5\n"
           "set border lc rgb '#404040'\n"
           "set tics nomirror\n"
           "set palette defined (-2 '#3B4CC0', -1 '#8DB0FE', 0 '#DDDDDD', "
           "1 '#F4987A', 2 '#B40426')\n"
           "set multiplot layout "
        << n_rows << ',' << n_columns;
    if (!figure.title.empty())
      out << " title " << gnuplot_quoted(figure.title);
    out << '\n';
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
      write_panel(out, figure.panels[i], i);
    out << "\nunset multiplot\n";
    return out.str();
  }



  void
  draw(const Figure &figure, const fs::path &file)
  {
    const TemporaryFolder folder;
    const auto write = [&](const std::string &name, const std::string &text) {
      Files::write(folder.path / name, text, Files::Durability::buffered);
    };
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
      {
        const Panel &panel = figure.panels[i];
        if (panel.map)
          write(data_file(i, -1), text_of(*panel.map));
        for (std::size_t j = 0; j < panel.curves.size(); ++j)
          write(data_file(i, static_cast<int>(j)),
                text_of(thin_out(panel.curves[j], n_points_of_curve)));
      }
    // Gnuplot draws beside the data; a picture that is whole is moved.
    const std::string picture = "picture." + picture_format(file);
    write("script.gnuplot", gnuplot_script(figure, picture));
    std::vector<Process> gnuplot = {
      {{"gnuplot", "script.gnuplot"}, folder.path}};
    run_processes(gnuplot, 1);
    if (gnuplot[0].code == Process::not_found)
      throw Error(ExitCode::io,
                  "gnuplot is missing; it is in the Debian package "
                  "gnuplot-nox.");
    std::error_code error;
    if (gnuplot[0].code != 0 ||
        fs::file_size(folder.path / picture, error) == 0)
      {
        std::string message = gnuplot[0].errors;
        std::replace(message.begin(), message.end(), '\n', ' ');
        throw Error(ExitCode::io, "gnuplot failed: " + sentence(message));
      }
    if (file.has_parent_path())
      Files::create_folder(file.parent_path());
    Files::replace(file, Files::read(folder.path / picture));
  }
} // namespace Percuss
