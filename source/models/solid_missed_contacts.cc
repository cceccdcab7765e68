// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/numbers.h>

#include <cmath>
#include <iomanip>
#include <sstream>

#include "solid.h"
#include "solid_sides.h"
#include "solid_survey.h"

// What may go wrong, and what contacts of two bodies have not seen.

namespace Percuss
{
  namespace
  {
    /// With two digits, rounded to the nearest, down (-0.5) or up (0.5).
    std::string
    two_digits(const double x, const double towards = 0)
    {
      const double       unit = std::pow(10., std::floor(std::log10(x)) - 1);
      std::ostringstream text;
      text << std::setprecision(2)
           << unit * std::round(x / unit + (1 - 1e-6) * towards);
      return text.str();
    }

    std::string
    degrees(const double angle)
    {
      return shortest_text(std::round(angle * 180 / dealii::numbers::PI)) +
             " degrees";
    }

    /// Faces see tips that enclose more than this, in rad.
    double
    least_angle()
    {
      return 2 * std::asin(-MortarSearch::facing);
    }
  } // namespace



  template <int dim>
  std::vector<std::string>
  Solid<dim>::warnings() const
  {
    std::vector<std::string> result;
    if (const auto text =
          coarse_mesh_warning(mesh.n_coarse_cells(), parameters);
        !text.empty())
      result.push_back(text);
    for (std::size_t c = 0; c < parameters.contacts.size(); ++c)
      {
        const auto &[name, contact] = parameters.contacts[c];
        if (!contact.follows_motion())
          continue;
        const auto &tips = sides->tips(numbers_of_sides[c]);
        if (tips.number > 0)
          result.push_back(
            "the sides of contact '" + name + "' have " +
            std::to_string(tips.number) +
            (tips.number == 1 ? " tip" : " tips") +
            " whose faces enclose less than " + degrees(least_angle()) +
            " (the sharpest " + degrees(tips.sharpest) +
            "); a face that such a tip meets head-on does not see it, and "
            "the run stops where one enters.");
      }
    return result;
  }



  /// Where h is too long by the factor 4w/d for the search distance d and the
  /// way w, steps of h d / (4w) serve, or a search distance of 4w.
  template <int dim>
  std::string
  Solid<dim>::missed_contacts(const State &begin, const State &end) const
  {
    if (!sides || contact_set.has_constant_directions())
      return "";
    const auto        passages = sides->find_passages(begin.q, end.q);
    const double      h        = end.time - begin.time;
    const std::string at       = "At t = " + shortest_text(end.time) + " s ";
    std::string       result;
    for (std::size_t c = 0; c < parameters.contacts.size(); ++c)
      {
        const auto &[name, contact] = parameters.contacts[c];
        if (!contact.follows_motion())
          continue;
        const auto  &passage  = passages[numbers_of_sides[c]];
        const double distance = sides->search_distance(numbers_of_sides[c]);
        const std::string sides_of_contact =
          "'" + contact.on + "' and '" + contact.with + "'";
        if (passage.has_tip)
          throw Error(ExitCode::invariant,
                      at + "a tip of " + sides_of_contact +
                        " whose faces enclose " + degrees(passage.angle) +
                        " enters a face that does not see it; tips need " +
                        degrees(least_angle()) + " or more.");
        if (passage.way > 0)
          result = at + sides_of_contact + " move by " +
                   two_digits(passage.way) +
                   " m into each other in a step of " + two_digits(h) +
                   " s, and the contact '" + name + "' sees " +
                   two_digits(distance / 4) + " m; a 'step size' of at most " +
                   two_digits(h * distance / (4 * passage.way), -0.5) +
                   " s or a 'search distance' of at least " +
                   two_digits(4 * passage.way, 0.5) + " m would do.";
      }
    return result;
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
