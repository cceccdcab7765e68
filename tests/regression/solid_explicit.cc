// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/suggestion.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools.h"

// Explicit steps of solids in space, assembled and matrix-free.

namespace Percuss::Test
{
  namespace
  {
    const std::string file  = "benchmark/explicit_impact_3d.prm";
    const std::string solid = "model/solid 3d/",
                      block = solid + "bodies/block/";

    const double E = 210e9, rho = 7800, L = 1, A = 0.04, v = 1;
    const double c = std::sqrt(E / rho), F = rho * c * v * A, m = rho * A * L;

    Overrides
    operator+(Overrides a, const Overrides &b)
    {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    }

    struct Mesh
    {
      unsigned int degree, n_cells; ///< along the block
      std::string  form;

      double
      spacing() const
      {
        return L / (degree * n_cells);
      }

      Overrides
      overrides(const double h) const
      {
        return {solid + "degree=" + std::to_string(degree),
                solid + "operator=" + form,
                block + "cells=2, 2, " + std::to_string(n_cells),
                "output/field interval=0",
                "time/step size=" + shortest_text(h)};
      }
    };

    const std::vector<Mesh> meshes = {{1, 60, "assembled"},
                                      {1, 60, "matrix-free"},
                                      {2, 30, "assembled"},
                                      {2, 30, "matrix-free"}};

    /// The books of each step close to round-off.
    void
    check_books(const FinishedRun &run)
    {
      const double scale = run.simulation->energy_ledger().energy_scale();
      for (const double residual : run.column("energy", "residual"))
        EXPECT_LE(std::abs(residual), 1e-12 * scale);
    }

    /// The block takes up the momentum of a bar. A wave front of a mesh with
    /// the spacing d is an Airy function, as wide as (x d^2/8)^(1/3) after a
    /// way x: linear elements with lumped mass have omega = c k (1 - (k
    /// d)^2/24), and those of degree 2 are nearer to the exact one. The front
    /// that ends the contact has run 2 L, and while it arrives, the force
    /// falls. In between the bottom nodes, of the mass d A rho/2 or less, may
    /// have any velocity up to v, and the rest of the momentum is exact.
    void
    check_flat_impact(const Mesh &mesh)
    {
      const double      h = 1e-6, T = 2 * L / c, d = mesh.spacing();
      const double      front = std::cbrt(2 * L * d * d / 8) / c;
      const FinishedRun run(file, mesh.overrides(h));
      const auto       &values = run.values;
      EXPECT_EQ(run.code, ExitCode::done);
      EXPECT_NEAR(values.at("first contact"), 1e-5 / v, 1.01 * h);
      EXPECT_NEAR(values.at("last contact") - values.at("first contact"),
                  T,
                  front + h);
      EXPECT_NEAR(values.at("contact impulse"), 2 * m * v, F * (front + h));
      EXPECT_NEAR(values.at("final mean velocity"), v, 2 * v * (front + h) / T);
      const auto   mean = run.column("probes", "mean");
      const auto   time = run.column("probes", "time");
      const auto   one  = static_cast<std::size_t>(T / 4 / h);
      const auto   two  = static_cast<std::size_t>(3 * T / 4 / h);
      const double force =
        m * (mean[two] - mean[one]) / (time[two] - time[one]);
      EXPECT_NEAR(force, F, F * d / L);
      check_books(run);
    }

    TEST(SolidExplicit, FlatImpactOfABlockIsThatOfABar)
    {
      for (const Mesh &mesh : meshes)
        check_flat_impact(mesh);
    }

    /// A block that meets the floor askew and slides, so that nodes meet it one
    /// after the other.
    const Overrides askew = {block + "cells=3, 2, 4",
                             block + "poisson ratio=0.3",
                             block + "initial displacement=z = 2e-4*x + 1e-4*y",
                             block +
                               "initial velocity=z = -1; x = 0.4; y = 0.1",
                             solid + "contacts/floor/friction=0.3",
                             solid + "contacts/floor/restitution=0.2",
                             "contact/law=coulomb",
                             "output/field interval=0"};

    /// Whether matrices are assembled or not, to the tolerance of the contact
    /// solver.
    TEST(SolidExplicit, MatrixFreeIsAsAssembled)
    {
      for (const std::string damping : {"0", "200"})
        {
          const Overrides common =
            askew + Overrides{solid + "mass damping=" + damping};
          const FinishedRun with(file,
                                 common +
                                   Overrides{solid + "operator=assembled"});
          const FinishedRun without(file, common);
          EXPECT_GT(with.values.at("contact steps"), 10);
          for (const auto &[name, value] : with.values)
            EXPECT_NEAR(without.values.at(name),
                        value,
                        1e-8 * (1 + std::abs(value)))
              << name;
          check_books(without);
        }
    }

    /// Both schemes are of order 2 in smooth motion, and where they begin and
    /// end the contact at the same steps, the impulse F h of a step more or
    /// less is the same too: what differs is of order 2.
    TEST(SolidExplicit, AgreesWithMoreauJean)
    {
      const Mesh                mesh{1, 20, "assembled"};
      const std::vector<double> steps = {1e-6, 5e-7, 2.5e-7};
      std::vector<double>       impulses, velocities;
      for (const double h : steps)
        {
          const FinishedRun one(file, mesh.overrides(h));
          const FinishedRun two(file,
                                mesh.overrides(h) +
                                  Overrides{"scheme/type=moreau jean"});
          const auto        difference = [&](const std::string &name) {
            return std::abs(one.values.at(name) - two.values.at(name));
          };
          EXPECT_NEAR(difference("first contact"), 0, 0.01 * h);
          EXPECT_NEAR(difference("last contact"), 0, 0.01 * h);
          impulses.push_back(difference("contact impulse"));
          velocities.push_back(difference("final mean velocity"));
        }
      EXPECT_LT(impulses.back(), F * steps.back());
      EXPECT_NEAR(observed_order(steps, impulses), 2, 0.2);
      EXPECT_NEAR(observed_order(steps, velocities), 2, 0.2);
    }

    /// All nodes slide along x, at 100 m/s but for some m/s of vibration:
    /// friction takes mu times the normal impulse, to 1 - cos(some/100).
    TEST(SolidExplicit, SlidingBlockLosesFrictionTimesTheImpulse)
    {
      const double      mu = 0.2, u = 100;
      const FinishedRun run(file,
                            {solid + "degree=1",
                             block + "cells=3, 3, 8",
                             block + "initial velocity=z = -1; x = 100",
                             solid + "contacts/floor/friction=0.2",
                             "contact/law=coulomb",
                             "output/field interval=0"});
      const double      impulse = run.values.at("contact impulse");
      EXPECT_GT(impulse, m * v);
      EXPECT_NEAR(run.column("probes", "sideways").back() - u,
                  -mu * impulse / m,
                  mu * impulse / m * 4 / (u * u));
      check_books(run);
    }
  } // namespace
} // namespace Percuss::Test
