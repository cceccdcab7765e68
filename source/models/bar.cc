// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "bar.h"

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "formula_entry.h"

namespace Percuss
{
  namespace
  {
    using dealii::Utilities::MPI::sum;

    const std::vector<std::string> conditions = {"free",
                                                 "clamped",
                                                 "force",
                                                 "wall"};

    std::vector<unsigned int>
    fixed_components(const Bar::End &end)
    {
      return std::vector<unsigned int>(end.is("clamped") ? 1 : 0);
    }
  } // namespace



  void
  Bar::End::declare(ParameterSection section)
  {
    section.add_choice("condition",
                       condition,
                       "What happens at this end",
                       conditions);
    section.add("force",
                force,
                "With 'force': the load along +x, in N, t in s");
    section.add("gap",
                gap,
                "With 'wall': distance of the undeformed bar, in m",
                Range::non_negative());
    section.add("restitution",
                restitution,
                "With 'wall': Newton's coefficient of the contact node",
                Range::between(0, 1));
    section.matters_with("force", "condition", "force");
    section.matters_with("gap", "condition", "wall");
    section.matters_with("restitution", "condition", "wall");
  }



  void
  Bar::Parameters::declare(ParameterSection &section)
  {
    section.add("length", length, "In m", Range::positive());
    section.add("area", area, "Cross-section, in m^2", Range::positive());
    section.add("young modulus", E, "In Pa", Range::positive());
    section.add("density", density, "In kg/m^3", Range::positive());
    section.add("elements", n_elements, "Number of finite elements", 1);
    section.add("degree", degree, "Of the elements, at most 6", 1);
    section.require("elements", [this]() {
      return static_cast<double>(n_elements) * degree > 2e9 ?
               "gives more than 2e9 nodes" :
               std::string();
    });
    section.require("degree", [this]() {
      return degree <= LineElements::highest_degree ?
               std::string() :
               "degrees above 6 are not available";
    });
    section.add_choice("mass matrix",
                       mass_matrix,
                       "Consistent, lumped by row sums, or redistributed: "
                       "consistent, but without mass at nodes that face a "
                       "wall, mass, centre and inertia of the bar unchanged",
                       {"consistent", "lumped", "redistributed"});
    section.require("mass matrix", [this]() {
      const unsigned int n_walls = left.is("wall") + right.is("wall");
      const unsigned int n_nodes = n_elements * degree + 1;
      return mass_matrix == "redistributed" &&
                 n_nodes < n_walls * std::max(3u, degree + 1) ?
               "needs a finer mesh to redistribute the masses" :
               std::string();
    });
    damping.declare(section);
    delays.declare(section,
                   "'displacement', 'velocity' or 'stress'",
                   "'force'",
                   "With delayed forces: the displacement before the start, a "
                   "formula of x and t <= 0, in m; empty for the initial "
                   "displacement plus t times the initial velocity");
    section.add("gravity", gravity, "Acceleration along +x, in m/s^2");
    section.add("initial displacement", displacement, "Along +x, in m");
    section.add("initial velocity", velocity, "Along +x, in m/s");
    left.declare(section.subsection("left end"));
    right.declare(section.subsection("right end"));
    const auto clamped_and_moved = [this](const End &end, const double x) {
      return end.is("clamped") && std::abs(displacement(x)) > 1e-12 * length ?
               "is not zero at the clamped end x = " + shortest_text(x) :
               std::string();
    };
    section.require("initial displacement", [this, clamped_and_moved]() {
      const std::string on_left = clamped_and_moved(left, 0);
      return on_left.empty() ? clamped_and_moved(right, length) : on_left;
    });
  }



  Bar::Bar(const Parameters &parameters, const Context &context)
    : LineModel(
        Interval(
          {parameters.length, parameters.n_elements, parameters.degree, 1, {}},
          context.communicator),
        parameters.damping,
        {fixed_components(parameters.left), fixed_components(parameters.right)},
        context)
    , parameters(parameters)
    , elements(LineElements::make({parameters.degree,
                                   mesh.element_length(),
                                   parameters.E * parameters.area,
                                   parameters.density * parameters.area,
                                   parameters.mass_matrix == "lumped"}))
    , row_sums(mesh.partition())
    , has_left(mesh.owns_first_node())
    , has_right(mesh.owns_last_node())
  {
    if (parameters.mass_matrix == "redistributed")
      redistribute();
    Vector ones(mesh.partition());
    ones = 1.;
    apply_mass_without_fixing(ones, row_sums);
    has_gravity = parameters.gravity != 0;
    gravity_load.equ(parameters.gravity, row_sums);
    zero_fixed(gravity_load);
    add_contacts();
    add_delays(parameters.delays, "model/bar", read_past());
  }



  Bar::Functionals
  Bar::sensors() const
  {
    const Weights values = [this](const double xi) {
      return elements->shape_values(xi);
    };
    const Weights stress = [this](const double xi) {
      auto result = elements->shape_derivatives(xi);
      for (double &weight : result)
        weight *= parameters.E;
      return result;
    };
    return {{"displacement", {Argument::position, values}},
            {"velocity", {Argument::velocity, values}},
            {"stress", {Argument::position, stress}}};
  }



