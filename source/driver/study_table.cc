// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>
#include <percuss/driver/series.h>
#include <percuss/driver/study.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace Percuss
{
  namespace
  {
    constexpr double  not_a_number = std::numeric_limits<double>::quiet_NaN();
    const std::string step_size    = "time/step size";

    /// Whether errors fall with a power of this entry.
    bool
    has_order(const Variation &variation)
    {
      const std::string entry = variation.entry();
      const std::string word  = entry.substr(entry.rfind(' ') + 1);
      return !variation.numbers().empty() &&
             (variation.path == step_size || word == "elements" ||
              word == "degree");
    }

    std::string
    with_spaces(std::string text)
    {
      std::replace(text.begin(), text.end(), '_', ' ');
      return text;
    }

    /// "error_height" is about "height".
    std::string
    subject(const std::string &error)
    {
      return error.substr(std::string("error_").size());
    }

    /// A text as a field of a CSV file.
    std::string
    csv_field(const std::string &text)
    {
      if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
      std::string quoted = "\"";
      for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
      return quoted + '"';
    }

    std::string
    csv_field(const double number)
    {
      return std::isnan(number) ? "" : shortest_text(number);
    }

    std::string
    printed(const double number)
    {
      if (std::isnan(number))
        return "-";
      std::ostringstream text;
      text << std::setprecision(4) << number;
      return text.str();
    }

    std::string
    printed_order(const double order)
    {
      if (std::isnan(order))
        return "-";
      std::ostringstream text;
      // Without a sign of zero.
      text << std::fixed << std::setprecision(2)
           << (std::abs(order) < 0.005 ? 0. : order);
      return text.str();
    }
  } // namespace



  StudyTable::StudyTable(const std::vector<Variation> &variations,
                         const std::vector<Row>       &rows)
    : variations(variations)
    , rows(rows)
    , sign(variations.at(0).path == step_size ? 1 : -1)
    , has_orders(has_order(variations[0]))
  {
    const std::vector<double> numbers = variations[0].numbers();
    for (std::size_t i = 0; !numbers.empty() && i < rows.size(); ++i)
      abscissas.push_back(numbers[i % numbers.size()]);
  }



  std::vector<Measure>
  StudyTable::columns() const
  {
    // Errors first, each in the order in which the runs have them.
    std::vector<Measure> all;
    for (const bool of_errors : {true, false})
      for (const Row &row : rows)
        for (const Measure &measure : row.measures)
          if (measure.is_error == of_errors &&
              std::none_of(all.begin(), all.end(), [&](const Measure &other) {
                return other.name == measure.name;
              }))
            all.push_back(measure);
    return all;
  }



  double
  StudyTable::value(const std::size_t row, const std::string &name) const
  {
    for (const Measure &measure : rows[row].measures)
      if (measure.name == name)
        return measure.value;
    return not_a_number;
  }



  bool
  StudyTable::has_values(const std::string &name) const
  {
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (!std::isnan(value(row, name)))
        return true;
    return false;
  }



  bool
  StudyTable::has_errors_over_time() const
  {
    for (const Measure &column : columns())
      if (column.is_over_time && has_values(column.name))
        return true;
    return false;
  }



  double
  StudyTable::true_error(const std::size_t row, const std::string &name) const
  {
    for (const Measure &measure : rows[row].measures)
      if (measure.name == name && measure.value > measure.round_off)
        return measure.value;
    return not_a_number;
  }



  bool
  StudyTable::are_on_one_curve(const std::size_t row,
                               const std::size_t other) const
  {
    return std::equal(rows[row].values.begin() + 1,
                      rows[row].values.end(),
                      rows[other].values.begin() + 1);
  }



  std::vector<std::size_t>
  StudyTable::curve_from(const std::size_t row) const
  {
    if (row > 0 && are_on_one_curve(row - 1, row))
      return {};
    std::vector<std::size_t> members;
    for (std::size_t i = row; i < rows.size() && are_on_one_curve(row, i); ++i)
      members.push_back(i);
    return members;
  }



  double
  StudyTable::order(const std::size_t row, const std::string &error) const
  {
    // Rows without this error are stepped over.
    if (has_orders && !std::isnan(true_error(row, error)))
      for (std::size_t i = row; i > 0 && are_on_one_curve(i - 1, row); --i)
        if (const double before = true_error(i - 1, error); !std::isnan(before))
          return sign * slope(abscissas[i - 1],
                              before,
                              abscissas[row],
                              true_error(row, error));
    return not_a_number;
  }



  double
  StudyTable::order_of_curve(const std::size_t  row,
                             const std::string &error) const
  {
    std::vector<double> x, y;
    for (std::size_t i = 0; has_orders && i < abscissas.size(); ++i)
      if (are_on_one_curve(i, row))
        {
          x.push_back(abscissas[i]);
          y.push_back(true_error(i, error));
        }
    return sign * slope(x, y);
  }



  std::vector<std::string>
  StudyTable::printed_orders(const std::size_t row) const
  {
    const bool ends_curve =
      row + 1 == rows.size() || !are_on_one_curve(row, row + 1);
    if (!has_orders || !ends_curve || variations[0].values.size() < 3)
      return {};
    std::vector<std::string> line(variations.size());
    line[0] = "least squares";
    for (const Measure &column : columns())
      if (column.is_error && has_values(column.name))
        line.insert(line.end(),
                    {"", printed_order(order_of_curve(row, column.name))});
    return line;
  }



  namespace
  {
    /// In the place of numbers; the reason is not repeated.
    std::string
    text_of_failure(const StudyTable::Row &row, const bool is_repeated)
    {
      return row.code == static_cast<int>(ExitCode::stopped) ? row.message :
             is_repeated                                     ? "failed" :
                           "failed with code " + std::to_string(row.code) +
                             ": " + row.message;
    }
  } // namespace



  std::vector<std::vector<std::string>>
  StudyTable::printed_cells(const bool of_errors, const bool is_second) const
  {
    auto all = columns();
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [&](const Measure &column) {
                               return column.is_error != of_errors ||
                                      (of_errors && !has_values(column.name));
                             }),
              all.end());
    if (all.empty())
      return {};
    const bool                            with_orders = of_errors && has_orders;
    std::vector<std::vector<std::string>> cells(2);
    for (const Variation &variation : variations)
      cells[0].push_back(variation.entry());
    cells[1].resize(variations.size());
    for (const Measure &column : all)
      {
        cells[0].push_back(
          with_spaces(of_errors ? subject(column.name) : column.name));
        cells[1].push_back("in " + column.unit);
        if (with_orders)
          {
            cells[0].push_back("order");
            cells[1].push_back("");
          }
      }
    for (std::size_t row = 0; row < rows.size(); ++row)
      {
        cells.push_back(rows[row].values);
        if (rows[row].measures.empty())
          cells.back().push_back(text_of_failure(rows[row], is_second));
        else
          for (const Measure &column : all)
            {
              cells.back().push_back(printed(value(row, column.name)));
              if (with_orders)
                cells.back().push_back(printed_order(order(row, column.name)));
            }
        if (const auto line = printed_orders(row); with_orders && !line.empty())
          cells.push_back(line);
      }
    return cells;
  }



  namespace
  {
    /// The first columns to the left, the others to the right. A text in the
    /// place of all other columns is not aligned.
    void
    print_aligned(const std::vector<std::vector<std::string>> &cells,
                  const std::size_t                            n_left,
                  std::ostream                                &out)
    {
      std::vector<std::size_t> width(cells[0].size());
      const auto               n_aligned = [&](const auto &line) {
        const bool has_text =
          line.size() == n_left + 1 &&
          (line.back().compare(0, 6, "failed") == 0 ||
           line.back() == "stopped" || line.back() == "not started");
        return line.size() - has_text;
      };
      for (const auto &line : cells)
        for (std::size_t i = 0; i < n_aligned(line); ++i)
          width[i] = std::max(width[i], line[i].size());
      for (const auto &line : cells)
        {
          std::string text;
          for (std::size_t i = 0; i < line.size(); ++i)
            {
              const std::string spaces(
                i < n_aligned(line) ? width[i] - line[i].size() : 0, ' ');
              text += "  " + (i < n_left ? line[i] + spaces : spaces + line[i]);
            }
          out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
        }
    }
  } // namespace



  void
  StudyTable::print(std::ostream &out) const
  {
    bool is_second = false;
    for (const bool of_errors : {true, false})
      if (const auto cells = printed_cells(of_errors, is_second);
          !cells.empty())
        {
          is_second = true;
          out << (of_errors ? "Errors\n" : "Runs\n");
          print_aligned(cells, variations.size(), out);
        }
  }



  std::string
  StudyTable::csv() const
  {
    const auto               all = columns();
    std::vector<std::string> names, units;
    for (const Variation &variation : variations)
      {
        names.push_back(csv_field(variation.path));
        units.push_back("as given");
      }
    for (const Measure &column : all)
      {
        names.push_back(column.name);
        units.push_back(column.unit);
        if (column.is_error)
          {
            names.push_back("order_" + subject(column.name));
            units.push_back("1");
          }
      }
    names.insert(names.end(), {"exit_code", "message"});
    units.insert(units.end(), {"1", "text"});
    std::string text = join(names, ",") + "\n# " + join(units, ",") + '\n';
    for (std::size_t row = 0; row < rows.size(); ++row)
      {
        std::string line;
        for (const std::string &field : rows[row].values)
          line += csv_field(field) + ',';
        for (const Measure &column : all)
          {
            line += csv_field(value(row, column.name)) + ',';
            if (column.is_error)
              line += csv_field(order(row, column.name)) + ',';
          }
        text += line + std::to_string(rows[row].code) + ',' +
                csv_field(rows[row].message) + '\n';
      }
    return text;
  }



  void
  StudyTable::add_guides(Panel &panel) const
  {
    std::vector<std::pair<double, double>> points;
    for (const Curve &curve : panel.curves)
      for (std::size_t i = 0; i < curve.x.size(); ++i)
        points.emplace_back(curve.x[i], curve.y[i]);
    const auto [left, right] =
      std::minmax_element(points.begin(), points.end());
    const double coarse = sign > 0 ? right->first : left->first;
    const double fine   = sign > 0 ? left->first : right->first;
    double       start  = 0;
    for (const auto &[x, y] : points)
      if (x == coarse)
        start = std::max(start, y);
    for (const unsigned int order : {1u, 2u})
      panel.curves.push_back(
        {"order " + std::to_string(order),
         {coarse, fine},
         {start, start * std::pow(fine / coarse, sign * order)},
         Curve::Style::guide,
         order - 1});
  }



  std::string
  StudyTable::curve_label(const std::size_t row) const
  {
    std::vector<std::string> parts;
    for (std::size_t i = 1; i < variations.size(); ++i)
      parts.push_back(
        (variations[i].numbers().empty() ? "" : variations[i].entry() + " = ") +
        rows[row].values[i]);
    return join(parts);
  }



  std::vector<Curve>
  StudyTable::curves(const std::string &error) const
  {
    std::vector<Curve> all;
    for (std::size_t row = 0; row < rows.size(); ++row)
      {
        Curve curve;
        for (const std::size_t i : curve_from(row))
          if (true_error(i, error) > 0)
            {
              curve.x.push_back(abscissas[i]);
              curve.y.push_back(true_error(i, error));
            }
        if (curve.x.empty())
          continue;
        curve.label  = curve_label(row);
        curve.style  = Curve::Style::line_with_points;
        curve.colour = static_cast<unsigned int>(all.size());
        all.push_back(curve);
      }
    return all;
  }



  Figure
  StudyTable::figure(const std::string &norm) const
  {
    Figure figure;
    if (abscissas.empty() || variations[0].values.size() < 2)
      return figure;
    const std::vector<double> tics = variations[0].numbers();
    const auto [least, most]    = std::minmax_element(tics.begin(), tics.end());
    const bool   is_logarithmic = *least > 0;
    const double margin         = 0.03 * (*most - *least);
    for (const Measure &column : columns())
      {
        if (!column.is_error)
          continue;
        Panel panel;
        panel.title   = with_spaces(subject(column.name));
        panel.x_label = variations[0].entry();
        if (variations[0].path == step_size)
          panel.x_label += " in s";
        panel.y_label =
          (column.is_over_time ? norm + " error in " : "error in ") +
          column.unit;
        panel.x_is_logarithmic = is_logarithmic;
        panel.y_is_logarithmic = true;
        panel.curves           = curves(column.name);
        if (panel.curves.empty())
          continue;
        if (has_orders)
          add_guides(panel);
        if (is_logarithmic)
          panel.x_tics = tics;
        else
          panel.x_range = {*least - margin, *most + margin};
        figure.panels.push_back(panel);
      }
    return figure;
  }
} // namespace Percuss
