// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/lac/vector_memory.h>

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



  /// Work space of objects that are made in each step: a vector of zeros whose
  /// memory comes from a pool and goes back there.
  class PooledVector : public Vector
  {
  public:
    explicit PooledVector(const Partition &partition)
      : kept(pool)
    {
      swap(*kept);
      reinit(partition);
    }

    PooledVector(const PooledVector &) = delete;
    PooledVector &
    operator=(const PooledVector &other)
    {
      Vector::operator=(other);
      return *this;
    }
    using Vector::operator=;

    ~PooledVector()
    {
      swap(*kept);
    }

  private:
    dealii::GrowingVectorMemory<Vector>          pool; ///< the same for all
    dealii::GrowingVectorMemory<Vector>::Pointer kept;
  };
} // namespace Percuss
