// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

namespace Percuss
{
  /// Work space that many runs never need takes memory from its first use on:
  /// gives @p work its size, and zeros, where it has another one.
  inline Vector &
  make_room(Vector &work, const Partition &partition)
  {
    if (work.get_partitioner() != partition)
      work.reinit(partition);
    return work;
  }
} // namespace Percuss
