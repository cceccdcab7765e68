// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <algorithm>

#include "delays.h"

// Characteristic roots, and bars and beams with feedback.

namespace Percuss::Test
{
  namespace
  {
    /// Roots of lambda = -c exp(-lambda tau): lambda tau = W(-c tau).
    TEST(CharacteristicRoots, OfTheDelayEquation)
    {
      const auto entries = [](const double c) {
        return Overrides{"model/lagrangian/constants=tau = 0.1; c = " +
                         number(c)};
      };
      // Stable up to c tau = pi/2, and there +- i c.
      const double limit = 5 * 3.14159265358979323846;
      EXPECT_LT(growth("benchmark/delay_equation.prm", entries(0.999 * limit)),
                0);
      EXPECT_GT(growth("benchmark/delay_equation.prm", entries(1.001 * limit)),
                0);
      const Parts parts("benchmark/delay_equation.prm", entries(limit));
      const auto  roots = characteristic_roots(*parts.model);
      EXPECT_EQ(roots.n_zero, 1u);
      EXPECT_NEAR(roots.rightmost.at(0).real(), 0, 1e-9);
      EXPECT_NEAR(roots.rightmost.at(0).imag(), limit, 1e-9);
      for (const auto &root : roots.rightmost)
        EXPECT_LE(std::abs(root + limit * std::exp(-0.1 * root)),
                  1e-8 * std::abs(root));
      // Monotone up to c tau = 1/e: the rightmost root is real.
      const Parts slow("benchmark/delay_equation.prm",
                       entries(0.999 * 10 / std::exp(1.)));
      const Parts fast("benchmark/delay_equation.prm",
                       entries(1.001 * 10 / std::exp(1.)));
      EXPECT_EQ(characteristic_roots(*slow.model).rightmost.at(0).imag(), 0);
      EXPECT_GT(characteristic_roots(*fast.model).rightmost.at(0).imag(), 0);
    }

    /// The rigid motion of the free bar obeys m u' = -gain u(t - tau), or with
    /// a displacement measured m x'' = -gain x(t - tau), whatever the mesh:
    /// real roots far below the frequencies of the bar.
    TEST(CharacteristicRoots, OfRigidMotionOnAnyMesh)
    {
      const auto solve = [](const auto &f) {
        double x = -0.1, dx = 1e-6;
        for (unsigned int i = 0; i < 50; ++i)
          x -= f(x) * dx / (f(x + dx) - f(x));
        return x;
      };
      const double slow =
        solve([](const double x) { return 10 * x + 2 * std::exp(-0.05 * x); });
      for (const unsigned int n : {10, 50, 100})
        {
          const Overrides elements = {"model/bar/elements=" +
                                      std::to_string(n)};
          EXPECT_NEAR(growth("benchmark/delayed_bar.prm", elements) / slow,
                      1,
                      5e-3);
          for (const double gain : {-2., -0.1, -0.01})
            {
              // But for waves, (root L/c)^2, and the delay, root tau / 2.
              const double root = growth(
                "benchmark/delayed_bar.prm",
                with(elements,
                     {"model/bar/feedback/damper/sensor=displacement at L",
                      "model/bar/feedback/damper/gain=" + number(gain)}));
              EXPECT_NEAR(root / std::sqrt(-gain / 10), 1, 0.02)
                << n << ", " << gain;
            }
        }
    }

    Overrides
    system_of(const std::string &coordinates,
              const std::string &T,
              const std::string &V,
              const std::string &forces)
    {
      return {"model/lagrangian/coordinates=" + coordinates,
              "model/lagrangian/kinetic energy=" + T,
              "model/lagrangian/potential energy=" + V,
              "model/lagrangian/forces=" + forces};
    }

    /// Three times the same root, and no three motions.
    TEST(CharacteristicRoots, ThatAreMultiple)
    {
      const std::string file = "benchmark/delay_equation.prm";
      const double      one =
        growth(file, system_of("x", "1/2*x'^2", "2*x^2", "x = -x'(t - 2)"));
      EXPECT_GT(one, 0.2);
      EXPECT_NEAR(growth(file,
                         system_of("x, y, z",
                                   "1/2*(x'^2 + y'^2 + z'^2)",
                                   "2*(x^2 + y^2 + z^2)",
                                   "x = -x'(t - 2) + 0.1*y(t - 1); "
                                   "y = -y'(t - 2) + 0.1*z(t - 1); "
                                   "z = -z'(t - 2)")),
                  one,
                  1e-3);
    }

