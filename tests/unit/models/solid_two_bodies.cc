// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/solid.h"
#include "tools.h"

// The patch test of two blocks without time steps: the uniform state of stress
// obeys all equations.

namespace Percuss::Test
{
  namespace
  {
    constexpr double E = 3, nu = 0.3, p = 0.1;

    SolidParameters::Body
    box(const std::vector<double> &corner,
        const std::vector<double> &size,
        const std::vector<double> &cells)
    {
      SolidParameters::Body body;
      body.corner  = corner;
      body.centre  = corner;
      body.size    = size;
      body.cells   = cells;
      body.E       = E;
      body.nu      = nu;
      body.density = 2;
      return body;
    }

    void
    fix(SolidParameters   &parameters,
        const std::string &on,
        const std::string &direction)
    {
      SolidParameters::Support support;
      support.on         = on;
      support.directions = direction;
      parameters.supports.emplace_back(on, support);
    }

    /// The lower block has the larger surface where @p overhang is above 0.
    template <int dim>
    typename Solid<dim>::Parameters
    two_blocks(const unsigned int degree, const double overhang)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.degree = degree;
      std::vector<double> corner(dim, 0.), size(dim, 1.);
      std::vector<double> cells =
        dim == 2 ? std::vector<double>{3, 2} : std::vector<double>{3, 2, 1};
      size[0] += overhang;
      parameters.bodies.emplace_back("lower", box(corner, size, cells));
      corner[dim - 1] = 1;
      size[0]         = 1;
      cells =
        dim == 2 ? std::vector<double>{5, 1} : std::vector<double>{2, 3, 1};
      parameters.bodies.emplace_back("upper", box(corner, size, cells));
      fix(parameters, "lower bottom", dim == 2 ? "y" : "z");
      for (const std::string body : {"lower", "upper"})
        {
          fix(parameters, body + " left", "x");
          if (dim == 3)
            fix(parameters, body + " front", "y");
        }
      SolidParameters::Load load;
      load.on       = "upper top";
      load.traction = (dim == 2 ? "y = -" : "z = -") + std::to_string(p);
      parameters.loads.emplace_back("pressure", load);
      SolidParameters::Contact contact;
      contact.set_defaults(dim);
      contact.on              = "upper bottom";
      contact.with            = "lower top";
      contact.search_distance = 0.1;
      parameters.contacts.emplace_back("between", contact);
      return parameters;
    }

    /// @p field has to be in equilibrium with uniform pressures.
    template <int dim>
    void
    check_patch(typename Solid<dim>::Parameters parameters,
                const std::string              &field)
    {
      const double normal =
        parameters.contacts[0].second.on == "upper bottom" ? 1 : -1;
      for (auto &body : parameters.bodies)
        body.second.initial_displacement = field;
      const Solid<dim>  model(parameters, {MPI_COMM_SELF});
      const Vector      q        = model.initial_state().q;
      const ContactSet &contacts = model.contacts();
      Vector            f(q), zero(q), reaction(q), gap(contacts.partition());
      zero = 0.;
      model.internal_forces(q, zero, f);
      model.add_driving_load(0, -1, f);
      contacts.gaps(q, gap);
      EXPECT_LE(gap.linfty_norm(), 1e-13);
      // The slave's own coefficient is that of the normal, and its node has no
      // other contact.
      Vector lambda(contacts.partition());
      for (const ContactPoint &point : contacts.points())
        for (const auto &[dof, coefficient] : contacts.row(point.first))
          if (std::abs(coefficient - normal) < 1e-12)
            lambda.local_element(point.first) = normal * f.local_element(dof);
      double force = 0;
      for (const ContactPoint &point : contacts.points())
        {
          EXPECT_GT(lambda.local_element(point.first), 0);
          force += lambda.local_element(point.first);
        }
      EXPECT_NEAR(force, p * (dim == 2 ? parameters.thickness : 1), 1e-13);
      contacts.impulses(lambda, reaction);
      f -= reaction;
      EXPECT_LE(f.linfty_norm(), 1e-13);
    }

    TEST(SolidTwoBodies, PatchTest)
    {
      const std::string strain = "y = -0.1*0.91/3*y; x = 0.1*0.3*1.3/3*x";
      const std::string stress = "y = -0.1/3*y; x = 0.1*0.3/3*x";
      const std::string space =
        "z = -0.1/3*z; x = 0.1*0.3/3*x; y = 0.1*0.3/3*y";
      for (const unsigned int degree : {1, 2, 3})
        {
          auto plane = two_blocks<2>(degree, 0);
          check_patch<2>(plane, strain);
          plane.plane     = "stress";
          plane.thickness = 0.5;
          check_patch<2>(plane, stress);
          check_patch<3>(two_blocks<3>(degree, 0), space);
          // The other way round.
          auto other = two_blocks<3>(degree, 0);
          std::swap(other.contacts[0].second.on, other.contacts[0].second.with);
          check_patch<3>(other, space);
        }
    }

    /// Forces on both bodies add up to zero, and so do their moments.
    template <int dim>
    void
    check_momentum(const typename Solid<dim>::Parameters &parameters)
    {
      const Solid<dim>  model(parameters, {MPI_COMM_SELF});
      const ContactSet &contacts = model.contacts();
      Vector lambda(contacts.partition()), force(model.initial_state().q);
      for (unsigned int i = 0; i < lambda.locally_owned_size(); ++i)
        lambda.local_element(i) = std::sin(1 + i);
      contacts.impulses(lambda, force);
      for (const std::string &text :
           dim == 2 ? std::vector<std::string>{"x=1", "y=1", "x=-y; y=x"} :
                      std::vector<std::string>{
                        "x=1", "y=1", "z=1", "x=-y; y=x", "y=-z; z=y"})
        {
          auto moved = parameters;
          for (auto &body : moved.bodies)
            body.second.initial_velocity = text;
          EXPECT_NEAR(Solid<dim>(moved, {MPI_COMM_SELF}).initial_state().v *
                        force,
                      0,
                      1e-12)
            << text;
        }
    }

    TEST(SolidTwoBodies, ForcesAreInBalance)
    {
      for (const unsigned int degree : {1, 2, 3})
        for (const double overhang : {-0.3, 0.2})
          {
            // Frictional, so that there are forces in all directions.
            auto plane                        = two_blocks<2>(degree, overhang);
            plane.contacts[0].second.friction = 0.3;
            plane.supports.clear();
            check_momentum<2>(plane);
            if (degree == 3)
              continue;
            auto space                        = two_blocks<3>(degree, overhang);
            space.contacts[0].second.friction = 0.3;
            space.supports.clear();
            check_momentum<3>(space);
          }
    }

    std::string
    message_of(const Solid<2>::Parameters &parameters)
    {
      try
        {
          const Solid<2> model(parameters, {MPI_COMM_SELF});
        }
      catch (const Error &error)
        {
          return error.what();
        }
      return "";
    }

    TEST(SolidTwoBodies, WrongSidesAreRefused)
    {
      auto  parameters = two_blocks<2>(1, 0);
      auto &contact    = parameters.contacts[0].second;
      contact.with     = "lower bottom";
      EXPECT_NE(message_of(parameters).find("no face of 'upper bottom' faces"),
                std::string::npos);
      contact.with            = "lower top";
      contact.search_distance = 0;
      EXPECT_EQ(message_of(parameters), "");
    }
  } // namespace
} // namespace Percuss::Test
