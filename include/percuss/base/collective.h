// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <mpi.h>

#include <functional>

namespace Percuss
{
  /// Runs @p action, which works on files, on this rank. Where it fails on one
  /// rank, all ranks throw the same Error: none is left waiting for the others.
  /// Collective.
  void
  collectively(MPI_Comm communicator, const std::function<void()> &action);

  /// Whether all ranks call this within @p seconds. Errors are thrown on all
  /// ranks alike, but for those inside of libraries, which one rank may meet
  /// while others wait for it elsewhere, forever. After a false answer the
  /// program must end.
  bool
  all_ranks_arrive(MPI_Comm communicator, double seconds);
} // namespace Percuss
