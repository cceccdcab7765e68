// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "mesh_file_parts.h"

// Nodes, elements, sets and surfaces of Abaqus' input files. All else of them,
// such as materials and steps, is passed over.

namespace Percuss
{
  namespace
  {
    std::string
    upper(std::string_view text)
    {
      std::string result;
      for (const char c : text)
        result +=
          static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return result;
    }

    /// Capitals make no difference; a set is called what it was called first.
    struct ByName
    {
      bool
      operator()(const std::string &a, const std::string &b) const
      {
        return upper(a) < upper(b);
      }
    };

    /// Whether @p type is @p family or that with letters after it.
    bool
    is_of(const std::string &type, const std::vector<std::string> &families)
    {
      return std::any_of(families.begin(),
                         families.end(),
                         [&type](const std::string &family) {
                           return type.compare(0, family.size(), family) == 0 &&
                                  (type.size() == family.size() ||
                                   !std::isdigit(static_cast<unsigned char>(
                                     type[family.size()])));
                         });
    }

    class AbaqusReader
    {
    public:
      AbaqusReader(MeshLines &lines, const unsigned int dim)
        : lines(lines)
        , dim(dim)
      {}

      RawMesh
      read();

    private:
      /// Where an element of the file is.
      struct Place
      {
        ElementUse   use;
        unsigned int index; ///< in the mesh's cells, or in `faces`
      };

      using Numbers = std::vector<std::uint64_t>;
      using Set     = std::set<std::uint64_t>;

      /// "*ELSET, ELSET=core, GENERATE", also over several lines.
      void
      read_keyword();
      void
      execute_keyword();
      /// Passes over data.
      void
      skip();
      void
      refuse_data();
      void
      read_nodes();
      void
      read_elements();
      void
      read_set();
      void
      read_surface();

      /// Goes to the next line of data; false at a keyword and at the end.
      bool
      next_data();

      /// Numbers of a line of data, or of several where it ends with a comma.
      Numbers
      read_numbers(std::size_t n);

      /// Numbers from, to and step of those in @p known.
      template <typename Map>
      Numbers
      generate(const Map &known);

      std::string
      parameter(const std::string &name) const;
      std::string
      require_parameter(const std::string &name) const;

      /// A name, without quotes.
      std::string
      name(std::string_view text) const;

      std::pair<ElementUse, unsigned int>
      use_of(const std::string &type) const;

      void
      add_to_set(const std::string &set, std::uint64_t number);
      void
      add_face(const std::string &surface,
               std::uint64_t      number,
               unsigned int       face);
      void
      name_elements();

      const Place &
      find_element(std::uint64_t number) const;

      MeshLines                         &lines;
      const unsigned int                 dim;
      RawMesh                            mesh;
      bool                               is_done = false;
      std::string                        keyword;
      std::map<std::string, std::string> parameters;
      std::map<std::uint64_t, Place>     elements;
      std::vector<RawMesh::Element>      faces;
      std::map<std::string, Set, ByName> element_sets;
      std::map<std::string, Set, ByName> node_sets;
      unsigned int                       n_instances = 0;
    };



    RawMesh
    AbaqusReader::read()
    {
      while (!is_done)
        {
          if (lines.line()[0] != '*')
            lines.fail(in_quotes(lines.line()) +
                       " stands where a keyword, as *NODE, is expected.");
          read_keyword();
          execute_keyword();
        }
      name_elements();
      return std::move(mesh);
    }



    bool
    AbaqusReader::next_data()
    {
      while (lines.next())
        {
          if (lines.line().substr(0, 2) == "**")
            continue;
          return lines.line()[0] != '*';
        }
      is_done = true;
      return false;
    }



    void
    AbaqusReader::read_keyword()
    {
      parameters.clear();
      keyword.clear();
      if (lines.line().substr(0, 2) == "**")
        return;
      bool is_first = true, goes_on = true;
      while (goes_on)
        {
          goes_on = lines.line().back() == ',';
          for (const std::string_view word : lines.words("a keyword", 1, ','))
            {
              if (is_first)
                keyword = upper(word);
              else
                {
                  const std::size_t equal =
                    std::min(word.find('='), word.size());
                  std::string key = upper(word.substr(0, equal));
                  key.erase(key.find_last_not_of(' ') + 1);
                  parameters[key] =
                    equal < word.size() ? name(word.substr(equal + 1)) : "";
                }
              is_first = false;
            }
          if (goes_on)
            lines.require_next("the end of the keyword");
        }
    }



    void
    AbaqusReader::execute_keyword()
    {
      static const std::set<std::string> refused = {"*INCLUDE",
                                                    "*NGEN",
                                                    "*NFILL",
                                                    "*NCOPY",
                                                    "*NMAP",
                                                    "*ELGEN",
                                                    "*ELCOPY",
                                                    "*SYSTEM"};
      if (refused.count(keyword) > 0)
        lines.fail("the keyword " + keyword +
                   " cannot be read. Write all nodes and elements into the "
                   "file.");
      if (parameters.count("INPUT") > 0 || parameters.count("SYSTEM") > 0)
        lines.fail("the parameters INPUT and SYSTEM of " + in_quotes(keyword) +
                   " cannot be read.");
      if (keyword == "*NODE")
        read_nodes();
      else if (keyword == "*ELEMENT")
        read_elements();
      else if (keyword == "*NSET" || keyword == "*ELSET")
        read_set();
      else if (keyword == "*SURFACE")
        read_surface();
      else if (keyword == "*INSTANCE")
        refuse_data();
      else
        skip();
    }



