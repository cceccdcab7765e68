// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>

#include "models/solid.h"
#include "tools.h"

// Products from cell to cell on several ranks.

namespace Percuss::Test
{
  namespace
  {
    /// A number for each degree of freedom that is hard to get by chance.
    Vector
    numbers(const Partition &partition)
    {
      Vector x(partition);
      for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
        x.local_element(i) =
          std::sin(1. + 3. * (partition->local_range().first + i));
      return x;
    }

    TEST(SolidOperatorOnRanks, IsThatOfTheMatrices)
    {
      for (const std::string mass_matrix : {"consistent", "lumped"})
        {
          Solid<3>::Parameters  parameters;
          SolidParameters::Body body;
          body.mesh = "cylinder";
          body.corner.assign(3, 0.);
          body.centre.assign(3, 0.);
          body.size.assign(3, 1.);
          body.cells.assign(3, 2.);
          parameters.bodies.emplace_back("roll", body);
          body.mesh = "box";
          parameters.bodies.emplace_back("block", body);
          parameters.supports.push_back({"left", {"block left", "x, z"}});
          parameters.degree      = 2;
          parameters.mass_matrix = mass_matrix;
          parameters.form        = "assembled";
          const Solid<3> with(parameters, {MPI_COMM_WORLD});
          parameters.form = "matrix-free";
          const Solid<3> without(parameters, {MPI_COMM_WORLD});
          const auto     A = with.assemble(2, 0, 1e-8);
          const auto     B = without.assemble(2, 0, 1e-8);
          const Vector   x = numbers(with.partition());
          Vector         y(x), z(x);
          A->multiply(x, y);
          B->multiply(x, z);
          z -= y;
          EXPECT_LE(z.linfty_norm(), 1e-12 * y.linfty_norm());
          const auto a = A->diagonal(), b = B->diagonal();
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], 1e-12 * a[i]);
        }
    }

    /// With contact and friction, to the tolerance of the solvers.
    TEST(SolidOperatorOnRanks, RunsAsWithMatrices)
    {
      const Overrides overrides = {"model/solid 3d/degree=2",
                                   "model/solid 3d/bodies/block/cells=2, 1, 1",
                                   "linear solver/type=cg",
                                   "linear solver/cg/preconditioner=jacobi",
                                   "time/end time=0.12",
                                   "output/field interval=0"};
      Overrides       with(overrides), without(overrides);
      with.push_back("model/solid 3d/operator=assembled");
      without.push_back("model/solid 3d/operator=matrix-free");
      const FinishedRun a("benchmark/block_drop_3d.prm", with);
      const FinishedRun b("benchmark/block_drop_3d.prm",
                          without,
                          MPI_COMM_WORLD);
      for (const auto &[name, value] : a.values)
        EXPECT_NEAR(b.values.at(name), value, 1e-8 * (1 + std::abs(value)))
          << name;
    }
  } // namespace
} // namespace Percuss::Test
