// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/files.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "models/solid.h"
#include "models/solid_survey.h"
#include "tools.h"

// The lines that people read before a run, against formulas. Most numbers have
// four digits: half a unit of the last one is 5e-4 of the number at most.

namespace Percuss::Test
{
  namespace
  {
    constexpr double four_digits = 5e-4, six_digits = 5e-6;

    constexpr double E = 2.1e11, nu = 0.3, density = 7800;
    constexpr double mu     = E / (2 * (1 + nu)),
                     lambda = 2 * mu * nu / (1 - 2 * nu);

    template <int dim>
    class Report
    {
    public:
      explicit Report(const typename Solid<dim>::Parameters &parameters)
      {
        for (const auto &[name, text] :
             Solid<dim>(parameters, {MPI_COMM_SELF}).facts())
          texts[name] = text;
      }

      /// All numbers of a line that are no part of a word or a unit.
      std::vector<double>
      numbers(const std::string &name) const
      {
        const std::string  &text = texts.at(name);
        const std::regex    number("(^|[ (])([0-9][-+.0-9e]*)");
        std::vector<double> result;
        for (std::sregex_iterator i(text.begin(), text.end(), number), end;
             i != end;
             ++i)
          result.push_back(std::stod((*i)[2]));
        return result;
      }

      void
      expect(const std::string         &name,
             const std::vector<double> &expected,
             const double               tolerance) const
      {
        ASSERT_EQ(texts.count(name), 1U) << name;
        const auto found = numbers(name);
        ASSERT_EQ(found.size(), expected.size()) << texts.at(name);
        for (std::size_t i = 0; i < found.size(); ++i)
          EXPECT_NEAR(found[i], expected[i], tolerance * expected[i])
            << name << ": " << texts.at(name);
      }

      std::map<std::string, std::string> texts;
    };

    template <int dim>
    typename Solid<dim>::Parameters
    steel(const std::string &mesh)
    {
      typename Solid<dim>::Parameters parameters;
      SolidParameters::Body           body;
      body.mesh    = mesh;
      body.corner  = {0, 0, 0};
      body.centre  = {0, 0, 0};
      body.shift   = {0, 0, 0};
      body.E       = E;
      body.nu      = nu;
      body.density = density;
      parameters.bodies.emplace_back("block", body);
      return parameters;
    }

    TEST(SolidReport, OfABox)
    {
      for (const unsigned int degree : {1, 2})
        {
          auto parameters   = steel<3>("box");
          parameters.degree = degree;
          auto &body        = parameters.bodies[0].second;
          body.corner       = {1, 2, 3};
          body.size         = {0.3, 0.2, 0.16};
          body.cells        = {6, 4, 2};
          const Report<3> report(parameters);
          report.expect("bodies", {1}, 0);
          report.expect("cells", {48, double(degree)}, 0);
          report.expect("coarse cells", {3 * 2 * 1}, 0);
          const double n_nodes =
            (6 * degree + 1) * (4 * degree + 1) * (2 * degree + 1);
          report.expect("degrees of freedom", {3 * n_nodes, n_nodes}, 0);
          const double volume = 0.3 * 0.2 * 0.16;
          report.expect("mass", {density * volume}, six_digits);
          report.expect("block",
                        {48, 0.05, 0.08, volume, density * volume},
                        four_digits);
          report.expect("  worst scaled Jacobian", {1, 1}, four_digits);
          // back, bottom, front, left, right, top: faces and areas
          report.expect("  sides",
                        {12,
                         0.3 * 0.16,
                         24,
                         0.3 * 0.2,
                         12,
                         0.3 * 0.16,
                         8,
                         0.2 * 0.16,
                         8,
                         0.2 * 0.16,
                         24,
                         0.3 * 0.2},
                        four_digits);
          for (const std::string side :
               {"back", "bottom", "front", "left", "right", "top"})
            EXPECT_NE(report.texts.at("  sides").find(side + ": "),
                      std::string::npos)
              << report.texts.at("  sides");
          const double c = std::sqrt((lambda + 2 * mu) / density);
          report.expect("waves in block",
                        {c, std::sqrt(mu / density)},
                        four_digits);
          report.expect("step of Courant number 1",
                        {0.05 / (c * degree)},
                        six_digits);
        }
    }

    /// In plane stress the pressure wave has E / (1 - nu^2).
    TEST(SolidReport, OfAPlate)
    {
      for (const std::string plane : {"strain", "stress"})
        {
          auto parameters      = steel<2>("box");
          parameters.plane     = plane;
          parameters.thickness = 0.01;
          auto &body           = parameters.bodies[0].second;
          body.corner          = {0, 0};
          body.size            = {0.3, 0.2};
          body.cells           = {3, 4};
          const Report<2> report(parameters);
          const double    volume = 0.3 * 0.2 * 0.01;
          report.expect("block",
                        {12, 0.05, 0.1, volume, density * volume},
                        four_digits);
          // bottom, left, right, top
          report.expect("  sides",
                        {3, 0.003, 4, 0.002, 4, 0.002, 3, 0.003},
                        four_digits);
          const double modulus =
            plane == "strain" ? lambda + 2 * mu : E / (1 - nu * nu);
          const double c = std::sqrt(modulus / density);
          report.expect("waves in block",
                        {c, std::sqrt(mu / density)},
                        four_digits);
          report.expect("step of Courant number 1", {0.05 / c}, six_digits);
        }
    }