    void
    AbaqusReader::skip()
    {
      while (next_data())
        {}
    }



    void
    AbaqusReader::refuse_data()
    {
      if (++n_instances > 1)
        lines.fail("the file has several instances. Write one for each body.");
      if (next_data())
        lines.fail("an instance that is moved cannot be read. Move the part "
                   "itself, or the body by its entry 'shift'.");
    }



    std::string
    AbaqusReader::parameter(const std::string &key) const
    {
      const auto found = parameters.find(key);
      return found == parameters.end() ? "" : found->second;
    }



    std::string
    AbaqusReader::require_parameter(const std::string &key) const
    {
      const std::string value = parameter(key);
      if (value.empty())
        lines.fail(keyword + " needs " + key + "=NAME.");
      return value;
    }



    std::string
    AbaqusReader::name(std::string_view text) const
    {
      std::string result(text);
      result.erase(std::remove(result.begin(), result.end(), '"'),
                   result.end());
      result.erase(0, result.find_first_not_of(" \t"));
      result.erase(result.find_last_not_of(" \t") + 1);
      return result;
    }



    void
    AbaqusReader::read_nodes()
    {
      const std::string set = parameter("NSET");
      while (next_data())
        {
          const auto         &words = lines.words("a node", 3, ',');
          const std::uint64_t number =
            lines.whole(words[0], "the number of a node");
          MeshFile::Node place = {};
          for (std::size_t d = 0; d < 3 && d + 1 < words.size(); ++d)
            place[d] = lines.real(words[d + 1], "a coordinate");
          mesh.add_node(number, place, lines);
          if (!set.empty())
            node_sets[set].insert(number);
        }
    }



    /// And the number of nodes.
    std::pair<ElementUse, unsigned int>
    AbaqusReader::use_of(const std::string &type) const
    {
      if (is_of(type, {"C3D8"}) && dim == 3)
        return {ElementUse::cell, 8};
      if (is_of(type, {"CPS4", "CPE4", "S4", "M3D4", "SFM3D4", "R3D4"}))
        return {dim == 2 ? ElementUse::cell : ElementUse::face, 4};
      if (is_of(type, {"T2D2", "T3D2", "B21", "B31", "R2D2"}))
        return {dim == 2 ? ElementUse::face : ElementUse::ignored, 2};
      if (is_of(type, {"MASS"}))
        return {ElementUse::ignored, 1};
      lines.fail(
        "elements of type " + in_quotes(type) + " cannot be read in a " +
        (dim == 2 ? "plane mesh. Percuss needs quadrilaterals of first "
                    "order, as CPS4 or CPE4R." :
                    "mesh of space. Percuss needs hexahedra of first "
                    "order, as C3D8 or C3D8R."));
    }



    AbaqusReader::Numbers
    AbaqusReader::read_numbers(const std::size_t n)
    {
      Numbers result;
      while (true)
        {
          const bool goes_on = lines.line().back() == ',';
          for (const std::string_view word : lines.words("data", 1, ','))
            result.push_back(lines.whole(word, "a number"));
          if (result.size() >= n || !goes_on)
            break;
          if (!next_data())
            lines.fail("an element ends with a comma.");
        }
      if (result.size() != n)
        lines.fail("an element has " + std::to_string(result.size()) +
                   " numbers, not " + std::to_string(n) + ".");
      return result;
    }



    void
    AbaqusReader::read_elements()
    {
      const auto [use, n]   = use_of(upper(require_parameter("TYPE")));
      const std::string set = parameter("ELSET");
      while (next_data())
        {
          const unsigned int line    = lines.number();
          const Numbers      numbers = read_numbers(n + 1);
          RawMesh::Element   element = {{}, RawMesh::none, line};
          for (unsigned int i = 0; i < n; ++i)
            element.nodes[i] = mesh.node(numbers[i + 1], lines);
          auto &all = use == ElementUse::cell ? mesh.cells : faces;
          if (!elements
                 .emplace(numbers[0],
                          Place{use, static_cast<unsigned int>(all.size())})
                 .second)
            lines.fail("the element " + std::to_string(numbers[0]) +
                       " is there twice.");
          if (use != ElementUse::ignored)
            all.push_back(element);
          if (!set.empty())
            element_sets[set].insert(numbers[0]);
        }
    }



