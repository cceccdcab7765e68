// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace Percuss::Test
{
  /// A block of n x 2 (x 2) unit cells, written as a file of each format. Its
  /// left half is the volume "soft", the other one "hard core"; "left" and
  /// "bottom" (the first and the last direction) are sides.
  class BlockText
  {
  public:
    explicit BlockText(const unsigned int dim, const unsigned int n = 4)
      : dim(dim)
      , n{n, 2, dim == 3 ? 2U : 0U}
    {
      for (unsigned int k = 0; k <= this->n[2]; ++k)
        for (unsigned int j = 0; j <= this->n[1]; ++j)
          for (unsigned int i = 0; i <= this->n[0]; ++i)
            places.push_back({i, j, k});
      for (unsigned int k = 0; k < (dim == 3 ? this->n[2] : 1); ++k)
        for (unsigned int j = 0; j < this->n[1]; ++j)
          for (unsigned int i = 0; i < this->n[0]; ++i)
            add_cell(i, j, k);
      add_faces();
    }

    std::string
    msh_22() const
    {
      std::ostringstream text;
      text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
           << physical_names() << "$Nodes\n"
           << places.size() << '\n';
      for (std::size_t i = 0; i < places.size(); ++i)
        text << i + 1 << ' ' << coordinates(i, " ") << '\n';
      text << "$EndNodes\n$Elements\n" << faces.size() + cells.size() << '\n';
      unsigned int number = 0;
      for (const Element &face : faces)
        text << ++number << (dim == 2 ? " 1" : " 3") << " 2 " << face.group
             << " 1" << nodes(face, " ") << '\n';
      for (const Element &cell : cells)
        text << ++number << (dim == 2 ? " 3" : " 5") << " 2 " << cell.group
             << " 1" << nodes(cell, " ") << '\n';
      text << "$EndElements\n";
      return text.str();
    }

    std::string
    msh_41() const
    {
      std::ostringstream text;
      text << "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
           << physical_names() << "$Entities\n"
           << (dim == 2 ? "0 2 2 0\n" : "0 0 2 2\n");
      for (const unsigned int group : {1, 2, 3, 4})
        text << group << " 0 0 0 9 9 9 1 " << group << " 0\n";
      text << "$EndEntities\n$Nodes\n1 " << places.size() << " 1 "
           << places.size() << '\n'
           << dim << " 3 0 " << places.size() << '\n';
      for (std::size_t i = 0; i < places.size(); ++i)
        text << i + 1 << '\n';
      for (std::size_t i = 0; i < places.size(); ++i)
        text << coordinates(i, " ") << '\n';
      const std::size_t n_elements = faces.size() + cells.size();
      text << "$EndNodes\n$Elements\n4 " << n_elements << " 1 " << n_elements
           << '\n';
      unsigned int number = 0;
      for (const unsigned int group : {1, 2, 3, 4})
        add_block(group, number, text);
      text << "$EndElements\n";
      return text.str();
    }

    std::string
    inp() const
    {
      std::ostringstream text;
      text << "*HEADING\nA block\n** by hand\n*NODE\n";
      for (std::size_t i = 0; i < places.size(); ++i)
        text << i + 1 << ", " << coordinates(i, ", ") << '\n';
      text << "*ELEMENT, TYPE=" << (dim == 2 ? "CPE4" : "C3D8R") << '\n';
      for (std::size_t c = 0; c < cells.size(); ++c)
        text << c + 1 << nodes(cells[c], ", ", true) << '\n';
      for (const unsigned int group : {3, 4})
        {
          text << "*ELSET, ELSET=\"" << name(group) << "\"\n";
          for (std::size_t c = 0; c < cells.size(); ++c)
            if (cells[c].group == group)
              text << c + 1 << ",\n";
        }
      text << "*SURFACE, NAME=left\n";
      for (std::size_t c = 0; c < cells.size(); c += n[0])
        text << c + 1 << (dim == 2 ? ", S4" : ", S6") << '\n';
      text << "*NSET, NSET=bottom, GENERATE\n1, "
           << (dim == 2 ? n[0] + 1 : (n[0] + 1) * 3) << "\n*STEP\n1, 2\n";
      return text.str();
    }

    std::vector<std::string>
    all() const
    {
      return {msh_22(), msh_41(), inp()};
    }

  private:
    struct Element
    {
      std::vector<unsigned int> nodes; ///< from 1
      unsigned int              group;
    };

    unsigned int
    node(const unsigned int i, const unsigned int j, const unsigned int k) const
    {
      return 1 + i + (n[0] + 1) * (j + (n[1] + 1) * k);
    }

    void
    add_cell(const unsigned int i, const unsigned int j, const unsigned int k)
    {
      Element cell = {{}, i < n[0] / 2 ? 3U : 4U};
      for (const unsigned int level : {k, k + 1})
        if (level == k || dim == 3)
          for (const auto &[a, b] :
               {std::pair<unsigned int, unsigned int>(0, 0),
                {1, 0},
                {1, 1},
                {0, 1}})
            cell.nodes.push_back(node(i + a, j + b, level));
      cells.push_back(cell);
    }

    void
    add_faces()
    {
      if (dim == 2)
        {
          for (unsigned int j = 0; j < n[1]; ++j)
            faces.push_back({{node(0, j, 0), node(0, j + 1, 0)}, 1});
          for (unsigned int i = 0; i < n[0]; ++i)
            faces.push_back({{node(i, 0, 0), node(i + 1, 0, 0)}, 2});
          return;
        }
      for (unsigned int j = 0; j < n[1]; ++j)
        for (unsigned int k = 0; k < n[2]; ++k)
          faces.push_back({{node(0, j, k),
                            node(0, j + 1, k),
                            node(0, j + 1, k + 1),
                            node(0, j, k + 1)},
                           1});
      for (unsigned int j = 0; j < n[1]; ++j)
        for (unsigned int i = 0; i < n[0]; ++i)
          faces.push_back({{node(i, j, 0),
                            node(i + 1, j, 0),
                            node(i + 1, j + 1, 0),
                            node(i, j + 1, 0)},
                           2});
    }

    static std::string
    name(const unsigned int group)
    {
      const std::vector<std::string> names = {"left",
                                              "bottom",
                                              "soft",
                                              "hard core"};
      return names[group - 1];
    }

    std::string
    physical_names() const
    {
      std::ostringstream text;
      text << "$PhysicalNames\n4\n";
      for (const unsigned int group : {1, 2, 3, 4})
        text << (group < 3 ? dim - 1 : dim) << ' ' << group << " \""
             << name(group) << "\"\n";
      text << "$EndPhysicalNames\n";
      return text.str();
    }

    std::string
    coordinates(const std::size_t i, const std::string &separator) const
    {
      std::ostringstream text;
      text << places[i][0] << separator << places[i][1] << separator
           << places[i][2];
      return text.str();
    }

    static std::string
    nodes(const Element     &element,
          const std::string &separator,
          const bool         is_split = false)
    {
      std::string text;
      for (std::size_t i = 0; i < element.nodes.size(); ++i)
        // A second line, as Abaqus allows.
        text += (is_split && i == 5 ? ",\n" : separator) +
                std::to_string(element.nodes[i]);
      return text;
    }

    void
    add_block(const unsigned int  group,
              unsigned int       &number,
              std::ostringstream &text) const
    {
      const auto  &elements   = group < 3 ? faces : cells;
      unsigned int n_elements = 0;
      for (const Element &element : elements)
        n_elements += element.group == group;
      text << (group < 3 ? dim - 1 : dim) << ' ' << group << ' '
           << (group < 3 ? (dim == 2 ? 1 : 3) : (dim == 2 ? 3 : 5)) << ' '
           << n_elements << '\n';
      for (const Element &element : elements)
        if (element.group == group)
          text << ++number << nodes(element, " ") << '\n';
    }

    const unsigned int                     dim;
    const std::vector<unsigned int>        n;
    std::vector<std::vector<unsigned int>> places;
    std::vector<Element>                   cells, faces;
  };
} // namespace Percuss::Test
