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

    /// Halves cells within @p radius of a corner of the block and joins the
    /// others, one level each. Returns how many cells this rank would have if
    /// all stayed where they are, about.
    template <int dim>
    double
    follow(SolidMesh<dim>           &mesh,
           const dealii::Point<dim> &corner,
           const double              radius)
    {
      std::vector<int> wishes;
      double           n = 0;
      for (const auto &cell : mesh.own_cells())
        {
          wishes.push_back(cell->center().distance(corner) < radius ? 1 : -1);
          n += std::pow(2, dim * wishes.back());
        }
      EXPECT_TRUE(mesh.flag(wishes));
      mesh.change([](const auto &, auto) { return std::vector<char>(); },
                  [] {},
                  [](const auto &, auto, const auto &) {});
      return n;
    }

    /// p4est cuts its curve of N cells at the multiples of N / P, rounded, and
    /// then moves a cut within a family of 2^d cells to one of its ends, so
    /// that the family can be joined: each end of a rank's piece is off by less
    /// than 2^d, and its size by less than 2^(d+1). Where the cells stayed on
    /// their ranks, some would have many more.
    template <int dim>
    void
    check_shares(const SolidMesh<dim> &mesh, const double n_without)
    {
      const double mean =
        mesh.cells().n_global_active_cells() / static_cast<double>(n_ranks());
      const double most = std::pow(2, dim + 1);
      EXPECT_LT(std::abs(static_cast<double>(mesh.own_cells().size()) - mean),
                most);
      if (n_ranks() > 1)
        {
          EXPECT_GT(dealii::Utilities::MPI::max(n_without, MPI_COMM_WORLD),
                    mean + 2 * most);
        }
    }

    /// Small cells at the first corner, in the piece of the first rank; then at
    /// the last one, while the first ones are joined.
    template <int dim>
    void
    check_balance(const unsigned int n_cells)
    {
      SolidMesh<dim>     mesh(block<dim>(n_cells), MPI_COMM_WORLD);
      dealii::Point<dim> first, last;
      for (unsigned int d = 0; d < dim; ++d)
        last[d] = 1;
      for (const auto &corner : {first, last})
        for (unsigned int i = 0; i < 2; ++i)
          check_shares(mesh, follow(mesh, corner, 0.5));
    }

    TEST(SolidBalance, ChangedMeshesAreSharedOutEvenly)
    {
      check_balance<2>(16);
      check_balance<3>(8);
    }
  } // namespace
} // namespace Percuss::Test
