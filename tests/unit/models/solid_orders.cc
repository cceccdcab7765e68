// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>

#include <gtest/gtest.h>
#include <slepceps.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/solid.h"
#include "solid_errors.h"
#include "tools.h"

// Solids converge with their orders to known equilibria and frequencies.

namespace Percuss::Test
{
  namespace
  {
    constexpr double E = 3, nu = 0.3;
    constexpr double mu                       = E / (2 * (1 + nu)),
                     lambda                   = 2 * mu * nu / (1 - 2 * nu);
    const std::vector<std::string> axes       = {"x", "y", "z"};
    const std::vector<double>      amplitudes = {1, 2, -1.5};

    SolidParameters::Body
    box(const unsigned int dim, const std::vector<double> &cells)
    {
      SolidParameters::Body body;
      body.corner.assign(dim, 0.);
      body.centre.assign(dim, 0.);
      body.size.assign(dim, 1.);
      body.cells   = cells;
      body.E       = E;
      body.nu      = nu;
      body.density = 2;
      return body;
    }

    void
    clamp(SolidParameters &parameters, const std::string &side)
    {
      parameters.supports.emplace_back("clamp", SolidParameters::Support());
      parameters.supports.back().second.on = side;
    }

    /// The second derivative of s = sin(pi x) sin(pi y) ... by two directions,
    /// over pi^2.
    std::string
    second_derivative(const unsigned int dim,
                      const unsigned int i,
                      const unsigned int j)
    {
      std::string result = i == j ? "(-1)" : "1";
      for (unsigned int d = 0; d < dim; ++d)
        result += (i != j && (d == i || d == j) ? "*cos(pi*" : "*sin(pi*") +
                  axes[d] + ")";
      return result;
    }

    /// The body force of the displacement a s.
    std::string
    body_force(const unsigned int dim)
    {
      std::string result;
      for (unsigned int i = 0; i < dim; ++i)
        {
          result += axes[i] + " = 0";
          for (unsigned int j = 0; j < dim; ++j)
            {
              const auto term = [&](const double       factor,
                                    const std::string &derivative) {
                result +=
                  " - (" + std::to_string(factor) + ")*pi^2*" + derivative;
              };
              term((lambda + mu) * amplitudes[j], second_derivative(dim, i, j));
              term(mu * amplitudes[i], second_derivative(dim, j, j));
            }
          result += "; ";
        }
      return result;
    }

    /// K q = f.
    template <int dim>
    State
    equilibrium(const Solid<dim> &model)
    {
      State  state = model.initial_state();
      Vector f(state.q);
      f = 0.;
      model.add_driving_load(0, 1, f);
      const auto K = model.assemble(0, 0, 1);
      struct Operator
      {
        const SparseMatrix &matrix;
        void
        vmult(Vector &y, const Vector &x) const
        {
          matrix.multiply(x, y);
        }
      };
      dealii::SolverControl    control(5000, 1e-11 * f.l2_norm());
      dealii::SolverCG<Vector> solver(control);
      solver.solve(Operator{*K}, state.q, f, dealii::PreconditionIdentity());
      return state;
    }

    /// A box under the body force, clamped all around or not at all.
    template <int dim>
    typename Solid<dim>::Parameters
    loaded_box(const unsigned int degree, const unsigned int n)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.degree = degree;
      parameters.bodies.emplace_back("block",
                                     box(dim, std::vector<double>(dim, n)));
      parameters.loads.emplace_back("force", SolidParameters::Load());
      parameters.loads[0].second.on         = "block";
      parameters.loads[0].second.body_force = body_force(dim);
      return parameters;
    }

    template <int dim>
    double
    error_of_equilibrium(const unsigned int degree, const unsigned int n)
    {
      const auto free    = loaded_box<dim>(degree, n);
      auto       clamped = free;
      clamp(clamped, "block all");
      const Solid<dim> model(clamped, {MPI_COMM_SELF});
      const State      state = equilibrium(model);
      return error_norm<dim>(
        free, state.q, [](const dealii::Point<dim> &x, const unsigned int d) {
          double s = 1;
          for (unsigned int c = 0; c < dim; ++c)
            s *= std::sin(M_PI * x[c]);
          return amplitudes[d] * s;
        });
    }

    /// The error has order p + 1, up to terms of the relative order h^2: the
    /// derivatives that make it are sines, which have the mean square of the
    /// cell's middle up to (pi h)^2/12, where h^2/12 is the variance of places
    /// in a cell. Of h and h/2 the order differs by log2(1 + x) - log2(1 + x/4)
    /// for such a part x.
    template <int dim>
    void
    check_order(const unsigned int               degree,
                const std::vector<unsigned int> &cells)
    {
      double error = error_of_equilibrium<dim>(degree, cells[0]);
      for (std::size_t i = 1; i < cells.size(); ++i)
        {
          ASSERT_EQ(cells[i], 2 * cells[i - 1]);
          const double finer = error_of_equilibrium<dim>(degree, cells[i]);
          const double x     = std::pow(M_PI / cells[i - 1], 2) / 12;
          EXPECT_NEAR(std::log2(error / finer),
                      degree + 1,
                      std::log2((1 + x) / (1 + x / 4)))
            << dim << "d, degree " << degree << ", cells " << cells[i];
          error = finer;
        }
    }

