// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>
#include <percuss/driver/compare.h>
#include <percuss/driver/run_folder.h>
#include <percuss/driver/series.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>
#include <sstream>

namespace Percuss
{
  namespace
  {
    /// They tell how hard the solvers worked, not what the structure did.
    const std::set<std::string> left_out = {"iterations", "residual"};

    std::string
    text(const double number)
    {
      std::ostringstream stream;
      stream << std::setprecision(4) << number;
      return stream.str();
    }

    double
    last_time(const CsvContents &table)
    {
      return table["time"].empty() ? 0 : table["time"].back();
    }

    /// Prints the differences of one table; returns whether all are small.
    bool
    print(const std::string &name,
          const CsvContents &first,
          const CsvContents &second,
          const double       tolerance,
          std::ostream      &out)
    {
      std::vector<std::string> only[2];
      const auto differences = compare_tables(first, second, only[0], only[1]);
      bool       is_small    = true;
      out << name << ".csv: " << first.numbers.at(0).size() << " and "
          << second.numbers.at(0).size() << " rows\n";
      for (const ColumnDifference &column : differences)
        {
          const bool is_good = column.relative <= tolerance;
          is_small           = is_small && is_good;
          out << "  " << std::left << std::setw(26) << column.name
              << std::setw(14) << text(column.absolute) << text(column.relative)
              << (is_good ? "" : "  differs") << '\n';
        }
      for (unsigned int i = 0; i < 2; ++i)
        if (!only[i].empty())
          out << "  only in the " << (i == 0 ? "first" : "second")
              << " folder: " << join(only[i]) << '\n';
      const bool is_whole = last_time(first) == last_time(second) ||
                            std::abs(last_time(first) - last_time(second)) <
                              1e-9 * last_time(first);
      if (!is_whole)
        out << "  the tables end at different times: " << last_time(first)
            << " s and " << last_time(second) << " s\n";
      return is_small && is_whole && only[0].empty() && only[1].empty();
    }
  } // namespace



  namespace
  {
    /// Columns that are all below this are zero, and compared absolutely.
    constexpr double round_off = 1e-12;

    /// The largest number of the columns with the unit of this one: energies
    /// are compared with the largest of them, lest the round-off of a small one
    /// counts. Columns without a unit stand for themselves.
    double
    largest_of_unit(const CsvContents      &first,
                    const CsvContents      &second,
                    const CsvTable::Column &like)
    {
      double largest = 0;
      for (const CsvContents *const table : {&first, &second})
        for (std::size_t i = 0; i < table->columns.size(); ++i)
          if (table->columns[i].second == like.second &&
              (like.second != "1" || table->columns[i].first == like.first))
            for (const double number : table->numbers[i])
              largest = std::max(largest, std::abs(number));
      return largest;
    }
  } // namespace



  std::vector<ColumnDifference>
  compare_tables(const CsvContents        &first,
                 const CsvContents        &second,
                 std::vector<std::string> &only_first,
                 std::vector<std::string> &only_second)
  {
    std::vector<ColumnDifference> differences;
    for (const auto &column : second.columns)
      if (first.find(column.first) == nullptr)
        only_second.push_back(column.first);
    const std::vector<double> &time = first["time"];
    for (std::size_t i = 0; i < first.columns.size(); ++i)
      {
        const std::string &name = first.columns[i].first;
        if (name == "time" || left_out.count(name) > 0)
          continue;
        const std::vector<double> *const other = second.find(name);
        if (other == nullptr)
          {
            only_first.push_back(name);
            continue;
          }
        ColumnDifference difference;
        difference.name = name;
        difference.absolute =
          difference_norm("max",
                          first.numbers[i],
                          interpolate(second["time"], *other, time));
        const double largest = largest_of_unit(first, second, first.columns[i]);
        difference.relative  = largest > round_off ?
                                 difference.absolute / largest :
                                 difference.absolute;
        differences.push_back(difference);
      }
    return differences;
  }



  ExitCode
  compare_command(const std::string &first,
                  const std::string &second,
                  const double       tolerance,
                  std::ostream      &out)
  {
    const RunFolder runs[2] = {RunFolder(first), RunFolder(second)};
    out << "Largest differences, absolute and relative to the largest number "
           "with the same unit\n";
    bool is_small = true;
    for (const std::string name : {"energy", "contacts", "probes"})
      {
        const auto a = runs[0].table(name), b = runs[1].table(name);
        if (a && b)
          is_small = print(name, *a, *b, tolerance, out) && is_small;
        else if (a || b)
          {
            out << name << ".csv: only in " << (a ? first : second) << '\n';
            is_small = false;
          }
      }
    out << (is_small ? "Alike: all are below " :
                       "Different: not all are below ")
        << text(tolerance) << ".\n";
    return is_small ? ExitCode::done : ExitCode::invariant;
  }
} // namespace Percuss
