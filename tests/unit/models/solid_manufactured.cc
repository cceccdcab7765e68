// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/files.h>

#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/solid.h"
#include "prescribed_wave.h"
#include "solid_errors.h"
#include "tools.h"

// Solids converge with their orders to waves that are prescribed,
//   u = a sin(theta),   theta = k.x - omega t + 0.3,
// by body forces and by tractions on all sides: on skewed, curved and refined
// meshes, in time, and with large strains. A wave has the same form in a body
// of any shape.

namespace Percuss::Test
{
  namespace
  {
    /// A body, and normals of its sides as formulas.
    template <int dim>
    struct Shape
    {
      typename Solid<dim>::Parameters parameters;
      double diagonal; ///< the longest one of a cell that is not refined
      using Normal = std::vector<std::string>;
      std::vector<std::pair<std::string, Normal>> normals;

      Shape(const std::string &mesh, const double diagonal)
        : diagonal(diagonal)
      {
        SolidParameters::Body body;
        body.mesh = mesh;
        body.corner.assign(dim, 0.);
        body.centre.assign(dim, 0.);
        body.size.assign(dim, 1.);
        body.cells.assign(dim, 1.);
        body.shift.assign(dim, 0.);
        body.radius  = 1;
        body.E       = E;
        body.nu      = nu;
        body.density = density;
        parameters.bodies.emplace_back("body", body);
      }

      SolidParameters::Body &
      body()
      {
        return parameters.bodies[0].second;
      }

      /// Puts the wave's forces on the body. The mass times the displacement
      /// is held by @p of_u.
      void
      load(const Wave &wave, const double of_u)
      {
        SolidParameters::Load force;
        force.on         = "body";
        force.body_force = wave.body_force(of_u);
        parameters.loads.emplace_back("inside", force);
        for (const auto &[side, normal] : normals)
          {
            SolidParameters::Load pull;
            pull.on       = "body " + side;
            pull.traction = wave.traction(normal);
            parameters.loads.emplace_back(side, pull);
          }
        body().law = wave.law;
      }
    };

    template <int dim>
    Shape<dim>
    box()
    {
      Shape<dim> shape("box", std::sqrt(dim));
      shape.normals = {{"left", {"(-1)", "0"}}, {"right", {"1", "0"}}};
      if (dim == 3)
        shape.normals.insert(shape.normals.end(),
                             {{"front", {"0", "(-1)"}}, {"back", {"0", "1"}}});
      for (auto &normal : shape.normals)
        normal.second.resize(dim, "0");
      std::vector<std::string> up(dim, "0"), down(dim, "0");
      up.back()   = "1";
      down.back() = "(-1)";
      shape.normals.emplace_back("bottom", down);
      shape.normals.emplace_back("top", up);
      return shape;
    }

    /// A box with smaller cells in a corner.
    template <int dim>
    Shape<dim>
    refined_box()
    {
      Shape<dim>                  shape = box<dim>();
      SolidParameters::Refinement corner;
      corner.where = dim == 2 ? "x + y - 0.6" : "x + y + z - 0.8";
      shape.body().cells.assign(dim, 2.);
      shape.diagonal /= 2;
      shape.parameters.refinements.emplace_back("corner", corner);
      return shape;
    }

    /// With normals along the radius.
    template <int dim>
    Shape<dim>
    ball()
    {
      Shape<dim>               shape("ball", 1.5);
      std::vector<std::string> normal(axes.begin(), axes.begin() + dim);
      shape.normals = {{"surface", normal}};
      return shape;
    }

    Shape<2>
    half_ring()
    {
      Shape<2> shape("half ring", 1);
      shape.body().inner_radius = 0.5;
      shape.normals             = {{"outside", {"x", "y"}},
                                   {"inside", {"(-2*x)", "(-2*y)"}},
                                   {"left", {"0", "(-1)"}},
                                   {"right", {"0", "(-1)"}}};
      return shape;
    }

