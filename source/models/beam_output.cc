// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "beam.h"

// What a beam shows to the outside: probes, facts and fields.

namespace Percuss
{
  namespace
  {
    using dealii::numbers::PI;
    using Quantity = BeamElements::Quantity;

    struct NamedQuantity
    {
      std::string  name;
      Quantity     quantity;
      unsigned int direction;
      bool         of_velocity;
      std::string  unit;
    };

    const std::vector<NamedQuantity> quantities = {
      {"deflection", Quantity::displacement, 1, false, "m"},
      {"velocity", Quantity::displacement, 1, true, "m/s"},
      {"rotation", Quantity::rotation, 1, false, "rad"},
      {"angular velocity", Quantity::rotation, 1, true, "rad/s"},
      {"bending moment", Quantity::moment, 1, false, "N m"},
      {"shear force", Quantity::force, 1, false, "N"},
      {"deflection z", Quantity::displacement, 2, false, "m"},
      {"velocity z", Quantity::displacement, 2, true, "m/s"},
      {"rotation z", Quantity::rotation, 2, false, "rad"},
      {"angular velocity z", Quantity::rotation, 2, true, "rad/s"},
      {"bending moment z", Quantity::moment, 2, false, "N m"},
      {"shear force z", Quantity::force, 2, false, "N"},
      {"axial displacement", Quantity::displacement, 0, false, "m"},
      {"axial velocity", Quantity::displacement, 0, true, "m/s"},
      {"axial force", Quantity::force, 0, false, "N"},
      {"twist", Quantity::rotation, 0, false, "rad"},
      {"torque", Quantity::moment, 0, false, "N m"}};

    bool
    exists(const NamedQuantity &quantity, const BeamLayout &layout)
    {
      const bool turns = quantity.quantity == Quantity::rotation ||
                         quantity.quantity == Quantity::moment;
      return (turns ? layout.rotation :
                      layout.displacement)[quantity.direction] >= 0;
    }

    /// The first @p n elastic roots beta L of
    /// @f[ \omega_n = \beta_n^2 \sqrt{EI/\rho A} @f]
    /// for two ends of a beam: f(beta L) = 0, near a, a + pi, ...
    std::vector<double>
    roots(const std::string &left, const std::string &right, unsigned int n)
    {
      const auto are = [&](const std::string &one, const std::string &other) {
        return (left == one && right == other) ||
               (left == other && right == one);
      };
      double first = PI; // pinned or guided at both ends: sin(beta L) = 0
      double (*f)(double) = [](const double b) { return std::sin(b); };
      if (are("clamped", "free"))
        {
          first = PI / 2;
          f     = [](const double b) { return std::cos(b) + 1 / std::cosh(b); };
        }
      else if (are("clamped", "clamped") || are("free", "free"))
        {
          first = 3 * PI / 2;
          f     = [](const double b) { return std::cos(b) - 1 / std::cosh(b); };
        }
      else if (are("clamped", "pinned") || are("free", "pinned"))
        {
          first = 5 * PI / 4;
          f     = [](const double b) {
            return std::sin(b) - std::cos(b) * std::tanh(b);
          };
        }
      else if (are("clamped", "guided") || are("free", "guided"))
        {
          first = 3 * PI / 4;
          f     = [](const double b) {
            return std::sin(b) + std::cos(b) * std::tanh(b);
          };
        }
      else if (are("pinned", "guided"))
        {
          first = PI / 2;
          f     = [](const double b) { return std::cos(b); };
        }
      std::vector<double> result;
      for (unsigned int i = 0; i < n; ++i)
        {
          double       low = first + i * PI - PI / 4, high = low + PI / 2;
          const double sign = f(low) > 0 ? 1 : -1;
          for (unsigned int k = 0; k < 60; ++k)
            {
              const double middle                 = (low + high) / 2;
              (sign * f(middle) > 0 ? low : high) = middle;
            }
          result.push_back(low);
        }
      return result;
    }
  } // namespace



  std::vector<std::pair<std::string, std::string>>
  Beam::facts() const
  {
    const auto text = [](const double value, const std::string &unit) {
      std::ostringstream stream;
      stream << value << ' ' << unit;
      return stream.str();
    };
    const bool is_sheared = parameters.theory == "timoshenko";
    std::vector<std::pair<std::string, std::string>> result = {
      {"elements",
       std::to_string(parameters.n_elements) +
         (is_sheared ? " of Timoshenko" : " of Euler and Bernoulli")},
      {"degrees of freedom", std::to_string(mesh.partition()->size())},
      {"mass", text(total_mass, "kg")}};
    const bool has_bodies =
      parameters.left.mass > 0 || parameters.left.rotary_inertia > 0 ||
      parameters.right.mass > 0 || parameters.right.rotary_inertia > 0;
    for (unsigned int d = 1; d < 3 && !has_bodies; ++d)
      {
        if (!layout.has(d))
          continue;
        std::ostringstream frequencies;
        frequencies.precision(7);
        for (const double root :
             roots(parameters.left.condition, parameters.right.condition, 4))
          frequencies << (frequencies.tellp() > 0 ? ", " : "")
                      << std::pow(root / parameters.length, 2) *
                           std::sqrt(section.EI[d - 1] / section.density) /
                           (2 * PI);
        result.emplace_back(d == 1 ? "frequencies along y" :
                                     "frequencies along z",
                            frequencies.str() + " Hz (exact, Euler-Bernoulli)");
      }
    result.emplace_back("critical step, at least",
                        text(2 / elements.highest_frequency(), "s"));
    return result;
  }



