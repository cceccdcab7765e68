// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "tools.h"

// Cantilevers as plane solids that fall or are shaken until their tips meet a
// stop, against the modes of Euler and Bernoulli.

namespace Percuss::Test
{
  namespace
  {
    constexpr double down = 1e-3; ///< from the tip to the stop

    /// A mode of a cantilever whose base moves: the tip's part of an
    /// acceleration of the base, and the frequency.
    struct Mode
    {
      double part, omega;
    };

    /// The roots b of cos b cosh b = -1 and their sigma. With the shape phi,
    /// whose mean square is 1, phi(tip) = +-2 and the mean is 2 sigma/b.
    std::array<Mode, 5>
    modes_of_steel_strip()
    {
      const double b[] = {
        1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839};
      const double sigma[] = {
        0.734095514, 1.018467319, 0.999224497, 1.000033553, 0.999998550};
      const double        H = 0.02;
      std::array<Mode, 5> modes;
      for (unsigned int i = 0; i < 5; ++i)
        modes[i] = {(i % 2 == 0 ? 2 : -2) * 2 * sigma[i] / b[i],
                    b[i] * b[i] * std::sqrt(2.1e11 * H * H / 12 / 7800)};
      return modes;
    }

    /// When the tip is at the stop, for frequencies that are @p factor times
    /// those of the modes. @p response has the displacement of a mode.
    double
    time_of_contact(
      const std::function<double(double)>                    &base,
      const std::function<double(double time, double omega)> &response,
      const double                                            factor)
    {
      const auto tip = [&](const double t) {
        double w = base(t);
        for (const Mode &mode : modes_of_steel_strip())
          w += mode.part * response(t, factor * mode.omega);
        return w;
      };
      double t = 0;
      while (tip(t) > -down)
        t += 1e-7;
      return t;
    }

    /// A contact takes part from half a step before on, and is listed with the
    /// end of its step. Frequencies of the solid differ from those of the
    /// theory by parts: the clamp holds the section, at most 0.06 H/L more
    /// (tests/unit/models/solid_orders.cc), shear and inertia of rotation take
    /// (k H)^2 (1 + E/(5/6 G))/24, 2.4e-4 of the first mode.
    void
    expect_contact(const std::string                                &file,
                   const double                                      h,
                   const std::function<double(double)>              &base,
                   const std::function<double(double time, double)> &response)
    {
      const double      time   = time_of_contact(base, response, 1);
      const double      higher = time_of_contact(base, response, 1.0012);
      const FinishedRun run(file,
                            {"output/field interval=0",
                             "time/end time=" + std::to_string(time + 5 * h)});
      EXPECT_NEAR(run.values.at("first contact"),
                  time + h,
                  h / 2 + std::abs(higher - time));
    }

    /// Under its weight.
    TEST(SolidBeams, FallingBeamMeetsItsStop)
    {
      expect_contact(
        "benchmark/beam_on_stop_2d.prm",
        2e-5,
        [](double) { return 0.; },
        [](const double t, const double omega) {
          return -9.81 * (1 - std::cos(omega * t)) / (omega * omega);
        });
    }

    /// Its root moves by 2 mm (1 - cos(Omega t)), 20 Hz; the tip swings twice
    /// before.
    TEST(SolidBeams, ShakenBeamMeetsItsStop)
    {
      const double Omega = 2 * M_PI * 20, a = 0.002;
      expect_contact(
        "benchmark/shaken_beam_2d.prm",
        4e-5,
        [=](const double t) { return a * (1 - std::cos(Omega * t)); },
        [=](const double t, const double omega) {
          return -a * Omega * Omega *
                 (std::cos(Omega * t) - std::cos(omega * t)) /
                 (omega * omega - Omega * Omega);
        });
    }
  } // namespace
} // namespace Percuss::Test
