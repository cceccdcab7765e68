// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <mpi.h>

#include <chrono>
#include <string>

namespace Percuss
{
  /// What interrupts the steps: SIGTERM, SIGUSR1 or SIGINT on any rank, or a
  /// wall-time limit, stop the run; a checkpoint may be due.
  class StopRequest
  {
  public:
    enum class Action
    {
      go_on,
      write_checkpoint,
      stop
    };

    /// Installs the signal handlers; @p wall_minutes = 0 means no limit.
    StopRequest(double wall_minutes, MPI_Comm communicator);

    /// What to do after a step, the same on all ranks. Collective.
    Action
    poll(bool checkpoint_is_due_here) const;

    std::string
    reason() const;

  private:
    const std::chrono::steady_clock::time_point limit;
    const MPI_Comm                              communicator;
    const bool                                  is_serial;
  };
} // namespace Percuss
