// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <tuple>

#include "mesh_file_parts.h"

// What makes the elements of a file a mesh.

namespace Percuss
{
  namespace
  {
    using Node = MeshFile::Node;

    /// Corners of the reference cell.
    constexpr double corners[8][3] = {{0, 0, 0},
                                      {1, 0, 0},
                                      {1, 1, 0},
                                      {0, 1, 0},
                                      {0, 0, 1},
                                      {1, 0, 1},
                                      {1, 1, 1},
                                      {0, 1, 1}};

    /// Cells whose scaled Jacobian is smaller are flat.
    constexpr double smallest_jacobian = 1e-6;

    class MeshCheck
    {
    public:
      MeshCheck(RawMesh &raw, const MeshLines &lines, const unsigned int dim)
        : raw(raw)
        , lines(lines)
        , dim(dim)
        , n_corners(dim == 2 ? 4 : 8)
      {}

      MeshFile
      run();

    private:
      using Key     = std::array<unsigned int, 4>;
      using CellKey = std::array<unsigned int, 8>;

      /// A face of a cell.
      struct Face
      {
        Key          key;   ///< its nodes, ascending
        Key          cycle; ///< around it from the smallest one
        unsigned int cell;
      };

      void
      check_nodes() const;
      void
      find_duplicate_nodes(double offset) const;
      void
      check_plane() const;
      /// Turns cells that are all inside out, and refuses others.
      void
      check_cells();
      void
      join_cells();
      void
      make_faces();
      void
      check_neighbours(const Face &a, const Face &b) const;
      void
      name_faces();
      void
      name_node_sets();
      void
      add_names(std::size_t face, unsigned int name);
      void
      finish_faces();
      void
      number_nodes();

      /// det J / (|J_1| |J_2| |J_3|) at a point of the reference cell: 1 of a
      /// brick, 0 where edges are in one plane.
      double
      scaled_jacobian(const RawMesh::Element &cell, const double *xi) const;

      double
      worst_jacobian(const RawMesh::Element &cell) const;

      /// The nodes of a cell, ascending.
      CellKey
      key(const RawMesh::Element &cell) const;

      Face
      face(const unsigned int *nodes, unsigned int n, unsigned int cell) const;

      std::string
      place(const unsigned int *nodes, unsigned int n) const;

      double
      extent() const;

      static unsigned int
      group(std::vector<MeshFile::Group>   &groups,
            const std::vector<std::string> &names,
            const std::set<unsigned int>   &members);

      RawMesh                            &raw;
      const MeshLines                    &lines;
      const unsigned int                  dim, n_corners;
      MeshFile                            mesh;
      std::vector<unsigned int>           lines_of_cells;
      std::vector<Face>                   boundary; ///< by keys
      std::vector<Key>                    inside;   ///< ascending
      std::vector<std::set<unsigned int>> names_of_faces;
    };



    std::string
    text(const double number)
    {
      std::ostringstream stream;
      stream.precision(4);
      stream << number;
      return stream.str();
    }



    std::string
    MeshCheck::place(const unsigned int *const nodes,
                     const unsigned int        n) const
    {
      std::string result = "(";
      for (unsigned int d = 0; d < dim; ++d)
        {
          double sum = 0;
          for (unsigned int i = 0; i < n; ++i)
            sum += raw.nodes[nodes[i]][d] / n;
          result += (d > 0 ? ", " : "") + text(sum);
        }
      return result + ")";
    }



    double
    MeshCheck::extent() const
    {
      double result = 0;
      for (unsigned int d = 0; d < dim; ++d)
        {
          const auto [smallest, largest] =
            std::minmax_element(raw.nodes.begin(),
                                raw.nodes.end(),
                                [d](const Node &a, const Node &b) {
                                  return a[d] < b[d];
                                });
          result = std::max(result, (*largest)[d] - (*smallest)[d]);
        }
      return result;
    }



    double
    MeshCheck::scaled_jacobian(const RawMesh::Element &cell,
                               const double *const     xi) const
    {
      double J[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, dim == 2 ? 1. : 0.}};
      for (unsigned int i = 0; i < n_corners; ++i)
        for (unsigned int c = 0; c < dim; ++c)
          {
            double slope = 1;
            for (unsigned int d = 0; d < dim; ++d)
              slope *= d == c ? (corners[i][d] > 0 ? 1 : -1) :
                                (corners[i][d] > 0 ? xi[d] : 1 - xi[d]);
            for (unsigned int d = 0; d < dim; ++d)
              J[c][d] += slope * raw.nodes[cell.nodes[i]][d];
          }
      const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
      double lengths = 1;
      for (const auto &row : J)
        lengths *= std::hypot(row[0], row[1], row[2]);
      return lengths > 0 ? det / lengths : 0;
    }



