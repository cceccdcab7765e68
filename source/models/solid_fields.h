// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>

#include <string>
#include <vector>

#include "solid_entries.h"

namespace Percuss
{
  /// x, y, z, as far as there are such directions.
  FormulaNames
  place_names(const SolidParameters &parameters);

  /// The same, and t after them.
  FormulaNames
  field_names(const SolidParameters &parameters);

  /// Formulas of a vector field of @p names, for all directions.
  std::vector<Formula>
  read_field(const SolidParameters &parameters,
             const std::string     &entry,
             const std::string     &text,
             const FormulaNames    &names);

  /// Those of gravity that change with time, or those that do not; the other
  /// directions are zero.
  std::vector<Formula>
  read_gravity(const SolidParameters &parameters, bool changes);
} // namespace Percuss
