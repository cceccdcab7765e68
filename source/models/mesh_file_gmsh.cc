// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "mesh_file_parts.h"

// gmsh's .msh of the versions 2.2 and 4.1, as text; see the chapters "MSH file
// format" of its manual.

namespace Percuss
{
  namespace
  {
    constexpr unsigned int point = 15, line = 1, quadrilateral = 3,
                           hexahedron = 5;

    const char *const needs_hexahedra =
      "Percuss needs hexahedra: in gmsh extrude with Recombine, use "
      "transfinite volumes, or set Mesh.SubdivisionAlgorithm = 2";

    /// Kinds of elements that are refused, and what to do.
    const std::map<unsigned int, std::string> refused_kinds = {
      {2,
       "triangles: Percuss needs quadrilaterals. In gmsh set Mesh.RecombineAll "
       "= 1 and, where triangles are left, Mesh.SubdivisionAlgorithm = 1"},
      {4, std::string("tetrahedra: ") + needs_hexahedra},
      {6, std::string("prisms: ") + needs_hexahedra},
      {7, std::string("pyramids: ") + needs_hexahedra}};

    class GmshReader
    {
    public:
      GmshReader(MeshLines &lines, const unsigned int dim)
        : lines(lines)
        , dim(dim)
      {}

      RawMesh
      read();

    private:
      /// A number of an entity or a group, with its dimension.
      using Tag = std::pair<std::uint64_t, std::uint64_t>;

      void
      read_format();
      void
      read_physical_names();
      void
      read_entities();
      void
      read_nodes_2();
      void
      read_nodes_4();
      void
      read_elements_2();
      void
      read_elements_4();
      void
      skip(const std::string &section);

      void
      read_entity(std::uint64_t dimension);
      void
      read_block_of_nodes();

      /// Goes to the line of a count, and returns it.
      std::uint64_t
      read_count(const std::string &what);

      /// The next line with so many numbers.
      const std::vector<std::string_view> &
      next_words(const std::string &what, std::size_t n_least);

      MeshFile::Node
      place(const std::vector<std::string_view> &words,
            std::size_t                          first) const;

      /// Adds an element for each name, or one without.
      void
      add_element(std::uint64_t                        kind,
                  const std::vector<unsigned int>     &names,
                  const std::vector<std::string_view> &words,
                  std::size_t                          first_node);

      /// What an element is; refuses most kinds.
      ElementUse
      use_of(std::uint64_t kind) const;

      static std::size_t
      n_nodes_of(const std::uint64_t kind)
      {
        return kind == point         ? 1 :
               kind == line          ? 2 :
               kind == quadrilateral ? 4 :
                                       8;
      }

      /// The name of a group: that of the file, or its number.
      unsigned int
      name_of(const Tag &group);

      /// Numbers of groups may be negative.
      std::uint64_t
      tag(std::string_view word, const std::string &what) const;

      MeshLines                               &lines;
      const unsigned int                       dim;
      bool                                     is_old = false; ///< 2.2
      RawMesh                                  mesh;
      std::map<Tag, std::string>               names;
      std::map<Tag, unsigned int>              numbers_of_names;
      std::map<Tag, std::vector<unsigned int>> entities;
      bool                                     has_entities = false;
    };



    RawMesh
    GmshReader::read()
    {
      read_format();
      std::set<std::string> sections;
      while (lines.next())
        {
          const std::string section(lines.line());
          if (section[0] != '$')
            lines.fail(in_quotes(section) +
                       " is outside of all sections, which begin as $Nodes.");
          if (!sections.insert(section).second)
            lines.fail("the section " + in_quotes(section) +
                       " is there twice.");
          if (section == "$PhysicalNames")
            read_physical_names();
          else if (section == "$Entities" && !is_old)
            read_entities();
          else if (section == "$Nodes")
            is_old ? read_nodes_2() : read_nodes_4();
          else if (section == "$Elements")
            is_old ? read_elements_2() : read_elements_4();
          else if (section == "$PartitionedEntities" ||
                   section == "$ParametricNodes")
            lines.fail("the section " + section +
                       " cannot be read. Save the mesh without partitions and "
                       "parametric coordinates.");
          else
            {
              skip(section);
              continue;
            }
          lines.require_next("$End" + section.substr(1));
          if (lines.line() != "$End" + section.substr(1))
            lines.fail(in_quotes(lines.line()) + " stands where $End" +
                       section.substr(1) +
                       " is expected: the section has more than it says.");
        }
      for (const std::string needed : {"$Nodes", "$Elements"})
        if (sections.count(needed) == 0)
          lines.fail("the file has no section " + needed + ". Is it complete?");
      return std::move(mesh);
    }



    void
    GmshReader::read_format()
    {
      if (lines.line() != "$MeshFormat")
        lines.fail("the first line is not $MeshFormat.");
      const auto       &words   = next_words("the format", 3);
      const std::string version = std::string(words[0]);
      if (version != "2.2" && version != "4.1")
        lines.fail("version " + in_quotes(version) +
                   " of gmsh's meshes cannot be read. Save it as 4.1: gmsh "
                   "old.msh -save -format msh41 -o new.msh.");
      if (words[1] != "0")
        lines.fail("the mesh is binary. Save it as text: Mesh.Binary = 0.");
      is_old = version == "2.2";
      lines.require_next("$EndMeshFormat");
      if (lines.line() != "$EndMeshFormat")
        lines.fail(in_quotes(lines.line()) +
                   " stands where $EndMeshFormat is expected.");
    }



