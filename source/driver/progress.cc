// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/progress.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace Percuss
{
  namespace
  {
    constexpr double seconds_between_lines = 0.2;

    std::string
    duration_text(const double seconds)
    {
      char       text[32];
      const auto whole = static_cast<long>(seconds);
      if (whole < 60)
        std::snprintf(text, sizeof(text), "%ld s", whole);
      else if (whole < 3600)
        std::snprintf(
          text, sizeof(text), "%ld:%02ld min", whole / 60, whole % 60);
      else
        std::snprintf(
          text, sizeof(text), "%ld:%02ld h", whole / 3600, whole / 60 % 60);
      return text;
    }
  } // namespace



  Progress::Progress(const bool is_on, const unsigned int first_step)
    : first_step(first_step)
    , is_on(is_on)
    , start(Clock::now())
    , last_line(start)
  {}



  bool
  Progress::is_watched()
  {
    const bool has_launcher = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ||
                              std::getenv("PMI_RANK") != nullptr ||
                              std::getenv("SLURM_PROCID") != nullptr;
    return ::isatty(STDOUT_FILENO) == 1 && !has_launcher;
  }



  bool
  Progress::is_due()
  {
    if (!is_on || ++n_calls < calls_per_look)
      return false;
    const std::chrono::duration<double> elapsed = Clock::now() - last_line;
    if (elapsed.count() >= seconds_between_lines)
      {
        // Look at the clock about ten times between two lines.
        calls_per_look =
          std::max(1u,
                   static_cast<unsigned int>(
                     calls_per_look * seconds_between_lines / elapsed.count()));
        n_calls = 0;
        return true;
      }
    if (elapsed.count() < 0.1 * seconds_between_lines &&
        calls_per_look < 1000000)
      calls_per_look *= 2;
    n_calls = 0;
    return false;
  }



  std::string
  Progress::line(const Report &report, const double seconds_since_start) const
  {
    const double rate = seconds_since_start > 0 ?
                          (report.step - first_step) / seconds_since_start :
                          0;
    char         text[256];
    std::snprintf(
      text,
      sizeof(text),
      "step %u  t = %.6g s  %.1f %%  %.3g steps/s  %s left  "
      "%u in contact  energy drift %.1e",
      report.step,
      report.time,
      100. * report.step / std::max(1u, report.n_steps),
      rate,
      rate > 0 ? duration_text((report.n_steps - report.step) / rate).c_str() :
                 "?",
      report.n_active_contacts,
      report.energy_drift);
    return text;
  }



  void
  Progress::show(const Report &report)
  {
    last_line                                       = Clock::now();
    const std::chrono::duration<double> since_start = last_line - start;
    std::cout << '\r' << line(report, since_start.count()) << "\033[K"
              << std::flush;
    has_line = true;
  }



  void
  Progress::finish()
  {
    if (has_line)
      std::cout << '\n' << std::flush;
    has_line = false;
  }
} // namespace Percuss
