// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"

// Large strains on meshes with hanging nodes: on each rank alone and on all
// together.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    const std::vector<std::string> laws = {"st venant kirchhoff", "neo hooke"};

    /// A block of unit length with smaller cells in a corner, E = 3, nu = 0.3.
    template <int dim>
    Parameters<dim>
    refined_block(const std::string &law, const unsigned int degree)
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
      body.law          = law;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block", body);
      SolidParameters::Refinement corner;
      corner.where    = dim == 2 ? "x + y - 0.4" : "x + y + z - 0.4";
      corner.n_levels = dim == 2 ? 2 : 1;
      parameters.refinements.emplace_back("corner", corner);
      return parameters;
    }

    template <int dim>
    Vector
    field(Parameters<dim>    parameters,
          const std::string &text,
          const MPI_Comm     communicator = MPI_COMM_WORLD)
    {
      parameters.bodies[0].second.initial_displacement = text;
      return Solid<dim>(parameters, {communicator}).initial_state().q;
    }

    double
    strain_energy(const MechanicalModel &model, const Vector &q)
    {
      State state = model.initial_state();
      state.q     = q;
      return model.energy(state).strain;
    }

    /// The energy of F = I + stretch e_x e_x + shear e_x e_y in a unit volume.
    double
    uniform_energy(const std::string &law,
                   const double       stretch,
                   const double       shear)
    {
      const double mu = 3 / 2.6, lambda = 2 * mu * 0.3 / 0.4;
      const double l = 1 + stretch, J = l;
      const double E_xx = (l * l - 1) / 2, E_yy = shear * shear / 2,
                   E_xy = l * shear / 2;
      if (law == "neo hooke")
        return mu * (E_xx + E_yy - std::log(J)) +
               lambda / 2 * std::pow(std::log(J), 2);
      return lambda / 2 * std::pow(E_xx + E_yy, 2) +
             mu * (E_xx * E_xx + E_yy * E_yy + 2 * E_xy * E_xy);
    }

    /// A uniform deformation has its energy and no force on nodes inside.
    template <int dim>
    void
    check_patch(const std::string &law, const unsigned int degree)
    {
      const auto        parameters = refined_block<dim>(law, degree);
      const Solid<dim>  model(parameters, {MPI_COMM_WORLD});
      const std::string bubble =
        dim == 2 ? "16*x*(1-x)*y*(1-y)" : "64*x*(1-x)*y*(1-y)*z*(1-z)";
      const Vector q = field<dim>(parameters, "x = 0.4*x + 0.3*y");
      EXPECT_NEAR(strain_energy(model, q),
                  uniform_energy(law, 0.4, 0.3),
                  1e-12);
      Vector zero(q), f(q);
      zero = 0.;
      model.internal_forces(q, zero, f);
      for (const std::string factor : {"1", "sin(9*x)", "exp(x - 2*y)"})
        {
          const Vector w =
            field<dim>(parameters,
                       "x = 0.01*" + bubble + "*" + factor + "; y = 0.01*" +
                         bubble + "*" + factor + "*x");
          EXPECT_GT(w.l2_norm(), 1e-4);
          EXPECT_NEAR(f * w, 0, 1e-13) << factor;
        }
    }

    TEST(RefinedLargeStrains, PassThePatchTest)
    {
      for (const std::string &law : laws)
        {
          for (const unsigned int degree : {1, 2, 3})
            check_patch<2>(law, degree);
          check_patch<3>(law, 1);
        }
      check_patch<3>("neo hooke", 2);
    }

    TEST(RefinedLargeStrains, TurnedBodiesFeelNoForce)
    {
      for (const std::string &law : laws)
        {
          const auto     parameters = refined_block<3>(law, 1);
          const Solid<3> model(parameters, {MPI_COMM_WORLD});
          const Vector   q = field<3>(
            parameters,
            "x = (cos(2) - 1)*x - sin(2)*y; y = sin(2)*x + (cos(2) - 1)*y");
          Vector f(q), zero(q);
          zero = 0.;
          model.internal_forces(q, zero, f);
          EXPECT_LE(f.linfty_norm(), 1e-13);
          EXPECT_LE(strain_energy(model, q), 1e-14);
        }
    }

    /// The force is the derivative of the energy, the tangent that of the
    /// force, also with supports. Differences over @p step have an error of its
    /// square.
    template <int dim>
    void
    check_derivatives(const std::string &law, const unsigned int degree)
    {
      auto parameters = refined_block<dim>(law, degree);
      parameters.supports.emplace_back("clamp", SolidParameters::Support());
      parameters.supports[0].second = {"block left", "x"};
      const Solid<dim> model(parameters, {MPI_COMM_WORLD});
      const Vector     q =
        field<dim>(parameters,
                   "x = 0.2*x*y + 0.1*sin(3*x + y); y = 0.2*x*x - 0.1*y");
      const Vector D =
        field<dim>(parameters, "x = 0.1*x*(1 + y); y = 0.1*cos(5*x)");
      const double step = 1e-5;
      Vector       after(q), before(q), f(q), f_after(q), f_before(q), zero(q);
      after.add(step, D);
      before.add(-step, D);
      zero = 0.;
      model.internal_forces(q, zero, f);
      EXPECT_NEAR((strain_energy(model, after) - strain_energy(model, before)) /
                    (2 * step),
                  f * D,
                  1e-8);
      model.internal_forces(after, zero, f_after);
      model.internal_forces(before, zero, f_before);
      f_after -= f_before;
      f_after /= 2 * step;
      const auto tangent = model.make_tangent();
      model.add_derivative(
        Term::force, Argument::position, {0, q, zero}, -1, *tangent);
      tangent->multiply(D, f);
      f -= f_after;
      EXPECT_LE(f.linfty_norm(), 1e-8);
    }

    TEST(RefinedLargeStrains, ForcesAndTangentAreDerivatives)
    {
      for (const std::string &law : laws)
        {
          check_derivatives<2>(law, 1);
          check_derivatives<2>(law, 3);
          check_derivatives<3>(law, 1);
        }
      check_derivatives<3>("neo hooke", 2);
    }

    /// The force of two positions does the work of the energy.
    TEST(RefinedLargeStrains, ConservingForce)
    {
      for (const std::string &law : laws)
        {
          const auto     parameters = refined_block<2>(law, 2);
          const Solid<2> model(parameters, {MPI_COMM_WORLD});
          const Vector   begin =
            field<2>(parameters, "x = 0.3*y; y = 0.1*sin(3*x)");
          Vector way = field<2>(parameters, "x = 0.2*x*y + 0.4; y = -0.2*y*x");
          const double change =
            strain_energy(model, begin) - strain_energy(model, way);
          Vector f(begin);
          f = 0.;
          model.add_conserving_force(begin, way, 1, f);
          way -= begin;
          EXPECT_NEAR(f * way, change, 1e-13);
        }
    }

    /// Forces and the tangent on all ranks are those of one.
    template <int dim>
    void
    compare_with_one_rank(const unsigned int degree)
    {
      auto parameters = refined_block<dim>("neo hooke", degree);
      parameters.bodies[0].second.initial_displacement =
        "x = 0.1*sin(3*x + y) + 0.1*y; y = 0.1*x*y";
      SolidParameters::Support support;
      support.on         = "block bottom";
      support.directions = "y";
      parameters.supports.emplace_back("floor", support);
      const Solid<dim> serial(parameters, {MPI_COMM_SELF});
      const Solid<dim> shared(parameters, {MPI_COMM_WORLD});
      const auto       evaluate =
        [](const Solid<dim> &model, Vector &force, Vector &product) {
          const Vector q = model.initial_state().q;
          Vector       zero(q);
          zero = 0.;
          force.reinit(q);
          product.reinit(q);
          model.internal_forces(q, zero, force);
          const auto tangent = model.make_tangent();
          model.add_derivative(
            Term::force, Argument::position, {0, q, zero}, -1, *tangent);
          tangent->multiply(q, product);
        };
      Vector f, g, K_f, K_g;
      evaluate(serial, f, K_f);
      evaluate(shared, g, K_g);
      const auto [begin, end] = g.get_partitioner()->local_range();
      for (auto i = begin; i < end; ++i)
        {
          ASSERT_NEAR(f(i), g(i), 1e-13);
          ASSERT_NEAR(K_f(i), K_g(i), 1e-12);
        }
    }

    TEST(RefinedLargeStrains, AreThoseOfOneRank)
    {
      for (const unsigned int degree : {1, 2, 3})
        compare_with_one_rank<2>(degree);
      for (const unsigned int degree : {1, 2})
        compare_with_one_rank<3>(degree);
    }
  } // namespace
} // namespace Percuss::Test
