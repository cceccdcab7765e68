// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/mesh_file.h"

#include <percuss/base/error.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "mesh_texts.h"
#include "models/solid_mesh_file.h"

namespace Percuss::Test
{
  namespace
  {
    using Names = std::vector<std::string>;

    std::string
    replaced(std::string text, const std::string &from, const std::string &to)
    {
      const std::size_t at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      return text.replace(at, from.size(), to);
    }

    std::string
    message(const std::string &text, const unsigned int dim)
    {
      try
        {
          parse_mesh(text, "a.msh", dim);
          return "good";
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::mesh);
          return error.what();
        }
    }

    TEST(MeshFile, AllFormatsHoldTheSameMesh)
    {
      for (const unsigned int dim : {2, 3})
        for (const std::string &text : BlockText(dim).all())
          {
            const MeshFile mesh = parse_mesh(text, "a.msh", dim);
            EXPECT_EQ(mesh.nodes.size(), dim == 2 ? 15U : 45U);
            EXPECT_EQ(mesh.cells.size(), dim == 2 ? 8U : 16U);
            EXPECT_EQ(mesh.faces.size(), dim == 2 ? 6U : 12U);
            EXPECT_EQ(MeshFile::names(mesh.volumes),
                      Names({"hard core", "soft"}));
            EXPECT_EQ(MeshFile::names(mesh.sides), Names({"bottom", "left"}));
          }
    }

    TEST(MeshFile, LinesOfWindowsByteOrderMarksAndBlanks)
    {
      for (std::string text : BlockText(3).all())
        {
          for (std::size_t at = 0;
               (at = text.find('\n', at)) != std::string::npos;
               at += 4)
            text.replace(at, 1, " \t\r\n");
          EXPECT_EQ(message("\xef\xbb\xbf" + text + "\n\n", 3), "good");
        }
    }

    /// Cells that are inside out as a whole are turned.
    TEST(MeshFile, TurnsCells)
    {
      const BlockText plane(2), space(3);
      EXPECT_EQ(message(replaced(plane.msh_22(), "1 2 7 6\n", "1 6 7 2\n"), 2),
                "good");
      EXPECT_EQ(message(replaced(space.msh_22(),
                                 " 1 2 7 6 16 17 22 21\n",
                                 " 16 17 22 21 1 2 7 6\n"),
                        3),
                "good");
    }

    struct Damage
    {
      std::string from, to, message;
    };

    void
    check(const std::string         &text,
          const unsigned int         dim,
          const std::vector<Damage> &damages)
    {
      ASSERT_EQ(message(text, dim), "good");
      for (const Damage &damage : damages)
        {
          const std::string found =
            message(replaced(text, damage.from, damage.to), dim);
          EXPECT_NE(found.find(damage.message), std::string::npos)
            << "expected: " << damage.message << "\nfound:    " << found;
        }
    }

