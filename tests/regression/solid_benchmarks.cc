// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/numbers.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools.h"

// Parameter files of solids against what parameter_files/README.md says of
// them.

namespace Percuss::Test
{
  namespace
  {
    using dealii::numbers::PI;
    constexpr double g = 9.81;

    /// Lame's stresses. Strains of degree 2 are linear in a cell of height
    /// h = 0.0025 m: the rest is h^2/12 times the second derivative of c/r^2,
    /// at most 6/a^2 times its largest value. It counts with the modulus lambda
    /// + 2 mu, and c/r^2 itself is in stresses with 2 mu.
    TEST(SolidBenchmarks, PressedArch)
    {
      const FinishedRun run("benchmark/pressed_arch.prm",
                            {"output/field interval=0"});
      const auto        last = [&](const std::string &name) {
        return run.column("probes", name).back();
      };
      const double a = 0.08, b = 0.1, h = 0.0025, p = 1e6;
      const double factor    = p * b * b / (b * b - a * a);
      const double moduli    = (1 - 0.3) / (1 - 2 * 0.3);
      const double tolerance = moduli * factor * std::pow(h / a, 2) / 2;
      const double inner = 2 * factor, outer = factor * (1 + a * a / (b * b));
      EXPECT_NEAR(last("inner"), -inner, tolerance);
      EXPECT_NEAR(last("outer"), -outer, tolerance);
      EXPECT_NEAR(last("radial"),
                  -factor * (1 - std::pow(a / 0.09, 2)),
                  tolerance);
      EXPECT_NEAR(last("inside"), inner, tolerance);
      EXPECT_NEAR(last("outside"), outer, tolerance);
      // The solvers stop at 1e-10 of the largest forces or before.
      EXPECT_NEAR(last("force"), p * b, 1e-8 * p * b);
    }

    /// The scheme's error of a frequency is (omega h)^2/12 for the best one,
    /// and less than twice that here: of a pulse at x it is x/c h^2/6 times its
    /// third derivative. The elements' is of order 6.
    TEST(SolidBenchmarks, PulseInBar)
    {
      const FinishedRun run("benchmark/pulse_in_bar.prm",
                            {"output/field interval=0"});
      const double      T = 1e-4, c = 5000, h = 1e-6, omega = 2 * PI / T;
      const auto        pulse = [&](const double t) {
        return t < 0 || t > T ? 0 : 1e6 * std::pow(std::sin(PI * t / T), 4);
      };
      // sin^4 = 3/8 - cos(omega t)/2 + cos(2 omega t)/8
      const auto tolerance = [&](const double x) {
        return 1e6 * 1.5 * std::pow(omega, 3) * x / c * h * h / 6;
      };
      const auto time     = run.column("probes", "time");
      const auto reaction = run.column("probes", "reaction");
      const auto stress   = run.column("probes", "stress");
      double     largest  = 0;
      for (std::size_t i = 0; i < time.size(); ++i)
        {
          EXPECT_NEAR(reaction[i],
                      -2e-4 * pulse(time[i] - 1 / c),
                      2e-4 * tolerance(1))
            << time[i];
          if (time[i] < 1.4 / c)
            {
              EXPECT_NEAR(stress[i], -pulse(time[i] - 0.5 / c), tolerance(0.5))
                << time[i];
            }
          largest = std::max(largest, -reaction[i]);
        }
      EXPECT_NEAR(largest, 200, 2e-4 * tolerance(1));
    }

    /// With the stretch the moment of inertia is larger by delta, up to terms
    /// of order delta^2, while it swings with the lowest frequency pi c/L.
    TEST(SolidBenchmarks, SpinningBeam)
    {
      const FinishedRun run("benchmark/spinning_beam.prm",
                            {"output/field interval=0", "time/end time=0.1"});
      const double      L = 0.5, E = 1e7, density = 1100, omega_0 = 20 * PI;
      double            delta = 0;
      for (unsigned int i = 0; i < 30; ++i)
        delta = density * std::pow(omega_0 / (1 + delta) * L, 2) / (5 * E);
      const double lag   = std::atan2(-run.column("probes", "y").back(),
                                    run.column("probes", "x").back());
      const double swing = omega_0 * delta / (PI * std::sqrt(E / density) / L);
      EXPECT_NEAR(lag,
                  2 * PI * delta / (1 + delta),
                  2 * PI * delta * delta + swing +
                    2 * PI * std::pow(omega_0 * 5e-4, 2) / 12);
      // Newton's iteration stops at 1e-10 of the forces or before.
      const auto spin   = run.column("probes", "spin");
      const auto energy = run.column("energy", "total");
      for (std::size_t i = 0; i < spin.size(); ++i)
        {
          EXPECT_NEAR(spin[i], spin[0], 1e-10 * spin[0]);
          EXPECT_NEAR(energy[i], energy[0], 1e-10 * energy[0]);
        }
      // m (L^2 + H^2)/12 of a rectangle
      const double mass = density * L * 0.025;
      EXPECT_NEAR(spin[0],
                  mass * (L * L + 0.025 * 0.025) / 12 * omega_0,
                  1e-10 * spin[0]);
    }

