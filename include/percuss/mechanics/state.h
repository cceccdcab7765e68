// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/history.h>

#include <deal.II/base/exceptions.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace Percuss
{
  /// All that a step starts from. A value: copying it is a rollback, writing
  /// it is a checkpoint. Schemes keep nothing of their own between steps.
  struct State
  {
    /// What a memory means, for whoever moves it to another mesh.
    enum class Kind
    {
      field,  ///< values of a function at the nodes, as those of q and v
      load,   ///< work is its product with a displacement, as that of a force
      contact ///< one number for each direction of each contact
    };

    struct Memory
    {
      std::string name; ///< "acceleration"
      Vector      values;
      Kind        kind = Kind::field;
    };

    double       time = 0; ///< in s
    unsigned int step = 0;
    /// How far beyond the time forces have acted already, in s: schemes with
    /// impacts at nodes give a node half of the element that follows it.
    double              lead = 0;
    Vector              q;      ///< positions, in m
    Vector              v;      ///< velocities after impacts, in m/s
    std::vector<Memory> memory; ///< what the scheme carries besides q and v
    /// The motion up to this state, as far as delayed forces need it. It is
    /// handed on from state to state by Delays::remember().
    History history;

    /// Exchanges two states without copying a vector. (std::swap would: the
    /// vectors of deal.II cannot be moved.)
    void
    swap(State &other)
    {
      std::swap(time, other.time);
      std::swap(step, other.step);
      std::swap(lead, other.lead);
      q.swap(other.q);
      v.swap(other.v);
      memory.swap(other.memory);
      history.swap(other.history);
    }

    /// The memory of this name, or null.
    const Vector *
    find(const std::string_view name) const
    {
      for (const Memory &item : memory)
        if (item.name == name)
          return &item.values;
      return nullptr;
    }

    Vector &
    recall(const std::string_view name)
    {
      return const_cast<Vector &>(std::as_const(*this).recall(name));
    }

    /// The memory of this name, which the scheme has put there.
    const Vector &
    recall(const std::string_view name) const
    {
      const Vector *const found = find(name);
      AssertThrow(found != nullptr,
                  dealii::ExcMessage("no memory '" + std::string(name) + "'"));
      return *found;
    }
  };
} // namespace Percuss