    /// Counts have all their digits.
    TEST(SolidReport, OfManyCells)
    {
      auto  parameters = steel<2>("box");
      auto &body       = parameters.bodies[0].second;
      body.corner      = {0, 0};
      body.size        = {1, 1e-4};
      body.cells       = {12345, 1};
      const Report<2> report(parameters);
      EXPECT_EQ(report.numbers("block").at(0), 12345);
      EXPECT_EQ(report.numbers("  sides").at(0), 12345); // bottom
    }

    /// A file of one quadrilateral.
    std::string
    one_cell(const std::string &places)
    {
      return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n"
             "1 1 \"foot\"\n2 2 \"steel\"\n$EndPhysicalNames\n$Nodes\n4\n" +
             places +
             "$EndNodes\n$Elements\n2\n1 1 2 1 1 1 2\n2 3 2 2 1 1 2 3 4\n"
             "$EndElements\n";
    }

    /// The scaled Jacobian of a corner is the sine of its angle: 60 and 120
    /// degrees of a rhombus, 45, 135 and 90 of a trapezoid.
    TEST(SolidReport, OfSlantedCells)
    {
      const TemporaryFolder folder;
      const std::string     file       = (folder.path / "cell.msh").string();
      auto                  parameters = steel<2>("file");
      parameters.bodies[0].second.file = file;
      const double height              = std::sqrt(3) / 2;
      Files::write(file,
                   one_cell("1 0 0 0\n2 1 0 0\n3 1.5 0.8660254037844386 0\n"
                            "4 0.5 0.8660254037844386 0\n"));
      const Report<2> rhombus(parameters);
      rhombus.expect("  worst scaled Jacobian", {height, 1}, four_digits);
      rhombus.expect("block", {1, 1, height, density * height}, four_digits);
      rhombus.expect("  sides", {1, 1}, four_digits);
      Files::write(file, one_cell("1 0 0 0\n2 2 0 0\n3 1 1 0\n4 0 1 0\n"));
      const Report<2> trapezoid(parameters);
      trapezoid.expect("  worst scaled Jacobian",
                       {std::sqrt(0.5), 1},
                       four_digits);
      trapezoid.expect("block", {1, 1, 2, 1.5, density * 1.5}, four_digits);
      EXPECT_EQ(trapezoid.texts.at("  sides").substr(0, 6), "foot: ");
    }

    /// A square of steel and a rectangle twice as large of foam, halved once.
    TEST(SolidReport, OfVolumes)
    {
      const TemporaryFolder folder;
      const std::string     file = (folder.path / "cells.msh").string();
      Files::write(file,
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n"
                   "2 1 \"core\"\n2 2 \"shell\"\n$EndPhysicalNames\n$Nodes\n6\n"
                   "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 3 0 0\n6 3 1 0\n"
                   "$EndNodes\n$Elements\n2\n1 3 2 1 1 1 2 3 4\n"
                   "2 3 2 2 2 2 5 6 3\n$EndElements\n");
      auto                      parameters = steel<2>("file");
      SolidParameters::Material material;
      parameters.materials.emplace_back("steel", material);
      material.density = 200;
      parameters.materials.emplace_back("foam", material);
      auto &body                = parameters.bodies[0].second;
      body.file                 = file;
      body.n_refinements        = 1;
      body.material             = "steel";
      body.materials_of_volumes = "shell: foam";
      const Report<2> report(parameters);
      report.expect("coarse cells", {2}, 0);
      report.expect("block", {8, 0.5, 1, 3, density + 400}, four_digits);
      report.expect("  volumes", {4, 1, density, 4, 2, 400}, four_digits);
      const std::string volumes = report.texts.at("  volumes");
      for (const std::string text :
           {"core: 4 cells", "kg of steel; shell: 4 cells", "kg of foam"})
        EXPECT_NE(volumes.find(text), std::string::npos) << volumes;
    }

    /// All ranks have the coarse cells of all bodies.
    TEST(SolidReport, WarnsOfManyCoarseCells)
    {
      auto parameters = steel<2>("box");
      auto other      = parameters.bodies[0].second;
      other.mesh      = "file";
      parameters.bodies.emplace_back("import", other);
      EXPECT_EQ(coarse_mesh_warning({99999, 1}, parameters), "");
      const auto of_box = coarse_mesh_warning({99999, 2}, parameters);
      EXPECT_NE(of_box.find("has 100001 cells, 99999 of them in body 'block'"),
                std::string::npos);
      EXPECT_NE(of_box.find("'cells' that can all be halved"),
                std::string::npos);
      const auto of_file = coarse_mesh_warning({6, 200000}, parameters);
      EXPECT_NE(of_file.find("in body 'import'"), std::string::npos);
      EXPECT_NE(of_file.find("more 'refinements'"), std::string::npos);
    }
  } // namespace
} // namespace Percuss::Test
