// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <mpi.h>

#include <chrono>

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

    using Clock = std::chrono::steady_clock;

    /// From now on signals are remembered, and stop the steps that come. A
    /// second SIGINT, one or two seconds later, ends the program at once.
    static void
    listen();

    /// @p wall_minutes from now; 0 for no limit.
    static Clock::time_point
    limit_in(double wall_minutes);

    StopRequest(Clock::time_point limit, MPI_Comm communicator);

    /// What to do before the next step, the same on all ranks. Collective.
    Action
    poll(bool checkpoint_is_due_here) const;

  private:
    const Clock::time_point limit;
    const MPI_Comm          communicator;
    const bool              is_serial;
  };
} // namespace Percuss
