// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_motions.h"

#include <percuss/base/error.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "formula_entry.h"

namespace Percuss
{
  template <int dim>
  SolidMotions<dim>::SolidMotions(const SolidParameters &parameters,
                                  const FormulaNames    &names)
    : parameters(parameters)
  {
    for (unsigned int m = 0; m < dim * parameters.supports.size(); ++m)
      {
        const auto &[name, support] = parameters.supports[m / dim];
        const std::string path      = "supports/" + name;
        const auto        held =
          parameters.read_directions(support.directions, path + "/directions");
        motions.push_back(read(m, names));
        if (!motions.back().is_zero() &&
            std::find(held.begin(), held.end(), m % dim) == held.end())
          throw EntryError("model/" + parameters.model() + "/" + path +
                             "/motion",
                           "'" + parameters.directions()[m % dim] +
                             "' is not among the directions");
      }
  }



  template <int dim>
  Formula
  SolidMotions<dim>::read(const unsigned int  motion,
                          const FormulaNames &names) const
  {
    const auto &[name, support] = parameters.supports[motion / dim];
    const FormulaEntry entry("supports/" + name + "/motion",
                             support.motion,
                             "model/" + parameters.model());
    Formula            result;
    for (const auto &item : entry.items())
      if (entry.find(item, parameters.directions(), "direction") ==
          motion % dim)
        result = entry.formula(item.text, names);
    return result;
  }



  template <int dim>
  bool
  SolidMotions<dim>::has_any() const
  {
    return std::any_of(motions.begin(), motions.end(), [](const Formula &each) {
      return !each.is_zero();
    });
  }



  template <int dim>
  void
  SolidMotions<dim>::check(const unsigned int        one,
                           const unsigned int        other,
                           const dealii::Point<dim> &place) const
  {
    if (one == other || (motions[one] - motions[other]).is_zero())
      return;
    const auto   axes = parameters.directions();
    FormulaNames names;
    for (unsigned int d = 0; d < dim; ++d)
      names.add_constant(axes[d], place[d]);
    names.add_variable("t");
    if ((read(one, names) - read(other, names)).is_zero())
      return;
    std::ostringstream text;
    text << "differs from that of '"
         << parameters.supports[std::min(one, other) / dim].first
         << "' at the node (" << place << "), which both hold along "
         << axes[one % dim]
         << "; give both the same formula, or one of them fewer directions";
    throw EntryError("model/" + parameters.model() + "/supports/" +
                       parameters.supports[std::max(one, other) / dim].first +
                       "/motion",
                     text.str());
  }

  template class SolidMotions<2>;
  template class SolidMotions<3>;
} // namespace Percuss