    template <typename Map>
    AbaqusReader::Numbers
    AbaqusReader::generate(const Map &known)
    {
      const auto         &words = lines.words("a series", 2, ',');
      const std::uint64_t first = lines.whole(words[0], "the first number");
      const std::uint64_t last  = lines.whole(words[1], "the last number");
      const std::uint64_t step =
        words.size() > 2 && !words[2].empty() ?
          lines.whole(words[2], "the step of numbers") :
          1;
      if (step == 0 || last < first)
        lines.fail("the series of numbers has no end.");
      if ((last - first) / step >= known.size())
        lines.fail("the series has numbers that are not in the mesh.");
      Numbers result;
      for (std::uint64_t i = 0; i <= (last - first) / step; ++i)
        result.push_back(first + i * step);
      return result;
    }



    void
    AbaqusReader::add_to_set(const std::string &set, const std::uint64_t number)
    {
      const bool of_nodes = keyword == "*NSET";
      if (of_nodes ? mesh.numbers.count(number) == 0 :
                     elements.count(number) == 0)
        lines.fail(std::string("there is no ") +
                   (of_nodes ? "node " : "element ") + std::to_string(number) +
                   ".");
      (of_nodes ? node_sets : element_sets)[set].insert(number);
    }



    void
    AbaqusReader::read_set()
    {
      const bool        of_nodes = keyword == "*NSET";
      const std::string set  = require_parameter(of_nodes ? "NSET" : "ELSET");
      auto             &sets = of_nodes ? node_sets : element_sets;
      sets[set];
      while (next_data())
        {
          if (parameters.count("GENERATE") > 0)
            {
              for (const std::uint64_t number :
                   of_nodes ? generate(mesh.numbers) : generate(elements))
                add_to_set(set, number);
              continue;
            }
          for (const std::string_view word : lines.words("a set", 1, ','))
            {
              const auto other = sets.find(name(word));
              if (other != sets.end() && other->first != set)
                sets[set].insert(other->second.begin(), other->second.end());
              else
                add_to_set(set, lines.whole(word, "a member of a set"));
            }
        }
    }



    const AbaqusReader::Place &
    AbaqusReader::find_element(const std::uint64_t number) const
    {
      const auto found = elements.find(number);
      if (found == elements.end())
        lines.fail("there is no element " + std::to_string(number) + ".");
      return found->second;
    }



    void
    AbaqusReader::add_face(const std::string  &surface,
                           const std::uint64_t number,
                           const unsigned int  face)
    {
      const Place &place = find_element(number);
      if (place.use != ElementUse::cell)
        lines.fail("the element " + std::to_string(number) +
                   " of a surface is no cell.");
      const auto      &local   = faces_of_cell(dim)[face];
      RawMesh::Element element = {{}, mesh.find_name(surface), lines.number()};
      for (unsigned int i = 0; i < (dim == 2 ? 2 : 4); ++i)
        element.nodes[i] = mesh.cells[place.index].nodes[local[i]];
      mesh.faces.push_back(element);
    }



    void
    AbaqusReader::read_surface()
    {
      const std::string surface = require_parameter("NAME");
      const std::string type    = upper(parameter("TYPE"));
      if (type == "NODE")
        lines.fail("surfaces of nodes cannot be read. Use *NSET.");
      if (!type.empty() && type != "ELEMENT")
        lines.fail("surfaces of type " + in_quotes(type) + " cannot be read.");
      while (next_data())
        {
          const auto       &words = lines.words("a surface", 2, ',');
          const std::string who   = name(words[0]);
          const std::string label = upper(words[1]);
          const auto        n_faces =
            static_cast<char>('0' + faces_of_cell(dim).size());
          if (label.size() != 2 || label[0] != 'S' || label[1] < '1' ||
              label[1] > n_faces)
            lines.fail("the face " + in_quotes(label) +
                       " of a surface is none of S1 to S" + n_faces + ".");
          const auto face = static_cast<unsigned int>(label[1] - '1');
          const auto set  = element_sets.find(who);
          if (set == element_sets.end())
            add_face(surface, lines.whole(words[0], "an element"), face);
          else
            for (const std::uint64_t number : set->second)
              add_face(surface, number, face);
        }
    }



    /// Sets of cells are volumes, those of other elements and of nodes are
    /// sides.
    void
    AbaqusReader::name_elements()
    {
      for (const auto &[set, members] : element_sets)
        for (const std::uint64_t number : members)
          {
            const Place &place = find_element(number);
            if (place.use == ElementUse::ignored)
              continue;
            const bool       is_cell = place.use == ElementUse::cell;
            RawMesh::Element element =
              (is_cell ? mesh.cells : faces)[place.index];
            element.name = mesh.find_name(set);
            (is_cell ? mesh.cells : mesh.faces).push_back(element);
          }
      for (const auto &[set, members] : node_sets)
        {
          std::vector<unsigned int> nodes;
          for (const std::uint64_t number : members)
            nodes.push_back(mesh.numbers.at(number));
          mesh.node_sets.emplace_back(mesh.find_name(set), nodes);
        }
    }
  } // namespace



  RawMesh
  read_abaqus(MeshLines &lines, const unsigned int dim)
  {
    return AbaqusReader(lines, dim).read();
  }
} // namespace Percuss
