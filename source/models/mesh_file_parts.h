// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh_file.h"

namespace Percuss
{
  /// The lines of a text, with words and numbers; what is wrong is said with
  /// the file and the line.
  class MeshLines
  {
  public:
    MeshLines(const std::string &text, const std::string &file_name);

    /// Goes to the next line that is not blank; false where none is left.
    bool
    next();

    /// The same; @throws Error where none is left, that @p what is missing
    void
    require_next(const std::string &what);

    /// Without blanks around it.
    std::string_view
    line() const
    {
      return present;
    }

    unsigned int
    number() const
    {
      return line_number;
    }

    /// The words of the line between blanks, or commas; @throws Error where
    /// their number is below @p n_least.
    const std::vector<std::string_view> &
    words(const std::string &what, std::size_t n_least, char separator = ' ');

    std::uint64_t
    whole(std::string_view word, const std::string &what) const;
    double
    real(std::string_view word, const std::string &what) const;

    /// A number of things that have a line each, which the rest of the file
    /// can hold.
    std::uint64_t
    count(std::string_view word, const std::string &what) const;

    [[noreturn]] void
    fail(const std::string &what) const;
    [[noreturn]] void
    fail(const std::string &what, unsigned int line) const;

  private:
    const std::string            &text;
    const std::string             file_name;
    std::size_t                   position    = 0;
    unsigned int                  line_number = 0;
    std::string_view              present;
    std::vector<std::string_view> split;
  };



  /// A word of a file for a message: cut, and without control characters.
  std::string
  in_quotes(std::string_view word);



  /// What a file holds, before it is checked.
  struct RawMesh
  {
    static constexpr unsigned int none =
      std::numeric_limits<unsigned int>::max();

    struct Element
    {
      std::array<unsigned int, 8> nodes;
      unsigned int                name; ///< in `names`, or none
      unsigned int                line;
    };

    /// The number of a name.
    unsigned int
    find_name(const std::string &name);

    std::vector<MeshFile::Node> nodes;
    std::vector<unsigned int>   lines_of_nodes;
    std::vector<std::string>    names;
    std::vector<Element>        cells, faces;
    /// Whose faces at the boundary, with all their nodes in the set, are sides.
    std::vector<std::pair<unsigned int, std::vector<unsigned int>>> node_sets;
    std::vector<bool> has_use; ///< of nodes: some element of any kind has it
    /// Numbers of nodes in the file.
    std::unordered_map<std::uint64_t, unsigned int> numbers;

    void
    add_node(std::uint64_t         number,
             const MeshFile::Node &place,
             const MeshLines      &lines);

    /// The node with a number of the file.
    unsigned int
    node(std::uint64_t number, const MeshLines &lines);
  };

  /// What an element of a file is in a mesh of some dimension.
  enum class ElementUse
  {
    cell,
    face,
    ignored
  };

  /// The nodes of the faces of a cell, seen from outside, in Abaqus' order; two
  /// of each face in the plane.
  const std::vector<std::array<unsigned int, 4>> &
  faces_of_cell(unsigned int dim);

  RawMesh
  read_gmsh(MeshLines &lines, unsigned int dim);
  RawMesh
  read_abaqus(MeshLines &lines, unsigned int dim);

  /// Checks all, and joins what the file names several times.
  MeshFile
  check_mesh(RawMesh &raw, const MeshLines &lines, unsigned int dim);
} // namespace Percuss
