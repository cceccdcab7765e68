// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <algorithm>
#include <cmath>

#include "beam.h"
#include "formula_entry.h"

// What the parameter file says about a beam.

namespace Percuss
{
  namespace
  {
    const std::vector<std::string> axes = {"x", "y", "z"};

    unsigned int
    number_of(const std::string &axis)
    {
      return static_cast<unsigned int>(
        std::find(axes.begin(), axes.end(), axis) - axes.begin());
    }

    /// The length of the beam may be used in formulas.
    FormulaNames
    names_with_length(const double length)
    {
      FormulaNames names;
      names.add_constant("L", length);
      return names;
    }
  } // namespace



  void
  Beam::End::declare(ParameterSection section)
  {
    section.add_choice("condition",
                       condition,
                       "Pinned: no displacement and no twist; guided: no "
                       "rotation, twist and stretch",
                       {"free", "clamped", "pinned", "guided"});
    section.add("mass",
                mass,
                "Of a body on this end, in kg",
                Range::non_negative());
    section.add("rotary inertia",
                rotary_inertia,
                "Of this body about any axis, in kg m^2",
                Range::non_negative());
  }



  void
  Beam::Parameters::declare(ParameterSection &part)
  {
    part.add("length", length, "In m", Range::positive());
    part.add("elements", n_elements, "Number of finite elements", 1);
    part.require("elements", [this]() {
      return n_elements > 300000000 ? "gives more than 2e9 unknowns" :
                                      std::string();
    });
    part.add_choice("theory",
                    theory,
                    "Sections stay perpendicular to the axis, or shear",
                    {"euler bernoulli", "timoshenko"});
    part.add_choice("motion",
                    motion,
                    "In the plane x, y or in space, with stretch and twist",
                    {"plane", "space"});
    part.add("stretch",
             stretches,
             "With 'plane': the beam moves along its axis, too");
    part.matters_with("stretch", "motion", "plane");
    part.add("rotary inertia",
             has_rotary_inertia,
             "With 'euler bernoulli'; Timoshenko's theory always has it");
    part.matters_with("rotary inertia", "theory", "euler bernoulli");
    part.add_choice("mass matrix",
                    mass_matrix,
                    "Consistent, or its scaled diagonal",
                    {"consistent", "lumped"});
    section.declare(part);
    declare_loads(part);
    left.declare(part.subsection("left end"));
    right.declare(part.subsection("right end"));
  }



  void
  Beam::Parameters::declare_loads(ParameterSection &part)
  {
    damping.declare(part);
    delays.declare(part,
                   "a probe, such as 'velocity' or 'bending moment z'",
                   "'force', 'force z', 'axial force', 'moment', 'moment z' or "
                   "'torque'",
                   "With delayed forces: the displacement before the start, as "
                   "'y = 0.1*x^2*cos(t)', formulas of x and t <= 0; directions "
                   "not named were at 0. Empty for the initial displacement "
                   "plus t times the initial velocity");
    part.add("gravity", gravity, "Acceleration along x, y, z, in m/s^2");
    part.require("gravity", [this]() {
      for (unsigned int d = 0; d < 3; ++d)
        if (gravity[d] != 0 && !layout().has(d))
          return "acts along " + axes[d] + ", where the beam cannot move";
      return std::string();
    });
    part.add(
      "base motion",
      base_motion,
      "As 'y = 0.1*sin(20*t)', in m, t in s: supports and stops move so, "
      "and all displacements are relative to them");
    part.add("point forces",
             point_forces,
             "As 'y at L = 5*sin(t); z at 0.2 = 1', in N, t in s");
    part.add("initial displacement",
             initial_displacement,
             "As 'y = 0.1*x^2', in m; directions not named start at 0");
    part.add("initial velocity", initial_velocity, "As 'y = x', in m/s");
    ParameterSection of_stops = part.subsection("stops");
    of_stops.add(
      "gaps",
      stop_gaps,
      "As '+y at L = 0.05; -z at 0.2 = 0.01': side and place of each "
      "stop, and its distance from the undeformed beam, in m");
    of_stops.add("restitution",
                 stop_restitution,
                 "Newton's coefficient: one number for all stops, or "
                 "'+y at L = 0.5; ...'");
  }



  BeamLayout
  Beam::Parameters::layout() const
  {
    if (motion == "space")
      return {6, {{0, 1, 3}}, {{5, 2, 4}}};
    if (stretches)
      return {3, {{0, 1, -1}}, {{-1, 2, -1}}};
    return {2, {{-1, 0, -1}}, {{-1, 1, -1}}};
  }



  std::vector<std::string>
  Beam::Parameters::directions() const
  {
    std::vector<std::string> result;
    for (unsigned int d = 0; d < 3; ++d)
      if (layout().has(d))
        result.push_back(axes[d]);
    return result;
  }



