// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_operator.h"

#include <percuss/base/error.h>
#include <percuss/base/processor.h>

#include <gtest/gtest.h>

#include <random>

#include "models/solid.h"
#include "models/solid_kernel.h"
#include "tools.h"

// Products from cell to cell against assembled matrices.

namespace Percuss::Test
{
  namespace
  {
    /// A body with a mesh of few cells, in the plane or in space.
    template <int dim>
    SolidParameters::Body
    body(const std::string &mesh)
    {
      SolidParameters::Body result;
      result.mesh = mesh;
      result.corner.assign(dim, 0.);
      result.centre.assign(dim, 0.);
      result.size  = {1, 0.7, 1.3};
      result.cells = {3, 2, 1};
      result.size.resize(dim);
      result.cells.resize(dim);
      result.E       = 3;
      result.nu      = 0.3;
      result.density = 2;
      return result;
    }

    template <int dim>
    typename Solid<dim>::Parameters
    solid(const std::vector<std::string> &meshes, const unsigned int degree)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.degree = degree;
      for (const std::string &mesh : meshes)
        {
          parameters.bodies.emplace_back(mesh, body<dim>(mesh));
          parameters.bodies.back().second.E = 3. + parameters.bodies.size();
        }
      parameters.mass_damping      = 0.3;
      parameters.stiffness_damping = 0.2;
      return parameters;
    }

    Vector
    random_vector(const Partition &partition, const unsigned int seed)
    {
      Vector                                 x(partition);
      std::mt19937                           generator(seed);
      std::uniform_real_distribution<double> number(-1, 1);
      for (double &value : x)
        value = number(generator);
      return x;
    }

    void
    expect_equal(const Vector &x, const Vector &y, const std::string &what)
    {
      Vector difference(x);
      difference -= y;
      EXPECT_LE(difference.linfty_norm(), 1e-12 * x.linfty_norm()) << what;
    }