  Bar::Functionals
  Bar::actuators() const
  {
    return {{"force", sensors().at("displacement")}};
  }



  Delays::Past
  Bar::read_past() const
  {
    const FormulaEntry entry("initial history",
                             parameters.delays.initial_history,
                             "model/bar");
    if (!entry.has_text())
      return {};
    FormulaNames names;
    names.add_constant("L", parameters.length);
    names.add_variable("x");
    names.add_variable("t");
    const Formula displacement = entry.formula(entry.whole(), names);
    return
      [motion =
         CompiledFormulas({displacement, displacement.derivative(1)}, names),
       x = mesh.nodes()](const Argument     argument,
                         const unsigned int i,
                         const double       time) {
        const double place[2] = {x[i], time};
        double       values[2];
        motion.evaluate(place, values);
        return values[argument == Argument::position ? 0 : 1];
      };
  }



  /// The velocity of the element at the wall is extrapolated from its inner
  /// nodes (linearly from the next two, where there is one inner node only),
  /// so that a rigid motion, and a linear one, keep their kinetic energy:
  /// the conditions of Khenous, Laborde and Renard (2008).
  dealii::FullMatrix<double>
  Bar::wall_mass() const
  {
    const unsigned int  p = parameters.degree;
    const unsigned int  n = std::max(3u, p + 1);
    std::vector<double> nodes(mesh.reference_nodes());
    if (p == 1)
      nodes.push_back(2);
    // Row 0: the extrapolation to the wall; then the identity.
    dealii::FullMatrix<double> extension(p + 1, n), product(p + 1, n);
    for (unsigned int j = 1; j < n; ++j)
      {
        extension(0, j) = 1;
        for (unsigned int i = 1; i < n; ++i)
          if (i != j)
            extension(0, j) *= nodes[i] / (nodes[i] - nodes[j]);
        if (j <= p)
          extension(j, j) = 1;
      }
    elements->mass().mmult(product, extension);
    dealii::FullMatrix<double> result(n, n);
    extension.Tmmult(result, product);
    for (unsigned int i = 0; i <= p; ++i)
      for (unsigned int j = 0; j <= p; ++j)
        result(i, j) -= elements->mass()(i, j);
    return result;
  }



  void
  Bar::redistribute()
  {
    const auto         at_wall = wall_mass();
    const unsigned int n = at_wall.m(), n_owned = mesh.n_owned_nodes();
    const bool         on_left      = has_left && parameters.left.is("wall");
    const bool         on_right     = has_right && parameters.right.is("wall");
    const bool         is_too_small = (on_left || on_right) && n_owned < n;
    if (sum(is_too_small ? 1u : 0u, communicator) > 0)
      throw EntryError("model/bar/mass matrix",
                       "needs a finer mesh, or fewer ranks, to redistribute "
                       "the masses");
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        {
          if (on_left)
            added_mass.push_back({i, j, at_wall(i, j)});
          if (on_right)
            added_mass.push_back(
              {n_owned - 1 - i, n_owned - 1 - j, at_wall(i, j)});
        }
  }



  void
  Bar::add_contacts()
  {
    const bool two_walls =
      parameters.left.is("wall") && parameters.right.is("wall");
    if (has_left && parameters.left.is("wall"))
      contact_set.add({parameters.left.restitution, 0, 0},
                      {{0, 1.}},
                      parameters.left.gap);
    if (has_right && parameters.right.is("wall"))
      contact_set.add({parameters.right.restitution, 0, two_walls ? 1u : 0u},
                      {{mesh.n_owned_nodes() - 1, -1.}},
                      parameters.right.gap);
    contact_set.complete();
  }



  State
  Bar::initial_state() const
  {
    State state;
    state.q.reinit(mesh.partition());
    state.v.reinit(mesh.partition());
    for (unsigned int i = 0; i < mesh.n_owned_nodes(); ++i)
      {
        state.q.local_element(i) = parameters.displacement(mesh.nodes()[i]);
        state.v.local_element(i) = parameters.velocity(mesh.nodes()[i]);
      }
    zero_fixed(state.q);
    zero_fixed(state.v);
    return state;
  }



  void
  Bar::add_driving_load(const double time, const double factor, Vector &f) const
  {
    if (has_left && parameters.left.is("force"))
      f.local_element(0) += factor * parameters.left.force(time);
    if (has_right && parameters.right.is("force"))
      f.local_element(mesh.n_owned_nodes() - 1) +=
        factor * parameters.right.force(time);
    add_delayed_forces(time, factor, f);
  }



  double
  Bar::mean_velocity(const State &state) const
  {
    return (row_sums * state.v) /
           (parameters.density * parameters.area * parameters.length);
  }



  const Registration<MechanicalModel, Bar>
    registration("bar",
                 "elastic bar of 1-D finite elements, free, clamped, loaded or "
                 "facing a rigid wall at its ends");
} // namespace Percuss