    TEST(CharacteristicRoots, OfWeakAndStiffPartsTogether)
    {
      const auto overrides = system_of("x, y",
                                       "1/2*(x'^2 + y'^2)",
                                       "1e18*y^2/2 - 100*x^2/2",
                                       "y = -2e7*y'; x = -x(t - 0.1)");
      // x'' = 100 x - x(t - 0.1)
      double x = 10;
      for (unsigned int i = 0; i < 50; ++i)
        x -= (x * x - 100 + std::exp(-0.1 * x)) /
             (2 * x - 0.1 * std::exp(-0.1 * x));
      EXPECT_NEAR(growth("benchmark/delay_equation.prm", overrides), x, 1e-6);
    }

    TEST(CharacteristicRoots, WithoutDelayAndWithoutForce)
    {
      const std::string file = "benchmark/delay_equation.prm";
      const Parts       prompt(file, {"model/lagrangian/forces=x = -c*x'(t)"});
      const auto        roots = characteristic_roots(*prompt.model);
      ASSERT_EQ(roots.rightmost.size(), 1u);
      EXPECT_NEAR(roots.rightmost[0].real(), -5, 1e-12);
      EXPECT_EQ(roots.n_zero, 1u);
      EXPECT_FALSE(roots.drifts);
      const Parts free(file, {"model/lagrangian/forces=x = 0*x'(t - tau)"});
      // Constants enter as numbers: there is no delay left, but for the text.
      if (free.model->delays() != nullptr)
        {
          const auto none = characteristic_roots(*free.model);
          EXPECT_TRUE(none.rightmost.empty());
          EXPECT_EQ(none.n_zero, 2u);
          EXPECT_TRUE(none.drifts);
          EXPECT_NE(none.text().find("drift"), std::string::npos);
        }
      // Forces are linearised about rest at the start.
      for (const std::string speed : {"0", "3"})
        EXPECT_NEAR(growth(file,
                           {"model/lagrangian/forces=x = -4*x(t - tau)^2",
                            "model/lagrangian/initial position=x = 1",
                            "model/lagrangian/initial velocity=x = " + speed}),
                    growth(file, {"model/lagrangian/forces=x = -8*x(t - tau)"}),
                    1e-9);
    }

    /// Simulation and roots agree about the delay equation.
    TEST(CharacteristicRoots, TellWhatTheDelayEquationDoes)
    {
      for (const double c_tau : {1.4, 1.7})
        {
          const Overrides   entries = {"model/lagrangian/constants=tau = 0.1; "
                                         "c = " +
                                         number(10 * c_tau),
                                       "time/end time=6",
                                       step_size(2e-3),
                                       "output/table interval=1"};
          const FinishedRun run("benchmark/delay_equation.prm", entries);
          const auto        u     = run.column("probes", "u");
          const auto        swing = [&](const double begin, const double end) {
            double largest = 0;
            for (double t = begin; t < end; t += 2e-3)
              largest = std::max(largest, std::abs(u[std::lround(t / 2e-3)]));
            return largest;
          };
          const double rate = std::log(swing(5, 6) / swing(4, 5));
          const double root = growth("benchmark/delay_equation.prm", entries);
          EXPECT_EQ(root < 0, c_tau < 3.14159265 / 2);
          EXPECT_NEAR(rate, root, 0.05 * std::abs(root));
        }
    }

    /// The classical limit of turning: K = 2 k zeta (1 + zeta) at the worst
    /// speed, where w = w_0 sqrt(1 + 2 zeta) and w T = 2 pi n - 2 atan(...).
    TEST(CharacteristicRoots, LimitOfRegenerativeChatter)
    {
      const double k = 394784, zeta = 0.02, limit = 2 * k * zeta * (1 + zeta);
      const double ratio = std::sqrt(1 + 2 * zeta);
      const double w     = ratio * std::sqrt(k);
      // Re and Im of the frequency response, and the phase between two waves.
      const double phase =
        3.14159265358979 + 2 * std::atan2(-2 * zeta * ratio, 1 - ratio * ratio);
      const double T           = (2 * 3.14159265358979 * 3 + phase) / w;
      const auto   growth_with = [&](const double factor) {
        return growth(
          "benchmark/regenerative_chatter.prm",
          {"model/lagrangian/constants=m = 1; k = 394784; zeta = 0.02; c = "
             "2*zeta*sqrt(m*k); h0 = 1e-4; T = " +
           number(T) + "; K = " + number(factor * limit)});
      };
      EXPECT_LT(growth_with(0.995), 0);
      EXPECT_GT(growth_with(1.005), 0);
      // No other speed is worse.
      for (const double faster : {0.8, 0.9, 1.05, 1.1})
        EXPECT_LT(
          growth("benchmark/regenerative_chatter.prm",
                 {"model/lagrangian/constants=m = 1; k = 394784; zeta = 0.02; "
                  "c = 2*zeta*sqrt(m*k); h0 = 1e-4; T = " +
                  number(faster * T) + "; K = " + number(limit)}),
          0);
    }