    /// A file of 2 x 2 (x 2) cells, of which none is like another: a box that
    /// is sheared by 0.6/0.8, with its inner vertex moved. Sides have the
    /// numbers 1, 2, ..., two for each direction.
    template <int dim>
    class SkewedBox
    {
    public:
      explicit SkewedBox(const std::string &file)
      {
        std::ostringstream out;
        out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
            << std::pow(3, dim) << '\n';
        const unsigned int layers = dim == 3 ? 3 : 1;
        for (unsigned int k = 0, i = 0; k < layers; ++k)
          for (unsigned int j = 0; j < 3; ++j)
            for (unsigned int l = 0; l < 3; ++l)
              {
                const double off =
                  j == 1 && l == 1 && (dim == 2 || k == 1) ? 0.1 : 0;
                const double y = 0.5 * j - off;
                out << ++i << ' ' << 0.5 * l + off + 0.6 * y << ' ' << 0.8 * y
                    << ' ' << (dim == 3 ? 0.5 * k + off : 0) << '\n';
              }
        elements(layers);
        out << "$EndNodes\n$Elements\n"
            << n << '\n'
            << list.str() << "$EndElements\n";
        Files::write(file, out.str());
      }

    private:
      static unsigned int
      node(const unsigned int i, const unsigned int j, const unsigned int k)
      {
        return 1 + i + 3 * j + 9 * k;
      }

      /// Of the nodes in the order of gmsh.
      void
      add(const int type, const unsigned int group, const Numbers &nodes)
      {
        list << ++n << ' ' << type << " 2 " << group << " 1";
        for (const double each : nodes)
          list << ' ' << each;
        list << '\n';
      }

      /// The face on which the index of direction @p d is @p at.
      void
      add_face(const unsigned int d, const unsigned int at)
      {
        for (unsigned int p = 0; p < 2; ++p)
          for (unsigned int r = 0; r < (dim == 3 ? 2 : 1); ++r)
            {
              const auto corner = [&](const unsigned int i,
                                      const unsigned int j) {
                unsigned int index[3] = {0, 0, 0};
                index[d]              = at;
                index[(d + 1) % dim]  = p + i;
                if (dim == 3)
                  index[(d + 2) % dim] = r + j;
                return static_cast<double>(node(index[0], index[1], index[2]));
              };
              const unsigned int group = 1 + 2 * d + at / 2;
              if (dim == 2)
                add(1, group, {corner(0, 0), corner(1, 0)});
              else
                add(3,
                    group,
                    {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)});
            }
      }

      void
      elements(const unsigned int layers)
      {
        for (unsigned int d = 0; d < dim; ++d)
          for (const unsigned int at : {0, 2})
            add_face(d, at);
        for (unsigned int k = 0; k + 1 < std::max(layers, 2U); ++k)
          for (unsigned int j = 0; j < 2; ++j)
            for (unsigned int i = 0; i < 2; ++i)
              {
                Numbers nodes;
                for (unsigned int up = 0; up < (dim == 3 ? 2 : 1); ++up)
                  for (const auto &[x, y] :
                       {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}})
                    nodes.push_back(node(i + x, j + y, k + up));
                add(dim == 3 ? 5 : 3, 9, nodes);
              }
      }