    /// At the corners, the middle and between.
    double
    MeshCheck::worst_jacobian(const RawMesh::Element &cell) const
    {
      double             worst = 1;
      const unsigned int n_z   = dim == 2 ? 1 : 3;
      for (unsigned int i = 0; i < 3; ++i)
        for (unsigned int j = 0; j < 3; ++j)
          for (unsigned int k = 0; k < n_z; ++k)
            {
              const double xi[3] = {0.5 * i, 0.5 * j, 0.5 * k};
              worst              = std::min(worst, scaled_jacobian(cell, xi));
            }
      return worst;
    }



    MeshCheck::CellKey
    MeshCheck::key(const RawMesh::Element &cell) const
    {
      CellKey result = cell.nodes;
      std::fill(result.begin() + n_corners, result.end(), RawMesh::none);
      std::sort(result.begin(), result.end());
      return result;
    }



    void
    MeshCheck::check_cells()
    {
      for (RawMesh::Element &cell : raw.cells)
        {
          const CellKey nodes = key(cell);
          const auto    end   = nodes.begin() + n_corners;
          if (std::adjacent_find(nodes.begin(), end) != end)
            lines.fail("the cell has one node twice.", cell.line);
          const double middle[3] = {0.5, 0.5, 0.5};
          if (scaled_jacobian(cell, middle) < 0)
            {
              if (dim == 2)
                std::swap(cell.nodes[1], cell.nodes[3]);
              else
                std::swap_ranges(cell.nodes.begin(),
                                 cell.nodes.begin() + 4,
                                 cell.nodes.begin() + 4);
            }
          if (const double worst = worst_jacobian(cell);
              !(worst > smallest_jacobian))
            lines.fail("the cell at " + place(cell.nodes.data(), n_corners) +
                         " is inverted, twisted or flat: its scaled Jacobian "
                         "falls to " +
                         text(worst) +
                         ". Check the order of its nodes, or mesh anew.",
                       cell.line);
        }
    }



    unsigned int
    MeshCheck::group(std::vector<MeshFile::Group>   &groups,
                     const std::vector<std::string> &names,
                     const std::set<unsigned int>   &members)
    {
      MeshFile::Group wanted;
      for (const unsigned int name : members)
        wanted.push_back(names[name]);
      std::sort(wanted.begin(), wanted.end());
      const auto found = std::find(groups.begin(), groups.end(), wanted);
      const auto index = static_cast<unsigned int>(found - groups.begin());
      if (found == groups.end())
        groups.push_back(wanted);
      return index;
    }



    /// Cells with several names are there several times.
    void
    MeshCheck::join_cells()
    {
      std::vector<std::pair<CellKey, unsigned int>> keys;
      for (unsigned int c = 0; c < raw.cells.size(); ++c)
        keys.emplace_back(key(raw.cells[c]), c);
      std::sort(keys.begin(), keys.end());
      std::vector<std::pair<unsigned int, std::set<unsigned int>>> cells;
      for (std::size_t i = 0; i < keys.size();)
        {
          const RawMesh::Element &first = raw.cells[keys[i].second];
          cells.emplace_back(keys[i].second, std::set<unsigned int>());
          std::size_t j = i;
          for (; j < keys.size() && keys[j].first == keys[i].first; ++j)
            {
              const RawMesh::Element &cell     = raw.cells[keys[j].second];
              const bool              has_name = cell.name != RawMesh::none;
              const bool              is_new =
                has_name && cells.back().second.insert(cell.name).second;
              if (cell.line != first.line &&
                  (!is_new || first.name == RawMesh::none))
                lines.fail("the cell is there twice; the first is in line " +
                             std::to_string(first.line) + ".",
                           cell.line);
            }
          i = j;
        }
      // In the order of the file.
      std::sort(cells.begin(), cells.end());
      for (const auto &[c, names] : cells)
        {
          mesh.cells.push_back(
            {raw.cells[c].nodes, group(mesh.volumes, raw.names, names)});
          lines_of_cells.push_back(raw.cells[c].line);
        }
    }



