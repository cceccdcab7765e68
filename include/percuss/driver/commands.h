// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>

#include <mpi.h>

#include <ostream>
#include <string>
#include <vector>

namespace Percuss
{
  struct RunOptions
  {
    std::string              file;
    std::vector<std::string> overrides; ///< "section/entry=value"
    std::string              folder;    ///< of the results; may be empty
    bool                     resume        = false;
    double                   wall_minutes  = 0; ///< 0 for no limit
    bool                     show_progress = false;
    std::string              command; ///< as typed, for run.json
  };

  /// Runs a parameter file and tells people on rank 0 where the results are.
  ExitCode
  run_command(const RunOptions &options, MPI_Comm communicator);

  /// Reads files, builds their models and prints what they are; no step.
  ExitCode
  check_command(const std::vector<std::string> &files,
                const std::vector<std::string> &overrides,
                MPI_Comm                        communicator);

  /// Prints the plugins of one family, or of all where @p family is empty.
  void
  list_command(const std::string &family, std::ostream &out);

  /// The names list_command() knows.
  std::vector<std::string>
  families();

  /// Prints a complete parameter file for a model and a scheme.
  void
  template_command(const std::string &model,
                   const std::string &scheme,
                   std::ostream      &out);
} // namespace Percuss