  std::vector<Beam::Stop>
  Beam::read_stops(const Parameters &parameters)
  {
    const FormulaEntry entry("stops/gaps", parameters.stop_gaps, "model/beam");
    const FormulaNames names = names_with_length(parameters.length);
    std::vector<std::string> sides, stop_names;
    for (const std::string &direction : parameters.directions())
      if (direction != "x")
        sides.insert(sides.end(), {"+" + direction, "-" + direction});
    std::vector<Stop> result;
    for (const auto &item : entry.items())
      {
        const auto [side, x] = split_place(item.name, parameters.length);
        if (std::isnan(x) || std::count(sides.begin(), sides.end(), side) == 0)
          entry.refuse("'" + item.name + "' is not '" + join(sides, "', '") +
                       "', followed by 'at X' with X from 0 to " +
                       shortest_text(parameters.length) + ".");
        const double gap = entry.number(item.text, names);
        if (gap < 0)
          entry.refuse("'" + item.name + "' has a gap below 0.");
        stop_names.push_back(item.name);
        result.push_back({item.name,
                          number_of(side.substr(1)),
                          side[0] == '+' ? 1. : -1.,
                          x,
                          gap,
                          0});
      }
    const FormulaEntry of_restitution("stops/restitution",
                                      parameters.stop_restitution,
                                      "model/beam");
    const auto         restitution =
      of_restitution.numbers(stop_names, "stop of 'gaps'", names);
    for (std::size_t i = 0; i < result.size(); ++i)
      {
        if (!(restitution[i] >= 0 && restitution[i] <= 1))
          of_restitution.refuse(shortest_text(restitution[i]) +
                                " is out of range, from 0 to 1.");
        result[i].restitution = restitution[i];
      }
    return result;
  }



  void
  Beam::read_loads()
  {
    FormulaNames names = names_with_length(parameters.length);
    names.add_variable("t");
    std::vector<Formula> formulas;
    const FormulaEntry   of_base("base motion",
                               parameters.base_motion,
                               "model/beam");
    for (const auto &item : of_base.items())
      {
        of_base.find(item, parameters.directions(), "direction of the motion");
        base_directions.push_back(number_of(item.name));
        formulas.push_back(
          of_base.formula(item.text, names).derivative(0).derivative(0));
      }
    const FormulaEntry of_forces("point forces",
                                 parameters.point_forces,
                                 "model/beam");
    for (const auto &item : of_forces.items())
      {
        const auto [axis, x] = split_place(item.name, parameters.length);
        if (std::isnan(x))
          of_forces.refuse("'" + item.name +
                           "' is no direction and place, as 'y at L', with "
                           "places from 0 to " +
                           shortest_text(parameters.length) + ".");
        of_forces.find({axis, item.text},
                       parameters.directions(),
                       "direction of the motion");
        for (const auto &[i, weight] : displacement_row(number_of(axis), x))
          nodal_loads.push_back(
            {i, weight, static_cast<unsigned int>(formulas.size())});
        formulas.push_back(of_forces.formula(item.text, names));
      }
    driving = CompiledFormulas(formulas, names);
    driving_values.resize(formulas.size());
  }



  std::vector<Beam::InitialField>
  Beam::read_initial(const std::string &entry_name,
                     const std::string &text) const
  {
    FormulaNames names = names_with_length(parameters.length);
    names.add_variable("x");
    const FormulaEntry        entry(entry_name, text, "model/beam");
    std::vector<InitialField> result;
    for (const auto &item : entry.items())
      {
        entry.find(item, parameters.directions(), "direction of the motion");
        const Formula formula = entry.formula(item.text, names);
        result.push_back(
          {number_of(item.name),
           CompiledFormulas({formula, formula.derivative(0)}, names)});
        for (const double x : {0., parameters.length})
          {
            double value[2];
            result.back().value_and_slope.evaluate(&x, value);
            if (!std::isfinite(value[0]) || !std::isfinite(value[1]))
              entry.refuse("'" + item.name +
                           "' is not finite at x = " + shortest_text(x) + ".");
          }
      }
    return result;
  }



  Delays::Past
  Beam::read_past() const
  {
    const FormulaEntry entry("initial history",
                             parameters.delays.initial_history,
                             "model/beam");
    if (!entry.has_text())
      return {};
    FormulaNames names = names_with_length(parameters.length);
    names.add_variable("x");
    names.add_variable("t");
    const unsigned int   n = layout.n_components;
    std::vector<Formula> motion(2 * n);
    for (const auto &item : entry.items())
      {
        entry.find(item, parameters.directions(), "direction of the motion");
        const unsigned int d            = number_of(item.name);
        const Formula      displacement = entry.formula(item.text, names);
        motion[layout.displacement[d]]  = displacement;
        if (d > 0)
          motion[layout.rotation[d]] =
            mesh.element_length() * displacement.derivative(0);
      }
    for (unsigned int i = 0; i < n; ++i)
      motion[n + i] = motion[i].derivative(1);
    return [compiled = CompiledFormulas(motion, names),
            values   = std::vector<double>(motion.size()),
            x        = mesh.nodes(),
            n](const Argument     argument,
               const unsigned int i,
               const double       time) mutable {
      const double place[2] = {x[i / n], time};
      compiled.evaluate(place, values.data());
      return values[(argument == Argument::position ? 0 : n) + i % n];
    };
  }



  void
  Beam::check_initial_displacement() const
  {
    const FormulaEntry entry("initial displacement", "", "model/beam");
    for (const auto &field : initial_displacement)
      for (const End *const end : {&parameters.left, &parameters.right})
        {
          const double x = end == &parameters.left ? 0 : parameters.length;
          const bool   holds =
            end->condition == "clamped" || end->condition == "pinned" ||
            (end->condition == "guided" && field.direction == 0);
          const bool directs =
            (end->condition == "clamped" || end->condition == "guided") &&
            field.direction > 0;
          double value[2];
          field.value_and_slope.evaluate(&x, value);
          if ((holds && std::abs(value[0]) > 1e-12 * parameters.length) ||
              (directs && std::abs(value[1]) > 1e-12))
            entry.refuse("'" + axes[field.direction] + "' moves or turns the " +
                         end->condition + " end x = " + shortest_text(x) + ".");
        }
  }
} // namespace Percuss