    void
    GmshReader::skip(const std::string &section)
    {
      const unsigned int first = lines.number();
      while (lines.next())
        if (lines.line() == "$End" + section.substr(1))
          return;
      lines.fail("the section " + in_quotes(section) + " has no end.", first);
    }



    const std::vector<std::string_view> &
    GmshReader::next_words(const std::string &what, const std::size_t n_least)
    {
      lines.require_next(what);
      return lines.words(what, n_least);
    }



    std::uint64_t
    GmshReader::read_count(const std::string &what)
    {
      return lines.count(next_words("the number of " + what, 1)[0],
                         "the number of " + what);
    }



    std::uint64_t
    GmshReader::tag(std::string_view word, const std::string &what) const
    {
      if (!word.empty() && word[0] == '-')
        word.remove_prefix(1);
      return lines.whole(word, what);
    }



    MeshFile::Node
    GmshReader::place(const std::vector<std::string_view> &words,
                      const std::size_t                    first) const
    {
      return {{lines.real(words[first], "the coordinate x"),
               lines.real(words[first + 1], "the coordinate y"),
               lines.real(words[first + 2], "the coordinate z")}};
    }



    void
    GmshReader::read_physical_names()
    {
      const std::uint64_t n = read_count("names");
      for (std::uint64_t i = 0; i < n; ++i)
        {
          const auto &words = next_words("a physical name", 3);
          const Tag   group = {lines.whole(words[0], "the dimension"),
                               tag(words[1], "the number of a group")};
          std::string name(lines.line().substr(
            static_cast<std::size_t>(words[2].data() - lines.line().data())));
          name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
          if (group.first > 3)
            lines.fail("the dimension of a group is above 3.");
          if (!names.emplace(group, name).second)
            lines.fail("the group " + std::to_string(group.second) +
                       " has two names.");
        }
    }



    unsigned int
    GmshReader::name_of(const Tag &group)
    {
      const auto [found, is_new] = numbers_of_names.emplace(group, 0);
      if (is_new)
        {
          const auto name = names.find(group);
          found->second =
            mesh.find_name(name == names.end() || name->second.empty() ?
                             std::to_string(group.second) :
                             name->second);
        }
      return found->second;
    }



    void
    GmshReader::read_entities()
    {
      has_entities        = true;
      const auto   &words = next_words("the numbers of entities", 4);
      std::uint64_t n[4];
      for (unsigned int d = 0; d < 4; ++d)
        n[d] = lines.count(words[d], "the number of entities");
      for (std::uint64_t d = 0; d < 4; ++d)
        for (std::uint64_t i = 0; i < n[d]; ++i)
          read_entity(d);
    }



    void
    GmshReader::read_entity(const std::uint64_t dimension)
    {
      // The number, the box around it (of a point: the place), the groups.
      const std::size_t   at    = dimension == 0 ? 4 : 7;
      const auto         &words = next_words("an entity", at + 1);
      const std::uint64_t n_groups =
        lines.whole(words[at], "the number of groups of an entity");
      if (n_groups > words.size() - at - 1)
        lines.fail("an entity of " + std::to_string(n_groups) +
                   " groups does not name them all.");
      std::vector<unsigned int> groups;
      for (std::size_t g = at + 1; g <= at + n_groups; ++g)
        if (const std::uint64_t number = tag(words[g], "a group"); number != 0)
          groups.push_back(name_of({dimension, number}));
      std::sort(groups.begin(), groups.end());
      groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
      const Tag entity = {dimension, tag(words[0], "the number of an entity")};
      if (!entities.emplace(entity, groups).second)
        lines.fail("the entity " + std::to_string(entity.second) +
                   " of dimension " + std::to_string(dimension) +
                   " is there twice.");
    }



    void
    GmshReader::read_nodes_2()
    {
      const std::uint64_t n = read_count("nodes");
      for (std::uint64_t i = 0; i < n; ++i)
        {
          const auto &words = next_words("a node", 4);
          mesh.add_node(lines.whole(words[0], "the number of a node"),
                        place(words, 1),
                        lines);
        }
    }



    void
    GmshReader::read_nodes_4()
    {
      const auto         &words = next_words("the numbers of nodes", 4);
      const std::uint64_t n_blocks =
        lines.count(words[0], "the number of blocks of nodes");
      const std::uint64_t n = lines.count(words[1], "the number of nodes");
      for (std::uint64_t block = 0; block < n_blocks; ++block)
        read_block_of_nodes();
      if (mesh.nodes.size() != n)
        lines.fail("the section has " + std::to_string(mesh.nodes.size()) +
                   " nodes, and says " + std::to_string(n) + ".");
    }



