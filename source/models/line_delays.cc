// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/models/line_model.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

// Forces of lines that depend on the motion before.

namespace Percuss
{
  void
  LineDelayParameters::Feedback::declare(ParameterSection  &section,
                                         const std::string &sensors,
                                         const std::string &actuators)
  {
    section.add("sensor",
                sensor,
                "What is measured, y: " + sensors +
                  ", followed by 'at X', X from 0 to L");
    section.add("actuator",
                actuator,
                "What acts: " + actuators + ", followed by 'at X'");
    controller.declare(section);
  }



  void
  LineDelayParameters::declare(ParameterSection  &section,
                               const std::string &sensors,
                               const std::string &actuators,
                               const std::string &description_of_history)
  {
    section.add("delayed mass damping",
                mass_damping,
                "The factor a of the force -(a M + b K) v(t - tau), in 1/s");
    section.add("delayed stiffness damping",
                stiffness_damping,
                "The factor b of the same, in s");
    section.add("damping delay",
                damping_delay,
                "tau(t) of the same, in s, t in s");
    section.add("initial history", initial_history, description_of_history);
    add_named(section,
              "feedback",
              "Each section is a controller between a sensor and an actuator",
              feedbacks,
              [sensors, actuators](const std::string &,
                                   Feedback         &feedback,
                                   ParameterSection &of_feedback) {
                feedback.declare(of_feedback, sensors, actuators);
              });
  }



  Delays::Row
  LineModel::row_at(const double x, const Weights &weights_of) const
  {
    const Interval::Place place   = mesh.locate(x);
    const auto            weights = weights_of(place.xi);
    const auto [begin, end]       = mesh.partition()->local_range();
    const auto first =
      std::size_t(place.element) * mesh.degree() * mesh.n_components();
    Delays::Row row;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0 && first + i >= begin && first + i < end)
        row.emplace_back(static_cast<unsigned int>(first + i - begin),
                         weights[i]);
    for_fixed([&row](const unsigned int i) {
      row.erase(std::remove_if(row.begin(),
                               row.end(),
                               [i](const auto &entry) {
                                 return entry.first == i;
                               }),
                row.end());
    });
    return row;
  }



  std::pair<LineModel::Functional, Delays::Row>
  LineModel::read_functional(const std::string &entry,
                             const std::string &text,
                             const Functionals &functionals) const
  {
    const double length  = mesh.element_length() * mesh.n_elements();
    const auto [word, x] = split_place(text, length);
    const auto found     = functionals.find(word);
    if (found != functionals.end() && !std::isnan(x))
      {
        const Delays::Row row = row_at(x, found->second.weights);
        if (dealii::Utilities::MPI::max(row.size(), communicator) == 0)
          throw EntryError(entry,
                           "'" + text + "' is at an end that cannot move.");
        return {found->second, row};
      }
    std::vector<std::string> words;
    for (const auto &functional : functionals)
      words.push_back(functional.first);
    throw EntryError(entry,
                     sentence("'" + text + "' " +
                              (found != functionals.end() ?
                                 "has no place on the line" :
                                 "is not known" + did_you_mean(word, words))) +
                       " There are '" + join(words, "', '") +
                       "', followed by 'at X' with X from 0 to " +
                       shortest_text(length) + ".");
  }



  void
  LineModel::add_delays(const LineDelayParameters &parameters,
                        const std::string         &section,
                        const Delays::Past        &before)
  {
    if (!parameters.exist())
      return;
    for (const auto &[name, feedback] : parameters.feedbacks)
      {
        const std::string path = section + "/feedback/" + name;
        const auto [sensor, sensor_row] =
          read_functional(path + "/sensor", feedback.sensor, sensors());
        const auto [actuator, actuator_row] =
          read_functional(path + "/actuator", feedback.actuator, actuators());
        feedback_loops.add({name,
                            sensor.argument,
                            sensor_row,
                            actuator_row,
                            0,
                            feedback.controller},
                           path + "/delay",
                           past);
      }
    if (parameters.mass_damping != 0 || parameters.stiffness_damping != 0)
      past.add(Delays::Damping{
        past.add(ControllerParameters::make_delay(parameters.damping_delay,
                                                  section + "/damping delay")),
        parameters.mass_damping,
        parameters.stiffness_damping});
    past.complete(*this,
                  check_past(before, section),
                  section + "/initial history");
    delayed_velocity.reinit(mesh.partition());
  }



  Delays::Past
  LineModel::check_past(const Delays::Past &before,
                        const std::string  &section) const
  {
    const State start = initial_state();
    if (!before)
      return Delays::steady(start);
    const double scale    = start.q.linfty_norm();
    double       distance = 0;
    for (unsigned int i = 0; i < start.q.locally_owned_size(); ++i)
      distance = std::max(distance,
                          std::abs(before(Argument::position, i, 0) -
                                   start.q.local_element(i)));
    distance = dealii::Utilities::MPI::max(distance, communicator);
    if (!(distance <= 1e-9 * (1e-3 * mesh.element_length() + scale)))
      throw EntryError(section + "/initial history",
                       "is not the initial displacement at t = 0; positions "
                       "do not jump.");
    return before;
  }



  void
  LineModel::add_delayed_forces(const double time,
                                const double factor,
                                Vector      &f) const
  {
    feedback_loops.add_forces(past, time, factor, f);
    for (const Delays::Damping &damper : past.dampings())
      {
        past.velocities(damper.delay, time, delayed_velocity);
        if (damper.mass != 0)
          {
            multiply_by_mass(delayed_velocity, work);
            f.add(-factor * damper.mass, work);
          }
        if (damper.stiffness != 0)
          {
            multiply_by_stiffness(delayed_velocity, work);
            f.add(-factor * damper.stiffness, work);
          }
      }
  }



  void
  LineModel::add_delayed_derivative(const unsigned int signal,
                                    const Configuration &,
                                    Vector &f) const
  {
    feedback_loops.add_derivative(signal, f);
  }
} // namespace Percuss