    /// Manufactured.
    TEST(SolidOrders, EquilibriumInThePlane)
    {
      check_order<2>(1, {4, 8, 16, 32});
      check_order<2>(2, {2, 4, 8, 16});
      check_order<2>(3, {2, 4, 8});
    }

    TEST(SolidOrders, EquilibriumInSpace)
    {
      check_order<3>(1, {4, 8, 16});
      check_order<3>(2, {2, 4, 8});
      check_order<3>(3, {2, 4, 8});
    }

    /// The lowest frequencies of a model in rad/s, by SLEPc.
    std::vector<double>
    frequencies(const MechanicalModel &model, const int n)
    {
      static const bool is_ready = []() {
        return SlepcInitializeNoArguments() == 0;
      }();
      EXPECT_TRUE(is_ready);
      const auto M = model.assemble(1, 0, 0), K = model.assemble(0, 0, 1);
      // Shift and invert with LU needs the whole matrix.
      Mat M_rows, K_rows;
      check_petsc(MatConvert(M->petsc(), MATAIJ, MAT_INITIAL_MATRIX, &M_rows));
      check_petsc(MatConvert(K->petsc(), MATAIJ, MAT_INITIAL_MATRIX, &K_rows));
      EPS eps;
      check_petsc(EPSCreate(MPI_COMM_SELF, &eps));
      check_petsc(EPSSetOperators(eps, K_rows, M_rows));
      check_petsc(EPSSetProblemType(eps, EPS_GHEP));
      check_petsc(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
      check_petsc(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
      check_petsc(EPSSetTarget(eps, 0.));
      ST transformation;
      check_petsc(EPSGetST(eps, &transformation));
      check_petsc(STSetType(transformation, STSINVERT));
      check_petsc(EPSSetTolerances(eps, 1e-10, PETSC_DEFAULT));
      check_petsc(EPSSolve(eps));
      std::vector<double> result;
      for (int i = 0; i < n; ++i)
        {
          PetscScalar value, imaginary;
          check_petsc(EPSGetEigenvalue(eps, i, &value, &imaginary));
          result.push_back(std::sqrt(value));
        }
      check_petsc(EPSDestroy(&eps));
      check_petsc(MatDestroy(&M_rows));
      check_petsc(MatDestroy(&K_rows));
      return result;
    }

    /// Timoshenko's cantilever of length 1 and height H, width 1: the function
    /// whose roots are the frequencies. Deflection w and angle a,
    ///   k G A (w'' - a') = -rho A omega^2 w,
    ///   E I a'' + k G A (w' - a) = -rho I omega^2 a,
    /// by its fundamental matrix: w, a = 0 at 0; moment, shear = 0 at 1.
    double
    characteristic(const double omega, const double H, const double G)
    {
      const double A = H, I = H * H * H / 12, rho = 2;
      const double shear = 5. / 6 * G * A, EI = E * I;
      const auto   rate = [&](const double *y, double *dy) {
        // y = w, a, moment E I a', shear force k G A (w' - a)
        dy[0] = y[3] / shear + y[1];
        dy[1] = y[2] / EI;
        dy[2] = -y[3] - rho * I * omega * omega * y[1];
        dy[3] = -rho * A * omega * omega * y[0];
      };
      double end[2][2];
      for (unsigned int start = 0; start < 2; ++start)
        {
          // Runge and Kutta, of order 4.
          double y[4] = {0, 0, start == 0 ? EI : 0., start == 1 ? EI : 0.};
          constexpr unsigned int n_steps = 400;
          const double           h       = 1. / n_steps;
          for (unsigned int step = 0; step < n_steps; ++step)
            {
              double       k[4][4], z[4];
              const double part[4] = {0, 0.5, 0.5, 1};
              for (unsigned int stage = 0; stage < 4; ++stage)
                {
                  for (unsigned int i = 0; i < 4; ++i)
                    z[i] = y[i] +
                           (stage > 0 ? part[stage] * h * k[stage - 1][i] : 0);
                  rate(z, k[stage]);
                }
              for (unsigned int i = 0; i < 4; ++i)
                y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
            }
          end[start][0] = y[2];
          end[start][1] = y[3];
        }
      return end[0][0] * end[1][1] - end[0][1] * end[1][0];
    }

    /// The first roots, by bisection.
    std::vector<double>
    timoshenko(const double H, const unsigned int n, const double G)
    {
      std::vector<double> roots;
      const double        step = 0.005;
      for (double a = step; roots.size() < n; a += step)
        {
          double left = a, right = a + step;
          if (characteristic(left, H, G) * characteristic(right, H, G) > 0)
            continue;
          for (unsigned int i = 0; i < 40; ++i)
            {
              const double middle = (left + right) / 2;
              (characteristic(left, H, G) * characteristic(middle, H, G) > 0 ?
                 left :
                 right)           = middle;
            }
          roots.push_back(left);
        }
      return roots;
    }

    /// Of a cantilever of length 1.
    template <int dim>
    std::vector<double>
    frequencies_of_cantilever(const std::vector<double> &section,
                              const std::vector<double> &cells,
                              const double               poisson_ratio,
                              const int                  n)
    {
      typename Solid<dim>::Parameters parameters;
      parameters.degree = 2;
      if (dim == 2)
        parameters.plane = "stress";
      parameters.bodies.emplace_back("beam", box(dim, cells));
      auto &beam = parameters.bodies[0].second;
      beam.nu    = poisson_ratio;
      beam.size  = {1};
      beam.size.insert(beam.size.end(), section.begin(), section.end());
      clamp(parameters, "beam left");
      return frequencies(Solid<dim>(parameters, {MPI_COMM_SELF}), n);
    }

    /// Theories of beams expand in (k H)^2, where k = 1.8751, 4.6941 are the
    /// wave numbers. Timoshenko's has the first term, a part
    /// (k H)^2 (1 + E/(5/6 G))/24 of Euler and Bernoulli's frequency; what it
    /// lacks is smaller by another (k H)^2. Without Poisson's effect the clamp
    /// is the one of the theory up to that, too.
    double
    tolerance_of_timoshenko(const double H, const unsigned int mode)
    {
      const double k = mode == 0 ? 1.8751 : 4.6941, E_over_G = 2;
      return std::pow(k * H, 4) * (1 + E_over_G * 6 / 5) / 24;
    }

    TEST(SolidOrders, CantileverHasTheFrequenciesOfTimoshenko)
    {
      for (const double H : {0.1, 0.05})
        {
          const auto found = frequencies_of_cantilever<2>({H}, {40, 4}, 0, 2);
          const auto expected = timoshenko(H, 2, E / 2);
          for (unsigned int i = 0; i < 2; ++i)
            EXPECT_NEAR(found[i] / expected[i],
                        1,
                        tolerance_of_timoshenko(H, i))
              << H << ", " << i;
        }
    }

    /// The clamp of a solid holds the cross section, too: over a length of
    /// about H the modulus is up to E/(1 - nu^2) instead of E. At the root
    /// the square of the curvature is four times its mean, so that the
    /// frequency is higher by up to 4 H/2 (1/(1 - nu^2) - 1) = 0.2 H. The plane
    /// stress is held in one direction of two: a third of that is allowed.
    TEST(SolidOrders, ClampsHoldCrossSections)
    {
      for (const double H : {0.1, 0.05})
        {
          const auto found = frequencies_of_cantilever<2>({H}, {40, 4}, nu, 2);
          const auto expected = timoshenko(H, 2, mu);
          for (unsigned int i = 0; i < 2; ++i)
            {
              EXPECT_GT(found[i] / expected[i], 1) << H << ", " << i;
              EXPECT_LT(found[i] / expected[i], 1 + 0.06 * H) << H << ", " << i;
            }
        }
    }

    /// In space, with a section of 0.8 H x H: the first two modes of both
    /// directions in turn.
    TEST(SolidOrders, CantileverInSpaceHasTheFrequenciesOfTimoshenko)
    {
      const double H = 0.1;
      const auto   found =
        frequencies_of_cantilever<3>({0.8 * H, H}, {40, 2, 2}, 0, 4);
      for (unsigned int i = 0; i < 4; ++i)
        {
          const double height   = i % 2 == 0 ? 0.8 * H : H;
          const auto   expected = timoshenko(height, 2, E / 2);
          EXPECT_NEAR(found[i] / expected[i / 2],
                      1,
                      tolerance_of_timoshenko(height, i / 2))
            << i;
        }
    }

    /// Longitudinal modes of a clamped-free bar in space without Poisson's
    /// effect: (2k - 1) pi/2 c / L, with errors of order 2p.
    TEST(SolidOrders, BarHasItsLongitudinalFrequencies)
    {
      Solid<3>::Parameters parameters;
      parameters.degree = 2;
      parameters.bodies.emplace_back("bar", box(3, {8, 1, 1}));
      parameters.bodies[0].second.nu = 0;
      clamp(parameters, "bar left");
      // No bending: the sides move along x only.
      for (const std::string side : {"front", "bottom"})
        {
          clamp(parameters, "bar " + side);
          parameters.supports.back().first             = side;
          parameters.supports.back().second.directions = "y, z";
        }
      parameters.supports[0].second.directions = "x";
      const auto found = frequencies(Solid<3>(parameters, {MPI_COMM_SELF}), 12);
      const double exact   = M_PI / 2 * std::sqrt(E / 2);
      double       nearest = 1;
      for (const double omega : found)
        nearest = std::min(nearest, std::abs(omega / exact - 1));
      // Of order h^4: pi^4/16/720/8^4 of the first mode.
      EXPECT_LE(nearest, 2 * std::pow(M_PI / 2 / 8, 4) / 720);
    }
  } // namespace
} // namespace Percuss::Test
