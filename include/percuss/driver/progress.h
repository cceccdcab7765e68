// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <chrono>
#include <string>

namespace Percuss
{
  /// One line on the terminal that is rewritten a few times a second.
  class Progress
  {
  public:
    struct Report
    {
      unsigned int step              = 0;
      unsigned int n_steps           = 0;
      double       time              = 0; ///< in s
      unsigned int n_active_contacts = 0;
      double       energy_drift      = 0; ///< relative to the start
    };

    /// Rates count from @p first_step.
    explicit Progress(bool is_on, unsigned int first_step = 0);

    /// Whether the output is seen by a person: it is a terminal, and no MPI
    /// launcher stands between (a launcher gives its ranks terminals of its
    /// own, wherever the output goes).
    static bool
    is_watched();

    /// Whether the line is old enough to be written again; costs a clock read
    /// every some hundred calls.
    bool
    is_due();

    void
    show(const Report &report);

    /// Ends the line.
    void
    finish();

    /// The text of the line.
    std::string
    line(const Report &report, double seconds_since_start) const;

  private:
    using Clock = std::chrono::steady_clock;

    const unsigned int      first_step;
    const bool              is_on;
    const Clock::time_point start;
    Clock::time_point       last_line;
    unsigned int            n_calls        = 0;
    unsigned int            calls_per_look = 1;
    bool                    has_line       = false;
  };
} // namespace Percuss
