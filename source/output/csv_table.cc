// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/output/csv_table.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

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



  std::vector<std::pair<std::string, std::vector<double>>>
  read_csv(const std::filesystem::path &path)
  {
    std::vector<std::pair<std::string, std::vector<double>>> columns;
    std::istringstream stream(Files::read(path));
    std::string        line;
    std::getline(stream, line);
    std::istringstream names(line);
    for (std::string name; std::getline(names, name, ',');)
      columns.push_back({name, {}});
    while (std::getline(stream, line))
      {
        if (line.empty() || line[0] == '#')
          continue;
        const char *position = line.data(), *end = position + line.size();
        for (auto &column : columns)
          {
            double     number = 0;
            const auto result = std::from_chars(position, end, number);
            if (result.ec != std::errc())
              throw Error(ExitCode::io,
                          "the table '" + path.string() +
                            "' has a damaged line: " + line);
            column.second.push_back(number);
            position = result.ptr + (result.ptr < end ? 1 : 0);
          }
      }
    return columns;
  }
} // namespace Percuss
