// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace Percuss
{
  /// A program to run, and what came out of it.
  struct Process
  {
    /// The program, searched for in PATH, and its arguments.
    std::vector<std::string> command;
    /// Where it runs; empty for the present folder.
    std::filesystem::path folder = {};

    /// Of a program that could not be started.
    static constexpr int not_found = 127;

    int         code   = 0;  ///< 128 + signal for one that was killed
    std::string errors = ""; ///< what it wrote to stderr
  };

  /// Runs @p processes, at most @p n_at_a_time of them together, and waits for
  /// them; what they write to stdout is dropped. @p on_end hears of each. An
  /// interrupt or a SIGTERM to this program ends the others, and so does its
  /// own death. Not for programs that have initialised MPI.
  /// @throws Error with ExitCode::stopped after such a signal
  void
  run_processes(std::vector<Process>                       &processes,
                unsigned int                                n_at_a_time,
                const std::function<void(const Process &)> &on_end = {});
} // namespace Percuss
