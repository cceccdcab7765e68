// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/output/csv_table.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

namespace Percuss
{
  namespace
  {
    constexpr std::size_t buffer_size = 1 << 16;

    [[noreturn]] void
    fail(const std::string &what, const std::filesystem::path &path)
    {
      throw Error(ExitCode::io,
                  what + " '" + path.string() + "': " + std::strerror(errno) +
                    ".");
    }
  } // namespace



  CsvTable::CsvTable(const std::filesystem::path &path,
                     const std::vector<Column>   &columns)
    : path(path)
    , file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644))
  {
    if (file < 0)
      fail("cannot create", path);
    std::string units = "# ";
    for (const auto &[name, unit] : columns)
      {
        buffer += (buffer.empty() ? "" : ",") + name;
        units += (units.size() == 2 ? "" : ",") + unit;
      }
    buffer += '\n' + units + '\n';
    flush();
  }



  CsvTable::CsvTable(const std::filesystem::path &path,
                     const std::uint64_t          n_bytes)
    : path(path)
    , file(::open(path.c_str(), O_WRONLY | O_CLOEXEC))
    , n_bytes_written(n_bytes)
  {
    struct stat status = {};
    if (file < 0 || ::fstat(file, &status) != 0)
      fail("cannot open", path);
    if (static_cast<std::uint64_t>(status.st_size) < n_bytes)
      throw Error(ExitCode::io,
                  "the table '" + path.string() +
                    "' is shorter than the checkpoint says.");
    if (::ftruncate(file, static_cast<off_t>(n_bytes)) != 0 ||
        ::lseek(file, 0, SEEK_END) < 0)
      fail("cannot cut", path);
  }



  CsvTable::~CsvTable()
  {
    if (file < 0)
      return;
    // Rows of a run that ends by an error are kept where that is possible.
    try
      {
        flush();
      }
    catch (const Error &)
      {
        buffer.clear();
      }
    ::close(file);
  }



  void
  CsvTable::add_row(const std::vector<double> &numbers)
  {
    char text[32];
    for (std::size_t i = 0; i < numbers.size(); ++i)
      {
        if (i > 0)
          buffer += ',';
        const auto end = std::to_chars(text, text + sizeof(text), numbers[i]);
        buffer.append(text, end.ptr);
      }
    buffer += '\n';
    if (buffer.size() > buffer_size)
      flush();
  }



  void
  CsvTable::flush()
  {
    std::size_t position = 0;
    while (position < buffer.size())
      {
        const ssize_t n =
          ::write(file, buffer.data() + position, buffer.size() - position);
        if (n < 0 && errno == EINTR)
          continue;
        if (n < 0)
          {
            buffer.clear();
            fail("cannot write", path);
          }
        position += static_cast<std::size_t>(n);
      }
    n_bytes_written += buffer.size();
    buffer.clear();
  }



  const std::vector<double> &
  CsvContents::operator[](const std::string &name) const
  {
    const std::vector<double> *const found = find(name);
    if (found == nullptr)
      throw Error(ExitCode::io,
                  "the table '" + path.string() + "' has no column '" + name +
                    "'.");
    return *found;
  }



  const std::vector<double> *
  CsvContents::find(const std::string &name) const
  {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].first == name)
        return &numbers[i];
    return nullptr;
  }



  namespace
  {
    /// The fields between the commas of a line, white space around them left
    /// out.
    std::vector<std::string>
    split_line(const std::string_view line)
    {
      std::vector<std::string> fields(1);
      for (const char c : line)
        if (c == ',')
          fields.emplace_back();
        else if (c != ' ' || !fields.back().empty())
          fields.back() += c;
      return fields;
    }

    /// Adds the numbers of a line; returns whether there is one for each
    /// column and nothing else.
    bool
    read_numbers(const std::string_view            line,
                 std::vector<std::vector<double>> &numbers)
    {
      const char *position = line.data(), *const end = position + line.size();
      for (std::size_t i = 0; i < numbers.size(); ++i)
        {
          if (i > 0 && (position == end || *position++ != ','))
            return false;
          double     number = 0;
          const auto result = std::from_chars(position, end, number);
          if (result.ec != std::errc())
            return false;
          numbers[i].push_back(number);
          position = result.ptr;
        }
      return position == end;
    }
  } // namespace



  CsvContents
  read_csv_with_units(const std::filesystem::path &path)
  {
    const std::string text = Files::read(path);
    CsvContents       contents;
    contents.path                  = path;
    const std::string_view all     = text;
    std::size_t            n_lines = 0;
    for (std::size_t begin = 0; begin < all.size(); ++n_lines)
      {
        const std::size_t end  = std::min(all.find('\n', begin), all.size());
        std::string_view  line = all.substr(begin, end - begin);
        if (!line.empty() && line.back() == '\r')
          line.remove_suffix(1);
        begin = end + 1;
        if (n_lines == 0)
          for (const std::string &name : split_line(line))
            contents.columns.emplace_back(name, "");
        contents.numbers.resize(contents.columns.size());
        if (n_lines == 1 && line.substr(0, 1) == "#")
          {
            const auto units = split_line(line.substr(1));
            for (std::size_t i = 0;
                 i < std::min(units.size(), contents.columns.size());
                 ++i)
              contents.columns[i].second = units[i];
          }
        if (n_lines == 0 || line.empty() || line[0] == '#')
          continue;
        if (!read_numbers(line, contents.numbers))
          throw Error(ExitCode::io,
                      "the table '" + path.string() +
                        "' has a damaged line: " + std::string(line));
      }
    return contents;
  }



  std::vector<std::pair<std::string, std::vector<double>>>
  read_csv(const std::filesystem::path &path)
  {
    CsvContents contents = read_csv_with_units(path);
    std::vector<std::pair<std::string, std::vector<double>>> columns;
    for (std::size_t i = 0; i < contents.columns.size(); ++i)
      columns.emplace_back(contents.columns[i].first,
                           std::move(contents.numbers[i]));
    return columns;
  }
} // namespace Percuss
