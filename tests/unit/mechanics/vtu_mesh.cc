// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <gtest/gtest.h>

#include "tools.h"
#include "vtu_reader.h"

namespace Percuss::Test
{
  namespace
  {
    /// A line of three points, a triangle of the last two and a fourth, and a
    /// point that no other cell has.
    VtuMesh
    make_mesh()
    {
      VtuMesh mesh;
      for (const double x : {0., 1., 2., 3., 4.})
        mesh.add_point({{x, x * x, -x}});
      mesh.add_cell(VtuMesh::Cell::polyline, {0, 1, 2});
      mesh.add_cell(VtuMesh::Cell::triangle, {1, 2, 3});
      mesh.add_cell(VtuMesh::Cell::vertex, {4});
      mesh.point_fields.push_back({"height", 1, false, {0, 0.5, 1, 1.5, 1e30}});
      mesh.cell_fields.push_back({"kind", 1, true, {7, -8, 9}});
      return mesh;
    }

    TEST(VtuMesh, IsReadBack)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const std::string     name =
        make_mesh().write(folder.path.string(), "mesh", 0.25, MPI_COMM_SELF);
      EXPECT_EQ(name, "mesh.vtu");
      const VtuText file(folder.path / name);
      EXPECT_TRUE(file.is_well_formed());
      EXPECT_EQ(file.attribute("Piece", "NumberOfPoints"), "5");
      EXPECT_EQ(file.attribute("Piece", "NumberOfCells"), "3");
      EXPECT_EQ(file.attribute("VTKFile", "header_type"), "UInt64");
      EXPECT_EQ(
        file.values<float>("points"),
        (std::vector<float>{0, 0, 0, 1, 1, -1, 2, 4, -2, 3, 9, -3, 4, 16, -4}));
      EXPECT_EQ(file.values<std::int64_t>("connectivity"),
                (std::vector<std::int64_t>{0, 1, 2, 1, 2, 3, 4}));
      EXPECT_EQ(file.values<std::int64_t>("offsets"),
                (std::vector<std::int64_t>{3, 6, 7}));
      EXPECT_EQ(file.values<std::uint8_t>("types"),
                (std::vector<std::uint8_t>{4, 5, 1}));
      EXPECT_EQ(file.values<float>("height"),
                (std::vector<float>{0, 0.5F, 1, 1.5F, 1e30F}));
      EXPECT_EQ(file.values<std::int32_t>("kind"),
                (std::vector<std::int32_t>{7, -8, 9}));
      EXPECT_EQ(file.array("TIME"), "0.25");
    }

    /// A rank without a part of the picture writes it nevertheless.
    TEST(VtuMesh, MayBeEmpty)
    {
      const TemporaryFolder folder(MPI_COMM_SELF);
      const std::string     name =
        VtuMesh().write(folder.path.string(), "mesh", 0, MPI_COMM_SELF);
      const VtuText file(folder.path / name);
      EXPECT_TRUE(file.is_well_formed());
      EXPECT_EQ(file.attribute("Piece", "NumberOfPoints"), "0");
      EXPECT_TRUE(file.values<float>("points").empty());
    }

    TEST(VtuMesh, NamesThePathThatCannotBeWritten)
    {
      try
        {
          make_mesh().write(FieldFolder("/nowhere/at/all"),
                            "mesh",
                            0,
                            MPI_COMM_SELF);
          FAIL();
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::io);
          EXPECT_NE(std::string(error.what()).find("/nowhere/at/all/mesh.vtu"),
                    std::string::npos);
        }
    }
  } // namespace
} // namespace Percuss::Test
