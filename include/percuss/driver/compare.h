// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>
#include <percuss/output/csv_table.h>

#include <ostream>
#include <string>
#include <vector>

namespace Percuss
{
  /// How far a column of two tables differs.
  struct ColumnDifference
  {
    std::string name;
    double      absolute = 0; ///< the largest difference
    /// Divided by the largest number of the column, where there is one that is
    /// not zero.
    double relative = 0;
  };

  /// The columns that two tables have in common, at the times of the first; the
  /// second one is interpolated. Columns about the work of solvers are left
  /// out. Names of those that only one table has go to @p only_first and
  /// @p only_second. Where the tables have no times in common, a difference is
  /// nan.
  std::vector<ColumnDifference>
  compare_tables(const CsvContents        &first,
                 const CsvContents        &second,
                 std::vector<std::string> &only_first,
                 std::vector<std::string> &only_second);

  /// Compares two folders of results and prints what differs.
  /// @returns ExitCode::invariant unless all differences are below
  /// @p tolerance
  /// @throws Error with ExitCode::io where a folder is missing
  ExitCode
  compare_command(const std::string &first,
                  const std::string &second,
                  double             tolerance,
                  std::ostream      &out);
} // namespace Percuss
