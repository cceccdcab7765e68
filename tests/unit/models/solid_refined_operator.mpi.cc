// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"

// Products from cell to cell on meshes with hanging nodes, against assembled
// matrices, on each number of ranks.

namespace Percuss::Test
{
  namespace
  {
    template <int dim>
    using Parameters = typename Solid<dim>::Parameters;

    /// A body with smaller cells where x is small, of two levels.
    template <int dim>
    Parameters<dim>
    refined_body(const std::string &mesh, const unsigned int degree)
    {
      Parameters<dim>       parameters;
      SolidParameters::Body body;
      body.mesh = mesh;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size = {1, 0.7, 1.3};
      body.size.resize(dim);
      body.cells.assign(dim, 2.);
      body.E            = 3;
      body.nu           = 0.3;
      body.density      = 2;
      parameters.degree = degree;
      parameters.bodies.emplace_back("body", body);
      parameters.mass_damping      = 0.3;
      parameters.stiffness_damping = 0.2;
      parameters.gravity           = "y = -9.81*(1 + x)";
      SolidParameters::Refinement corner;
      corner.where    = mesh == "box" ? "x + y - 0.4" : "x + y + 0.2";
      corner.n_levels = dim == 2 ? 2 : 1;
      parameters.refinements.emplace_back("corner", corner);
      return parameters;
    }

    /// Does not depend on the number of ranks.
    Vector
    field_without_order(const Partition &partition, const double seed)
    {
      Vector x(partition);
      for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
        x.local_element(i) = std::sin(
          seed *
          (1. + static_cast<double>(partition->local_range().first + i)));
      return x;
    }

    void
    expect_equal(const Vector &x, const Vector &y, const std::string &what)
    {
      Vector difference(x);
      difference -= y;
      EXPECT_LE(difference.linfty_norm(), 1e-12 * x.linfty_norm()) << what;
    }

    template <int dim>
    void
    compare_matrices(const Solid<dim> &with, const Solid<dim> &without)
    {
      const Vector q = field_without_order(with.partition(), 1.3);
      Vector       y(q), z(q);
      struct Factors
      {
        double m, c, k;
      };
      for (const auto &[m, c, k] :
           {Factors{1, 0, 0}, Factors{0, 0, 1}, Factors{2, 0.1, 0.5}})
        {
          const auto A = with.assemble(m, c, k), B = without.assemble(m, c, k);
          EXPECT_TRUE(A->has_entries());
          EXPECT_FALSE(B->has_entries());
          A->multiply(q, y);
          B->multiply(q, z);
          expect_equal(y, z, "effective matrix");
          const auto a = A->diagonal(), b = B->diagonal();
          for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], 1e-12 * a[i]);
        }
    }

    template <int dim>
    void
    compare(Parameters<dim> parameters)
    {
      parameters.form = "assembled";
      const Solid<dim> with(parameters, {MPI_COMM_WORLD});
      parameters.form = "matrix-free";
      const Solid<dim> without(parameters, {MPI_COMM_WORLD});
      const Vector     q = field_without_order(with.partition(), 0.7);
      const Vector     v = field_without_order(with.partition(), 2.1);
      Vector           y(q), z(q);
      with.internal_forces(q, v, y);
      without.internal_forces(q, v, z);
      expect_equal(y, z, "internal forces");
      with.damping_forces(v, y);
      without.damping_forces(v, z);
      expect_equal(y, z, "damping forces");
      with.multiply_by_mass(v, y);
      without.multiply_by_mass(v, z);
      expect_equal(y, z, "mass");
      y = 0.;
      z = 0.;
      with.add_conserving_force(q, v, 1, y);
      without.add_conserving_force(q, v, 1, z);
      expect_equal(y, z, "conserving force");
      expect_equal(with.dead_load(), without.dead_load(), "gravity");
      EXPECT_NEAR(with.stiffness_norm(q) / without.stiffness_norm(q), 1, 1e-12);
      EXPECT_NEAR(with.mass_norm(q) / without.mass_norm(q), 1, 1e-12);
      compare_matrices(with, without);
    }

    TEST(RefinedSolidOperator, IsThatOfTheMatrices)
    {
      for (const unsigned int degree : {1, 2, 3})
        for (const std::string mass : {"consistent", "lumped"})
          {
            auto plane        = refined_body<2>("box", degree);
            plane.mass_matrix = mass;
            plane.supports.push_back({"left", {"body left", "x"}});
            compare<2>(plane);
            compare<2>(refined_body<2>("ball", degree));
            auto space        = refined_body<3>("box", degree);
            space.mass_matrix = mass;
            space.supports.push_back({"bottom", {"body bottom", "y, z"}});
            compare<3>(space);
          }
      compare<3>(refined_body<3>("ball", 2));
    }

    /// Without a choice large meshes with hanging nodes have no matrices, too.
    TEST(RefinedSolidOperator, IsChosenForManyUnknowns)
    {
      auto parameters                           = refined_body<2>("box", 2);
      parameters.bodies[0].second.cells         = {64, 64};
      parameters.refinements[0].second.n_levels = 1;
      const Solid<2> model(parameters, {MPI_COMM_WORLD});
      ASSERT_GT(model.partition()->size(), 30000u);
      EXPECT_FALSE(model.assemble(1, 0, 1)->has_entries());
    }
  } // namespace
} // namespace Percuss::Test
