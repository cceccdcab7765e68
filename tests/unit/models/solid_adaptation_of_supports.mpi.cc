// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models/solid.h"

// Meshes of solids that change where supports move. The reference for the whole
// body is the same solid without supports, on the same mesh.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    void
    stay(State &)
    {}

    /// What the supports do, at t = 0.7 and as rates. All meshes have linear
    /// functions of the place.
    struct Motion
    {
      std::string text, then, rate;
    };

    const Motion linear = {"x = 0.1*sin(3*t)*(1 + y); y = 0.2*t^2*(1 - y)",
                           "x = 0.1*sin(2.1)*(1 + y); y = 0.098*(1 - y)",
                           "x = 0.3*cos(2.1)*(1 + y); y = 0.28*(1 - y)"};
    const Motion curved = {"x = 0.1*t*sin(9*y); y = 0.2*t^2*y^3",
                           "x = 0.07*sin(9*y); y = 0.098*y^3",
                           "x = 0.1*sin(9*y); y = 0.28*y^3"};

    /// A block of unit length with a steep displacement and velocity, whose
    /// cells are halved where gradients jump by more than 0.3, some of them at
    /// the left side, which moves.
    template <int dim>
    Parameters<dim>
    steep_block(const unsigned int degree,
                const std::string &mass,
                const Motion      &motion)
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
      parameters.gravity        = "x = 1 + y; y = -3";
      parameters.bodies.emplace_back("block", body);
      SolidParameters::Support left;
      left.on     = "block left";
      left.motion = motion.text;
      parameters.supports.emplace_back("left", left);
      parameters.adaptation.interval    = 1;
      parameters.adaptation.n_levels    = 1;
      parameters.adaptation.strain_jump = 0.3;
      return parameters;
    }

    std::string
    mesh_of(const MechanicalModel &model)
    {
      return dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                               model.describe_mesh());
    }

    /// The same parameters on the mesh of another model.
    template <int dim>
    std::unique_ptr<MechanicalModel>
    on_mesh_of(const MechanicalModel &model, const Parameters<dim> &parameters)
    {
      return Solid<dim>(parameters, {MPI_COMM_WORLD}).with_mesh(mesh_of(model));
    }

    /// A function at all nodes, or at those only that no support holds.
    template <int dim>
    Vector
    field(const MechanicalModel &model,
          Parameters<dim>        parameters,
          const std::string     &text,
          const bool             is_whole)
    {
      if (is_whole)
        parameters.supports.clear();
      parameters.bodies[0].second.initial_displacement = text;
      return on_mesh_of<dim>(model, parameters)->initial_state().q;
    }

    /// A part of a state with that of the supports.
    template <int dim>
    Vector
    whole(const MechanicalModel &model,
          const Parameters<dim> &parameters,
          const Vector          &part,
          const std::string     &of_supports)
    {
      Vector result = field<dim>(model, parameters, of_supports, true);
      result -= field<dim>(model, parameters, of_supports, false);
      result += part;
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
    void
    check_refinement(const Parameters<dim> &parameters)
    {
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      State            before = model.initial_state();
      before.time             = 0.7;
      State      after        = before;
      const auto finer        = model.adapt(after, stay);
      ASSERT_NE(finer, nullptr);
      EXPECT_GT(finer->partition()->size(), model.partition()->size());
      const Energy e = model.energy(before), f = finer->energy(after);
      EXPECT_GT(std::abs(model.supports()->energy(before)), 0.1);
      EXPECT_NEAR(f.strain, e.strain, 1e-11 * e.strain);
      // Quadrature at nodes is not exact, nor is it for the weight.
      if (parameters.mass_matrix != "lumped")
        {
          EXPECT_NEAR(f.kinetic, e.kinetic, 1e-11 * e.kinetic);
          EXPECT_NEAR(f.potential, e.potential, 1e-11);
        }
      const std::string third = dim == 2 ? "" : ", 0.2";
      for (const std::string x : {"0, ", "0.02, ", "0.21, "})
        for (const std::string what :
             {"displacement x", "displacement y", "velocity x", "velocity y"})
          {
            const std::string name = what + " of block at " + x + "0.61";
            EXPECT_NEAR(probe(*finer, name + third, after),
                        probe(model, name + third, before),
                        1e-12)
              << name;
          }
    }

    TEST(AdaptiveMovingSupports, SmallerCellsKeepTheMotion)
    {
      for (const std::string mass : {"consistent", "lumped"})
        {
          for (const unsigned int degree : {1, 2, 3})
            check_refinement<2>(steep_block<2>(degree, mass, linear));
          check_refinement<3>(steep_block<3>(1, mass, linear));
        }
    }

    /// Where the large cells could not follow the formulas, nodes that are new
    /// at the support do.
    TEST(AdaptiveMovingSupports, NewNodesOfSupportsFollowTheFormulas)
    {
      const auto     parameters = steep_block<2>(1, "consistent", curved);
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      State          state = model.initial_state();
      state.time           = 0.7;
      const State before   = state;
      const auto  finer    = model.adapt(state, stay);
      ASSERT_NE(finer, nullptr);
      const double      y     = 0.1875; // between 1/8 and 2/8
      const std::string place = " of block at 0, 0.1875";
      EXPECT_NEAR(probe(*finer, "displacement x" + place, state),
                  0.07 * std::sin(9 * y),
                  1e-14);
      EXPECT_NEAR(probe(*finer, "velocity y" + place, state),
                  0.28 * y * y * y,
                  1e-14);
      EXPECT_GT(std::abs(probe(model, "displacement x" + place, before) -
                         0.07 * std::sin(9 * y)),
                1e-3);
    }

    /// The work of the momentum of the whole body with functions of the large
    /// cells that are zero at the support.
    template <int dim>
    std::vector<double>
    momenta(const Parameters<dim> &parameters,
            const MechanicalModel &model,
            const State           &state,
            const Motion          &motion)
    {
      Parameters<dim> free = parameters;
      free.supports.clear();
      const Vector v = whole<dim>(model, parameters, state.v, motion.rate);
      Vector       p(v);
      on_mesh_of<dim>(model, free)->multiply_by_mass(v, p);
      std::vector<double> result;
      for (const std::string text : {"x = x", "x = x*y; y = -2*x"})
        result.push_back(field<dim>(model, parameters, text, false) * p);
      return result;
    }

    /// With smaller cells, and back. The velocity of free nodes is changed by
    /// @p factor times a field without order.
    template <int dim>
    void
    check_coarsening(const Parameters<dim> &parameters,
                     const Motion          &motion,
                     const double           factor)
    {
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      State            first      = model.initial_state();
      first.time                  = 0.7;
      State      state            = first;
      const auto finer            = model.adapt(state, stay);
      auto       calm             = parameters;
      calm.adaptation.strain_jump = 1e9; // nothing needs small cells
      const auto   same           = on_mesh_of<dim>(*finer, calm);
      const Vector is_free = field<dim>(*same, calm, "x = 1; y = 1", false);
      for (unsigned int i = 0; i < state.v.locally_owned_size(); ++i)
        state.v.local_element(i) +=
          factor * is_free.local_element(i) *
          std::sin(3. * (i + state.v.get_partitioner()->local_range().first));
      const auto before  = momenta<dim>(calm, *same, state, motion);
      const auto coarser = same->adapt(state, stay);
      ASSERT_NE(coarser, nullptr);
      ASSERT_EQ(state.v.size(), first.v.size());
      const auto after = momenta<dim>(calm, *coarser, state, motion);
      for (std::size_t i = 0; i < after.size(); ++i)
        EXPECT_NEAR(after[i], before[i], 1e-11) << i;
      state.q -= first.q;
      EXPECT_LE(state.q.linfty_norm(), 1e-12);
      state.v -= first.v;
      if (factor == 0 && &motion == &linear)
        {
          EXPECT_LE(state.v.linfty_norm(), 1e-10);
        }
      else
        {
          EXPECT_GT(state.v.linfty_norm(), 1e-4);
        }
    }

    TEST(AdaptiveMovingSupports, LargerCellsKeepMomenta)
    {
      check_coarsening<2>(steep_block<2>(1, "consistent", linear), linear, 0);
      check_coarsening<2>(steep_block<2>(2, "consistent", curved), curved, 0.3);
      auto in_space                   = steep_block<3>(1, "consistent", linear);
      in_space.bodies[0].second.cells = {2, 2, 2};
      check_coarsening<3>(in_space, linear, 0.3);
    }

    /// Jumps are those of the whole body: none where it is strained uniformly,
    /// though all that the supports do not move is at rest.
    TEST(AdaptiveMovingSupports, JumpsAreThoseOfTheWholeBody)
    {
      auto parameters = steep_block<2>(1, "consistent", linear);
      parameters.bodies[0].second.initial_displacement = linear.then;
      parameters.adaptation.strain_jump                = 0.1;
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      State          state = model.initial_state();
      state.time           = 0.7;
      EXPECT_EQ(model.adapt(state, stay), nullptr);
      state.q = 0.;
      EXPECT_NE(model.adapt(state, stay), nullptr);
    }
  } // namespace
} // namespace Percuss::Test
