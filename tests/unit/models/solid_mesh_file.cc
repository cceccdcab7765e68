// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>

#include <gtest/gtest.h>

#include <cmath>

#include "mesh_texts.h"
#include "models/solid.h"
#include "models/solid_survey.h"
#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    /// The block of 4 x 2 (x 2) cells of BlockText as a body, in units of
    /// 0.5 m, of two materials.
    template <int dim>
    typename Solid<dim>::Parameters
    block(const std::string &file)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.materials.emplace_back("foam", SolidParameters::Material());
      parameters.materials[0].second.density = 10;
      parameters.materials[0].second.E       = 2;
      parameters.materials[0].second.nu      = 0.25;
      SolidParameters::Body body;
      body.mesh                 = "file";
      body.file                 = file;
      body.scale                = 0.5;
      body.shift                = {1, 0, 3};
      body.E                    = 5;
      body.nu                   = 0.25;
      body.density              = 100;
      body.materials_of_volumes = "soft: foam";
      parameters.bodies.emplace_back("a block", body);
      parameters.supports.emplace_back("wall", SolidParameters::Support());
      parameters.supports[0].second.on         = "a block left";
      parameters.supports[0].second.directions = "x";
      return parameters;
    }

    /// The files of one dimension in a folder.
    template <int dim>
    std::vector<std::string>
    files(const TemporaryFolder &folder)
    {
      std::vector<std::string> names = {"a.msh", "b.msh", "c.inp"};
      const auto               texts = BlockText(dim).all();
      for (unsigned int i = 0; i < 3; ++i)
        {
          names[i] = (folder.path / names[i]).string();
          Files::write(names[i], texts[i]);
        }
      return names;
    }

    template <int dim>
    void
    check(const std::string &file, const unsigned int n_refinements)
    {
      auto parameters                                  = block<dim>(file);
      parameters.bodies[0].second.n_refinements        = n_refinements;
      parameters.bodies[0].second.initial_displacement = "x = x - 1";
      const Solid<dim> model(parameters, {MPI_COMM_SELF});
      // Both halves have a unit of volume.
      Vector ones(model.initial_state().q);
      ones = 1.;
      EXPECT_NEAR(model.mass_norm(ones) / dim, 10 + 100, 1e-9);
      // Uniaxial strain: lambda + 2 mu = 1.2 E for nu = 0.25.
      EXPECT_NEAR(model.stiffness_norm(model.initial_state().q),
                  1.2 * (2 + 5),
                  1e-9);
    }

    TEST(SolidMeshFile, MassAndStiffness)
    {
      const TemporaryFolder folder;
      for (const std::string &file : files<2>(folder))
        for (const unsigned int n : {0, 1})
          check<2>(file, n);
      for (const std::string &file : files<3>(folder))
        for (const unsigned int n : {0, 1})
          check<3>(file, n);
    }

    TEST(SolidMeshFile, Survey)
    {
      const TemporaryFolder folder;
      for (const std::string &file : files<3>(folder))
        {
          auto parameters = block<3>(file);
          parameters.read_mesh_files(MPI_COMM_SELF);
          const SolidMesh<3> mesh(parameters, MPI_COMM_SELF);
          const auto         bodies = survey(mesh,
                                     dealii::MappingQ<3>(1),
                                     parameters,
                                     make_materials(parameters));
          ASSERT_EQ(bodies.size(), 1U);
          EXPECT_EQ(bodies[0].n_cells, 16);
          EXPECT_NEAR(bodies[0].volume, 2, 1e-12);
          EXPECT_NEAR(bodies[0].mass, 110, 1e-9);
          EXPECT_NEAR(bodies[0].shortest_edge, 0.5, 1e-12);
          EXPECT_NEAR(bodies[0].longest_edge, 0.5, 1e-12);
          EXPECT_NEAR(bodies[0].worst_jacobian, 1, 1e-12);
          EXPECT_NEAR(bodies[0].shortest_time, 0.5 / std::sqrt(0.24), 1e-12);
          ASSERT_EQ(bodies[0].sides.size(), 2U);
          EXPECT_EQ(bodies[0].sides.at("left").n_faces, 4);
          EXPECT_NEAR(bodies[0].sides.at("left").area, 1, 1e-12);
          EXPECT_EQ(bodies[0].sides.at("bottom").n_faces, 8);
          EXPECT_NEAR(bodies[0].sides.at("bottom").area, 2, 1e-12);
        }
    }

    /// What is wrong with a body that uses the file.
    std::string
    message(const Solid<3>::Parameters &parameters)
    {
      try
        {
          const Solid<3> model(parameters, {MPI_COMM_SELF});
          return "good";
        }
      catch (const Error &error)
        {
          return std::to_string(static_cast<int>(error.code)) + ": " +
                 error.what();
        }
    }

    TEST(SolidMeshFile, NamesThatAreNotInTheFile)
    {
      const TemporaryFolder folder;
      const auto            good = block<3>(files<3>(folder)[1]);
      EXPECT_EQ(message(good), "good");
      const auto expect = [](const Solid<3>::Parameters &parameters,
                             const std::string          &text) {
        EXPECT_NE(message(parameters).find(text), std::string::npos)
          << message(parameters);
      };
      auto side                  = block<3>(good.bodies[0].second.file);
      side.supports[0].second.on = "a block lefft";
      auto  volume               = block<3>(good.bodies[0].second.file);
      auto &b                    = volume.bodies[0].second;
      b.materials_of_volumes     = "sofd: foam";
      expect(side, "'lefft' is no side of 'a block'; did you mean 'left'?");
      expect(volume, "did you mean 'soft'?");
      b.materials_of_volumes = "soft: foma";
      expect(volume, "'foma' names no material; did you mean 'foam'?");
      b.materials_of_volumes = "soft";
      expect(volume, "'soft' is not as 'core: steel'");
      b.materials_of_volumes = "";
      b.file                 = (folder.path / "none.msh").string();
      expect(volume, "3: the mesh '");
      b.file = folder.path.string();
      expect(volume, "is no file");
      b.file = "";
      expect(volume, "names no file");
    }

    /// At all points of integration, before and after refinement.
    TEST(SolidMeshFile, CurvedShapesAreGood)
    {
      Solid<3>::Parameters parameters;
      for (const std::string mesh : {"ball", "cylinder", "L"})
        {
          SolidParameters::Body body;
          body.mesh   = mesh;
          body.corner = body.centre = {0, 0, 0};
          body.size                 = {1, 1, 1};
          parameters.bodies.assign(1, {"body", body});
          for (const unsigned int degree : {1, 2, 3})
            {
              parameters.degree                         = degree;
              parameters.bodies[0].second.n_refinements = degree == 1 ? 1 : 0;
              EXPECT_EQ(message(parameters), "good") << mesh;
            }
        }
    }

    /// One material beside another in one body: both names of a cell.
    TEST(SolidMeshFile, VolumesWithDifferentMaterials)
    {
      const TemporaryFolder folder;
      std::string           text = BlockText(3).inp();
      text += "*ELSET, ELSET=few, GENERATE\n1, 2\n";
      const std::string file = (folder.path / "d.inp").string();
      Files::write(file, text);
      auto  parameters = block<3>(file);
      auto &body       = parameters.bodies[0].second;
      EXPECT_EQ(message(parameters), "good");
      parameters.materials.emplace_back("other", SolidParameters::Material());
      body.materials_of_volumes = "soft: foam; few: foam";
      EXPECT_EQ(message(parameters), "good");
      body.materials_of_volumes = "soft: foam; few: other";
      EXPECT_NE(message(parameters).find("in both 'soft' and 'few'"),
                std::string::npos);
    }

    /// A set of another one, which the file calls differently; so is its own
    /// second half.
    TEST(SolidMeshFile, NamesOfAbaqusKnowNoCapitals)
    {
      const TemporaryFolder folder;
      const std::string     file = (folder.path / "e.inp").string();
      Files::write(file,
                   BlockText(3).inp() +
                     "*ELSET, ELSET=Both\nSOFT\n*Elset, elset=BOTH\n1, 16\n");
      auto parameters                                  = block<3>(file);
      parameters.bodies[0].second.materials_of_volumes = "Both: foam";
      EXPECT_EQ(message(parameters), "good");
      parameters.bodies[0].second.materials_of_volumes = "BOTH: foam";
      EXPECT_NE(message(parameters), "good");
    }
  } // namespace
} // namespace Percuss::Test
