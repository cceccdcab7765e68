// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
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
    const std::size_t              at         = what.find(" at ");
    const std::string              quantity   = what.substr(0, at);
    double                         x          = 0;
    try
      {
        if (at != std::string::npos)
          x = Expression(what.substr(at + 4), {})(0);
      }
    catch (const std::invalid_argument &)
      {
        x = -1;
      }
    if (at == std::string::npos || x < 0 || x > parameters.length ||
        std::count(quantities.begin(), quantities.end(), quantity) == 0)
      throw Error(ExitCode::usage,
                  sentence("probe '" + name + " = " + what + "' is not known" +
                           did_you_mean(quantity, quantities)) +
                    " The model 'bar' has 'mean velocity' and '" +
                    join(quantities, "', '") +
                    "', each followed by 'at X' with X from 0 to " +
                    shortest_text(parameters.length) + ".");

    const unsigned int element = mesh.element_at(x);
    const bool   is_mine = element != dealii::numbers::invalid_unsigned_int;
    const double xi      = is_mine ? x / mesh.element_length() - element : 0;
    auto weights = quantity == "stress" ? elements->shape_derivatives(xi) :
                                          elements->shape_values(xi);
    if (quantity == "stress")
      for (double &weight : weights)
        weight *= parameters.E;
    const unsigned int first_node =
      is_mine ? (element - mesh.elements().first) * parameters.degree : 0;
    const double offset   = quantity == "position" ? x : 0;
    const auto   evaluate = [=](const State &state) {
      const Vector       &field = quantity == "velocity" ? state.v : state.q;
      const double *const values =
        mesh.ghosted(field, ghosted_values) + mesh.n_left_ghosts();
      double result = is_mine ? offset : 0;
      for (std::size_t i = 0; is_mine && i < weights.size(); ++i)
        result += weights[i] * values[first_node + i];
      return dealii::Utilities::MPI::sum(result, communicator);
    };
    const std::string unit = quantity == "velocity" ? "m/s" :
                             quantity == "stress"   ? "Pa" :
                                                      "m";
    return {name, unit, evaluate};
  }



  std::vector<double>
  Bar::closed_values(const Vector &x) const
  {
    const auto [first, end] = mesh.elements();
    const double *const values =
      mesh.ghosted(x, ghosted_values) + mesh.n_left_ghosts();
    if (first == end)
      return {};
    return {values, values + (end - first) * parameters.degree + 1};
  }



  std::vector<double>
  Bar::nodal_stress(const Vector &q) const
  {
    const auto [first, end]    = mesh.elements();
    const auto [left, right]   = mesh.touching_elements();
    const unsigned int  p      = parameters.degree;
    const double *const values = mesh.ghosted(q, ghosted_values);
    if (first == end)
      return {};
    std::vector<double> stress((right - left) * p + 1), count(stress.size());
    for (unsigned int i = 0; i <= p; ++i)
      {
        const auto derivatives =
          elements->shape_derivatives(mesh.reference_nodes()[i]);
        for (unsigned int e = 0; e < right - left; ++e)
          {
            double strain = 0;
            for (unsigned int j = 0; j <= p; ++j)
              strain += derivatives[j] * values[e * p + j];
            stress[e * p + i] += parameters.E * strain;
            count[e * p + i] += 1;
          }
      }
    for (std::size_t i = 0; i < stress.size(); ++i)
      stress[i] /= count[i];
    stress.erase(stress.begin(), stress.begin() + mesh.n_left_ghosts());
    return stress;
  }



  std::string
  Bar::write_fields(const State       &state,
                    const Vector      &contact_forces,
                    const std::string &folder,
                    const std::string &name) const
  {
    Vector forces(mesh.partition());
    contact_set.impulses(contact_forces, forces);
    const auto displacement = closed_values(state.q);
    const auto velocity     = closed_values(state.v);
    const auto force        = closed_values(forces);
    const auto stress       = nodal_stress(state.q);

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



  std::vector<std::pair<double, double>>
  Bar::profile(const State &state, const unsigned int n_points) const
  {
    const unsigned int n_nodes = mesh.partition()->size();
    const unsigned int n       = std::min(n_points, n_nodes);
    const auto [begin, end]    = mesh.partition()->local_range();
    std::vector<std::pair<double, double>> mine;
    for (unsigned int i = 0; i < n; ++i)
      {
        const auto node = static_cast<unsigned int>(
          static_cast<unsigned long long>(i) * (n_nodes - 1) / (n - 1));
        if (node >= begin && node < end)
          mine.emplace_back(mesh.nodes()[node - begin],
                            state.q.local_element(node - begin));
      }
    if (mesh.partition()->n_mpi_processes() == 1)
      return mine;
    std::vector<std::pair<double, double>> all;
    for (const auto &part :
         dealii::Utilities::MPI::gather(communicator, mine, 0))
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }
} // namespace Percuss
