// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tools.h"

// Gravity that changes with time is a load.

namespace Percuss::Test
{
  namespace
  {
    const std::string model = "model/solid 2d/";

    /// Two free bars of different densities that do not touch.
    Overrides
    bars(const std::string &gravity, const std::string &scheme)
    {
      return {model + "gravity=" + gravity,
              model + "thickness=0.3",
              model + "mass matrix=lumped",
              model + "bodies/first/initial velocity=",
              model + "bodies/first/cells=1, 10",
              model + "bodies/second/cells=1, 8",
              model + "bodies/second/corner=0, 10.5",
              model + "bodies/second/material=",
              model + "bodies/second/young modulus=100",
              model + "bodies/second/density=0.03",
              "scheme/type=" + scheme,
              "scheme/generalized alpha/spectral radius=1",
              "time/step size=1e-3",
              "time/end time=1",
              "output/field interval=0",
              "output/probes=a = velocity y of first at 0, 0; "
              "b = velocity y of second at 1, 20.5; "
              "c = velocity x of second at 0, 10.5"};
    }

    /// v = g (cos t - 1) everywhere, and the energy is the work. Schemes
    /// integrate the load by the trapezoidal rule, with an error of h^2/12
    /// times the change of its rate, g (1 - cos 1).
    TEST(SolidGravity, ThatChangesWithTimeMovesAllPlacesAlike)
    {
      const double h = 1e-3, g = 9.81, mass = 0.3 * 10 * (0.01 + 0.03);
      const double v     = g * (std::cos(1.) - 1);
      const double error = h * h / 12 * g * (1 - std::cos(1.));
      for (const std::string scheme :
           {"moreau jean", "generalized alpha", "central differences"})
        {
          const FinishedRun run("benchmark/two_bars_as_solids.prm",
                                bars("y = -9.81*sin(t); x = 2", scheme));
          EXPECT_NEAR(run.values.at("final mean velocity"), v, error) << scheme;
          // Bars that stay rigid have nothing but round-off of their own.
          for (const std::string probe : {"a", "b"})
            EXPECT_NEAR(run.column("probes", probe).back(), v, error + 1e-9)
              << scheme;
          EXPECT_NEAR(run.column("probes", "c").back(), 2, 1e-9) << scheme;
          EXPECT_NEAR(run.column("energy", "kinetic").back(),
                      mass / 2 * (v * v + 4),
                      mass * (error * std::abs(v) + 4e-9))
            << scheme;
          // Along x, where it does not change, it has a potential energy.
          EXPECT_NEAR(run.column("energy", "potential").back(),
                      -mass / 2 * 4,
                      mass * 4e-9)
            << scheme;
          // That of central differences is the change of E - h^2/8 a.Ma.
          EXPECT_NEAR(run.column("energy", "work_external").back(),
                      mass / 2 * v * v,
                      mass * (error * std::abs(v) + 4e-9) +
                        (scheme == "central differences" ?
                           h * h / 8 * mass * g * g :
                           0))
            << scheme;
        }
    }

    /// The same field as a body force, of a ball that it presses on a plane.
    TEST(SolidGravity, ThatChangesWithTimeIsABodyForce)
    {
      const std::string file = "benchmark/hertz_sphere.prm";
      const std::string ball = "model/solid 3d/";
      Overrides         with = {ball + "gravity=z = -1e6*(1 + 100*x)*sin(4*t)",
                                ball + "loads/weight/body force=z = 0",
                                ball + "degree=1",
                                ball + "bodies/ball/density=7800",
                                ball + "bodies/ball/refinements=1",
                                ball + "refinement/near the contact/where=1",
                                "scheme/type=moreau jean",
                                "time/step size=1e-5",
                                "time/end time=1e-3",
                                "output/field interval=0",
                                "output/probes="};
      const FinishedRun gravity(file, with);
      with[0] = ball + "gravity=";
      with[1] =
        ball + "loads/weight/body force=z = -7.8e9*(1 + 100*x)*sin(4*t)";
      const FinishedRun force(file, with);
      EXPECT_GT(gravity.values.at("contact impulse"), 0);
      for (const auto &[name, value] : force.values)
        EXPECT_NEAR(gravity.values.at(name),
                    value,
                    1e-9 * (1 + std::abs(value)))
          << name;
    }
  } // namespace
} // namespace Percuss::Test
