// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tools.h"

// Tangents of large strains that stay from iteration to iteration and from step
// to step.

namespace Percuss::Test
{
  namespace
  {
    /// A soft block that falls on its edge with 4 m/s, slides and turns:
    /// strains of a tenth. Steps are a wave's time over a cell.
    Overrides
    falling_block(const std::string &solver, const std::string &delassus)
    {
      const std::string block = "model/solid 3d/bodies/block/";
      return {block + "law=neo hooke",
              block + "young modulus=1e6",
              block + "poisson ratio=0.3",
              block + "density=1000",
              block + "cells=4, 4, 4",
              block + "corner=0, 0, 1e-3",
              block + "initial velocity=x = 0.4; z = -4",
              block + "initial displacement=z = 0.02*x",
              "model/solid 3d/contacts/floor/friction=0.3",
              "contact/law=coulomb",
              "contact/delassus matrix=" + delassus,
              "linear solver/type=" + solver,
              "time/step size=6.8e-3",
              "time/end time=1"};
    }

    /// What a step of Moreau and Jean's scheme misses of v_{k+1}, for the
    /// impulses that it found: a step of Newton's method with the tangent of
    /// its end,
    /// @f[ S\,\delta v = M (v_{k+1}-v_k) - \tfrac h2 [f(q_k) + f(q_{k+1})]
    ///     - D^T\lambda. @f]
    double
    missing(const Parts &parts, const State &begin, const State &end)
    {
      const MechanicalModel &model = *parts.model;
      const double           h     = end.time - begin.time;
      Vector r(model.partition()), f(model.partition()), change(end.v);
      change -= begin.v;
      model.multiply_by_mass(change, r);
      for (const State *state : {&begin, &end})
        {
          model.evaluate(Term::force, {state->time, state->q, state->v}, f);
          r.add(-h / 2, f);
        }
      model.contacts().impulses(impulses(end), f);
      r -= f;
      const auto          S  = model.make_tangent();
      const Configuration at = {end.time, end.q, end.v};
      model.add_derivative(Term::momentum, Argument::velocity, at, 1, *S);
      model.add_derivative(Term::force, Argument::position, at, -h * h / 4, *S);
      Settings settings;
      assign(settings,
             "benchmark/block_drop_3d.prm",
             {"linear solver/type=direct"});
      EXPECT_TRUE(
        settings.linear_solver.build({*S})->solve(r, change).converged);
      return change.linfty_norm();
    }

    /// Iterations end where an estimate of what is missing is 1e-13 of the
    /// velocities. It takes the contraction of the last iteration for that of
    /// the next ones: a factor of 10 for that. Impulses and motion at once
    /// belong to each other up to the tolerance of the linear solver, 1e-11 of
    /// the load, of which the velocities are a part of the same size.
    void
    check(const std::string &solver,
          const std::string &delassus,
          const double       tolerance)
    {
      const Parts parts("scaling/block_3d.prm",
                        falling_block(solver, delassus));
      parts.scheme->set_step_size(parts.settings.time.step_size);
      State state = parts.model->initial_state();
      parts.scheme->start(state);
      State        end        = state;
      unsigned int n_contacts = 0;
      for (unsigned int i = 0; i < 12; ++i)
        {
          StepReport report;
          parts.scheme->advance(state, end, report);
          ASSERT_TRUE(report.converged);
          n_contacts = std::max(n_contacts, report.n_active);
          EXPECT_LE(missing(parts, state, end), tolerance * end.v.linfty_norm())
            << solver << ' ' << delassus << ", step " << i;
          state.swap(end);
        }
      EXPECT_GE(n_contacts, 5u);
      // "...: 4 tangents in 60 iterations"
      const std::string text   = parts.scheme->linear_solver_description();
      const auto        number = [&text](const std::string &before) {
        return std::stoi(text.substr(text.find(before) + before.size()));
      };
      ASSERT_NE(text.find(" tangents in "), std::string::npos) << text;
      EXPECT_LE(3 * number("matrix changes: "), number(" tangents in "))
        << text;
    }

    TEST(KeptTangents, GiveTheStepsOfNewtonsMethod)
    {
      check("direct", "explicit", 1e-12);
      check("cg", "matrix free", 1e-10);
    }
  } // namespace
} // namespace Percuss::Test