    /// Above the limit vibrations grow until the tool leaves the chip.
    TEST(RegenerativeChatter, LossOfContactBoundsVibrations)
    {
      const FinishedRun run("benchmark/regenerative_chatter.prm",
                            {"output/table interval=1",
                             "model/lagrangian/initial velocity=x = 1e-6"});
      const auto        x  = run.column("probes", "x");
      const double      h0 = 1e-4, at_rest = x[0];
      const auto        swing = [&](const double begin, const double end) {
        double largest = 0;
        for (auto i = std::lround(begin / 5e-5); i < std::lround(end / 5e-5);
             ++i)
          largest = std::max(largest, std::abs(x[i] - at_rest));
        return largest;
      };
      // At first as the rightmost root says.
      const double rate = std::log(swing(0.3, 0.4) / swing(0.1, 0.2)) / 0.2;
      EXPECT_NEAR(rate, growth("benchmark/regenerative_chatter.prm", {}), 0.5);
      // Then bounded, of the size of the chip.
      EXPECT_GT(swing(1.2, 1.5), h0 / 2);
      EXPECT_NEAR(swing(1.4, 1.5) / swing(1.2, 1.3), 1, 0.1);
    }



    TEST(DelayedBar, WithoutGainIsTheBarItself)
    {
      for (const std::string scheme :
           {"generalized alpha", "moreau jean", "schatzman paoli"})
        {
          const Overrides   common = {"scheme/type=" + scheme,
                                      "time/end time=2",
                                      "model/bar/elements=30",
                                      step_size(4e-3)};
          const FinishedRun controlled(
            "benchmark/delayed_bar.prm",
            with(common, {"model/bar/feedback/damper/gain=0"}));
          const FinishedRun bare(
            "benchmark/bouncing_bar_gravity.prm",
            with(with(common, {"model/bar/stiffness damping=1e-3"}),
                 scheme == "generalized alpha" ?
                   Overrides{"scheme/generalized "
                             "alpha/parameter set=chung "
                             "hulbert"} :
                   Overrides()));
          EXPECT_GT(controlled.values.at("contact impulse"), 0);
          for (unsigned int i = 0; i < 31; ++i)
            {
              EXPECT_EQ(end_of(controlled).q.local_element(i),
                        end_of(bare).q.local_element(i));
              EXPECT_EQ(end_of(controlled).v.local_element(i),
                        end_of(bare).v.local_element(i));
            }
        }
    }

    const Overrides bar_in_flight = {"model/bar/gravity=0",
                                     "model/bar/left end/gap=1e6",
                                     "model/bar/elements=50",
                                     "output/field interval=0",
                                     "output/table interval=1"};

    /// The gain from which on vibrations grow, by the roots.
    double
    critical_gain(const Overrides &entries, double low, double high)
    {
      while (high - low > 1e-3 * low)
        {
          const double middle = (low + high) / 2;
          const double rate =
            growth("benchmark/delayed_bar.prm",
                   with(entries,
                        {"model/bar/feedback/damper/gain=" + number(middle)}));
          (rate > 0 ? high : low) = middle;
        }
      return (low + high) / 2;
    }

