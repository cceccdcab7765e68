// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/delays.h>

#include <string>
#include <vector>

#include "lagrangian_entries.h"

namespace Percuss
{
  /// The positions and velocities of the motion before that formulas use, as
  /// "x(t - 0.1)" and "x'(t - tau)": each is a variable of its own, after q, v
  /// and t.
  class LagrangianDelays
  {
  public:
    explicit LagrangianDelays(const LagrangianNames &names)
      : names(names)
    {}

    /// The names of a formula that may look back; those that it uses are added.
    FormulaNames
    names_with_past();

    /// All variables that formulas use so far.
    FormulaNames
    all_names() const;

    unsigned int
    size() const
    {
      return static_cast<unsigned int>(variables.size());
    }

    /// The number of the variable with this number among those of the past.
    unsigned int
    variable(const unsigned int i) const
    {
      return 2 * names.size() + 1 + i;
    }

    /// The signals, in this order; without rows where @p owns_all is false.
    void
    add_to(Delays &delays, bool owns_all) const;

    /// The motion before the start, from the entry and the initial state.
    Delays::Past
    read_past(const LagrangianParameters &parameters,
              const std::vector<double>  &q,
              const std::vector<double>  &v) const;

  private:
    struct Variable
    {
      unsigned int of; ///< the variable that is meant
      Formula      earlier;
      std::string  text;
    };

    /// The number of the variable that stands for one at another time.
    unsigned int
    add(unsigned int of, const Formula &earlier, const std::string &text);

    Delays::Delay
    make_delay(const Variable &variable) const;

    const LagrangianNames &names;
    std::vector<Variable>  variables;
  };
} // namespace Percuss