    void
    GmshReader::read_block_of_nodes()
    {
      const auto &words = next_words("a block of nodes", 4);
      if (words[2] != "0")
        lines.fail("nodes with parametric coordinates cannot be read. Set "
                   "Mesh.SaveParametric = 0.");
      const std::uint64_t n =
        lines.count(words[3], "the number of nodes of a block");
      std::vector<std::uint64_t> numbers;
      for (std::uint64_t i = 0; i < n; ++i)
        numbers.push_back(lines.whole(next_words("the number of a node", 1)[0],
                                      "the number of a node"));
      for (const std::uint64_t number : numbers)
        mesh.add_node(number, place(next_words("a node", 3), 0), lines);
    }



    void
    GmshReader::read_elements_2()
    {
      const std::uint64_t n = read_count("elements");
      for (std::uint64_t i = 0; i < n; ++i)
        {
          const auto         &words = next_words("an element", 3);
          const std::uint64_t kind =
            lines.whole(words[1], "the kind of an element");
          const std::uint64_t n_tags =
            lines.whole(words[2], "the number of tags of an element");
          if (n_tags > words.size() - 3)
            lines.fail("the element does not have all its tags.");
          use_of(kind);
          const std::uint64_t       dimension = kind == point         ? 0 :
                                                kind == line          ? 1 :
                                                kind == quadrilateral ? 2 :
                                                                        3;
          std::vector<unsigned int> groups;
          if (n_tags > 0)
            if (const std::uint64_t group = tag(words[3], "the group");
                group != 0)
              groups.push_back(name_of({dimension, group}));
          add_element(kind, groups, words, 3 + n_tags);
        }
    }



    void
    GmshReader::read_elements_4()
    {
      const auto         &sizes = next_words("the numbers of elements", 4);
      const std::uint64_t n_blocks =
        lines.count(sizes[0], "the number of blocks of elements");
      const std::uint64_t n = lines.count(sizes[1], "the number of elements");
      std::uint64_t       n_read = 0;
      for (std::uint64_t block = 0; block < n_blocks; ++block)
        {
          const auto         &words  = next_words("a block of elements", 4);
          const Tag           entity = {lines.whole(words[0], "the dimension"),
                                        tag(words[1], "the number of an entity")};
          const std::uint64_t kind =
            lines.whole(words[2], "the kind of an element");
          const std::uint64_t n_elements =
            lines.count(words[3], "the number of elements of a block");
          const auto found = entities.find(entity);
          if (has_entities && found == entities.end())
            lines.fail("there is no entity " + std::to_string(entity.second) +
                       " of dimension " + std::to_string(entity.first) + ".");
          use_of(kind);
          for (std::uint64_t i = 0; i < n_elements; ++i, ++n_read)
            add_element(kind,
                        has_entities ? found->second :
                                       std::vector<unsigned int>(),
                        next_words("an element", 1),
                        1);
        }
      if (n_read != n)
        lines.fail("the section has " + std::to_string(n_read) +
                   " elements, and says " + std::to_string(n) + ".");
    }



    ElementUse
    GmshReader::use_of(const std::uint64_t kind) const
    {
      const unsigned int cell = dim == 2 ? quadrilateral : hexahedron;
      const unsigned int face = dim == 2 ? line : quadrilateral;
      if (kind == cell)
        return ElementUse::cell;
      if (kind == face)
        return ElementUse::face;
      if (kind == point || kind == line)
        return ElementUse::ignored;
      if (kind == hexahedron)
        lines.fail("the mesh has hexahedra, for the model 'solid 3d'.");
      const auto refused = refused_kinds.find(static_cast<unsigned int>(kind));
      if (kind < 8 && refused != refused_kinds.end())
        lines.fail("the mesh has " + refused->second + ".");
      lines.fail("the mesh has elements of gmsh's kind " +
                 std::to_string(kind) +
                 ". Percuss needs those of first order (Mesh.ElementOrder = 1) "
                 "and has an entry 'degree'.");
    }



    void
    GmshReader::add_element(const std::uint64_t                  kind,
                            const std::vector<unsigned int>     &groups,
                            const std::vector<std::string_view> &words,
                            const std::size_t                    first_node)
    {
      const std::size_t n = n_nodes_of(kind);
      if (words.size() != first_node + n)
        lines.fail("the element has " + std::to_string(words.size()) +
                   " numbers, not " + std::to_string(first_node + n) + ".");
      RawMesh::Element element = {{}, RawMesh::none, lines.number()};
      for (std::size_t i = 0; i < n; ++i)
        element.nodes[i] =
          mesh.node(lines.whole(words[first_node + i], "a node"), lines);
      const ElementUse use = use_of(kind);
      if (use == ElementUse::ignored)
        return;
      auto &elements = use == ElementUse::cell ? mesh.cells : mesh.faces;
      if (groups.empty() && use == ElementUse::cell)
        elements.push_back(element);
      for (const unsigned int name : groups)
        {
          element.name = name;
          elements.push_back(element);
        }
    }
  } // namespace



  RawMesh
  read_gmsh(MeshLines &lines, const unsigned int dim)
  {
    return GmshReader(lines, dim).read();
  }
} // namespace Percuss
