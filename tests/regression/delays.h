// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/characteristic_roots.h>

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "tools.h"

// What tests of delays share.

namespace Percuss::Test
{
  inline Overrides
  with(Overrides overrides, const Overrides &more)
  {
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
  }

  inline std::string
  number(const double value)
  {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
  }

  inline std::string
  step_size(const double h)
  {
    return "time/step size=" + number(h);
  }

  inline const State &
  end_of(const FinishedRun &run)
  {
    return run.simulation->final_state();
  }

  /// u of u' = -c u(t - tau), u = 1 for t <= 0.
  inline double
  exact_delay_equation(const double c, const double tau, const double t)
  {
    const int n      = static_cast<int>(std::floor(t / tau + 1e-9)) + 1;
    double    result = 0;
    for (int k = 0; k <= n; ++k)
      result += std::pow(-c * (t - (k - 1) * tau), k) / std::tgamma(k + 1.);
    return result;
  }

  inline double
  growth(const std::string &file, const Overrides &overrides)
  {
    const Parts parts(file, overrides);
    const auto  roots = characteristic_roots(*parts.model);
    EXPECT_EQ(roots.missing, "");
    return roots.rightmost.at(0).real();
  }
} // namespace Percuss::Test