    /// All that a model does with its matrices, both ways.
    template <int dim>
    void
    compare(typename Solid<dim>::Parameters parameters)
    {
      parameters.form = "assembled";
      const Solid<dim> with(parameters, {MPI_COMM_SELF});
      parameters.form = "matrix-free";
      const Solid<dim> without(parameters, {MPI_COMM_SELF});
      const Vector     q = random_vector(with.partition(), 1);
      const Vector     v = random_vector(with.partition(), 2);
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
      expect_equal(with.dead_load(), without.dead_load(), "gravity");
      EXPECT_NEAR(with.stiffness_norm(q) / without.stiffness_norm(q), 1, 1e-12);
      EXPECT_NEAR(with.mass_norm(q) / without.mass_norm(q), 1, 1e-12);
      struct Factors
      {
        double m, c, k;
      };
      for (const auto &[m, c, k] : {Factors{1, 0, 0},
                                    Factors{0, 0, 1},
                                    Factors{0, 1, 0},
                                    Factors{2, 0.1, 0.5}})
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

    class SolidOperatorOfDegree : public testing::TestWithParam<unsigned int>
    {};

    TEST_P(SolidOperatorOfDegree, IsThatOfTheMatricesInThePlane)
    {
      auto plane    = solid<2>({"box"}, GetParam());
      plane.plane   = "stress";
      plane.gravity = "y = -9.81";
      compare<2>(plane);
      plane.mass_matrix = "lumped";
      compare<2>(plane);
      auto several = solid<2>({"half ring", "ball", "box", "L"}, GetParam());
      several.supports.push_back({"left", {"box left", "all"}});
      several.supports.push_back({"surface", {"ball surface", "x"}});
      compare<2>(several);
    }

    TEST_P(SolidOperatorOfDegree, IsThatOfTheMatricesInSpace)
    {
      auto block    = solid<3>({"box"}, GetParam());
      block.gravity = "z = -9.81";
      block.supports.push_back({"left", {"box left", "x, z"}});
      compare<3>(block);
      block.mass_matrix = "lumped";
      compare<3>(block);
      auto several = solid<3>({"ball", "box", "cylinder"}, GetParam());
      several.supports.push_back({"surface", {"ball surface", "y"}});
      compare<3>(several);
    }

    INSTANTIATE_TEST_SUITE_P(Degrees,
                             SolidOperatorOfDegree,
                             testing::Values(1, 2, 3));

    /// Kernels for any processor and for the one at hand.
    template <int dim>
    void
    compare_kernels(const std::vector<std::string> &meshes,
                    const unsigned int              degree)
    {
      const auto                  parameters = solid<dim>(meshes, degree);
      const SolidMesh<dim>        mesh(parameters, MPI_COMM_SELF);
      const dealii::FE_Q<dim>     element(degree);
      const dealii::MappingQ<dim> mapping(degree);
      const SolidMaterial         material{2, 1, 3, 0.3};
      dealii::DoFHandler<dim>     numbering(mesh.cells());
      numbering.distribute_dofs(element);
      const auto owned =
        make_partition(dim * numbering.n_dofs(), MPI_COMM_SELF);
      SolidOperator<dim> cells(
        numbering,
        mapping,
        [&](const auto &) -> const SolidMaterial & { return material; },
        dealii::AffineConstraints<double>(),
        owned,
        false);
      const Vector x = random_vector(owned, 3);
      Vector       y(owned), z(owned);
      for (const auto &[m, k] :
           {std::pair<double, double>{1, 0}, {0, 1}, {1, 2}})
        {
          cells.use_portable_kernel(true);
          EXPECT_EQ(cells.description(), "matrix-free");
          cells.multiply(m, k, x.begin(), y.begin());
          cells.use_portable_kernel(false);
          cells.multiply(m, k, x.begin(), z.begin());
          expect_equal(y, z, "kernels");
        }
    }

    TEST(SolidOperator, KernelsOfAllProcessorsAgree)
    {
      if (avx2_solid_kernel(3, 2) == nullptr || !processor_has_avx2())
        std::cout << "  (there is one kernel only)\n";
      for (const unsigned int degree : {1, 2, 3})
        {
          compare_kernels<2>({"half ring", "box"}, degree);
          compare_kernels<3>({"cylinder", "box"}, degree);
        }
    }

    /// Large meshes of degree 2 have no matrices, but give entries to those
    /// who ask.
    TEST(SolidOperator, EntriesAreAssembledForThoseWhoNeedThem)
    {
      auto parameters                   = solid<2>({"box"}, 2);
      parameters.bodies[0].second.cells = {70, 60};
      const Solid<2> large(parameters, {MPI_COMM_SELF});
      const auto     A = large.assemble(1, 0.1, 0.2);
      EXPECT_FALSE(A->has_entries());
      EXPECT_TRUE(A->entries().has_blocks());
      const Vector x = random_vector(large.partition(), 4);
      Vector       y(x), z(x);
      A->multiply(x, y);
      A->entries().multiply(x, z);
      expect_equal(y, z, "entries");
      EXPECT_GT(A->rows().values.size(), y.size());
      A->values()[0] += 1;
      EXPECT_TRUE(A->has_entries());
      A->multiply(x, z);
      z.local_element(0) -= x.local_element(0);
      expect_equal(y, z, "changed entries");
      parameters.degree = 1;
      EXPECT_TRUE(
        Solid<2>(parameters, {MPI_COMM_SELF}).assemble(1, 0, 0)->has_entries());
    }

    TEST(SolidOperator, StrictlyMatrixFreeRefusesEntries)
    {
      auto parameters = solid<2>({"box"}, 2);
      parameters.form = "matrix-free";
      const Solid<2> model(parameters, {MPI_COMM_SELF});
      const auto     A = model.assemble(1, 0, 1);
      EXPECT_THROW(A->rows(), EntryError);
    }

    /// A block that falls, slides and rubs, solved by conjugate gradients.
    TEST(SolidOperator, RunsAsWithMatrices)
    {
      const Overrides overrides = {"model/solid 3d/degree=2",
                                   "model/solid 3d/bodies/block/cells=2, 1, 1",
                                   "linear solver/type=cg",
                                   "linear solver/cg/preconditioner=jacobi",
                                   "time/end time=0.13",
                                   "output/field interval=0"};
      Overrides       with(overrides), without(overrides);
      with.push_back("model/solid 3d/operator=assembled");
      without.push_back("model/solid 3d/operator=matrix-free");
      const FinishedRun a("benchmark/block_drop_3d.prm", with);
      const FinishedRun b("benchmark/block_drop_3d.prm", without);
      for (const auto &[name, value] : a.values)
        EXPECT_NEAR(b.values.at(name), value, 1e-8 * (1 + std::abs(value)))
          << name;
      for (const std::string name : {"front", "top", "speed"})
        {
          const auto x = a.column("probes", name), y = b.column("probes", name);
          ASSERT_EQ(x.size(), y.size());
          for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(x[i], y[i], 1e-8) << name;
        }
    }
  } // namespace
} // namespace Percuss::Test