  Beam::Functionals
  Beam::sensors() const
  {
    Functionals result;
    for (const NamedQuantity &quantity : quantities)
      if (exists(quantity, layout))
        result[quantity.name] = {
          quantity.of_velocity ? Argument::velocity : Argument::position,
          [this, &quantity](const double xi) {
            return elements.weights(quantity.quantity, quantity.direction, xi);
          }};
    return result;
  }



  Beam::Functionals
  Beam::actuators() const
  {
    const std::vector<std::pair<std::string, std::string>> works_on = {
      {"force", "deflection"},
      {"force z", "deflection z"},
      {"axial force", "axial displacement"},
      {"moment", "rotation"},
      {"moment z", "rotation z"},
      {"torque", "twist"}};
    const Functionals all = sensors();
    Functionals       result;
    for (const auto &[force, displacement] : works_on)
      if (all.count(displacement) > 0)
        result[force] = all.at(displacement);
    return result;
  }



  Probe
  Beam::make_probe(const std::string &name, const std::string &what) const
  {
    if (what == "mean velocity")
      return {name, "m/s", [this](const State &state) {
                return mean_velocity(state);
              }};
    for (unsigned int i = 0; i < stops.size(); ++i)
      if (what == "impulse of " + stops[i].name)
        return {name, "N s", [this, i](const State &state) {
                  double impulse = 0;
                  for (const ContactPoint &point : contact_set.points())
                    if (point.slot == i && !state.memory.empty())
                      impulse += impulses(state).local_element(point.first);
                  return dealii::Utilities::MPI::sum(impulse, communicator);
                }};
    const auto [word, x] = split_place(what, parameters.length);
    std::vector<std::string> words;
    for (const NamedQuantity &quantity : quantities)
      {
        if (!exists(quantity, layout))
          continue;
        words.push_back(quantity.name);
        if (word != quantity.name || std::isnan(x))
          continue;
        const auto weights = [this, &quantity](const double xi) {
          return elements.weights(quantity.quantity, quantity.direction, xi);
        };
        return {name,
                quantity.unit,
                interpolation(x, weights, quantity.of_velocity)};
      }
    throw Error(ExitCode::usage,
                sentence("probe '" + name + " = " + what + "' is not known" +
                         did_you_mean(word, words)) +
                  " This beam has 'mean velocity', 'impulse of STOP' and '" +
                  join(words, "', '") +
                  "', each of these followed by 'at X' with X from 0 to " +
                  shortest_text(parameters.length) + ".");
  }



  std::vector<std::pair<std::string, std::vector<double>>>
  Beam::nodal_resultants(const Vector &q) const
  {
    std::vector<std::pair<std::string, std::vector<double>>> result;
    for (const NamedQuantity &quantity : quantities)
      {
        const bool is_resultant = quantity.quantity == Quantity::force ||
                                  quantity.quantity == Quantity::moment;
        if (!is_resultant || !exists(quantity, layout))
          continue;
        std::string name = quantity.name;
        std::replace(name.begin(), name.end(), ' ', '_');
        std::vector<double> weights[2];
        for (const unsigned int node : {0, 1})
          weights[node] =
            elements.weights(quantity.quantity, quantity.direction, node);
        const auto evaluate = [&](const double      *values,
                                  const unsigned int node) {
          return std::inner_product(weights[node].begin(),
                                    weights[node].end(),
                                    values,
                                    0.);
        };
        result.emplace_back(name, nodal_means(q, evaluate));
      }
    return result;
  }



  /// The nodes of this rank's elements as a single line; the last three rows
  /// are the points themselves.
  std::string
  Beam::write_fields(const State       &state,
                     const Vector      &contact_forces,
                     const FieldFolder &folder,
                     const std::string &name) const
  {
    Vector forces(mesh.partition());
    contact_set.impulses(contact_forces, forces);
    const double       l            = mesh.element_length();
    const auto         displacement = closed_values(state.q);
    const auto         velocity     = closed_values(state.v);
    const auto         force        = closed_values(forces);
    const auto         resultants   = nodal_resultants(state.q);
    FieldPatches<1, 3> fields;
    fields.vectors = {"displacement", "rotation", "velocity", "contact_force"};
    for (const auto &resultant : resultants)
      fields.names.push_back(resultant.first);
    const auto [first, end] = mesh.elements();
    if (first < end)
      {
        auto patch                 = FieldPatches<1, 3>::make_patch();
        patch.n_subdivisions       = end - first;
        patch.points_are_available = true;
        patch.data.reinit(12 + fields.names.size() + 3, end - first + 1);
        for (unsigned int i = 0; i <= end - first; ++i)
          {
            const auto put = [&](const unsigned int         row,
                                 const std::vector<double> &values,
                                 const int                  component,
                                 const double               factor) {
              if (component >= 0)
                patch.data(row, i) = static_cast<float>(
                  factor * values[i * layout.n_components + component]);
            };
            for (unsigned int d = 0; d < 3; ++d)
              {
                put(d, displacement, layout.displacement[d], 1);
                put(6 + d, velocity, layout.displacement[d], 1);
                put(9 + d, force, layout.displacement[d], 1);
              }
            // Slopes as a vector of rotation: w' of z turns about -y.
            put(3, displacement, layout.rotation[0], 1 / l);
            put(4, displacement, layout.rotation[2], -1 / l);
            put(5, displacement, layout.rotation[1], 1 / l);
            for (unsigned int k = 0; k < resultants.size(); ++k)
              patch.data(12 + k, i) =
                static_cast<float>(resultants[k].second[i]);
            patch.data(12 + resultants.size(), i) =
              static_cast<float>((first + i) * l);
          }
        patch.vertices[0][0] = first * l;
        patch.vertices[1][0] = end * l;
        fields.patches.push_back(patch);
      }
    return write_vtu(fields, folder, name, state.time, communicator);
  }
} // namespace Percuss
