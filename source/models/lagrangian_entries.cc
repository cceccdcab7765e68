// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "lagrangian_entries.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <stdexcept>

namespace Percuss
{
  void
  LagrangianParameters::declare(ParameterSection &section)
  {
    section.add("coordinates",
                coordinates,
                "Names of the generalized coordinates, as 'x, y, phi'; their "
                "velocities are x', y', phi' in formulas, and time is t");
    section.add("constants",
                constants,
                "Numbers with names, as 'm = 2; L = 3*m'");
    section.add("kinetic energy",
                kinetic_energy,
                "T, a formula of coordinates, velocities and t, quadratic in "
                "the velocities, in J");
    section.add("potential energy",
                potential_energy,
                "V, a formula of coordinates and t, in J");
    section.add("forces",
                forces,
                "Other forces, as 'x = -c*x''; y = F*sin(t)', each on its "
                "coordinate, in N (or N m for an angle); x(t - 0.1) and "
                "x'(t - 0.1) are earlier positions and velocities");
    section.add("initial position",
                initial_position,
                "As 'x = 1; phi = pi/4'; coordinates not named start at 0");
    section.add("initial velocity",
                initial_velocity,
                "As 'x = 1', without the prime; others start at 0");
    section.add("initial history",
                initial_history,
                "The motion before the start, as 'x = 1 - cos(t)', each a "
                "formula of t <= 0; coordinates not named moved with their "
                "initial velocity");
    section.add("constraints",
                constraints,
                "Joints, as 'rod = x^2 + y^2 - L^2', each a formula of the "
                "coordinates that stays 0");
    ParameterSection of_contacts = section.subsection("contacts");
    contacts.declare(of_contacts);
    ParameterSection of_drawing = section.subsection("drawing");
    drawing.declare(of_drawing);
  }



  void
  LagrangianParameters::Contacts::declare(ParameterSection &section)
  {
    section.add(
      "gaps",
      gaps,
      "As 'floor = y - R; wall = x', each a formula of coordinates and "
      "t that stays >= 0");
    section.add(
      "restitution",
      restitution,
      "Newton's coefficient e_N: one number for all contacts, or 'floor "
      "= 0.5; wall = 1'");
    section.add(
      "friction",
      friction,
      "Coulomb's coefficient mu, used with contact/law = coulomb: one "
      "number, or a list as for the restitution");
    section.add("tangential restitution",
                tangential_restitution,
                "e_T: one number, or a list as for the restitution");
    section.add(
      "sliding velocities",
      sliding_velocities,
      "The velocity at which a contact slides, as 'floor = x' - R*phi'', "
      "linear in the velocities; two formulas with a comma between them "
      "for a contact in space");
    section.add(
      "sliding points",
      sliding_points,
      "Instead of a velocity: the position of the touching point along "
      "the surface, as 'floor = x + L*cos(phi)', whose rate it is");
  }



  void
  LagrangianParameters::Drawing::declare(ParameterSection &section)
  {
    section.add("points",
                points,
                "For the VTU files, as 'mass = x, y; ...' with two or three "
                "coordinates");
    section.add("lines", lines, "As 'rod = 0, 0 -> x, y -> x + 1, y; ...'");
    section.add("arrows",
                arrows,
                "As 'weight = x, y -> 0, -m*g; ...': a point and the vector "
                "that starts there");
  }



  LagrangianNames::LagrangianNames(const LagrangianParameters &parameters)
  {
    const FormulaEntry of_constants("constants", parameters.constants);
    for (const auto &item : of_constants.items())
      try
        {
          constants.add_constant(item.name,
                                 of_constants.number(item.text, constants));
        }
      catch (const std::invalid_argument &error)
        {
          of_constants.refuse(sentence(error.what()));
        }
    all = constants;
    const FormulaEntry of_coordinates("coordinates", parameters.coordinates);
    try
      {
        for (const auto &piece :
             of_coordinates.split(of_coordinates.whole(), ","))
          {
            coordinates.push_back(dealii::Utilities::trim(piece));
            if (coordinates.back().find('\'') != std::string::npos)
              of_coordinates.refuse("'" + coordinates.back() +
                                    "' has a prime, the sign of a velocity.");
            all.add_variable(coordinates.back());
          }
        for (const std::string &name : coordinates)
          all.add_variable(name + "'");
        all.add_variable("t");
      }
    catch (const std::invalid_argument &error)
      {
        of_coordinates.refuse(sentence(error.what()));
      }
  }
} // namespace Percuss
