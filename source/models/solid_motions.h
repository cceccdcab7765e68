// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>

#include <deal.II/base/point.h>

#include <vector>

#include "solid_entries.h"

namespace Percuss
{
  /// What the supports of a solid prescribe: for each one a formula for each
  /// direction, zero where it is at rest.
  template <int dim>
  class SolidMotions
  {
  public:
    /// Formulas have the variables @p names.
    /// @throws EntryError where one is wrong, or of a direction that its
    /// support does not hold
    SolidMotions(const SolidParameters &parameters, const FormulaNames &names);

    const std::vector<Formula> &
    formulas() const
    {
      return motions;
    }

    /// Whether any is not at rest.
    bool
    has_any() const;

    /// @throws EntryError where two of them differ as functions of time at a
    /// place
    void
    check(unsigned int              one,
          unsigned int              other,
          const dealii::Point<dim> &place) const;

  private:
    Formula
    read(unsigned int motion, const FormulaNames &names) const;

    const SolidParameters &parameters;
    std::vector<Formula>   motions;
  };
} // namespace Percuss
