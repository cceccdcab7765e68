// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_fields.h"

#include "formula_entry.h"

namespace Percuss
{
  FormulaNames
  place_names(const SolidParameters &parameters)
  {
    FormulaNames names;
    for (const std::string &direction : parameters.directions())
      names.add_variable(direction);
    return names;
  }



  FormulaNames
  field_names(const SolidParameters &parameters)
  {
    FormulaNames names = place_names(parameters);
    names.add_variable("t");
    return names;
  }



  std::vector<Formula>
  read_field(const SolidParameters &parameters,
             const std::string     &entry_name,
             const std::string     &text,
             const FormulaNames    &names)
  {
    const FormulaEntry   entry(entry_name, text, "model/" + parameters.model());
    const auto           directions = parameters.directions();
    std::vector<Formula> result(directions.size());
    for (const auto &item : entry.items())
      result[entry.find(item, directions, "direction")] =
        entry.formula(item.text, names);
    return result;
  }



  std::vector<Formula>
  read_gravity(const SolidParameters &parameters, const bool changes)
  {
    const FormulaNames   names = field_names(parameters);
    std::vector<Formula> result =
      read_field(parameters, "gravity", parameters.gravity, names);
    for (Formula &acceleration : result)
      if (acceleration.depends_on(names.n_variables() - 1) != changes)
        acceleration = Formula();
    return result;
  }
} // namespace Percuss
