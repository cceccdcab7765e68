// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <vector>

namespace Percuss
{
  /// Entries of other ranks next to a plain array of this rank's: reads them,
  /// and adds what this rank has for them. All calls are collective.
  class GhostExchange
  {
  public:
    explicit GhostExchange(const Partition &ghosted);

    void
    start_reading(const double *x);

    /// The others' entries of x.
    const double *
    finish_reading();

    /// Room for what others get, zero.
    double *
    new_sums();

    /// Adds to y what the others have in their room for it.
    void
    add_sums(double *y);

  private:
    const Partition          ghosted;
    std::vector<double>      entries, sums; ///< of others
    std::vector<double>      packed;        ///< for messages
    std::vector<MPI_Request> requests;
  };
} // namespace Percuss
