// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models/solid.h"

// Meshes of solids that change where two bodies face each other: a block and
// another one above it, 0.05 apart,
//
//    1.05 - 2.05  upper \     with cells that are halved beside planes
//    0 - 1        lower /     that come close to the two corners.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    constexpr double distance = 0.05;

    void
    stay(State &)
    {}

    template <int dim>
    SolidParameters::Body
    block(const double bottom, const double n_cells)
    {
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.corner[dim - 1] = bottom;
      body.centre          = body.corner;
      body.size.assign(dim, 1.);
      body.cells.assign(dim, n_cells);
      body.E       = 3;
      body.nu      = 0.3;
      body.density = 2;
      return body;
    }

    /// The corner of a body that is next to the other one is close to a plane;
    /// @p slope says where the rest of its side is.
    template <int dim>
    SolidParameters::Contact
    plane_beside(const std::string &on, const double height, const double slope)
    {
      SolidParameters::Contact contact;
      contact.set_defaults(dim);
      contact.on = on;
      contact.through.assign(dim, 0.);
      contact.through[0]       = 1.03;
      contact.through[dim - 1] = height;
      contact.normal.assign(dim, 0.);
      contact.normal[0]       = -1;
      contact.normal[dim - 1] = slope;
      return contact;
    }

    template <int dim>
    Parameters<dim>
    two_blocks(const unsigned int degree, const std::string &pairs)
    {
      Parameters<dim> parameters;
      parameters.degree = degree;
      parameters.bodies.emplace_back("lower", block<dim>(0, dim == 2 ? 4 : 2));
      parameters.bodies.emplace_back("upper",
                                     block<dim>(1 + distance,
                                                dim == 2 ? 3 : 1));
      SolidParameters::Contact between;
      between.set_defaults(dim);
      between.on              = "upper bottom";
      between.with            = "lower top";
      between.search_distance = 0.1;
      between.pairs           = pairs;
      between.friction        = 0.7;
      parameters.contacts.emplace_back("between", between);
      parameters.contacts.emplace_back(
        "a", plane_beside<dim>("lower right", 1, -0.3));
      parameters.contacts.emplace_back(
        "b", plane_beside<dim>("upper right", 1 + distance, 0.3));
      parameters.adaptation.interval         = 1;
      parameters.adaptation.n_levels         = 1;
      parameters.adaptation.contact_distance = 0.04;
      return parameters;
    }

    std::unique_ptr<MechanicalModel>
    on_mesh_of(const MechanicalModel &model, const MechanicalModel &other)
    {
      return other.with_mesh(
        dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD,
                                          model.describe_mesh()));
    }

    void
    add_load(SolidParameters   &parameters,
             const std::string &on,
             const std::string &traction)
    {
      SolidParameters::Load load;
      load.on       = on;
      load.traction = traction;
      parameters.loads.emplace_back(on, load);
    }

    /// Both blocks in the uniform stress xx = 0.01, yy = -0.03, xy = 0.004 of
    /// plane strain, with its tractions on all sides but those that face each
    /// other; at t = 1 there are none, but a unit traction on the slave side.
    Parameters<2>
    stressed_blocks(const unsigned int degree, const std::string &pairs)
    {
      Parameters<2> parameters = two_blocks<2>(degree, pairs);
      const auto    state      = [](const std::string &y) {
        return "x = 0.0208/3*x + 0.0104/3*" + y + "; y = -0.0104*y";
      };
      parameters.bodies[0].second.initial_displacement = state("y");
      parameters.bodies[1].second.initial_displacement = state("(y - 0.05)");
      for (auto &body : parameters.bodies)
        {
          body.second.initial_velocity = "x = 0.2*x; y = 0.3*x";
          add_load(parameters,
                   body.first + " right",
                   "x = 0.01*(1 - t); y = 0.004*(1 - t)");
          add_load(parameters,
                   body.first + " left",
                   "x = -0.01*(1 - t); y = -0.004*(1 - t)");
        }
      add_load(parameters, "upper top", "x = 0.004*(1 - t); y = -0.03*(1 - t)");
      add_load(parameters,
               "lower bottom",
               "x = -0.004*(1 - t); y = 0.03*(1 - t)");
      add_load(parameters, "upper bottom", "y = t");
      return parameters;
    }

    /// Of the uniform stress: the traction on the slave times areas, which are
    /// those of the unit traction.
    Vector
    uniform_impulses(const MechanicalModel &model, const State &state)
    {
      const ContactSet &contacts = model.contacts();
      Vector            result(contacts.partition()), areas(model.partition());
      model.add_driving_load(1, 1, areas);
      contacts.place(state.time, state.q);
      for (const ContactPoint &point : contacts.points())
        if (point.friction > 0)
          for (const auto &[dof, coefficient] : contacts.row(point.first))
            if (dof < areas.locally_owned_size() &&
                areas.local_element(dof) > 1e-12 && coefficient > 0.6)
              {
                result.local_element(point.first) =
                  0.03 * areas.local_element(dof);
                result.local_element(point.first + 1) =
                  -0.004 * areas.local_element(dof);
              }
      return result;
    }

    /// Forces inside, tractions and what the contacts carry are in balance, and
    /// sides with the same velocities have no relative one.
    void
    check_balance(const MechanicalModel &model, const State &state)
    {
      const ContactSet &contacts = model.contacts();
      Vector            f(state.q), zero(state.q), reaction(state.q);
      zero = 0.;
      model.internal_forces(state.q, zero, f);
      model.add_driving_load(0, -1, f);
      EXPECT_GT(f.linfty_norm(), 1e-3);
      contacts.place(state.time, state.q);
      contacts.impulses(state.recall("impulse"), reaction);
      f -= reaction;
      EXPECT_LE(f.linfty_norm(), 1e-13);
      Vector u(contacts.partition());
      contacts.velocities(state.v, u);
      for (const ContactPoint &point : contacts.points())
        if (point.friction > 0)
          {
            EXPECT_NEAR(u.local_element(point.first), 0, 1e-12);
            EXPECT_NEAR(u.local_element(point.first + 1), 0, 1e-12);
          }
    }

    TEST(AdaptiveTwoBodies, UniformPressuresMove)
    {
      for (const std::string pairs : {"of the start", "of the motion"})
        for (const unsigned int degree : {1, 2})
          {
            SCOPED_TRACE(pairs + ", degree " + std::to_string(degree));
            const auto     parameters = stressed_blocks(degree, pairs);
            const Solid<2> model(parameters, {MPI_COMM_WORLD});
            State          state = model.initial_state();
            state.memory         = {{"impulse",
                                     uniform_impulses(model, state),
                                     State::Kind::contact}};
            check_balance(model, state);
            const auto finer = model.adapt(state, stay);
            ASSERT_NE(finer, nullptr);
            EXPECT_GT(finer->contacts().size(), model.contacts().size());
            check_balance(*finer, state);
            auto calm                        = parameters;
            calm.adaptation.contact_distance = -1; // nothing needs small cells
            const auto same =
              on_mesh_of(*finer, Solid<2>(calm, {MPI_COMM_WORLD}));
            const auto coarser = same->adapt(state, stay);
            ASSERT_NE(coarser, nullptr);
            EXPECT_EQ(coarser->contacts().size(), model.contacts().size());
            check_balance(*coarser, state);
          }
    }

    /// By how much gaps between the blocks differ from that of the start.
    double
    largest_change(const MechanicalModel &model, const State &state)
    {
      const ContactSet &contacts = model.contacts();
      Vector            gaps(contacts.partition());
      contacts.place(state.time, state.q);
      contacts.gaps(state.q, gaps);
      double result = 0;
      for (const ContactPoint &point : contacts.points())
        if (point.friction > 0)
          result =
            std::max(result,
                     std::abs(gaps.local_element(point.first) - distance));
      return dealii::Utilities::MPI::max(result, MPI_COMM_WORLD);
    }

    /// Both sides are bent to y = a x^2: gaps change by what cells of the
    /// length h differ from that by, a h^2/4 on each side, times the integral
    /// of |psi| over that of psi, which is 5/3 for dual functions of degree 1.
    TEST(AdaptiveTwoBodies, GapsChangeByTheErrorOfInterpolation)
    {
      const double a          = 0.05;
      const double bound      = 5. / 3 * a * (1. / 16 + 1. / 9) / 4;
      auto         parameters = two_blocks<2>(1, "of the start");
      for (auto &body : parameters.bodies)
        body.second.initial_displacement = "y = 0.05*x^2";
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      State          state  = model.initial_state();
      const double   before = largest_change(model, state);
      EXPECT_LE(before, bound);
      EXPECT_GT(before, 0.01 * bound);
      const auto finer = model.adapt(state, stay);
      ASSERT_NE(finer, nullptr);
      EXPECT_LE(largest_change(*finer, state), bound);
      auto calm                        = parameters;
      calm.adaptation.contact_distance = -1;
      const auto same    = on_mesh_of(*finer, Solid<2>(calm, {MPI_COMM_WORLD}));
      const auto coarser = same->adapt(state, stay);
      ASSERT_NE(coarser, nullptr);
      EXPECT_NEAR(largest_change(*coarser, state), before, 1e-14);
    }

    /// Where bodies are close to each other both have small cells: of blocks of
    /// 4 x 4 or 2 x 2 x 2 cells one layer each.
    template <int dim>
    void
    check_small_cells(const std::string &pairs, const unsigned int n_nodes)
    {
      auto parameters = two_blocks<dim>(1, pairs);
      parameters.contacts.resize(1);
      parameters.adaptation.n_layers    = 0;
      parameters.bodies[1].second.cells = parameters.bodies[0].second.cells;
      State      state;
      const auto adapted = [&](const double reach) {
        parameters.adaptation.contact_distance = reach;
        const Solid<dim> model(parameters, {MPI_COMM_WORLD});
        state = model.initial_state();
        return model.adapt(state, stay);
      };
      EXPECT_EQ(adapted(0.9 * distance), nullptr);
      const auto finer = adapted(1.1 * distance);
      ASSERT_NE(finer, nullptr);
      EXPECT_EQ(finer->partition()->size(), dim * n_nodes);
    }

    TEST(AdaptiveTwoBodies, BothSidesHaveSmallCells)
    {
      for (const std::string pairs : {"of the start", "of the motion"})
        {
          check_small_cells<2>(pairs, 2 * (3 * 5 + 3 * 9));
          check_small_cells<3>(pairs, 2 * (3 * 3 + 3 * 5 * 5));
        }
    }
  } // namespace
} // namespace Percuss::Test
