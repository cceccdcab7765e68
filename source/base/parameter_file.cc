// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/parameter_file.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace Percuss
{
  namespace
  {
    namespace fs = std::filesystem;

    /// Entries called 'file' name files relative to @p folder; the complete
    /// names mean the same in the parameters.prm of a run.
    std::string
    absolute_name(const fs::path &folder, const std::string &name)
    {
      return name.empty() ?
               name :
               fs::absolute(folder / name).lexically_normal().string();
    }

    /// One pass over a file and the files it includes.
    class Scanner
    {
    public:
      std::vector<Assignment> assignments;

      void
      read(const std::string &file_name, const std::string &included_from = "");

    private:
      struct OpenSection
      {
        std::string name;
        std::string origin;
      };

      void
      refuse_control_characters(std::string statement) const;
      void
      execute(const std::string &statement);
      void
      execute_set(const std::string &statement);
      void
      execute_include(const std::string &name);
      void
      execute_end();

      /// "model/bar", or nothing at the top level.
      std::string
      present_section() const
      {
        std::vector<std::string> names;
        for (const OpenSection &section : open_sections)
          names.push_back(section.name);
        return join(names, "/");
      }

      /// Of the file being read, see Assignment.
      unsigned int
      present_depth() const
      {
        return static_cast<unsigned int>(open_files.size());
      }

      [[noreturn]] void
      fail(const std::string &message) const
      {
        throw Error(ExitCode::usage, origin + ": " + message);
      }

      std::string              origin; ///< "file:line" of the statement
      fs::path                 folder; ///< of the file being read
      std::vector<fs::path>    open_files;
      std::vector<OpenSection> open_sections;
      std::size_t n_outer_sections = 0; ///< opened by including files
    };



    std::string
    without_comment(const std::string &line)
    {
      return dealii::Utilities::trim(line.substr(0, line.find('#')));
    }



    /// @throws Error where @p path is not a readable file.
    std::string
    contents(const fs::path &path, const std::string &where)
    {
      const auto fail = [&](const std::string &reason) {
        throw Error(ExitCode::usage,
                    where + "parameter file '" + path.string() + "' " + reason);
      };
      std::error_code error;
      if (!fs::exists(path, error))
        fail("does not exist.");
      if (fs::is_directory(path, error))
        fail("is a directory; name a file in it.");
      std::ifstream stream(path, std::ios::binary);
      std::string   text((std::istreambuf_iterator<char>(stream)),
                       std::istreambuf_iterator<char>());
      if (!stream.good() && !stream.eof())
        fail("cannot be read.");
      if (text.find('\0') != std::string::npos)
        fail("is not a text file.");
      if (text.compare(0, 3, "\xEF\xBB\xBF") == 0)
        text.erase(0, 3);
      return text;
    }



    void
    Scanner::read(const std::string &file_name,
                  const std::string &included_from)
    {
      const std::string where =
        included_from.empty() ? "" : included_from + ": ";
      const std::string text = contents(file_name, where);
      std::error_code   no_canonical;
      fs::path          canonical = fs::canonical(file_name, no_canonical);
      if (no_canonical) // a pipe, for example
        canonical = fs::absolute(file_name);
      if (std::count(open_files.begin(), open_files.end(), canonical) > 0)
        fail("'" + file_name + "' includes itself.");
      open_files.push_back(canonical);
      const fs::path outer_folder =
        std::exchange(folder, canonical.parent_path());
      const std::size_t outer_sections =
        std::exchange(n_outer_sections, open_sections.size());

      std::string  statement;
      unsigned int line_number = 0, first_line = 0;
      std::size_t  position = 0;
      while (position < text.size())
        {
          const std::size_t line_end =
            std::min(text.find('\n', position), text.size());
          std::string line =
            without_comment(text.substr(position, line_end - position));
          position = line_end + 1;
          ++line_number;
          if (statement.empty())
            first_line = line_number;
          const bool continued = !line.empty() && line.back() == '\\';
          if (continued)
            line = dealii::Utilities::trim(line.substr(0, line.size() - 1));
          statement += (statement.empty() || line.empty() ? "" : " ") + line;
          if (continued && position < text.size())
            continue;
          origin = file_name + ":" + std::to_string(first_line);
          refuse_control_characters(statement);
          if (!statement.empty())
            execute(std::exchange(statement, ""));
        }
      if (open_sections.size() > n_outer_sections)
        throw Error(ExitCode::usage,
                    open_sections.back().origin + ": section '" +
                      open_sections.back().name +
                      "' is never closed by 'end'.");
      open_files.pop_back();
      folder           = outer_folder;
      n_outer_sections = outer_sections;
    }



    void
    Scanner::refuse_control_characters(std::string statement) const
    {
      const auto is_control = [](const unsigned char c) {
        return c < 0x20 && c != '\t';
      };
      if (std::none_of(statement.begin(), statement.end(), is_control))
        return;
      std::replace_if(statement.begin(), statement.end(), is_control, '?');
      fail("'" + statement + "' holds a control character.");
    }



    void
    Scanner::execute(const std::string &statement)
    {
      const std::size_t blank   = statement.find_first_of(" \t");
      const std::string keyword = statement.substr(0, blank);
      const std::string rest =
        blank == std::string::npos ?
          "" :
          dealii::Utilities::trim(statement.substr(blank));
      if (keyword == "set")
        execute_set(rest);
      else if (keyword == "include")
        execute_include(rest);
      else if (keyword == "end" && rest.empty())
        execute_end();
      else if (keyword == "subsection" && !rest.empty())
        {
          open_sections.push_back({rest, origin});
          assignments.push_back(
            {present_section(), "", origin, true, present_depth()});
        }
      else
        fail(sentence(
               "cannot read '" + statement + "'" +
               did_you_mean(keyword, {"set", "subsection", "end", "include"})) +
             " A line is 'set ENTRY = VALUE', 'subsection NAME', 'end', "
             "'include FILE' or a comment after '#'.");
    }



    void
    Scanner::execute_set(const std::string &statement)
    {
      const std::size_t equal_sign = statement.find('=');
      if (equal_sign == std::string::npos)
        fail("'set " + statement + "' has no '='.");
      const std::string entry =
        dealii::Utilities::trim(statement.substr(0, equal_sign));
      if (entry.empty())
        fail("'set " + statement + "' names no entry.");
      const std::string section = present_section();
      const std::string value =
        dealii::Utilities::trim(statement.substr(equal_sign + 1));
      assignments.push_back(
        {section.empty() ? entry : section + "/" + entry,
         entry == "file" ? absolute_name(folder, value) : value,
         origin,
         false,
         present_depth()});
    }



    void
    Scanner::execute_include(const std::string &name)
    {
      if (name.empty())
        fail("'include' names no file.");
      const std::string outer_origin = origin;
      read((folder / name).string(), origin);
      origin = outer_origin;
    }



    void
    Scanner::execute_end()
    {
      if (open_sections.size() == n_outer_sections)
        fail("'end' without an open section.");
      open_sections.pop_back();
    }
  } // namespace



  std::vector<Assignment>
  read_parameter_file(const std::string &file_name)
  {
    Scanner scanner;
    scanner.read(file_name);
    return scanner.assignments;
  }



  std::vector<Assignment>
  read_parameter_file(const std::string &file_name, const MPI_Comm communicator)
  {
    std::pair<std::string, std::vector<Assignment>> result;
    if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
      try
        {
          result.second = read_parameter_file(file_name);
        }
      catch (const Error &error)
        {
          result.first = error.what();
        }
    result = dealii::Utilities::MPI::broadcast(communicator, result);
    if (!result.first.empty())
      throw Error(ExitCode::usage, result.first);
    return result.second;
  }



  Assignment
  parse_override(const std::string &text)
  {
    const std::size_t equal_sign = text.find('=');
    if (equal_sign == std::string::npos)
      throw Error(ExitCode::usage,
                  "--set \"" + text +
                    "\" has no '='; write --set \"section/entry=value\".");
    if (dealii::Utilities::trim(text.substr(0, equal_sign)).empty())
      throw Error(ExitCode::usage, "--set \"" + text + "\" names no entry.");
    const auto would_not_read_back = [](const unsigned char c) {
      return c < 0x20 || c == '#';
    };
    if (std::any_of(text.begin(), text.end(), would_not_read_back))
      throw Error(ExitCode::usage,
                  "--set: a value holds a control character or '#', which a "
                  "parameter file could not repeat.");
    const std::string path =
      dealii::Utilities::trim(text.substr(0, equal_sign));
    const std::string value =
      dealii::Utilities::trim(text.substr(equal_sign + 1));
    return {path,
            fs::path(path).filename() == "file" ? absolute_name("", value) :
                                                  value,
            "--set \"" + text + "\""};
  }
} // namespace Percuss
