// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>

#include <mpi.h>

#include <ostream>
#include <string>

namespace Percuss
{
  struct ContactProblemOptions
  {
    static constexpr const char *default_solver = "automatic";

    std::string  file;                       ///< of FCLIB
    std::string  solver    = default_solver; ///< or "all"
    double       tolerance = 1e-8;           ///< of natural_residual()
    unsigned int n_repeats = 1;
    bool         use_guess = false; ///< of the file, instead of zero
  };

  /// Reads a contact problem, solves it and prints what it is and how each
  /// solver fared. Collective.
  /// @throws Error with ExitCode::solver where the solver fails, or all do
  void
  contact_problem_command(const ContactProblemOptions &options,
                          MPI_Comm                     communicator,
                          std::ostream                &out);
} // namespace Percuss
