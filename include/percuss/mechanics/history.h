// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/argument.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The motion of some components at the nodes t_k of the last steps:
  /// positions, and velocities before and after the node, which differ where
  /// they jump. A value, kept with the state.
  ///
  /// A ring: the oldest records give way to new ones, and nothing is allocated
  /// unless more records must be kept than ever before.
  class History
  {
  public:
    enum class Interpolation
    {
      linear, ///< positions and velocities, as Biemond and Michiels
      cubic   ///< Hermite's, of positions; velocities are its derivative
    };

    /// What is known at a node; arrays of all components.
    struct Record
    {
      double        time; ///< in s
      bool          jumps;
      const double *q;
      const double *v_before, *v_after;
    };

    History() = default;

    /// Empty, for this rank's @p n_components.
    History(unsigned int n_components, Interpolation interpolation);

    /// Drops all records.
    void
    clear()
    {
      first = n_records = 0;
    }

    /// Makes room for this many records.
    void
    reserve(std::size_t n_records);

    /// A new record at the end, later than all others, for the caller to fill:
    /// q, v_before and v_after, one after the other.
    double *
    append(double time, bool jumps);

    /// Drops records that motion after @p time does not need: all but the last
    /// one before it, and that before.
    void
    forget_before(double time);

    std::size_t
    size() const
    {
      return n_records;
    }

    unsigned int
    n_components() const
    {
      return width;
    }

    /// From 0, the oldest.
    Record
    operator[](std::size_t i) const;

    /// The last record that is not later than @p time, up to @p round_off: at a
    /// node it is the node's own. The first one, where all are later.
    std::size_t
    find(double time, double round_off) const;

    /// A position or velocity of a component between two records; at the later
    /// one the limit from before.
    double
    between(const Record &begin,
            const Record &end,
            Argument      argument,
            unsigned int  component,
            double        time) const;

    /// What a ring for so many records of so many components takes, in bytes.
    static std::size_t
    memory_of(const std::size_t n_records, const unsigned int n_components)
    {
      return n_records * (2 + 3 * std::size_t(n_components)) * sizeof(double);
    }

    /// What the ring takes, in bytes.
    std::size_t
    memory() const
    {
      return data.capacity() * sizeof(double);
    }

    void
    swap(History &other)
    {
      std::swap(width, other.width);
      std::swap(interpolation, other.interpolation);
      data.swap(other.data);
      std::swap(first, other.first);
      std::swap(n_records, other.n_records);
    }

  private:
    /// Of a record: time, jump, q, v_before, v_after.
    std::size_t
    stride() const
    {
      return 2 + 3 * std::size_t(width);
    }

    std::size_t
    capacity() const
    {
      return data.size() / stride();
    }

    const double *
    raw(const std::size_t i) const
    {
      const std::size_t place = first + i;
      return data.data() +
             (place < capacity() ? place : place - capacity()) * stride();
    }

    unsigned int        width         = 0;
    Interpolation       interpolation = Interpolation::linear;
    std::vector<double> data;
    std::size_t         first = 0, n_records = 0;
  };
} // namespace Percuss
