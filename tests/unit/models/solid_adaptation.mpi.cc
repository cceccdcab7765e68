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

    /// No scheme has memories.
    void
    stay(State &)
    {}

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
      const auto       finer  = model.adapt(after, stay);
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
      const auto       finer = model.adapt(state, stay);
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
      const auto   coarser = same->adapt(state, stay);
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

    /// The work of @p load with motions that all meshes have, of degree 1 on
    /// rectangles.
    std::vector<double>
    works(const Parameters<2>   &parameters,
          const MechanicalModel &model,
          const Vector          &load)
    {
      std::vector<double> result;
      for (const std::string text :
           {"x = 1", "y = 1", "x = -y; y = x", "x = x*y; y = 2*x*y"})
        {
          Parameters<2> moved                         = parameters;
          moved.bodies[0].second.initial_displacement = text;
          const std::string mesh =
            dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                              model.describe_mesh());
          const Solid<2> same(moved, {MPI_COMM_WORLD});
          result.push_back(same.with_mesh(mesh)->initial_state().q * load);
        }
      return result;
    }

    /// A field that is the velocity moves as the velocity does. The work of
    /// loads does not change, with smaller cells and back.
    TEST(AdaptiveSolid, MemoriesMove)
    {
      const auto     parameters = steep_block<2>(1, "consistent");
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      State          state = model.initial_state();
      Vector         load(state.v);
      for (unsigned int i = 0; i < load.locally_owned_size(); ++i)
        load.local_element(i) =
          std::sin(7. * (i + load.get_partitioner()->local_range().first));
      state.memory = {{"field", state.v, State::Kind::field},
                      {"load", load, State::Kind::load}};
      auto                             calm  = parameters;
      std::vector<std::vector<double>> found = {works(parameters, model, load)};
      calm.adaptation.strain_jump            = 1e9; // nothing needs small cells
      const auto finer                       = model.adapt(state, stay);
      const auto same =
        Solid<2>(calm, {MPI_COMM_WORLD})
          .with_mesh(dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                                       finer->describe_mesh()));
      for (const bool is_back : {false, true})
        {
          std::unique_ptr<MechanicalModel> coarser;
          if (is_back)
            coarser = same->adapt(state, stay);
          Vector field = state.recall("field");
          field -= state.v;
          EXPECT_LE(field.linfty_norm(), 1e-12);
          found.push_back(works(parameters,
                                is_back ? *coarser : *same,
                                state.recall("load")));
        }
      for (const auto &works_of_mesh : found)
        for (std::size_t i = 0; i < works_of_mesh.size(); ++i)
          EXPECT_NEAR(works_of_mesh[i], found[0][i], 1e-11) << i;
    }

    /// Impulses of the pressure 1 + x and half of it as friction, from the load
    /// of a unit traction.
    Vector
    linear_impulses(const MechanicalModel &model, const Vector &places)
    {
      Vector result(model.contacts().partition()), areas(model.partition());
      model.add_driving_load(1, 1, areas);
      for (const ContactPoint &point : model.contacts().points())
        {
          const auto   dof = model.contacts().row(point.first)[0].first / 2 * 2;
          const double impulse =
            (1 + places.local_element(dof)) * areas.local_element(dof + 1);
          result.local_element(point.first)     = impulse;
          result.local_element(point.first + 1) = impulse / 2;
        }
      return result;
    }

    TEST(AdaptiveSolid, ImpulsesMove)
    {
      auto                     parameters = steep_block<2>(1, "consistent");
      SolidParameters::Contact contact;
      contact.set_defaults(2);
      contact.on       = "block bottom";
      contact.normal   = {0, 1};
      contact.friction = 0.7;
      parameters.contacts.emplace_back("floor", contact);
      SolidParameters::Load unit;
      unit.on       = "block bottom";
      unit.traction = "y = 1";
      parameters.loads.emplace_back("unit", unit);
      auto linear                                  = parameters;
      linear.bodies[0].second.initial_displacement = "x = x";
      linear.adaptation.strain_jump                = 1e9;
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      const Solid<2> same(linear, {MPI_COMM_WORLD});
      State          state   = model.initial_state();
      state.memory           = {{"impulse",
                                 linear_impulses(model, same.initial_state().q),
                                 State::Kind::contact}};
      const auto finer       = model.adapt(state, stay);
      const auto with_places = same.with_mesh(
        dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                          finer->describe_mesh()));
      EXPECT_GT(finer->contacts().size(), model.contacts().size());
      Vector difference =
        linear_impulses(*finer, with_places->initial_state().q);
      difference -= state.recall("impulse");
      EXPECT_LE(difference.linfty_norm(), 1e-13);
      const auto coarser = with_places->adapt(state, stay);
      difference         = linear_impulses(*coarser, same.initial_state().q);
      difference -= state.recall("impulse");
      EXPECT_LE(difference.linfty_norm(), 1e-13);
    }

    TEST(AdaptiveSolid, MeshesAreDescribed)
    {
      const auto parameters = steep_block<2>(1, "consistent");
      const auto describe   = [&](const MPI_Comm communicator) {
        std::unique_ptr<MechanicalModel> model =
          std::make_unique<Solid<2>>(parameters,
                                     MechanicalModel::Context{communicator});
        State state = model->initial_state();
        model       = model->adapt(state, stay);
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

    /// Smaller cells keep the energy of large strains, up to the error of
    /// Gauss' quadrature; there and back is the same motion.
    TEST(AdaptiveSolid, LargeStrainsMove)
    {
      for (const std::string law : {"st venant kirchhoff", "neo hooke"})
        {
          auto parameters                 = steep_block<2>(2, "consistent");
          parameters.bodies[0].second.law = law;
          parameters.bodies[0].second.initial_displacement =
            "x = 0.04*tanh(20*(x - 0.2)); y = 0.2*x*y";
          parameters.adaptation.strain_jump = 0.05;
          const Solid<2> model(parameters, {MPI_COMM_WORLD});
          const State    first = model.initial_state();
          State          state = first;
          const auto     finer = model.adapt(state, stay);
          ASSERT_NE(finer, nullptr);
          const double energy = model.energy(first).strain;
          EXPECT_NEAR(finer->energy(state).strain, energy, 1e-3 * energy);
          auto calm                   = parameters;
          calm.adaptation.strain_jump = 1e9; // nothing needs small cells
          const auto same             = Solid<2>(calm, {MPI_COMM_WORLD})
                              .with_mesh(dealii::Utilities::MPI::broadcast(
                                MPI_COMM_WORLD, finer->describe_mesh()));
          const auto coarser = same->adapt(state, stay);
          ASSERT_NE(coarser, nullptr);
          EXPECT_NEAR(coarser->energy(state).strain, energy, 1e-11 * energy);
          state.q -= first.q;
          EXPECT_LE(state.q.linfty_norm(), 1e-12);
        }
    }

    /// Four cells with convex images, whose outer corners have none.
    TEST(AdaptiveSolid, CellsThatWouldTurnInsideOutAreNotJoined)
    {
      auto parameters                   = steep_block<2>(1, "consistent");
      parameters.bodies[0].second.law   = "neo hooke";
      parameters.bodies[0].second.cells = {1, 1};
      parameters.bodies[0].second.initial_displacement = "x = x; y = y";
      parameters.adaptation.strain_jump                = 1e9;
      const auto model = Solid<2>(parameters, {MPI_COMM_SELF}).with_mesh("1:4");
      State      state = model->initial_state();
      const double map[3][3][2] = {{{0, 0}, {0.3, -0.2}, {1, 0}},
                                   {{-0.2, 0.3}, {0.07, 0.07}, {0.3, 0.1}},
                                   {{0, 1}, {0.1, 0.3}, {0.3, 0.3}}};
      State        straight     = state;
      straight.q                = 0.;
      for (unsigned int i = 0; i < state.q.size(); i += 2)
        {
          const double x = state.q(i), y = state.q(i + 1);
          const auto  &to = map[std::lround(2 * y)][std::lround(2 * x)];
          state.q(i)      = to[0] - x;
          state.q(i + 1)  = to[1] - y;
        }
      EXPECT_TRUE(std::isfinite(model->energy(state).strain));
      EXPECT_EQ(model->adapt(state, stay), nullptr);
      EXPECT_EQ(state.q.size(), 18u);
      EXPECT_NE(model->adapt(straight, stay), nullptr);
      EXPECT_EQ(straight.q.size(), 8u);
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
      EXPECT_EQ(model.adapt(state, stay), nullptr);
    }
  } // namespace
} // namespace Percuss::Test