    /// The floor carries the L on all its side until waves and the first step
    /// have told it that it tips: some h + 4 a/c, in which it may turn faster
    /// by the angular acceleration of its weight at 5/12 a. The difference
    /// grows as sinh(s t)/s, s^2 = 5/6 g/a (k + 1).
    TEST(SolidBenchmarks, TippingL)
    {
      const double      T = 0.08;
      const FinishedRun run("benchmark/tipping_L.prm",
                            {"output/field interval=0",
                             "model/solid 2d/bodies/angle/refinements=2",
                             "time/end time=0.08"});
      const double      a = 0.1, k = 1.2, h = 2e-4;
      double            angle = 0, rate = 0;
      const double      dt = 1e-6; // steps of order 2
      for (double t = 0; t < T - dt / 2; t += dt)
        {
          const double middle = angle + dt / 2 * rate;
          rate += dt * 5 / 6 * g / a *
                  ((k - 1) * std::cos(middle) + (k + 1) * std::sin(middle));
          angle = middle + dt / 2 * rate;
        }
      const double c = std::sqrt(1e10 / 1100),
                   s = std::sqrt(5. / 6 * g / a * 2.2);
      const double tolerance =
        5. / 6 * g / a * (h + 4 * a / c) * std::sinh(s * T) / s;
      EXPECT_LT(tolerance, 0.05 * angle);
      EXPECT_NEAR(std::asin(run.column("probes", "corner y").back() / a),
                  angle,
                  tolerance);
    }

    /// While it slides, the force is at the angle of friction from the normal,
    /// which turns by x/R where the line that touches has moved to.
    TEST(SolidBenchmarks, RollOnDrum)
    {
      const FinishedRun run("benchmark/roll_on_drum.prm",
                            {"output/field interval=0"});
      const auto        side = run.column("probes", "side"),
                 up          = run.column("probes", "up"),
                 way         = run.column("probes", "way"),
                 force       = run.column("probes", "force");
      double slope           = 0;
      for (std::size_t i = 0; i < force.size(); ++i)
        if (force[i] > 0)
          slope = std::max(slope, way[i] / 0.199);
      ASSERT_EQ(force.back(), 0);
      const double ratio = side.back() / (up.back() - up[0]);
      EXPECT_LT(slope, 0.03);
      EXPECT_GT(ratio, 0.3 - 1e-8);
      EXPECT_LT(ratio, std::tan(std::atan(0.3) + slope));
    }

    /// The sum of the forces is the change of the momentum in each step.
    /// Entries of the stiffness of 1e9 N/m times 2 mm are rounded at 1e-10 N,
    /// in 1e3 rows.
    TEST(SolidBenchmarks, ImportedMeshDrop)
    {
      const double      h = 2e-5;
      const FinishedRun run("benchmark/imported_mesh_drop.prm",
                            {"output/field interval=0",
                             "output/table interval=1",
                             "time/end time=0.003",
                             "output/probes=px = momentum x; py = momentum y; "
                             "fx = contact force x of floor; fy = contact "
                             "force y of floor"});
      // 2 mm = v t + g t^2/2; it ends a step in which a contact began.
      const double fall = (std::sqrt(1 + 2 * g * 0.002) - 1) / g;
      EXPECT_NEAR(run.values.at("first contact"), fall, h);
      const auto px        = run.column("probes", "px"),
                 py        = run.column("probes", "py"),
                 fx        = run.column("probes", "fx"),
                 fy        = run.column("probes", "fy");
      const double mass    = -py[0]; // it falls with 1 m/s
      double       impulse = 0;
      for (std::size_t i = 1; i < py.size(); ++i)
        {
          EXPECT_NEAR((py[i] - py[i - 1]) / h, fy[i] - mass * g, 1e-6);
          EXPECT_NEAR((px[i] - px[i - 1]) / h, fx[i], 1e-6);
          impulse += h * fy[i];
        }
      EXPECT_NEAR(impulse, py.back() - py[0] + mass * g * 0.003, 1e-8);
      EXPECT_NEAR(impulse, run.values.at("contact impulse"), 1e-10);
      EXPECT_NEAR(impulse, 0.2020, 5e-5); // all digits of the README
    }

    /// So is it of each of two bodies: what the upper one gets is what the
    /// lower one loses, less what the floor gives. Friction obeys Coulomb's
    /// law.
    TEST(SolidBenchmarks, TwoBlocks)
    {
      const double      h = 2e-4;
      const FinishedRun run(
        "benchmark/two_blocks.prm",
        {"output/field interval=0",
         "output/table interval=1",
         "time/end time=0.03",
         "output/probes=lx = momentum x of lower; lz = momentum z of lower; ux "
         "= momentum x of upper; uz = momentum z of upper; bx = contact force "
         "x of between; bz = contact force z of between; fx = contact force x "
         "of floor; fz = contact force z of floor"});
      const auto column = [&](const std::string &name) {
        return run.column("probes", name);
      };
      const auto lx = column("lx"), lz = column("lz"), ux = column("ux"),
                 uz = column("uz"), bx = column("bx"), bz = column("bz"),
                 fx = column("fx"), fz = column("fz");
      const double upper = 1100 * 0.1 * 0.1 * 0.1;
      const double lower = 1100 * 0.3 * 0.12 * 0.05;
      const double n     = static_cast<double>(lx.size());
      EXPECT_EQ(n, 151);
      // Entries of 1e6 N/m times 1 mm, as above: 1e-13 N in 1e3 rows.
      const double round_off = 1e-9;
      for (std::size_t i = 1; i < lx.size(); ++i)
        {
          const auto change = [&](const std::vector<double> &p) {
            return (p[i] - p[i - 1]) / h;
          };
          EXPECT_NEAR(change(ux), bx[i], round_off);
          EXPECT_NEAR(change(uz), bz[i] - upper * g, round_off);
          EXPECT_NEAR(change(lx), fx[i] - bx[i], round_off);
          EXPECT_NEAR(change(lz), fz[i] - bz[i] - lower * g, round_off);
          // Frames of the start; the solver stops at 1e-10 of the forces.
          EXPECT_LE(std::abs(bx[i]), 0.3 * bz[i] + 1e-7);
        }
      EXPECT_GT(*std::max_element(bz.begin(), bz.end()), upper * g);
    }
  } // namespace
} // namespace Percuss::Test
