// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"

// Solids with smaller cells in a corner, hence with hanging nodes: on each rank
// alone and on all together.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    /// A block of unit length, E = 3, nu = 0.3, density 2.
    template <int dim>
    Parameters<dim>
    refined_block(const unsigned int degree)
    {
      Parameters<dim>       parameters;
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, dim == 2 ? 4. : 2.);
      body.E            = 3;
      body.nu           = 0.3;
      body.density      = 2;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block", body);
      SolidParameters::Refinement corner, edge;
      corner.where    = dim == 2 ? "x + y - 0.4" : "x + y + z - 0.4";
      corner.n_levels = 2;
      edge.on         = "block right";
      edge.where      = "abs(y - 0.8) - 0.1";
      parameters.refinements.emplace_back("corner", corner);
      parameters.refinements.emplace_back("edge", edge);
      return parameters;
    }

    template <int dim>
    Vector
    field(Parameters<dim>    parameters,
          const std::string &text,
          const MPI_Comm     communicator)
    {
      parameters.bodies[0].second.initial_displacement = text;
      return Solid<dim>(parameters, {communicator}).initial_state().q;
    }

    const std::vector<std::string> rigid_2d = {"x = 1",
                                               "y = 1",
                                               "x = -y; y = x"};
    const std::vector<std::string> rigid_3d = {"x = 1",
                                               "y = 1",
                                               "z = 1",
                                               "x = -y; y = x",
                                               "y = -z; z = y",
                                               "z = -x; x = z"};

    template <int dim>
    void
    check_rigid_motions(const Parameters<dim> &parameters,
                        const MPI_Comm         communicator)
    {
      const Solid<dim> model(parameters, {communicator});
      for (const std::string &text : dim == 2 ? rigid_2d : rigid_3d)
        {
          const Vector q = field<dim>(parameters, text, communicator);
          Vector       f(q), zero(q);
          zero = 0.;
          model.internal_forces(q, zero, f);
          EXPECT_LE(f.linfty_norm(), 1e-11) << text;
        }
      EXPECT_NEAR(model.mass_norm(
                    field<dim>(parameters, "x = 1", communicator)),
                  2,
                  1e-12);
      const auto M = model.assemble(1, 0, 0);
      EXPECT_TRUE(M->has_positive_diagonal());
      EXPECT_EQ(model.masses(), M->diagonal());
    }

    TEST(RefinedSolid, RigidMotionsFeelNoForce)
    {
      for (const unsigned int degree : {1, 2, 3})
        for (const std::string mass : {"consistent", "lumped"})
          {
            auto in_plane        = refined_block<2>(degree);
            auto in_space        = refined_block<3>(degree);
            in_plane.mass_matrix = mass;
            in_space.mass_matrix = mass;
            check_rigid_motions<2>(in_plane, MPI_COMM_WORLD);
            if (degree < 3)
              check_rigid_motions<3>(in_space, MPI_COMM_WORLD);
          }
    }

    /// A uniform strain has its energy, and no force on nodes inside.
    template <int dim>
    void
    check_patch(const unsigned int degree)
    {
      const double     mu = 3 / 2.6, lambda = 2 * mu * 0.3 / 0.4;
      const auto       parameters = refined_block<dim>(degree);
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      const auto       get = [&](const std::string &text) {
        return field<dim>(parameters, text, MPI_COMM_WORLD);
      };
      const std::string bubble =
        dim == 2 ? "16*x*(1-x)*y*(1-y)" : "64*x*(1-x)*y*(1-y)*z*(1-z)";
      const Vector stretch = get("x = x"), shear = get("x = y");
      EXPECT_NEAR(model.stiffness_norm(stretch), lambda + 2 * mu, 1e-11);
      EXPECT_NEAR(model.stiffness_norm(shear), mu, 1e-11);
      Vector zero(stretch), f(stretch);
      zero = 0.;
      for (const Vector *const q : {&stretch, &shear})
        {
          model.internal_forces(*q, zero, f);
          for (const std::string factor : {"1", "sin(9*x)", "(x-y)^3"})
            {
              const Vector w = get("x = " + bubble + "*" + factor +
                                   "; y = " + bubble + "*" + factor + "*x");
              EXPECT_GT(w.l2_norm(), 0.01);
              EXPECT_NEAR(f * w, 0, 1e-11) << factor;
            }
        }
    }

    TEST(RefinedSolid, PassesThePatchTest)
    {
      for (const unsigned int degree : {1, 2, 3})
        check_patch<2>(degree);
      for (const unsigned int degree : {1, 2})
        check_patch<3>(degree);
    }

    /// Tractions do the work that they do, and probes see what is there also
    /// in cells with hanging nodes.
    template <int dim>
    void
    check_loads_and_probes(const unsigned int degree)
    {
      auto                  parameters = refined_block<dim>(degree);
      SolidParameters::Load load;
      load.on       = "block left";
      load.traction = "x = (1 + y)*t";
      parameters.loads.emplace_back("pull", load);
      parameters.bodies[0].second.initial_displacement = "x = x + 2*y";
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      const State      state = model.initial_state();
      Vector           f(state.q);
      f = 0.;
      model.add_driving_load(3, 2, f);
      EXPECT_NEAR(f * field<dim>(parameters, "x = 1", MPI_COMM_WORLD),
                  6 * 1.5,
                  1e-11);
      EXPECT_NEAR(f * field<dim>(parameters, "x = y", MPI_COMM_WORLD),
                  6 * (0.5 + 1. / 3),
                  1e-11);
      for (double x = 0.01; x < 1; x += 0.07)
        {
          const std::string place =
            std::to_string(x) + ", 0.23" + (dim == 3 ? ", 0.31" : "");
          const Probe probe =
            model.make_probe("u", "displacement x of block at " + place);
          EXPECT_NEAR(probe.value(state), x + 0.46, 1e-12);
        }
    }

    TEST(RefinedSolid, LoadsAndProbes)
    {
      check_loads_and_probes<2>(1);
      check_loads_and_probes<2>(3);
      check_loads_and_probes<3>(1);
      check_loads_and_probes<3>(2);
    }

    /// The same numbers, matrices and contacts on one rank and on several.
    template <int dim>
    void
    compare_with_one_rank(const unsigned int degree)
    {
      auto                     parameters = refined_block<dim>(degree);
      SolidParameters::Contact contact;
      contact.set_defaults(dim);
      contact.on = "block right";
      contact.through.assign(dim, 1.);
      contact.normal.assign(dim, 0.);
      contact.normal[0] = -1;
      parameters.contacts.emplace_back("wall", contact);
      SolidParameters::Support support;
      support.on         = "block bottom";
      support.directions = "y";
      parameters.supports.emplace_back("floor", support);
      parameters.bodies[0].second.initial_displacement =
        "x = sin(3*x + y) + y; y = x*y";
      const Solid<dim> serial(parameters, {MPI_COMM_SELF});
      const Solid<dim> shared(parameters, {MPI_COMM_WORLD});
      const Vector     a = serial.initial_state().q;
      const Vector     b = shared.initial_state().q;
      ASSERT_EQ(a.size(), b.size());
      Vector of_a(a), of_b(b), zero_a(a), zero_b(b);
      zero_a = 0.;
      zero_b = 0.;
      serial.internal_forces(a, zero_a, of_a);
      shared.internal_forces(b, zero_b, of_b);
      const auto [begin, end] = b.get_partitioner()->local_range();
      for (auto i = begin; i < end; ++i)
        {
          ASSERT_NEAR(a(i), b(i), 1e-13);
          ASSERT_NEAR(of_a(i), of_b(i), 1e-12);
        }
      EXPECT_NEAR(serial.mass_norm(a), shared.mass_norm(b), 1e-12);
      EXPECT_EQ(serial.contacts().size(), shared.contacts().size());
      EXPECT_GT(serial.contacts().size(), 0u);
    }

    TEST(RefinedSolid, IsThatOfOneRank)
    {
      for (const unsigned int degree : {1, 2, 3})
        compare_with_one_rank<2>(degree);
      for (const unsigned int degree : {1, 2})
        compare_with_one_rank<3>(degree);
    }
  } // namespace
} // namespace Percuss::Test