    TEST(MeshFile, SaysWhatIsWrongWithGmshFiles)
    {
      const std::vector<Damage> both = {
        {"$MeshFormat", "x$MeshFormat", "a.msh:1: this is neither a mesh"},
        {" 0 8\n", " 1 8\n", "a.msh:2: the mesh is binary. Save it as text"},
        {"$EndNodes", "", "$Elements' stands where $EndNodes is expected"},
        {"$EndElements\n", "", "ends before $EndElements. Is it complete?"},
        {"\"left\"", "\"all\"", "has the name 'all'"}};
      check(BlockText(3).msh_22(), 3, both);
      check(BlockText(3).msh_41(), 3, both);
      check(
        BlockText(2).msh_22(),
        2,
        {{"2.2", "2.1", "a.msh:2: version '2.1' of gmsh's meshes"},
         {"\n15\n", "\n14\n", "'15 4 2 0' stands where $EndNodes"},
         {"\n15\n", "\n16\n", "a node needs 4 words"},
         {"\n15\n", "\n99999999999\n", "more than the rest of the file"},
         {"2 1 0 0", "2 nan 0 0", "the coordinate x is 'nan', which is no"},
         {"2 1 0 0",
          "2 1e400 0 0",
          "the coordinate x is '1e400', not a number"},
         {"2 1 0 0", "2 1 0 1", "another z than the first one"},
         {"2 1 0 0", "2 0 0 0", "is in the place of that of line"},
         {"2 1 0 0", "1 1 0 0", "node 1 is there twice; the first is in line"},
         {"15 4 2 0", "17 4 2 0", "there is no node 15"},
         {"7 3 2 3 1 1 2 7 6", "7 3 2 3 1 1 2 7", "8 numbers, not 9"},
         {"7 3 2 3 1 1 2 7 6", "7 3 2 3 1 1 2 7 -6", "'-6', not a whole"},
         {"7 3 2 3 1 1 2 7 6", "7 3 2 3 1 1 2 6 7", "twisted or flat"},
         {"7 3 2 3 1 1 2 7 6", "7 3 2 3 1 1 2 7 7", "has one node twice"},
         {"7 3 2 3 1 1 2 7 6", "7 3 2 3 1 2 3 8 7", "the cell is there twice"},
         {"7 3 2 3 1 1 2 7 6", "7 2 2 3 1 1 2 7", "Mesh.RecombineAll"},
         {"7 3 2 3 1 1 2 7 6", "7 16 2 3 1 1 2 7 6 1 1 1 1", "ElementOrder"},
         {"1 1 2 1 1 1 6", "1 1 2 1 1 2 7", "is between two cells"},
         {"1 1 2 1 1 1 6", "1 1 2 1 1 1 7", "is no face of a cell"}});
      check(BlockText(3).msh_41(),
            3,
            {{"4.1", "4.0", "Save it as 4.1"},
             {"4.1 0", "4.1 1", "Mesh.Binary = 0"},
             {"\n1 45 1 45\n", "\n1 44 1 45\n", "45 nodes, and says 44"},
             {"\n3 3 0 45\n", "\n3 3 1 45\n", "Mesh.SaveParametric = 0"},
             {"\n3 3 5 8\n", "\n3 7 5 8\n", "there is no entity 7"},
             {"\n3 3 5 8\n", "\n3 3 4 8\n", "Mesh.SubdivisionAlgorithm = 2"},
             {"$Elements", "$Other", "'$Other' has no end"}});
      EXPECT_NE(message(BlockText(3).msh_22(), 2).find("'solid 3d'"),
                std::string::npos);
      EXPECT_NE(message(BlockText(2).msh_22(), 3).find("no hexahedra"),
                std::string::npos);
    }

    TEST(MeshFile, SaysWhatIsWrongWithAbaqusFiles)
    {
      check(BlockText(3).inp(),
            3,
            {{"C3D8R", "C3D4", "elements of type 'C3D4' cannot be read"},
             {"C3D8R", "C3D20R", "hexahedra of first order"},
             {"*HEADING", "*INCLUDE", "a.msh:1: the keyword *INCLUDE"},
             {"*NODE", "*NODE, SYSTEM=C", "INPUT and SYSTEM"},
             {"*NODE", "*NODES", "there is no node 1."},
             {"*SURFACE", "*SURFACE, TYPE=NODE", "Use *NSET"},
             {"S6", "S7", "the face 'S7' of a surface is none of S1 to S6"},
             {"S6", "S4", "is between two cells"},
             {"GENERATE\n1, 15", "GENERATE\n1, 99", "numbers that are not"},
             {"GENERATE\n1, 15", "GENERATE\n1, 15, 0", "has no end"},
             {"\n7,\n", "\n77,\n", "there is no element 77"}});
    }

