// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/energy_promise.h>

#include <deal.II/base/mpi.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"

// Supports that move. The reference is the same solid without supports, whose
// matrices have all rows and columns: it gets the motion of the supports as a
// vector.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    /// The sine, a ramp and places; and the first two derivatives at t = 0.7.
    const char *const motion = "x = 0.1*sin(3*t)*(1+y); y = 0.2*t^2*(1-x)";
    const std::string motion_then[3] = {
      "x = 0.1*sin(3*0.7)*(1+y); y = 0.2*0.7^2*(1-x)",
      "x = 0.3*cos(3*0.7)*(1+y); y = 0.4*0.7*(1-x)",
      "x = -0.9*sin(3*0.7)*(1+y); y = 0.4*(1-x)"};

    /// A block of unit length with all kinds of neighbours: one side moves in
    /// two directions, another one in one of them, a third one is at rest.
    template <int dim>
    Parameters<dim>
    block(const unsigned int degree, const bool is_refined)
    {
      Parameters<dim>       parameters;
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, dim == 2 ? 4. : 2.);
      body.E                       = 3;
      body.nu                      = 0.3;
      body.density                 = 2;
      parameters.degree            = degree;
      parameters.mass_damping      = 0.7;
      parameters.stiffness_damping = 0.2;
      parameters.gravity           = "x = 1 + y; y = -3";
      parameters.bodies.emplace_back("block", body);
      if (is_refined)
        {
          SolidParameters::Refinement corner;
          corner.where    = "abs(y - 0.5) + x - 0.3";
          corner.n_levels = 2;
          parameters.refinements.emplace_back("corner", corner);
        }
      return parameters;
    }

    template <int dim>
    Parameters<dim>
    with_supports(Parameters<dim> parameters)
    {
      SolidParameters::Support left, bottom, right;
      left.on           = "block left";
      left.motion       = motion;
      bottom.on         = dim == 2 ? "block bottom" : "block front";
      bottom.directions = "y";
      bottom.motion     = "y = 0.2*t^2*(1-x)";
      right.on          = "block right";
      right.directions  = dim == 2 ? "x" : "x, z";
      parameters.supports.emplace_back("left", left);
      parameters.supports.emplace_back("bottom", bottom);
      parameters.supports.emplace_back("right", right);
      return parameters;
    }

    template <int dim>
    struct Reference
    {
      /// @p form is that of the model with supports.
      Reference(const Parameters<dim> &parameters, const std::string &form)
        : free(parameters)
        , whole(free, {MPI_COMM_WORLD})
        , supported(with_form(with_supports<dim>(parameters), form),
                    {MPI_COMM_WORLD})
      {
        const std::string ones =
          dim == 2 ? "x = 1; y = 1" : "x = 1; y = 1; z = 1";
        is_free             = field(with_supports<dim>(free), ones);
        auto right          = with_supports<dim>(free);
        right.supports      = {right.supports[2]};
        const Vector others = field(right, ones); // that are not at rest there
        for (unsigned int i = 0; i < 3; ++i)
          {
            l[i] = field(free, motion_then[i]);
            for (unsigned int j = 0; j < others.locally_owned_size(); ++j)
              l[i].local_element(j) *=
                others.local_element(j) * (1 - is_free.local_element(j));
          }
        state.q = field(with_supports<dim>(free), "x = x*x - y; y = x + y^2");
        state.v = field(with_supports<dim>(free), "x = 1 - y; y = x*y");
        state.time = 0.7;
        q          = state.q;
        q += l[0];
        v = state.v;
        v += l[1];
      }

      static Parameters<dim>
      with_form(Parameters<dim> parameters, const std::string &form)
      {
        parameters.form = form;
        return parameters;
      }

      static Vector
      field(Parameters<dim> parameters, const std::string &text)
      {
        parameters.bodies[0].second.initial_displacement = text;
        return Solid<dim>(parameters, {MPI_COMM_WORLD}).initial_state().q;
      }

      const Parameters<dim> free;
      const Solid<dim>      whole, supported;
      Vector                is_free, l[3], q, v;
      State                 state;
    };

    template <int dim>
    void
    check_load_and_energy(const Parameters<dim> &parameters,
                          const std::string     &form = "assembled")
    {
      const Reference<dim> reference(parameters, form);
      const auto          &supported = reference.supported;
      // M l'' + C l' + K l, where nothing is held.
      Vector expected(reference.q), load(expected), inertia(expected);
      reference.whole.internal_forces(reference.l[0], reference.l[1], expected);
      reference.whole.multiply_by_mass(reference.l[2], inertia);
      expected += inertia;
      load = 0.;
      supported.add_driving_load(0.7, -1, load);
      ASSERT_GT(load.linfty_norm(), 0.01);
      for (unsigned int i = 0; i < load.locally_owned_size(); ++i)
        EXPECT_NEAR(load.local_element(i),
                    expected.local_element(i) *
                      reference.is_free.local_element(i),
                    1e-12);

      const Energy E = supported.energy(reference.state);
      EXPECT_NEAR(E.kinetic, reference.whole.mass_norm(reference.v) / 2, 1e-12);
      EXPECT_NEAR(E.strain,
                  reference.whole.stiffness_norm(reference.q) / 2,
                  1e-12);
      EXPECT_NEAR(E.potential,
                  -(reference.whole.dead_load() * reference.q),
                  1e-12);
      // What the ledger takes for the energy of q alone.
      EXPECT_NEAR(E.total() - supported.supports()->energy(reference.state),
                  reference.whole.mass_norm(reference.state.v) / 2 +
                    reference.whole.stiffness_norm(reference.state.q) / 2 -
                    reference.whole.dead_load() * reference.state.q,
                  1e-12);
    }

    /// du . C du/dt of the whole body less that of q.
    TEST(MovingSupports, DampingIsThatOfFullMatrices)
    {
      const Reference<2> reference(block<2>(2, true), "assembled");
      State              begin = reference.state;
      begin.time               = 0;
      begin.q *= 0.4;
      begin.v *= -0.5;
      EnergyPromise promise;
      promise.damping_weight = 1; // then the rates are those at the end
      const auto work        = [&](const Vector &dq, const Vector &rate) {
        Vector f(rate);
        reference.whole.damping_forces(rate, f);
        return -(dq * f);
      };
      Vector dq(reference.state.q);
      dq -= begin.q;
      Vector du(dq);
      du += reference.l[0]; // which is zero at t = 0
      const double expected =
        work(du, reference.v) - work(dq, reference.state.v);
      EXPECT_GT(std::abs(expected), 0.1);
      const MovingSupports &supports = *reference.supported.supports();
      EXPECT_NEAR(supports.damping_work(begin, reference.state, promise),
                  expected,
                  1e-12);
      // Of the mean motion.
      promise.damps_mean_motion = true;
      promise.step_size         = 0.7;
      Vector mean(dq), whole_mean(du);
      mean /= 0.7;
      whole_mean /= 0.7;
      EXPECT_NEAR(supports.damping_work(begin, reference.state, promise),
                  work(du, whole_mean) - work(dq, mean),
                  1e-12);
    }

    TEST(MovingSupports, LoadAndEnergyAreThoseOfFullMatrices)
    {
      for (const unsigned int degree : {1, 2, 3})
        check_load_and_energy<2>(block<2>(degree, true));
      auto lumped        = block<2>(2, true);
      lumped.mass_matrix = "lumped";
      check_load_and_energy<2>(lumped);
      check_load_and_energy<3>(block<3>(1, true));
      check_load_and_energy<3>(block<3>(2, false));
    }

    TEST(MovingSupports, LoadAndEnergyWithoutMatrices)
    {
      check_load_and_energy<2>(block<2>(3, false), "matrix-free");
      auto lumped        = block<3>(1, false);
      lumped.mass_matrix = "lumped";
      check_load_and_energy<3>(lumped, "matrix-free");
    }
  } // namespace
} // namespace Percuss::Test
