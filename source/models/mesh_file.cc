// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "mesh_file.h"

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "mesh_file_parts.h"

namespace Percuss
{
  namespace
  {
    constexpr std::string_view blanks = " \t\r\f\v";

    std::string_view
    trimmed(const std::string_view text)
    {
      const std::size_t first = text.find_first_not_of(blanks);
      if (first == std::string_view::npos)
        return {};
      return text.substr(first, text.find_last_not_of(blanks) - first + 1);
    }
  } // namespace



  std::string
  in_quotes(const std::string_view word)
  {
    constexpr std::size_t longest = 40;
    std::string           text(word.substr(0, longest));
    for (char &c : text)
      if (const auto code = static_cast<unsigned char>(c);
          code < 0x20 || code == 0x7f)
        c = '?';
    return "'" + text + (word.size() > longest ? "..." : "") + "'";
  }



  MeshLines::MeshLines(const std::string &text, const std::string &file_name)
    : text(text)
    , file_name(file_name)
    , position(text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0)
  {}



  bool
  MeshLines::next()
  {
    while (position < text.size())
      {
        const std::size_t end =
          std::min(text.find('\n', position), text.size());
        present =
          trimmed(std::string_view(text).substr(position, end - position));
        position = end + 1;
        ++line_number;
        if (!present.empty())
          return true;
      }
    present = {};
    return false;
  }



  void
  MeshLines::require_next(const std::string &what)
  {
    if (!next())
      fail("the file ends before " + what + ". Is it complete?");
  }



  const std::vector<std::string_view> &
  MeshLines::words(const std::string &what,
                   const std::size_t  n_least,
                   const char         separator)
  {
    split.clear();
    if (separator != ' ')
      for (std::string_view rest = present; !rest.empty();)
        {
          const std::size_t end = std::min(rest.find(separator), rest.size());
          split.push_back(trimmed(rest.substr(0, end)));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    else
      for (std::size_t at = 0; at < present.size();)
        {
          const std::size_t end =
            std::min(present.find_first_of(blanks, at), present.size());
          split.push_back(present.substr(at, end - at));
          at = std::min(present.find_first_not_of(blanks, end), present.size());
        }
    if (split.size() < n_least)
      fail(what + " needs " + std::to_string(n_least) + " words, and " +
           in_quotes(present) + " has " + std::to_string(split.size()) + ".");
    return split;
  }



  std::uint64_t
  MeshLines::whole(const std::string_view word, const std::string &what) const
  {
    std::uint64_t number = 0;
    const auto    result =
      std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || result.ec != std::errc() ||
        result.ptr != word.data() + word.size())
      fail(what + " is " + in_quotes(word) + ", not a whole number.");
    return number;
  }



  double
  MeshLines::real(std::string_view word, const std::string &what) const
  {
    if (!word.empty() && word[0] == '+')
      word.remove_prefix(1);
    double     number = 0;
    const auto result =
      std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || result.ec != std::errc() ||
        result.ptr != word.data() + word.size())
      fail(what + " is " + in_quotes(word) + ", not a number.");
    // The volume of a cell must be a number too.
    if (!(std::abs(number) < 1e30))
      fail(what + " is " + in_quotes(word) + ", which is no place.");
    return number;
  }



  std::uint64_t
  MeshLines::count(const std::string_view word, const std::string &what) const
  {
    const std::uint64_t number = whole(word, what);
    if (number > text.size() - std::min(position, text.size()))
      fail(what + " is " + in_quotes(word) +
           ", more than the rest of the file can hold.");
    return number;
  }



  void
  MeshLines::fail(const std::string &what) const
  {
    fail(what, line_number);
  }



  void
  MeshLines::fail(const std::string &what, const unsigned int line) const
  {
    throw Error(ExitCode::mesh,
                file_name + ":" + std::to_string(std::max(line, 1U)) + ": " +
                  what);
  }



  unsigned int
  RawMesh::find_name(const std::string &name)
  {
    const auto found = std::find(names.begin(), names.end(), name);
    const auto index = static_cast<unsigned int>(found - names.begin());
    if (found == names.end())
      names.push_back(name);
    return index;
  }



  void
  RawMesh::add_node(const std::uint64_t   number,
                    const MeshFile::Node &place,
                    const MeshLines      &lines)
  {
    const auto next = static_cast<unsigned int>(nodes.size());
    if (!numbers.emplace(number, next).second)
      lines.fail("node " + std::to_string(number) +
                 " is there twice; the first is in line " +
                 std::to_string(lines_of_nodes[numbers.at(number)]) + ".");
    nodes.push_back(place);
    lines_of_nodes.push_back(lines.number());
    has_use.push_back(false);
  }



  unsigned int
  RawMesh::node(const std::uint64_t number, const MeshLines &lines)
  {
    const auto found = numbers.find(number);
    if (found == numbers.end())
      lines.fail("there is no node " + std::to_string(number) + ".");
    has_use[found->second] = true;
    return found->second;
  }



  std::vector<std::string>
  MeshFile::names(const std::vector<Group> &groups)
  {
    std::set<std::string> result;
    for (const Group &group : groups)
      result.insert(group.begin(), group.end());
    return {result.begin(), result.end()};
  }



  const std::vector<std::array<unsigned int, 4>> &
  faces_of_cell(const unsigned int dim)
  {
    using Faces                 = std::vector<std::array<unsigned int, 4>>;
    static const Faces in_plane = {{{0, 1, 0, 0}},
                                   {{1, 2, 0, 0}},
                                   {{2, 3, 0, 0}},
                                   {{3, 0, 0, 0}}};
    static const Faces in_space = {{{0, 3, 2, 1}},
                                   {{4, 5, 6, 7}},
                                   {{0, 1, 5, 4}},
                                   {{1, 2, 6, 5}},
                                   {{2, 3, 7, 6}},
                                   {{3, 0, 4, 7}}};
    return dim == 2 ? in_plane : in_space;
  }



  MeshFile
  parse_mesh(const std::string &text,
             const std::string &file_name,
             const unsigned int dim)
  {
    MeshLines lines(text, file_name);
    lines.require_next("its first line");
    const bool is_gmsh = lines.line()[0] == '$';
    if (!is_gmsh && text.find('\0') != std::string::npos)
      lines.fail("this is no text. Save meshes as text (ASCII), not binary.");
    if (!is_gmsh && lines.line()[0] != '*')
      lines.fail("this is neither a mesh of gmsh, whose first line is "
                 "$MeshFormat, nor an input file of Abaqus, whose first line "
                 "begins with *.");
    RawMesh raw = is_gmsh ? read_gmsh(lines, dim) : read_abaqus(lines, dim);
    return check_mesh(raw, lines, dim);
  }



  MeshFile
  read_mesh_file(const std::string &file_name, const unsigned int dim)
  {
    std::error_code error;
    if (!std::filesystem::exists(file_name, error))
      throw Error(ExitCode::mesh,
                  "the mesh '" + file_name +
                    "' does not exist. Names of meshes are relative to the "
                    "folder of the parameter file.");
    if (!std::filesystem::is_regular_file(file_name, error))
      throw Error(ExitCode::mesh, "the mesh '" + file_name + "' is no file.");
    std::string text;
    try
      {
        text = Files::read(file_name);
      }
    catch (const Error &reason)
      {
        throw Error(ExitCode::mesh, reason.what());
      }
    return parse_mesh(text, file_name, dim);
  }
} // namespace Percuss
