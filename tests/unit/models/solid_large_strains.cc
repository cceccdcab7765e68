// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include <cmath>

#include "models/solid.h"
#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    typename Solid<dim>::Parameters
    block(const std::string &law, const unsigned int degree = 1)
    {
      typename Solid<dim>::Parameters parameters;
      SolidParameters::Body           body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, 2.);
      body.E            = 3;
      body.nu           = 0.3;
      body.density      = 2;
      body.law          = law;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block", body);
      return parameters;
    }

    template <int dim>
    Vector
    field(typename Solid<dim>::Parameters parameters, const std::string &text)
    {
      parameters.bodies[0].second.initial_displacement = text;
      return Solid<dim>(parameters, {MPI_COMM_SELF}).initial_state().q;
    }

    const std::vector<std::string> laws = {"st venant kirchhoff", "neo hooke"};

    double
    strain_energy(const MechanicalModel &model, const Vector &q)
    {
      State state = model.initial_state();
      state.q     = q;
      return model.energy(state).strain;
    }

    /// Forces are derivatives of the energy, the tangent that of the forces;
    /// also with supports.
    template <int dim>
    void
    check_derivatives(const std::string &law, const unsigned int degree)
    {
      auto parameters = block<dim>(law, degree);
      parameters.supports.emplace_back("clamp", SolidParameters::Support());
      parameters.supports[0].second = {"block left", "x"};
      const Solid<dim>  model(parameters, {MPI_COMM_SELF});
      const std::string waves =
        "x = 0.2*x*y + 0.1*sin(3*x + y); y = 0.2*x*x - 0.1*y";
      const Vector q    = field<dim>(parameters, waves),
                   D    = field<dim>(parameters,
                                  "x = 0.1*x*(1 + y); y = 0.1*cos(5*x)");
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

    TEST(LargeStrains, ForcesAndTangentAreDerivatives)
    {
      for (const std::string &law : laws)
        {
          check_derivatives<2>(law, 1);
          check_derivatives<2>(law, 3);
          check_derivatives<3>(law, 1);
          check_derivatives<3>(law, 2);
        }
    }

    /// A body that turns by any angle feels no force.
    TEST(LargeStrains, TurnedBodiesFeelNoForce)
    {
      for (const std::string &law : laws)
        {
          const auto     parameters = block<3>(law, 2);
          const Solid<3> model(parameters, {MPI_COMM_SELF});
          EXPECT_FALSE(model.is_linear());
          const Vector q = field<3>(
            parameters,
            "x = (cos(2) - 1)*x - sin(2)*y; y = sin(2)*x + (cos(2) - 1)*y");
          Vector f(q), zero(q);
          zero = 0.;
          model.internal_forces(q, zero, f);
          EXPECT_LE(f.linfty_norm(), 1e-13);
          EXPECT_LE(strain_energy(model, q), 1e-14);
        }
    }

    /// At rest the tangent is the matrix of small strains.
    TEST(LargeStrains, TangentAtRest)
    {
      for (const std::string &law : laws)
        {
          const auto     parameters = block<3>(law);
          const Solid<3> model(parameters, {MPI_COMM_SELF});
          const Vector D = field<3>(parameters, "x = x*y; y = z^2; z = x*y*z");
          Vector       f(D), g(D), zero(D);
          zero               = 0.;
          const auto tangent = model.make_tangent();
          model.add_derivative(
            Term::force, Argument::position, {0, zero, zero}, -1, *tangent);
          tangent->multiply(D, f);
          model.assemble(0, 0, 1)->multiply(D, g);
          f -= g;
          EXPECT_LE(f.linfty_norm(), 1e-14);
        }
    }

    /// A bar of two materials that is stretched: each has its own law.
    TEST(LargeStrains, LawsOfSeveralBodies)
    {
      auto parameters     = block<3>("linear");
      auto other          = block<3>("neo hooke").bodies[0];
      other.first         = "other";
      other.second.corner = {5, 0, 0};
      parameters.bodies.push_back(other);
      const double   mu = 3 / 2.6, lambda = 2 * mu * 0.3 / 0.4;
      const Solid<3> model(parameters, {MPI_COMM_SELF});
      parameters.bodies[1].second.initial_displacement = "y = y";
      const double l                                   = std::log(2.);
      EXPECT_NEAR(strain_energy(model, field<3>(parameters, "y = y")),
                  (lambda / 2 + mu) + 1.5 * mu - mu * l + lambda / 2 * l * l,
                  1e-13);
    }

    /// The force of two positions does the work of the energy, gravity
    /// included.
    TEST(LargeStrains, ConservingForce)
    {
      for (const std::string &law : laws)
        {
          auto parameters    = block<2>(law, 2);
          parameters.gravity = "y = -9.81";
          const Solid<2> model(parameters, {MPI_COMM_SELF});
          State          begin = model.initial_state(), end = begin;
          begin.q = field<2>(parameters, "x = 0.3*y; y = 0.1*sin(3*x)");
          end.q   = field<2>(parameters, "x = 0.2*x*y + 0.4; y = -0.2*y*x");
          Vector f(begin.q), way(end.q);
          f = 0.;
          way -= begin.q;
          model.add_conserving_force(begin.q, end.q, 1, f);
          EXPECT_NEAR(f * way,
                      model.energy(begin).total() - model.energy(end).total(),
                      1e-13);
        }
    }

    TEST(LargeStrains, PlaneStressIsRefused)
    {
      auto parameters  = block<2>("neo hooke");
      parameters.plane = "stress";
      EXPECT_THROW(Solid<2>(parameters, {MPI_COMM_SELF}), EntryError);
    }
  } // namespace
} // namespace Percuss::Test
