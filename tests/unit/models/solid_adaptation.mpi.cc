// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models/solid.h"

// Meshes of solids that change: what the motion becomes on another one.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    /// A block of unit length with a steep displacement and velocity, E = 3, nu
    /// = 0.3, density 2, whose cells are halved where gradients jump by more
    /// than 1.
    template <int dim>
    Parameters<dim>
    steep_block(const unsigned int degree, const std::string &mass)
    {
      Parameters<dim>       parameters;
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, dim == 2 ? 8. : 4.);
      body.E                    = 3;
      body.nu                   = 0.3;
      body.density              = 2;
      body.initial_displacement = "x = tanh(20*(x - 0.2)); y = 0.2*x*y";
      body.initial_velocity     = "x = -y + sin(9*x*y); y = x";
      parameters.degree         = degree;
      parameters.mass_matrix    = mass;
      parameters.bodies.emplace_back("block", body);
      parameters.adaptation.interval    = 1;
      parameters.adaptation.n_levels    = 1;
      parameters.adaptation.strain_jump = 1;
      return parameters;
    }

    /// The momenta along x and y and the moment of momentum about z, of places
    /// before the displacement.
    template <int dim>
    std::vector<double>
    momenta(const Parameters<dim> &parameters,
            const MechanicalModel &model,
            const Vector          &v,
            const MPI_Comm         communicator)
    {
      std::vector<double> result;
      Vector              p(v);
      model.multiply_by_mass(v, p);
      for (const std::string rigid : {"x = 1", "y = 1", "x = -y; y = x"})
        {
          Parameters<dim> moved                       = parameters;
          moved.bodies[0].second.initial_displacement = rigid;
          const std::string mesh =
            dealii::Utilities::MPI::broadcast(communicator,
                                              model.describe_mesh());
          const Solid<dim> same(moved, {communicator});
          result.push_back(same.with_mesh(mesh)->initial_state().q * p);
        }
      return result;
    }

    double
    probe(const MechanicalModel &model,
          const std::string     &what,
          const State           &state)
    {
      return model.make_probe("probe", what).value(state);
    }

    template <int dim>
    const std::vector<std::string>
    probes()
    {
      const std::string place =
        dim == 2 ? " of block at 0.37, 0.61" : " of block at 0.37, 0.61, 0.2";
      return {"displacement x" + place,
              "displacement y" + place,
              "velocity x" + place,
              "velocity y" + place};
    }

    /// Elements of smaller cells can do all that those of larger ones can.
    template <int dim>
    void
    check_refinement(const Parameters<dim> &parameters)
    {
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      const State      before = model.initial_state();
      State            after  = before;
      const auto       finer  = model.adapt(after);
      ASSERT_NE(finer, nullptr);
      EXPECT_GT(finer->partition()->size(), model.partition()->size());
      const Energy e = model.energy(before), f = finer->energy(after);
      EXPECT_NEAR(f.strain, e.strain, 1e-11 * e.strain);
      // Quadrature at nodes is not exact.
      if (parameters.mass_matrix != "lumped")
        {
          EXPECT_NEAR(f.kinetic, e.kinetic, 1e-11 * e.kinetic);
        }
      for (const std::string &what : probes<dim>())
        EXPECT_NEAR(probe(*finer, what, after),
                    probe(model, what, before),
                    1e-12)
          << what;
    }

    TEST(AdaptiveSolid, SmallerCellsKeepTheMotion)
    {
      for (const std::string mass : {"consistent", "lumped"})
        {
          for (const unsigned int degree : {1, 2, 3})
            check_refinement<2>(steep_block<2>(degree, mass));
          check_refinement<3>(steep_block<3>(1, mass));
        }
    }

    /// With smaller cells, and back. The velocity of nodes that vanish is
    /// changed by @p factor times a field without order.
    template <int dim>
    void
    check_coarsening(const Parameters<dim> &parameters, const double factor)
    {
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      const State      first = model.initial_state();
      State            state = first;
      const auto       finer = model.adapt(state);
      const auto       mesh =
        dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                          finer->describe_mesh());
      Parameters<dim> calm        = parameters;
      calm.adaptation.strain_jump = 1e9; // nothing needs small cells
      const auto same  = Solid<dim>(calm, {MPI_COMM_WORLD}).with_mesh(mesh);
      const auto fixed = same->initial_state().q; // zero where nodes hang
      for (unsigned int i = 0; i < state.v.locally_owned_size(); ++i)
        if (fixed.local_element(i) != 0)
          state.v.local_element(i) +=
            factor *
            std::sin(3. * (i + state.v.get_partitioner()->local_range().first));
      const double energy  = same->energy(state).kinetic;
      const auto   before  = momenta<dim>(calm, *same, state.v, MPI_COMM_WORLD);
      const auto   coarser = same->adapt(state);
      ASSERT_NE(coarser, nullptr);
      ASSERT_EQ(state.v.size(), first.v.size());
      const auto after = momenta<dim>(calm, *coarser, state.v, MPI_COMM_WORLD);
      // Masses of nodes that hang are at other nodes: their moments differ.
      const unsigned int n_kept = parameters.mass_matrix == "lumped" ? 2 : 3;
      for (unsigned int i = 0; i < n_kept; ++i)
        EXPECT_NEAR(after[i], before[i], 1e-11) << i;
      EXPECT_LE(coarser->energy(state).kinetic, energy * (1 + 1e-11));
      // Nodes that stay have their places.
      state.q -= first.q;
      EXPECT_LE(state.q.linfty_norm(), 1e-12);
      state.v -= first.v;
      if (factor == 0)
        {
          EXPECT_LE(state.v.linfty_norm(), 1e-10);
        }
      else
        {
          EXPECT_GT(state.v.linfty_norm(), 1e-3);
        }
    }

    TEST(AdaptiveSolid, LargerCellsKeepMomenta)
    {
      for (const double factor : {0., 0.3})
        {
          check_coarsening<2>(steep_block<2>(1, "consistent"), factor);
          check_coarsening<2>(steep_block<2>(3, "consistent"), factor);
        }
      check_coarsening<3>(steep_block<3>(1, "consistent"), 0.3);
      // Masses at nodes: the mean over shape functions is no projection.
      check_coarsening<2>(steep_block<2>(1, "lumped"), 0.3);
    }

    TEST(AdaptiveSolid, MeshesAreDescribed)
    {
      const auto parameters = steep_block<2>(1, "consistent");
      const auto describe   = [&](const MPI_Comm communicator) {
        std::unique_ptr<MechanicalModel> model =
          std::make_unique<Solid<2>>(parameters,
                                     MechanicalModel::Context{communicator});
        State state = model->initial_state();
        model       = model->adapt(state);
        return dealii::Utilities::MPI::broadcast(communicator,
                                                 model->describe_mesh());
      };
      const std::string mesh = describe(MPI_COMM_WORLD);
      EXPECT_EQ(mesh, describe(MPI_COMM_SELF));
      EXPECT_NE(mesh.find("3:"), std::string::npos) << mesh;
      EXPECT_NE(mesh.find("4:"), std::string::npos) << mesh;
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      const auto     other = model.with_mesh(mesh);
      EXPECT_EQ(dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                                  other->describe_mesh()),
                mesh);
      EXPECT_THROW(model.with_mesh("3:63"), Error);
    }

    TEST(AdaptiveSolid, RegionsOfTheFileStaySmall)
    {
      auto                        parameters = steep_block<2>(1, "consistent");
      SolidParameters::Refinement corner;
      corner.where    = "x + y - 0.1";
      corner.n_levels = 2;
      parameters.refinements.emplace_back("corner", corner);
      parameters.adaptation.strain_jump = 1e9;
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      State          state = model.initial_state();
      EXPECT_EQ(model.adapt(state), nullptr);
    }
  } // namespace
} // namespace Percuss::Test
