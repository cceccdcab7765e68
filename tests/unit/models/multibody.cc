// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/constrained_solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    /// Moves @p q to the equilibrium of the forces at @p time, by Newton's
    /// method: f(q) + G^T mu = 0.
    void
    balance(const MechanicalModel &model, const double time, Vector &q)
    {
      const ConstrainedSolver solver(model, JointTreatment::reparametrisation);
      const auto              S = model.make_tangent();
      Vector f(model.partition()), at_rest(model.partition()), x(q),
        y(solver.unknowns());
      for (unsigned int i = 0; i < 50; ++i)
        {
          model.evaluate(Term::force, {time, q, at_rest}, f);
          std::fill_n(S->values(), S->rows().values.size(), 0.);
          model.add_derivative(
            Term::force, Argument::position, {time, q, at_rest}, -1, *S);
          model.constraints()->add_hessian(q,
                                           solver.fit_multipliers(f, q),
                                           -1,
                                           *S);
          ASSERT_TRUE(solver.factorize(*S, q, q));
          solver.solve(f, y);
          solver.expand(y, x);
          solver.displace(y, q);
          if (x.linfty_norm() < 1e-12)
            return;
        }
      FAIL() << "no equilibrium";
    }

    /// The distance of the tip from the root of the cantilever with the moment
    /// that bends it to a circle, over its length.
    double
    gap_of_circle(const unsigned int n_elements, const unsigned int degree)
    {
      const Parts parts(
        "benchmark/cantilever_roll_up.prm",
        {"model/multibody/bodies/bar/elements=" + std::to_string(n_elements),
         "model/multibody/bodies/bar/degree=" + std::to_string(degree)});
      State        state = parts.model->initial_state();
      const double end   = parts.settings.time.end_time;
      for (unsigned int i = 1; i <= 80; ++i)
        balance(*parts.model, end * i / 80, state.q);
      double square = 0;
      for (const std::string direction : {"x", "y", "z"})
        {
          const auto tip =
            parts.model->make_probe("tip",
                                    "position " + direction + " of bar end");
          const auto root =
            parts.model->make_probe("root",
                                    "position " + direction + " of bar start");
          square += std::pow(tip.value(state) - root.value(state), 2);
        }
      return std::sqrt(square);
    }

    // A moment of 2 pi EI/L bends a cantilever to a full circle. (Linear
    // elements carry no moment above EI/(2 l), for turns of 45 degrees: less
    // than 13 of them are too few.)
    TEST(Multibody, RollsUpToACircle)
    {
      for (const unsigned int degree : {1u, 2u})
        {
          const unsigned int n      = degree == 1 ? 24 : 8;
          const double       coarse = gap_of_circle(n, degree);
          const double       fine   = gap_of_circle(2 * n, degree);
          EXPECT_NEAR(std::log2(coarse / fine), 2 * degree, 0.3);
          EXPECT_LT(fine, degree == 1 ? 0.02 : 1e-3);
        }
    }

    // The equilibrium does not depend on the way to it: loads in other steps,
    // and from a larger load back.
    TEST(Multibody, HasEquilibriaThatDoNotDependOnTheWay)
    {
      const Parts  parts("benchmark/cantilever_roll_up.prm",
                        {"model/multibody/bodies/bar/elements=6"});
      const double end = parts.settings.time.end_time;
      Vector       a = parts.model->initial_state().q, b = a;
      for (unsigned int i = 1; i <= 50; ++i)
        balance(*parts.model, end * i / 100, a);
      for (unsigned int i = 1; i <= 63; ++i)
        balance(*parts.model, end * i / 90, b);
      for (unsigned int i = 62; i >= 45; --i)
        balance(*parts.model, end * i / 90, b);
      a -= b;
      EXPECT_LT(a.linfty_norm(), 1e-10);
    }

    TEST(Multibody, HasTheDerivativesOfItsForces)
    {
      const Parts  parts("benchmark/three_bar_swing.prm",
                        {"model/multibody/bodies/bar/elements=3",
                          "model/multibody/bodies/bar/degree=2",
                          "model/multibody/loads/pulse/follows=true",
                          "model/multibody/loads/pulse/moment=1; -2; 3"});
      const auto  &model = *parts.model;
      const State  state = model.initial_state();
      Vector       q(state.q), direction(state.q), f(state.q), product(state.q);
      std::mt19937 generator(1);
      std::uniform_real_distribution<> random(-0.1, 0.1);
      for (double &entry : q)
        entry += random(generator);
      for (double &entry : direction)
        entry = random(generator);
      const auto K = model.make_tangent();
      model.add_derivative(
        Term::force, Argument::position, {0.1, q, state.v}, 1, *K);
      K->multiply(direction, product);
      // Forces are polynomials of degree 3: differences by four points.
      Vector difference(model.partition());
      for (const int k : {-2, -1, 1, 2})
        {
          Vector there(q);
          there.add(k, direction);
          model.evaluate(Term::force, {0.1, there, state.v}, f);
          difference.add((std::abs(k) == 1 ? 8. : -1.) * (k > 0 ? 1 : -1) / 12,
                         f);
        }
      const double scale = product.linfty_norm();
      difference -= product;
      EXPECT_LT(difference.linfty_norm(), 1e-11 * scale);
    }
  } // namespace
} // namespace Percuss::Test