    TEST(DelayedBar, VibrationsGrowFromTheCriticalGainOn)
    {
      const double gain = critical_gain(bar_in_flight, 10, 20);
      for (const double factor : {0.98, 1.02})
        {
          const FinishedRun run(
            "benchmark/delayed_bar.prm",
            with(bar_in_flight,
                 {"model/bar/feedback/damper/gain=" + number(factor * gain),
                  "model/bar/initial velocity=0.01*cos(0.6*pi*x)",
                  "time/end time=60",
                  step_size(1e-3),
                  "output/table interval=50"}));
          const auto        energy = run.column("energy", "total");
          const std::size_t n      = energy.size() - 1;
          EXPECT_EQ(energy[n] < energy[n / 2], factor < 1)
            << gain << ": " << energy[n / 2] << " " << energy[n];
        }
    }

    /// A wave of a clamped bar that a damper at the free end takes up, with the
    /// gain rho c A and no delay: nothing comes back. Delays shorter than a
    /// step are solved for, also where the iteration by itself would diverge.
    TEST(DelayedBar, AbsorbsWavesWithoutDelay)
    {
      for (const double h : {1e-3, 1e-2})
        {
          const FinishedRun run(
            "benchmark/delayed_bar.prm",
            with(bar_in_flight,
                 {"model/bar/left end/condition=clamped",
                  "model/bar/stiffness damping=0",
                  "model/bar/elements=200",
                  "model/bar/feedback/damper/gain=30",
                  "model/bar/feedback/damper/delay=0",
                  "model/bar/initial velocity=exp(-(x - 5)^2)",
                  "time/end time=0.8",
                  step_size(h)}));
          const auto energy = run.column("energy", "total");
          EXPECT_LE(energy.back(), (h < 5e-3 ? 1e-5 : 1e-2) * energy.front());
        }
    }

    TEST(DelayedBar, SaturationLimitsTheForce)
    {
      const Overrides   entries = with(bar_in_flight,
                                     {"model/bar/initial velocity=1",
                                        "model/bar/feedback/damper/delay=0.004",
                                        "model/bar/feedback/damper/gain=10",
                                        "model/bar/feedback/damper/saturation=3",
                                        "time/end time=0.02"});
      const FinishedRun run("benchmark/delayed_bar.prm", entries);
      // The bar weighs 10 kg, and 10 N s/m times 1 m/s are more than 3 N.
      const auto &state = end_of(run);
      Vector      ones(state.q);
      ones = 1.;
      EXPECT_NEAR(run.simulation->mechanical_model().mean_velocity(state),
                  1 - 3 * 0.02 / 10,
                  1e-12);
    }

    /// Of a free bar's mean motion, u' = -a u(t - tau).
    TEST(DelayedBar, DelayedMassDampingOfTheMeanMotion)
    {
      const FinishedRun run("benchmark/delayed_bar.prm",
                            with(bar_in_flight,
                                 {"model/bar/initial velocity=1",
                                  "model/bar/feedback/damper/gain=0",
                                  "model/bar/delayed mass damping=5",
                                  "model/bar/delayed stiffness damping=1e-3",
                                  "model/bar/damping delay=0.1",
                                  "time/end time=0.5",
                                  step_size(1e-3)}));
      EXPECT_NEAR(run.simulation->mechanical_model().mean_velocity(end_of(run)),
                  exact_delay_equation(5, 0.1, 0.5),
                  1e-5);
    }

    /// Small swings decay as the rightmost root says. (Velocities of no more
    /// than 1e-3 m/s do not saturate the controller.)
    TEST(DelayedBeam, VibratesAsItsRootsSay)
    {
      const Overrides   entries = {"model/beam/stops/gaps=",
                                   "model/beam/initial displacement="
                                     "y = 1e-5*x^2*(3*L - x)",
                                   "output/table interval=1"};
      const FinishedRun run("benchmark/delayed_beam.prm", entries);
      const auto        tip   = run.column("probes", "tip");
      const auto        time  = run.column("probes", "time");
      const auto        swing = [&](const double begin, const double end) {
        double largest = 0;
        for (std::size_t i = 0; i < tip.size(); ++i)
          if (time[i] >= begin && time[i] < end)
            largest = std::max(largest, std::abs(tip[i]));
        return largest;
      };
      const Parts parts("benchmark/delayed_beam.prm", entries);
      const auto  roots = characteristic_roots(*parts.model).rightmost;
      ASSERT_FALSE(roots.empty());
      const double rate = std::log(swing(0.75, 1) / swing(0.25, 0.5)) / 0.5;
      EXPECT_NEAR(rate,
                  roots[0].real(),
                  0.05 * std::abs(roots[0].real()) + 0.1);
    }
  } // namespace
} // namespace Percuss::Test