    MeshCheck::Face
    MeshCheck::face(const unsigned int *const nodes,
                    const unsigned int        n,
                    const unsigned int        cell) const
    {
      Face result = {{}, {}, cell};
      std::copy(nodes, nodes + n, result.cycle.begin());
      result.key = result.cycle;
      if (dim == 2 && result.key[0] > result.key[1])
        std::swap(result.key[0], result.key[1]);
      if (dim == 2)
        return result;
      std::sort(result.key.begin(), result.key.end());
      std::rotate(result.cycle.begin(),
                  std::min_element(result.cycle.begin(), result.cycle.end()),
                  result.cycle.end());
      return result;
    }



    void
    MeshCheck::check_neighbours(const Face &a, const Face &b) const
    {
      Key reversed = b.cycle;
      if (dim == 2)
        std::swap(reversed[0], reversed[1]);
      else
        std::swap(reversed[1], reversed[3]);
      if (a.cycle != reversed)
        lines.fail("the cell and that of line " +
                     std::to_string(lines_of_cells[a.cell]) +
                     " lie on the same side of their face at " +
                     place(b.key.data(), dim == 2 ? 2 : 4) +
                     ": they overlap. Mesh anew.",
                   lines_of_cells[b.cell]);
    }



    void
    MeshCheck::make_faces()
    {
      const unsigned int n = dim == 2 ? 2 : 4;
      std::vector<Face>  all;
      for (unsigned int c = 0; c < mesh.cells.size(); ++c)
        for (const auto &local : faces_of_cell(dim))
          {
            unsigned int nodes[4] = {};
            for (unsigned int i = 0; i < n; ++i)
              nodes[i] = mesh.cells[c].nodes[local[i]];
            all.push_back(face(nodes, n, c));
          }
      std::sort(all.begin(), all.end(), [](const Face &a, const Face &b) {
        return std::tie(a.key, a.cell) < std::tie(b.key, b.cell);
      });
      for (std::size_t i = 0; i < all.size();)
        {
          std::size_t j = i + 1;
          while (j < all.size() && all[j].key == all[i].key)
            ++j;
          if (j - i > 2)
            lines.fail("the cell shares its face at " +
                         place(all[i].key.data(), n) +
                         " with two others: they overlap. Mesh anew.",
                       lines_of_cells[all[j - 1].cell]);
          if (j - i == 1)
            boundary.push_back(all[i]);
          else
            {
              check_neighbours(all[i], all[i + 1]);
              inside.push_back(all[i].key);
            }
          i = j;
        }
    }



    void
    MeshCheck::add_names(const std::size_t face, const unsigned int name)
    {
      if (raw.names[name] == "all")
        lines.fail("a side has the name 'all', which means the whole surface. "
                   "Name it otherwise.");
      names_of_faces[face].insert(name);
    }



    void
    MeshCheck::name_faces()
    {
      names_of_faces.resize(boundary.size());
      const unsigned int n = dim == 2 ? 2 : 4;
      for (const RawMesh::Element &element : raw.faces)
        {
          const Key  key   = face(element.nodes.data(), n, 0).key;
          const auto found = std::lower_bound(boundary.begin(),
                                              boundary.end(),
                                              key,
                                              [](const Face &a, const Key &b) {
                                                return a.key < b;
                                              });
          if (found != boundary.end() && found->key == key)
            {
              add_names(static_cast<std::size_t>(found - boundary.begin()),
                        element.name);
              continue;
            }
          const bool is_inside =
            std::binary_search(inside.begin(), inside.end(), key);
          lines.fail("a face of " + in_quotes(raw.names[element.name]) +
                       " at " + place(key.data(), n) +
                       (is_inside ? " is between two cells, not at the "
                                    "boundary. Leave it out of the groups." :
                                    " is no face of a cell."),
                     element.line);
        }
    }



    void
    MeshCheck::name_node_sets()
    {
      const unsigned int n = dim == 2 ? 2 : 4;
      for (const auto &[name, nodes] : raw.node_sets)
        {
          std::vector<bool> is_in(raw.nodes.size());
          for (const unsigned int node : nodes)
            is_in[node] = true;
          for (std::size_t f = 0; f < boundary.size(); ++f)
            if (std::all_of(boundary[f].key.begin(),
                            boundary[f].key.begin() + n,
                            [&is_in](const unsigned int node) {
                              return is_in[node];
                            }))
              add_names(f, name);
        }
    }



