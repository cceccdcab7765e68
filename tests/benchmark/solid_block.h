// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <sstream>
#include <string>

#include "../tools.h"

namespace Percuss::Test
{
  /// Processor time of this program, in s, which others hardly disturb.
  struct Clock
  {
    static double
    now()
    {
      timespec time;
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * time.tv_nsec;
    }
  };

  inline double
  seconds_since(const double start)
  {
    return Clock::now() - start;
  }

  /// The least of some tries: other programs only make it longer.
  template <typename Value>
  double
  least(const unsigned int n_tries, const Value &value)
  {
    double smallest = std::numeric_limits<double>::max();
    for (unsigned int i = 0; i < n_tries; ++i)
      smallest = std::min(smallest, value());
    return smallest;
  }

  inline std::string
  text_of(const double number)
  {
    std::ostringstream text;
    text.precision(17);
    text << number;
    return text.str();
  }

  /// The steel cube of 1 m of scaling/block_3d.prm.
  struct SteelBlock
  {
    unsigned int n_cells;    ///< along an edge
    unsigned int degree = 1; ///< of the elements
    double       cfl    = 1; ///< steps in terms of the wave's time to a node

    double
    step_size() const
    {
      const double young = 2.1e11, poisson = 0.3, density = 7800;
      const double modulus =
        young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson));
      return cfl / (n_cells * degree) * std::sqrt(density / modulus);
    }

    /// For the parameter file, with the linear solver "automatic".
    Overrides
    overrides() const
    {
      const std::string n = std::to_string(n_cells);
      return {"model/solid 3d/bodies/block/cells=" + n + ", " + n + ", " + n,
              "model/solid 3d/degree=" + std::to_string(degree),
              "model/solid 3d/bodies/block/corner=0, 0, 0",
              "linear solver/type=automatic",
              "time/step size=" + text_of(step_size()),
              "time/end time=1"};
    }

    static constexpr const char *file = "scaling/block_3d.prm";
  };
} // namespace Percuss::Test
