// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <array>
#include <string>
#include <vector>

namespace Percuss
{
  /// A mesh of quadrilaterals in the plane or of hexahedra in space, read from
  /// a file and found to be good: no cell is inverted or there twice, each face
  /// has one or two cells, each node a cell, and no two nodes one place.
  struct MeshFile
  {
    using Node = std::array<double, 3>;

    struct Element
    {
      /// Around a quadrilateral with the inside on the left; of a hexahedron
      /// around the bottom, seen from above, then the top above it.
      std::array<unsigned int, 8> nodes;
      unsigned int                group; ///< in `volumes` or `sides`

      template <class Archive>
      void
      serialize(Archive &archive, const unsigned int)
      {
        archive &nodes &group;
      }
    };

    /// All names that some elements have, none for those without.
    using Group = std::vector<std::string>;

    std::vector<Node>    nodes; ///< in units of the file
    std::vector<Element> cells;
    std::vector<Element> faces; ///< with names, at the boundary
    std::vector<Group>   volumes, sides;

    /// The names in some groups, each once, in alphabetical order.
    static std::vector<std::string>
    names(const std::vector<Group> &groups);

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int)
    {
      archive &nodes &cells &faces &volumes &sides;
    }
  };

  /// Reads gmsh's .msh of version 2.2 or 4.1, or Abaqus' .inp, as text.
  /// @throws Error with ExitCode::mesh, the file and the line
  MeshFile
  read_mesh_file(const std::string &file_name, unsigned int dim);

  /// The same for the contents of a file.
  MeshFile
  parse_mesh(const std::string &text,
             const std::string &file_name,
             unsigned int       dim);
} // namespace Percuss