      std::ostringstream list;
      unsigned int       n = 0;
    };

    template <int dim>
    Shape<dim>
    skewed_box(const TemporaryFolder &folder)
    {
      Shape<dim>           shape("file", dim == 2 ? 1.1 : 1.3);
      const std::string    file = (folder.path / "skewed.msh").string();
      const SkewedBox<dim> written(file);
      shape.body().file = file;
      shape.normals     = {{"1", {"(-0.8)", "0.6"}},
                           {"2", {"0.8", "(-0.6)"}},
                           {"3", {"0", "(-1)"}},
                           {"4", {"0", "1"}}};
      for (auto &normal : shape.normals)
        normal.second.resize(dim, "0");
      if (dim == 3)
        {
          shape.normals.push_back({"5", {"0", "0", "(-1)"}});
          shape.normals.push_back({"6", {"0", "0", "1"}});
        }
      return shape;
    }

    /// A wave of length pi, neither of pressure nor of shear.
    template <int dim>
    Wave
    any_wave()
    {
      return dim == 2 ? Wave{{0.2, -0.1}, {1.2, 1.6}} :
                        Wave{{0.2, -0.1, 0.15}, {1.2, 0.96, 1.28}};
    }

    /// A vector that matrices multiply.
    struct Operator
    {
      const SparseMatrix &matrix;
      void
      vmult(Vector &y, const Vector &x) const
      {
        matrix.multiply(x, y);
      }
    };

    void
    solve(const SparseMatrix &matrix,
          const Vector       &f,
          const double        part,
          Vector             &x)
    {
      dealii::SolverControl    control(5000, part * f.l2_norm());
      dealii::SolverCG<Vector> solver(control);
      solver.solve(Operator{matrix}, x, f, dealii::PreconditionIdentity());
    }

    /// Of the equilibrium -div P + rho u = f without supports, by Newton's
    /// method.
    template <int dim>
    double
    error_of_equilibrium(Shape<dim>         shape,
                         const Wave        &wave,
                         const unsigned int degree,
                         const unsigned int n_refinements)
    {
      shape.parameters.degree    = degree;
      shape.body().n_refinements = n_refinements;
      const auto free            = shape.parameters;
      shape.load(wave, shape.body().density);
      // Newton's method begins with the wave itself.
      shape.body().initial_displacement = wave.displacement();
      const Solid<dim> model(shape.parameters, {MPI_COMM_SELF});
      Vector           q = model.initial_state().q, f(q), r(q), change(q);
      Vector           zero(q);
      zero = 0.;
      f    = 0.;
      model.add_driving_load(0, 1, f);
      for (unsigned int i = 0; i < 10; ++i)
        {
          model.internal_forces(q, zero, r);
          model.multiply_by_mass(q, change);
          r += change;
          r.sadd(-1, 1, f);
          if (r.l2_norm() < 1e-11 * f.l2_norm())
            break;
          auto matrix = model.assemble(1, 0, 1);
          if (!model.is_linear())
            {
              matrix = model.make_tangent();
              model.add_derivative(
                Term::force, Argument::position, {0, q, zero}, -1, *matrix);
              model.add_derivative(
                Term::momentum, Argument::velocity, {0, q, zero}, 1, *matrix);
            }
          change = 0.;
          solve(*matrix, r, 1e-11, change);
          q += change;
        }
      EXPECT_LE(r.l2_norm(), 1e-10 * f.l2_norm());
      return error_norm<dim>(free, q, wave.exact<dim>());
    }

    /// The errors of meshes that are halved have the order p + 1, up to a
    /// part of the next term: kappa times the longest diagonal of a cell, with
    /// the wave number kappa = 2.
    template <int dim>
    void
    check_orders(const Shape<dim>                &shape,
                 const Wave                      &wave,
                 const unsigned int               degree,
                 const std::vector<unsigned int> &refinements)
    {
      double error =
        error_of_equilibrium(shape, wave, degree, refinements.front());
      for (std::size_t i = 1; i < refinements.size(); ++i)
        {
          const unsigned int n = refinements[i];
          const double finer   = error_of_equilibrium(shape, wave, degree, n);
          const double x       = 2 * shape.diagonal / std::pow(2, n - 1);
          EXPECT_NEAR(std::log2(error / finer),
                      degree + 1,
                      std::log2((1 + x) / (1 + x / 2)))
            << dim << "d, " << shape.parameters.bodies[0].second.mesh
            << ", degree " << degree << ", refinements " << n;
          error = finer;
        }
    }

    TEST(SolidManufactured, TractionsOnBoxesWithHangingNodes)
    {
      for (const unsigned int degree : {1, 2, 3})
        check_orders(refined_box<2>(), any_wave<2>(), degree, {1, 2, 3});
      for (const unsigned int degree : {1, 2})
        check_orders(refined_box<3>(), any_wave<3>(), degree, {1, 2});
    }

    TEST(SolidManufactured, SkewedCells)
    {
      const TemporaryFolder folder;
      for (const unsigned int degree : {1, 2, 3})
        check_orders(skewed_box<2>(folder), any_wave<2>(), degree, {1, 2, 3});
      check_orders(skewed_box<3>(folder), any_wave<3>(), 2, {1, 2});
    }

    TEST(SolidManufactured, CurvedCells)
    {
      for (const unsigned int degree : {1, 2, 3})
        check_orders(half_ring(), any_wave<2>(), degree, {1, 2, 3});
      check_orders(ball<3>(), any_wave<3>(), 1, {1, 2, 3});
      check_orders(ball<3>(), any_wave<3>(), 2, {1, 2});
    }

    /// With det F between 0.86 and 1.14. A body without supports under dead
    /// loads may buckle: a large density holds it.
    TEST(SolidManufactured, LargeStrains)
    {
      Wave wave            = any_wave<2>();
      wave.law             = "neo hooke";
      wave.a               = {0.15, -0.2};
      Shape<2> shape       = half_ring();
      shape.body().density = 40;
      for (const unsigned int degree : {1, 2, 3})
        check_orders(shape, wave, degree, {1, 2, 3});
    }

    /// The error of a wave at the time 0.5.
    template <int dim>
    double
    error_of_motion(Shape<dim>         shape,
                    const Wave        &wave,
                    const std::string &scheme,
                    const unsigned int degree,
                    const unsigned int n_refinements,
                    const unsigned int n_steps)
    {
      shape.parameters.degree    = degree;
      shape.body().n_refinements = n_refinements;
      const auto free            = shape.parameters;
      shape.load(wave, -density * wave.omega * wave.omega);
      shape.body().initial_displacement = wave.displacement();
      shape.body().initial_velocity     = wave.velocity();
      const Solid<dim> model(shape.parameters, {MPI_COMM_SELF});
      const Parts      parts("benchmark/block_drop_3d.prm",
                        {"scheme/type=" + scheme});
      const auto       stepper = parts.make_scheme(model);
      const double     end     = 0.5;
      stepper->set_step_size(end / n_steps);
      State state = model.initial_state();
      stepper->start(state);
      State next = state;
      for (unsigned int i = 0; i < n_steps; ++i)
        {
          StepReport report;
          stepper->advance(state, next, report);
          EXPECT_TRUE(report.converged);
          state.swap(next);
        }
      return error_norm<dim>(free, state.q, wave.exact<dim>(end));
    }

    Wave
    wave_in_time()
    {
      Wave wave  = any_wave<2>();
      wave.omega = 5;
      return wave;
    }

    /// Cells so small that the error is that of the steps h: of order 2, up to
    /// a part (omega h)^2.
    TEST(SolidManufactured, OrderInTime)
    {
      const TemporaryFolder folder;
      const auto            shape = skewed_box<2>(folder);
      const Wave            wave  = wave_in_time();
      for (const std::string scheme : {"moreau jean", "generalized alpha"})
        {
          double error = error_of_motion(shape, wave, scheme, 3, 2, 8);
          for (const unsigned int n : {16, 32})
            {
              const double finer =
                error_of_motion(shape, wave, scheme, 3, 2, n);
              const double x = std::pow(wave.omega * 0.5 / (n / 2), 2);
              EXPECT_NEAR(std::log2(error / finer),
                          2,
                          std::log2((1 + x) / (1 + x / 4)))
                << scheme << ", " << n;
              error = finer;
            }
        }
    }

    /// The order p + 1 of a motion, with steps that have the power (p + 1)/2 of
    /// the cells, and a part of a tenth of the error of the largest ones.
    TEST(SolidManufactured, OrderInSpaceOfMotion)
    {
      const TemporaryFolder folder;
      const auto            shape = skewed_box<2>(folder);
      const Wave            wave  = wave_in_time();
      const auto            check = [&](const unsigned int degree,
                             const unsigned int first,
                             const unsigned int last,
                             const unsigned int n_steps) {
        const unsigned int n      = last - first;
        const double       factor = std::pow(2, n * (degree + 1) / 2.);
        const double       error =
          error_of_motion(shape, wave, "moreau jean", degree, first, n_steps);
        const double finer =
          error_of_motion(shape,
                          wave,
                          "moreau jean",
                          degree,
                          last,
                          static_cast<unsigned int>(factor * n_steps + 0.5));
        const double x = 2 * shape.diagonal / std::pow(2, first);
        EXPECT_NEAR(std::log2(error / finer) / n,
                    degree + 1,
                    std::log2((1 + x) / (1 + x / std::pow(2, n))) / n)
          << degree;
      };
      check(1, 2, 3, 40);
      check(2, 0, 2, 80);
      check(3, 0, 1, 240);
    }
  } // namespace
} // namespace Percuss::Test
