// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    typename Solid<dim>::Parameters
    block(const unsigned int degree, const unsigned int n_cells)
    {
      typename Solid<dim>::Parameters parameters;
      SolidParameters::Body           body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells.assign(dim, n_cells);
      body.E            = 3;
      body.nu           = 0.3;
      body.density      = 2;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block", body);
      return parameters;
    }

    /// A displacement field, as a start of the body.
    template <int dim>
    Vector
    field(typename Solid<dim>::Parameters parameters, const std::string &text)
    {
      parameters.bodies[0].second.initial_displacement = text;
      return Solid<dim>(parameters, {MPI_COMM_SELF}).initial_state().q;
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
    check_rigid_motions(const typename Solid<dim>::Parameters &parameters)
    {
      const Solid<dim> model(parameters, {MPI_COMM_SELF});
      for (const std::string &text : dim == 2 ? rigid_2d : rigid_3d)
        {
          const Vector q = field<dim>(parameters, text);
          Vector       f(q);
          model.internal_forces(q, f, f);
          EXPECT_LE(f.linfty_norm(), 1e-12) << text;
        }
      // Of a unit translation.
      EXPECT_NEAR(model.mass_norm(field<dim>(parameters, "x = 1")), 2, 1e-12);
    }

    TEST(Solid, RigidMotionsFeelNoForce)
    {
      for (const unsigned int degree : {1, 2, 3})
        {
          check_rigid_motions<2>(block<2>(degree, 2));
          check_rigid_motions<3>(block<3>(degree, 2));
        }
      auto lumped        = block<3>(2, 2);
      lumped.mass_matrix = "lumped";
      check_rigid_motions<3>(lumped);
    }

    /// The strain energy of a uniform strain, known in closed form.
    TEST(Solid, UniformStrains)
    {
      const double E = 3, nu = 0.3;
      const double mu = E / (2 * (1 + nu)), lambda = 2 * mu * nu / (1 - 2 * nu);
      for (const unsigned int degree : {1, 2, 3})
        {
          const auto     space = block<3>(degree, 2);
          const Solid<3> model(space, {MPI_COMM_SELF});
          const auto     energy = [&](const std::string &text) {
            return model.stiffness_norm(field<3>(space, text));
          };
          EXPECT_NEAR(energy("z = z"), lambda + 2 * mu, 1e-11);
          EXPECT_NEAR(energy("x = y"), mu, 1e-11);
          EXPECT_NEAR(energy("x = -0.3*x; y = -0.3*y; z = z"), E, 1e-11);
          auto plane = block<2>(degree, 2);
          EXPECT_NEAR(Solid<2>(plane, {MPI_COMM_SELF})
                        .stiffness_norm(field<2>(plane, "y = y")),
                      lambda + 2 * mu,
                      1e-11);
          plane.plane     = "stress";
          plane.thickness = 0.5;
          EXPECT_NEAR(Solid<2>(plane, {MPI_COMM_SELF})
                        .stiffness_norm(field<2>(plane, "x = -0.3*x; y = y")),
                      0.5 * E,
                      1e-11);
        }
    }

    /// Rayleigh's quotient of the interpolated shear mode x = cos(pi y): of
    /// order 2p, exactly mu pi^2 / rho.
    template <int dim>
    void
    check_mode(const unsigned int               degree,
               const std::vector<unsigned int> &cells = {2, 4, 8})
    {
      const double        exact = 3 / 2.6 * M_PI * M_PI / 2;
      std::vector<double> h, errors;
      for (const unsigned int n : cells)
        {
          const auto       parameters = block<dim>(degree, n);
          const Solid<dim> model(parameters, {MPI_COMM_SELF});
          const Vector     q = field<dim>(parameters, "x = cos(pi*y)");
          h.push_back(1. / n);
          errors.push_back(
            std::abs(model.stiffness_norm(q) / model.mass_norm(q) - exact));
        }
      EXPECT_GT(observed_order(h, errors), 2. * degree - 0.3)
        << dim << ", " << degree;
    }

    TEST(Solid, FrequenciesConvergeWithOrder2p)
    {
      for (const unsigned int degree : {1, 2, 3})
        check_mode<2>(degree);
      for (const unsigned int degree : {1, 2})
        check_mode<3>(degree);
      check_mode<3>(3, {2, 4});
    }

    TEST(Solid, AssembledMatrixIsTheOneThatIsApplied)
    {
      auto parameters              = block<3>(1, 3);
      parameters.mass_damping      = 0.3;
      parameters.stiffness_damping = 0.2;
      parameters.supports.emplace_back("clamp", SolidParameters::Support());
      parameters.supports[0].second.on         = "block left";
      parameters.supports[0].second.directions = "x, z";
      const Solid<3> model(parameters, {MPI_COMM_SELF});
      const auto     A = model.assemble(2, 3, 5);
      const Vector   q = field<3>(parameters, "x = x*y; y = z^2; z = x*x");
      Vector         y(q), product(q), zero(q), part(q);
      zero = 0.;
      A->multiply(q, product);
      model.multiply_by_mass(q, y);
      y *= 2;
      model.damping_forces(q, part);
      y.add(3, part);
      model.internal_forces(q, zero, part);
      y.add(5, part);
      y -= product;
      EXPECT_LE(y.linfty_norm(), 1e-12);
    }

    /// Two bodies, one of which names the material of the other.
    TEST(Solid, NamedMaterials)
    {
      auto                      parameters = block<3>(1, 2);
      SolidParameters::Material material;
      material.E       = 1e3;
      material.nu      = 0.2;
      material.density = 50;
      parameters.materials.emplace_back("steel", SolidParameters::Material());
      parameters.materials.emplace_back("foam", material);
      auto other            = parameters.bodies[0];
      other.first           = "other";
      other.second.material = "foam";
      other.second.corner   = {5, 0, 0};
      parameters.bodies.push_back(other);
      const Solid<3> model(parameters, {MPI_COMM_SELF});
      Vector         ones(model.initial_state().q);
      ones = 1.;
      EXPECT_NEAR(model.mass_norm(ones) / 3, 2 + 50, 1e-11);
      parameters.bodies[0].second.initial_displacement = "x = y";
      EXPECT_NEAR(model.stiffness_norm(field<3>(parameters, "x = y")),
                  3 / 2.6,
                  1e-11);
      parameters.bodies[1].second.initial_displacement = "x = y";
      EXPECT_NEAR(model.stiffness_norm(field<3>(parameters, "x = y")),
                  3 / 2.6 + 1e3 / 2.4,
                  1e-9);
    }

    template <int dim>
    double
    mass_of(const SolidParameters::Body &body)
    {
      auto parameters      = block<dim>(2, 1);
      parameters.bodies[0] = {"body", body};
      const Solid<dim> model(parameters, {MPI_COMM_SELF});
      Vector           ones(model.initial_state().q);
      ones = 1.;
      return model.mass_norm(ones) / dim;
    }

    /// Volumes of curved bodies, to the order of the boundary.
    TEST(Solid, ShapesHaveTheirVolumes)
    {
      SolidParameters::Body body = block<3>(1, 1).bodies[0].second;
      body.density               = 1;
      body.radius                = 1;
      body.n_refinements         = 2;
      body.mesh                  = "ball";
      EXPECT_NEAR(mass_of<3>(body), 4 * M_PI / 3, 2e-3);
      body.mesh   = "cylinder";
      body.height = 2;
      EXPECT_NEAR(mass_of<3>(body), 2 * M_PI, 2e-3);
      body.mesh = "L";
      EXPECT_NEAR(mass_of<3>(body), 7. / 8, 1e-12);
      body               = block<2>(1, 1).bodies[0].second;
      body.density       = 1;
      body.n_refinements = 2;
      body.radius        = 1;
      body.mesh          = "ball";
      EXPECT_NEAR(mass_of<2>(body), M_PI, 1e-3);
      body.mesh         = "half ring";
      body.inner_radius = 0.5;
      EXPECT_NEAR(mass_of<2>(body), M_PI / 2 * 0.75, 1e-3);
    }
  } // namespace
} // namespace Percuss::Test
