// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <stdexcept>
#include <string>

namespace Percuss
{
  /// What the program returns to the shell.
  enum class ExitCode : int
  {
    done      = 0,
    usage     = 2,  ///< command line or parameter file
    mesh      = 3,  ///< mesh or another input file
    solver    = 4,  ///< no convergence at the smallest step
    io        = 5,  ///< disk full, damaged checkpoint
    invariant = 6,  ///< energy, NaN or penetration
    stopped   = 75, ///< signal or wall-time limit; a good checkpoint exists
  };

  /// An error a correct program can meet: one line for the user and the exit
  /// code. It is thrown on all ranks alike and printed on rank 0 only.
  class Error : public std::runtime_error
  {
  public:
    Error(const ExitCode code, const std::string &message)
      : std::runtime_error(message)
      , code(code)
    {}

    const ExitCode code;
  };

  /// What is wrong with a parameter's value, found by those who use it. The
  /// driver adds where the value was set.
  class EntryError : public Error
  {
  public:
    EntryError(const std::string &path, const std::string &reason)
      : Error(ExitCode::usage, "entry '" + path + "': " + reason)
      , path(path)
      , reason(reason)
    {}

    const std::string path; ///< "output/probes"
    const std::string reason;
  };
} // namespace Percuss
