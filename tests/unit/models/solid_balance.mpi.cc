// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/solid.h"
#include "models/solid_mesh.h"

// Meshes that change are shared out evenly.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    unsigned int
    n_ranks()
    {
      return dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    }

    /// A block of unit length.
    template <int dim>
    Parameters<dim>
    block(const unsigned int n_cells)
    {
      Parameters<dim>       parameters;
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, n_cells);
      parameters.bodies.emplace_back("block", body);
      return parameters;
    }

    /// Halves cells within @p radius of a corner of the block, and joins the
    /// others where @p joins. Returns how many cells this rank would have at
    /// least if all stayed where they are and none were joined.
    template <int dim>
    double
    follow(SolidMesh<dim>           &mesh,
           const dealii::Point<dim> &corner,
           const double              radius,
           const bool                joins)
    {
      std::vector<int> wishes;
      double           n = 0;
      for (const auto &cell : mesh.own_cells())
        {
          const bool is_near = cell->center().distance(corner) < radius;
          wishes.push_back(is_near ? 1 : joins ? -1 : 0);
          n += is_near ? std::pow(2, dim) : 1;
        }
      EXPECT_TRUE(mesh.flag(wishes));
      mesh.change([](const auto &, auto) { return std::vector<char>(); },
                  [] {},
                  [](const auto &, auto, const auto &) {});
      return n;
    }

    /// Returns the mean share. p4est cuts its curve of N cells at the
    /// multiples of N / P, rounded, and then moves a cut within a family of 2^d
    /// cells to one of its ends, so that the family can be joined: each end of
    /// a rank's piece is off by less than 2^d, and its size by less than
    /// 2^(d+1).
    template <int dim>
    double
    check_share(const SolidMesh<dim> &mesh)
    {
      const double mean =
        static_cast<double>(mesh.cells().n_global_active_cells()) / n_ranks();
      EXPECT_LT(std::abs(static_cast<double>(mesh.own_cells().size()) - mean),
                std::pow(2, dim + 1));
      return mean;
    }

    /// Small cells at the first corner, in the piece of the first rank, which
    /// would have many more than the others; then at the last one, while the
    /// first ones are joined.
    template <int dim>
    void
    check_balance(const unsigned int n_cells)
    {
      SolidMesh<dim>     mesh(block<dim>(n_cells), MPI_COMM_WORLD);
      dealii::Point<dim> first, last;
      for (unsigned int d = 0; d < dim; ++d)
        last[d] = 1;
      const double n_without =
        dealii::Utilities::MPI::max(follow(mesh, first, 0.5, false),
                                    MPI_COMM_WORLD);
      const double mean = check_share(mesh);
      if (n_ranks() > 1)
        {
          EXPECT_GT(n_without, mean + 2 * std::pow(2, dim + 1));
        }
      for (unsigned int i = 0; i < 2; ++i)
        {
          follow(mesh, last, 0.5, true);
          check_share(mesh);
        }
    }

    TEST(SolidBalance, ChangedMeshesAreSharedOutEvenly)
    {
      check_balance<2>(16);
      check_balance<3>(8);
    }
  } // namespace
} // namespace Percuss::Test