    void
    MeshCheck::finish_faces()
    {
      for (std::size_t f = 0; f < boundary.size(); ++f)
        if (!names_of_faces[f].empty())
          {
            MeshFile::Element element = {};
            std::copy(boundary[f].cycle.begin(),
                      boundary[f].cycle.end(),
                      element.nodes.begin());
            element.group = group(mesh.sides, raw.names, names_of_faces[f]);
            mesh.faces.push_back(element);
          }
    }



    void
    MeshCheck::check_nodes() const
    {
      for (std::size_t i = 0; i < raw.nodes.size(); ++i)
        if (!raw.has_use[i])
          lines.fail("no element has the node. Save the elements of the whole "
                     "mesh, or remove the node.",
                     raw.lines_of_nodes[i]);
      find_duplicate_nodes(0);
      find_duplicate_nodes(0.5);
    }



    /// By boxes of a lattice; a second one finds most pairs that a wall of the
    /// first separates.
    void
    MeshCheck::find_duplicate_nodes(const double offset) const
    {
      const double size = 1e-9 * extent();
      using Box         = std::array<double, 3>;
      std::vector<std::pair<Box, unsigned int>> boxes;
      for (unsigned int i = 0; i < raw.nodes.size(); ++i)
        {
          Box box = {};
          for (unsigned int d = 0; d < dim; ++d)
            box[d] = std::floor(raw.nodes[i][d] / size + offset);
          boxes.emplace_back(box, i);
        }
      std::sort(boxes.begin(), boxes.end());
      for (std::size_t i = 0; i + 1 < boxes.size(); ++i)
        if (boxes[i].first == boxes[i + 1].first)
          lines.fail("the node at " + place(&boxes[i].second, 1) +
                       " is in the place of that of line " +
                       std::to_string(raw.lines_of_nodes[boxes[i].second]) +
                       ". Cells that touch must share nodes: join duplicate "
                       "nodes (in gmsh: Coherence Mesh).",
                     raw.lines_of_nodes[boxes[i + 1].second]);
    }



    void
    MeshCheck::check_plane() const
    {
      const double size = extent();
      for (std::size_t i = 0; i < raw.nodes.size(); ++i)
        if (!(std::abs(raw.nodes[i][2] - raw.nodes[0][2]) <= 1e-9 * size))
          lines.fail("the node has another z than the first one. Meshes of "
                     "'solid 2d' are in the plane of x and y.",
                     raw.lines_of_nodes[i]);
    }



    /// Leaves out nodes that only elements without a use have.
    void
    MeshCheck::number_nodes()
    {
      std::vector<unsigned int> numbers(raw.nodes.size(), RawMesh::none);
      for (const MeshFile::Element &cell : mesh.cells)
        for (unsigned int i = 0; i < n_corners; ++i)
          numbers[cell.nodes[i]] = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != RawMesh::none)
          {
            numbers[i] = static_cast<unsigned int>(mesh.nodes.size());
            mesh.nodes.push_back(raw.nodes[i]);
          }
      for (MeshFile::Element &cell : mesh.cells)
        for (unsigned int i = 0; i < n_corners; ++i)
          cell.nodes[i] = numbers[cell.nodes[i]];
      for (MeshFile::Element &face : mesh.faces)
        for (unsigned int i = 0; i < n_corners / 2; ++i)
          face.nodes[i] = numbers[face.nodes[i]];
    }



    MeshFile
    MeshCheck::run()
    {
      if (raw.cells.empty())
        lines.fail(std::string("the mesh has no ") +
                   (dim == 2 ? "quadrilaterals" : "hexahedra") +
                   ". Are they in a physical group?");
      if (dim == 2)
        check_plane();
      check_nodes();
      check_cells();
      join_cells();
      make_faces();
      name_faces();
      name_node_sets();
      finish_faces();
      number_nodes();
      return std::move(mesh);
    }
  } // namespace



  MeshFile
  check_mesh(RawMesh &raw, const MeshLines &lines, const unsigned int dim)
  {
    return MeshCheck(raw, lines, dim).run();
  }
} // namespace Percuss