    /// The mesh that deal.II makes of the cells.
    template <int dim>
    void
    check_cells(const MeshFile &mesh)
    {
      SolidParameters::Body body;
      body.shift.assign(dim, 0.);
      body.imported = std::make_shared<const MeshFile>(mesh);
      dealii::Triangulation<dim> cells;
      make_coarse_mesh(body, cells);
      EXPECT_EQ(cells.n_active_cells(), mesh.cells.size());
      const dealii::FE_Nothing<dim> nothing;
      dealii::FEValues<dim>         values(nothing,
                                   dealii::QGauss<dim>(2),
                                   dealii::update_jacobians);
      for (const auto &cell : cells.active_cell_iterators())
        {
          values.reinit(cell);
          for (const unsigned int q : values.quadrature_point_indices())
            EXPECT_GT(values.jacobian(q).determinant(), 0);
        }
    }

    class Mutator
    {
    public:
      std::string
      operator()(std::string text)
      {
        for (unsigned int n = 1 + random(3); n > 0 && !text.empty(); --n)
          mutate(text);
        return text;
      }

    private:
      std::size_t
      random(const std::size_t n)
      {
        return generator() % n;
      }

      /// Begin and length of a line, or of a word.
      std::pair<std::size_t, std::size_t>
      piece(const std::string &text, const char *const separators)
      {
        const std::size_t at    = random(text.size());
        const std::size_t begin = text.find_last_of(separators, at);
        const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
        const std::size_t end =
          std::min(text.find_first_of(separators, first), text.size());
        return {first, end - first};
      }

      void
      mutate(std::string &text)
      {
        static const std::vector<std::string> specials = {
          "-1",
          "0",
          "nan",
          "1e308",
          "4294967296",
          "99999999999999999999",
          "",
          "5 5"};
        const auto word       = piece(text, " ,\n");
        const auto line       = piece(text, "\n");
        const auto other      = piece(text, " ,\n");
        const auto other_line = piece(text, "\n");
        const auto get        = [&text](const auto &p) {
          return text.substr(p.first, p.second);
        };
        const std::string a = get(word), b = get(other), c = get(other_line);
        switch (random(8))
          {
            case 0:
              text[random(text.size())] = static_cast<char>(random(256));
              break;
            case 1:
              text.erase(line.first, line.second + 1);
              break;
            case 2:
              text.resize(random(text.size()));
              break;
            case 3:
              text.replace(word.first, word.second, b);
              break;
            case 4:
              text.replace(word.first,
                           word.second,
                           specials[random(specials.size())]);
              break;
            case 5:
              text.insert(line.first, c + "\n");
              break;
            case 6:
              text.replace(line.first, line.second, c);
              break;
            default:
              text.replace(word.first, word.second, std::to_string(random(50)));
          }
      }

      std::mt19937 generator{1};
    };

    /// Each is refused in one line, or a mesh. PERCUSS_RANDOM_PROBLEMS=100000
    /// makes as many of each file.
    TEST(MeshFile, DamagedFiles)
    {
      const char *const wanted = std::getenv("PERCUSS_RANDOM_PROBLEMS");
      const int         n      = wanted == nullptr ? 2000 : std::atoi(wanted);
      Mutator           mutated;
      for (const unsigned int dim : {2, 3})
        for (const std::string &text : BlockText(dim, 2).all())
          {
            int n_good = 0;
            for (int i = 0; i < n; ++i)
              try
                {
                  const MeshFile mesh = parse_mesh(mutated(text), "a.msh", dim);
                  dim == 2 ? check_cells<2>(mesh) : check_cells<3>(mesh);
                  ++n_good;
                }
              catch (const Error &error)
                {
                  const std::string what = error.what();
                  EXPECT_EQ(error.code, ExitCode::mesh);
                  EXPECT_EQ(what.compare(0, 6, "a.msh:"), 0) << what;
                  EXPECT_EQ(what.find('\n'), std::string::npos) << what;
                }
            // Most damages are found, and some do not matter.
            EXPECT_GT(n_good, n / 100);
            EXPECT_LT(n_good, n / 2);
          }
    }
  } // namespace
} // namespace Percuss::Test
