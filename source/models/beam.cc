// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "beam.h"

#include <percuss/base/error.h>
#include <percuss/base/registry.h>

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace Percuss
{
  namespace
  {
    using dealii::Utilities::MPI::sum;

    std::vector<double>
    places_of(const std::vector<Beam::Stop> &stops)
    {
      std::vector<double> places;
      for (const Beam::Stop &stop : stops)
        places.push_back(stop.x);
      return places;
    }

    /// The components that an end holds, see Beam::End::declare().
    std::vector<unsigned int>
    fixed_components(const Beam::End &end, const BeamLayout &layout)
    {
      const bool                is_clamped = end.condition == "clamped";
      const bool                is_pinned  = end.condition == "pinned";
      const bool                is_guided  = end.condition == "guided";
      std::vector<unsigned int> result;
      for (unsigned int d = 0; d < 3; ++d)
        {
          const bool is_axial = d == 0;
          if (layout.displacement[d] >= 0 &&
              (is_clamped || is_pinned || (is_guided && is_axial)))
            result.push_back(layout.displacement[d]);
          if (layout.rotation[d] >= 0 &&
              (is_clamped || is_guided || (is_pinned && is_axial)))
            result.push_back(layout.rotation[d]);
        }
      return result;
    }
  } // namespace



  Beam::Beam(const Parameters &parameters, const Context &context)
    : Beam(parameters, read_stops(parameters), context)
  {}



  Beam::Beam(const Parameters        &parameters,
             const std::vector<Stop> &stops,
             const Context           &context)
    : LineModel(Interval({parameters.length,
                          parameters.n_elements,
                          1,
                          parameters.layout().n_components,
                          places_of(stops)},
                         context.communicator),
                parameters.damping,
                {fixed_components(parameters.left, parameters.layout()),
                 fixed_components(parameters.right, parameters.layout())},
                context)
    , parameters(parameters)
    , stops(stops)
    , layout(parameters.layout())
    , section(parameters.section.evaluate())
    , elements(
        {mesh.element_length(),
         section,
         layout,
         parameters.theory == "timoshenko",
         parameters.theory == "timoshenko" || parameters.has_rotary_inertia,
         parameters.mass_matrix == "lumped"})
    , total_mass(section.density * parameters.length + parameters.left.mass +
                 parameters.right.mass)
    , row_sums(mesh.partition())
    , initial_displacement(
        read_initial("initial displacement", parameters.initial_displacement))
    , initial_velocity(
        read_initial("initial velocity", parameters.initial_velocity))
  {
    check_initial_displacement();
    add_end_masses();
    weigh();
    read_loads();
    add_contacts();
    add_delays(parameters.delays, "model/beam", read_past());
  }



  void
  Beam::add_end_masses()
  {
    const double l   = mesh.element_length();
    const auto   add = [&](const End &end, const unsigned int first) {
      const auto put = [&](const int component, const double mass) {
        const unsigned int i = first + component;
        if (component >= 0 && mass > 0)
          added_mass.push_back({i, i, mass});
      };
      for (unsigned int d = 0; d < 3; ++d)
        {
          put(layout.displacement[d], end.mass);
          put(layout.rotation[d], end.rotary_inertia / (l * l));
        }
    };
    if (mesh.owns_first_node())
      add(parameters.left, 0);
    if (mesh.owns_last_node())
      add(parameters.right, (mesh.n_owned_nodes() - 1) * layout.n_components);
  }



  void
  Beam::weigh()
  {
    for (unsigned int d = 0; d < 3; ++d)
      {
        if (!layout.has(d))
          continue;
        Vector unit(mesh.partition());
        for (unsigned int node = 0; node < mesh.n_owned_nodes(); ++node)
          unit.local_element(node * layout.n_components +
                             layout.displacement[d]) = 1;
        inertia[d].reinit(mesh.partition());
        apply_mass_without_fixing(unit, inertia[d]);
        if (d == 1)
          row_sums = inertia[d];
        zero_fixed(inertia[d]);
        has_gravity |= parameters.gravity[d] != 0;
        gravity_load.add(parameters.gravity[d], inertia[d]);
      }
  }



  ContactSet::Row
  Beam::displacement_row(const unsigned int direction, const double x) const
  {
    return row_at(x, [this, direction](const double xi) {
      return elements.weights(BeamElements::Quantity::displacement,
                              direction,
                              xi);
    });
  }



  void
  Beam::add_contacts()
  {
    unsigned int slot = 0;
    for (const Stop &stop : stops)
      {
        ContactPoint point;
        point.restitution   = stop.restitution;
        point.slot          = slot++;
        ContactSet::Row row = displacement_row(stop.direction, stop.x);
        if (sum(static_cast<unsigned int>(row.size()), communicator) == 0)
          throw EntryError("model/beam/stops/gaps",
                           "the stop '" + stop.name +
                             "' is at an end that cannot move there.");
        if (row.empty())
          continue;
        for (auto &[i, weight] : row)
          weight *= -stop.side;
        contact_set.add(point, row, stop.gap);
      }
    contact_set.complete();
  }



  State
  Beam::initial_state() const
  {
    State state;
    state.q.reinit(mesh.partition());
    state.v.reinit(mesh.partition());
    const auto fill = [this](const std::vector<InitialField> &fields,
                             Vector                          &x) {
      for (const auto &[direction, formulas] : fields)
        for (unsigned int node = 0; node < mesh.n_owned_nodes(); ++node)
          {
            double value_and_slope[2];
            formulas.evaluate(&mesh.nodes()[node], value_and_slope);
            const unsigned int first = node * layout.n_components;
            x.local_element(first + layout.displacement[direction]) =
              value_and_slope[0];
            if (direction > 0)
              x.local_element(first + layout.rotation[direction]) =
                mesh.element_length() * value_and_slope[1];
          }
      zero_fixed(x);
    };
    fill(initial_displacement, state.q);
    fill(initial_velocity, state.v);
    return state;
  }



  void
  Beam::add_driving_load(const double time,
                         const double factor,
                         Vector      &f) const
  {
    add_delayed_forces(time, factor, f);
    if (driving.size() == 0)
      return;
    driving.evaluate(&time, driving_values.data());
    for (std::size_t k = 0; k < base_directions.size(); ++k)
      f.add(-factor * driving_values[k], inertia[base_directions[k]]);
    for (const auto &[i, weight, formula] : nodal_loads)
      f.local_element(i) += factor * weight * driving_values[formula];
  }



  double
  Beam::mean_velocity(const State &state) const
  {
    return (row_sums * state.v) / total_mass;
  }



  const Registration<MechanicalModel, Beam>
    registration("beam",
                 "elastic beam of 1-D finite elements, Euler-Bernoulli or "
                 "Timoshenko, in the plane or in space, between rigid stops");
} // namespace Percuss
