// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/mechanics/vtu.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "tools.h"
#include "vtu_reader.h"

// Pictures of several ranks in fewer files.

namespace Percuss::Test
{
  namespace
  {
    unsigned int
    this_rank()
    {
      return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    }

    unsigned int
    n_ranks()
    {
      return dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    }

    /// How many points a rank has; the second one has none.
    unsigned int
    n_points(const unsigned int rank)
    {
      return rank == 1 ? 0 : 2 + rank;
    }

    /// Points (rank, i, 0), with a value of each, times @p factor.
    VtuMesh
    make_mesh(const unsigned int factor = 1)
    {
      VtuMesh mesh;
      mesh.point_fields = {{"value", 1, false, {}}};
      for (unsigned int i = 0; i < factor * n_points(this_rank()); ++i)
        {
          mesh.add_point({{double(this_rank()), double(i), 0}});
          mesh.add_cell(VtuMesh::Cell::vertex, {i});
          mesh.point_fields[0].values.push_back(100 * this_rank() + i);
        }
      return mesh;
    }

    /// Of a picture that is asked for with at most @p n_files, on rank 0.
    std::vector<std::string>
    expected_files(const unsigned int n_files)
    {
      const unsigned int n =
        n_files == 0 ? n_ranks() : std::min(n_files, n_ranks());
      if (n == 1)
        return {"mesh.vtu"};
      std::vector<std::string> files; // fewer than ten
      for (unsigned int i = 0; i < n; ++i)
        files.push_back("mesh." + std::to_string(i) + ".vtu");
      return files;
    }

    /// The names in a folder are those of the files and of their list.
    void
    check_folder(const std::filesystem::path    &folder,
                 const std::vector<std::string> &files,
                 const std::string              &first)
    {
      std::vector<std::string> found, wanted = files;
      for (const auto &each : std::filesystem::directory_iterator(folder))
        found.push_back(each.path().filename().string());
      EXPECT_EQ(first, files.size() == 1 ? "mesh.vtu" : "mesh.pvtu");
      if (files.size() > 1)
        {
          wanted.push_back("mesh.pvtu");
          const VtuText list(folder / "mesh.pvtu");
          EXPECT_TRUE(list.is_well_formed());
          EXPECT_EQ(list.count("<Piece"), files.size());
          for (const std::string &file : files)
            EXPECT_EQ(list.count("<Piece Source=\"" + file + "\"/>"), 1U);
        }
      std::sort(found.begin(), found.end());
      std::sort(wanted.begin(), wanted.end());
      EXPECT_EQ(found, wanted);
    }

    /// All pieces, in the order of the ranks; no file has much more of them
    /// than others.
    std::vector<VtuText>
    all_pieces(const std::filesystem::path    &folder,
               const std::vector<std::string> &files)
    {
      std::vector<VtuText> result;
      for (const std::string &name : files)
        {
          const VtuText file(folder / name);
          EXPECT_TRUE(file.is_well_formed());
          EXPECT_EQ(file.count("<FieldData>"), 1U);
          EXPECT_EQ(file.count("<UnstructuredGrid>"), 1U);
          const auto pieces = file.pieces();
          EXPECT_GE(pieces.size(), n_ranks() / files.size());
          EXPECT_LE(pieces.size(), n_ranks() / files.size() + 1);
          for (const VtuText &piece : pieces)
            result.push_back(piece);
        }
      EXPECT_EQ(result.size(), n_ranks());
      return result;
    }

    TEST(VtuPieces, OfMeshesShareFiles)
    {
      for (const unsigned int n_files : {0, 1, 2, 3, 100})
        {
          const TemporaryFolder folder;
          const std::string     first = make_mesh().write(
            {folder.path.string(), n_files}, "mesh", 0.25, MPI_COMM_WORLD);
          if (this_rank() != 0)
            continue;
          const auto files = expected_files(n_files);
          check_folder(folder.path, files, first);
          const auto pieces = all_pieces(folder.path, files);
          for (unsigned int rank = 0; rank < n_ranks(); ++rank)
            {
              std::vector<float>        values, points;
              std::vector<std::int64_t> numbers;
              for (unsigned int i = 0; i < n_points(rank); ++i)
                {
                  values.push_back(static_cast<float>(100 * rank + i));
                  points.insert(points.end(), {float(rank), float(i), 0});
                  numbers.push_back(i);
                }
              EXPECT_EQ(pieces[rank].values<float>("value"), values);
              EXPECT_EQ(pieces[rank].values<float>("points"), points);
              EXPECT_EQ(pieces[rank].values<std::int64_t>("connectivity"),
                        numbers);
            }
        }
    }

    /// Quadrilaterals by deal.II's writer: as many on a rank as above.
    TEST(VtuPieces, OfPatchesShareFiles)
    {
      for (const unsigned int n_files : {0, 1, 2, 3})
        {
          const TemporaryFolder folder;
          FieldPatches<2, 2>    fields;
          fields.names = {"value"};
          for (unsigned int i = 0; i < n_points(this_rank()); ++i)
            {
              auto patch = FieldPatches<2, 2>::make_patch();
              for (unsigned int v = 0; v < 4; ++v)
                patch.vertices[v] = dealii::Point<2>(i + v % 2, v / 2);
              patch.data.reinit(1, 4);
              fields.patches.push_back(patch);
            }
          const std::string first = write_vtu(fields,
                                              {folder.path.string(), n_files},
                                              "mesh",
                                              0.25,
                                              MPI_COMM_WORLD);
          if (this_rank() != 0)
            continue;
          const auto files = expected_files(n_files);
          check_folder(folder.path, files, first);
          const auto pieces = all_pieces(folder.path, files);
          for (unsigned int rank = 0; rank < n_ranks(); ++rank)
            {
              EXPECT_EQ(pieces[rank].attribute("Piece", "NumberOfPoints"),
                        std::to_string(4 * n_points(rank)));
              EXPECT_EQ(pieces[rank].attribute("Piece", "NumberOfCells"),
                        std::to_string(n_points(rank)));
              EXPECT_TRUE(pieces[rank].has("value"));
            }
        }
    }

    /// The message of the Error that all ranks must throw.
    std::string
    message(const FieldFolder &folder, const unsigned int factor)
    {
      try
        {
          make_mesh(factor).write(folder, "mesh", 0, MPI_COMM_WORLD);
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.code, ExitCode::io);
          return error.what();
        }
      return "no error";
    }

    /// The last file has a folder in its place, or there is no folder at all.
    /// Large pieces (MPI does not send them before someone receives) find
    /// nobody who writes them, and yet no rank waits.
    TEST(VtuPieces, AllRanksLearnOfAFileThatCannotBeWritten)
    {
      for (const unsigned int factor : {1, 50000})
        for (const unsigned int n_files : {0, 1, 2})
          {
            EXPECT_NE(message({"/nowhere/at/all", n_files}, factor)
                        .find("/nowhere/at/all/mesh"),
                      std::string::npos);
            const TemporaryFolder folder;
            const std::string     last = expected_files(n_files).back();
            if (this_rank() == 0)
              std::filesystem::create_directories(folder.path / last / "a");
            MPI_Barrier(MPI_COMM_WORLD);
            EXPECT_NE(
              message({folder.path.string(), n_files}, factor).find(last),
              std::string::npos);
          }
    }
  } // namespace
} // namespace Percuss::Test
