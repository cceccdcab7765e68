// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "bar.h"

// What a bar shows to the outside: probes, facts and fields.

namespace Percuss
{
  double
  Bar::Parameters::wave_speed() const
  {
    return std::sqrt(E / density);
  }



  std::vector<std::pair<std::string, std::string>>
  Bar::facts() const
  {
    const auto text = [](const double value, const std::string &unit) {
      std::ostringstream stream;
      stream << value << ' ' << unit;
      return stream.str();
    };
    const double c = parameters.wave_speed();
    return {{"elements",
             std::to_string(parameters.n_elements) + " of degree " +
               std::to_string(parameters.degree)},
            {"degrees of freedom", std::to_string(mesh.partition()->size())},
            {"mass",
             text(parameters.density * parameters.area * parameters.length,
                  "kg")},
            {"wave speed", text(c, "m/s")},
            {"wave through the bar", text(parameters.length / c, "s")},
            {"wave through an element",
             text(mesh.element_length() / c / parameters.degree, "s")}};
  }



  Probe
  Bar::make_probe(const std::string &name, const std::string &what) const
  {
    if (what == "mean velocity")
      return {name, "m/s", [this](const State &state) {
                return mean_velocity(state);
              }};
    const std::vector<std::string> quantities = {"displacement",
                                                 "velocity",
                                                 "position",
                                                 "stress"};
    const auto [quantity, x] = split_place(what, parameters.length);
    if (std::isnan(x) ||
        std::count(quantities.begin(), quantities.end(), quantity) == 0)
      throw Error(ExitCode::usage,
                  sentence("probe '" + name + " = " + what + "' is not known" +
                           did_you_mean(quantity, quantities)) +
                    " The model 'bar' has 'mean velocity' and '" +
                    join(quantities, "', '") +
                    "', each followed by 'at X' with X from 0 to " +
                    shortest_text(parameters.length) + ".");

    const bool is_stress = quantity == "stress";
    const auto weights   = [this, is_stress](const double xi) {
      auto result = is_stress ? elements->shape_derivatives(xi) :
                                  elements->shape_values(xi);
      if (is_stress)
        for (double &weight : result)
          weight *= parameters.E;
      return result;
    };
    const std::string unit = quantity == "velocity" ? "m/s" :
                             quantity == "stress"   ? "Pa" :
                                                      "m";
    return {name,
            unit,
            interpolation(x,
                          weights,
                          quantity == "velocity",
                          quantity == "position" ? x : 0)};
  }



  std::string
  Bar::write_fields(const State       &state,
                    const Vector      &contact_forces,
                    const FieldFolder &folder,
                    const std::string &name) const
  {
    Vector forces(mesh.partition());
    contact_set.impulses(contact_forces, forces);
    const auto                       displacement = closed_values(state.q);
    const auto                       velocity     = closed_values(state.v);
    const auto                       force        = closed_values(forces);
    std::vector<std::vector<double>> derivatives;
    for (const double xi : mesh.reference_nodes())
      derivatives.push_back(elements->shape_derivatives(xi));
    // Averaged between neighbours, in Pa.
    const auto stress =
      nodal_means(state.q, [&](const double *q, const unsigned int node) {
        return parameters.E * std::inner_product(derivatives[node].begin(),
                                                 derivatives[node].end(),
                                                 q,
                                                 0.);
      });

    FieldPatches<1> fields;
    fields.vectors = {"displacement", "velocity", "contact_force"};
    fields.names   = {"stress"};
    if (!displacement.empty())
      {
        // One patch: the nodes of this rank's elements as a single line. The
        // last two rows are the points themselves.
        const auto [first, end] = mesh.elements();
        const unsigned int p = parameters.degree, n = (end - first) * p;
        auto               patch   = FieldPatches<1>::make_patch();
        patch.n_subdivisions       = n;
        patch.points_are_available = true;
        patch.data.reinit(12, n + 1);
        for (unsigned int i = 0; i <= n; ++i)
          {
            patch.data(0, i)  = static_cast<float>(displacement[i]);
            patch.data(3, i)  = static_cast<float>(velocity[i]);
            patch.data(6, i)  = static_cast<float>(force[i]);
            patch.data(9, i)  = static_cast<float>(stress[i]);
            patch.data(10, i) = static_cast<float>(
              (first + i / p + mesh.reference_nodes()[i % p]) *
              mesh.element_length());
          }
        patch.vertices[0][0] = first * mesh.element_length();
        patch.vertices[1][0] = end * mesh.element_length();
        fields.patches.push_back(patch);
      }
    return write_vtu(fields, folder, name, state.time, communicator);
  }
} // namespace Percuss
