// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include <cmath>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    const std::string file = "benchmark/imported_mesh_drop.prm";
    const std::string name = "model/solid 3d/bodies/bracket/file=";

    /// Until the sole has touched the floor; the mesh as another file, where
    /// one is given.
    Overrides
    short_run(const std::string &mesh = "")
    {
      Overrides overrides = {"time/end time=2.4e-3", "output/field interval=0"};
      if (!mesh.empty())
        overrides.push_back(name + parameter_files() + "/benchmark/meshes/" +
                            mesh);
      return overrides;
    }

    void
    compare(const FinishedRun &one, const FinishedRun &other)
    {
      // Round-off 2e-16, times the condition of the step's matrix, some ten
      // times the square of its Courant number 53, times the ratio 7000 of the
      // stiffnesses: forces of the soft sole stem from the stiff angle.
      const double tolerance = 1e-7;
      for (const auto &[quantity, value] : one.values)
        EXPECT_NEAR(other.values.at(quantity),
                    value,
                    tolerance * (1 + std::abs(value)))
          << quantity;
      if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
        return;
      for (const std::string probe : {"heel", "toe", "top"})
        {
          const auto a = one.column("probes", probe);
          const auto b = other.column("probes", probe);
          ASSERT_EQ(a.size(), b.size());
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], 1e-10) << probe;
        }
    }

    /// The formats number nodes and cells differently.
    TEST(SolidMeshFileOnRanks, FormatsAndRanksGiveOneMotion)
    {
      const FinishedRun serial(file, short_run());
      const FinishedRun shared(file, short_run(), MPI_COMM_WORLD);
      compare(serial, shared);
      for (const std::string mesh : {"bracket_2.2.msh", "bracket.inp"})
        compare(shared, FinishedRun(file, short_run(mesh), MPI_COMM_WORLD));
    }

    TEST(SolidMeshFileOnRanks, AllRanksHearOfADamagedFile)
    {
      for (const std::string mesh : {"bracket.geo", "none.msh"})
        try
          {
            const FinishedRun run(file, short_run(mesh), MPI_COMM_WORLD);
            ADD_FAILURE() << mesh;
          }
        catch (const Error &error)
          {
            EXPECT_EQ(error.code, ExitCode::mesh);
          }
    }
  } // namespace
} // namespace Percuss::Test
