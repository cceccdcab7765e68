// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// A table of numbers on the disk: one line of names, one comment line of
  /// units, then rows. Numbers are written with as many digits as it takes to
  /// read back the same value. Rows are buffered; flush() puts them on the
  /// disk or throws an Error with ExitCode::io.
  class CsvTable
  {
  public:
    using Column = std::pair<std::string, std::string>; ///< name and unit

    /// A new table, which replaces an old one.
    CsvTable(const std::filesystem::path &path,
             const std::vector<Column>   &columns);

    /// An existing table, cut to its first @p n_bytes.
    CsvTable(const std::filesystem::path &path, std::uint64_t n_bytes);

    CsvTable(const CsvTable &) = delete;
    CsvTable &
    operator=(const CsvTable &) = delete;
    ~CsvTable();

    void
    add_row(const std::vector<double> &numbers);

    void
    flush();

    /// Bytes on the disk after flush().
    std::uint64_t
    size() const
    {
      return n_bytes_written;
    }

  private:
    std::filesystem::path path;
    int                   file            = -1;
    std::uint64_t         n_bytes_written = 0;
    std::string           buffer;
  };

  /// A table as it was read.
  struct CsvContents
  {
    std::filesystem::path            path;
    std::vector<CsvTable::Column>    columns;
    std::vector<std::vector<double>> numbers; ///< by column

    /// A column by its name, or null.
    const std::vector<double> *
    find(const std::string &name) const;

    /// @throws Error with ExitCode::io where there is no such column
    const std::vector<double> &
    operator[](const std::string &name) const;
  };

  /// @throws Error with ExitCode::io where the file cannot be read or a line
  /// is damaged
  CsvContents
  read_csv_with_units(const std::filesystem::path &path);

  /// The numbers of a table, by column name.
  std::vector<std::pair<std::string, std::vector<double>>>
  read_csv(const std::filesystem::path &path);
} // namespace Percuss
