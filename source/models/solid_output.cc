// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "solid.h"
#include "solid_surface.h"
#include "solid_survey.h"

// What solids show to the outside: probes, facts and fields.

namespace Percuss
{
  template <int dim>
  std::vector<std::pair<std::string, std::string>>
  Solid<dim>::facts() const
  {
    const auto text = [](const double value, const std::string &unit) {
      std::ostringstream stream;
      stream << value << ' ' << unit;
      return stream.str();
    };
    const auto bodies   = survey(mesh, mapping, parameters, materials);
    double     shortest = bodies[0].shortest_time;
    for (const BodySurvey &body : bodies)
      shortest = std::min(shortest, body.shortest_time);
    std::vector<std::pair<std::string, std::string>> result = {
      {"bodies", std::to_string(bodies.size())},
      {"cells",
       std::to_string(mesh.cells().n_global_active_cells()) + " of degree " +
         std::to_string(parameters.degree)},
      {"degrees of freedom",
       std::to_string(owned->size()) + ", of " +
         std::to_string(owned->size() / dim) + " nodes"},
      {"operator", operator_description()},
      {"mass", text(total_mass, "kg")}};
    const auto details = describe(bodies, parameters, materials);
    result.insert(result.end(), details.begin(), details.end());
    result.emplace_back("step of Courant number 1", text(shortest, "s"));
    return result;
  }



  template <int dim>
  std::string
  Solid<dim>::operator_description() const
  {
    return cells ? cells->description() : "assembled";
  }



  template <int dim>
  Probe
  Solid<dim>::make_probe(const std::string &name, const std::string &what) const
  {
    if (what == "mean velocity")
      return {name, "m/s", [this](const State &state) {
                return mean_velocity(state);
              }};
    if (what.find("contact ") != std::string::npos)
      return surfaces->make_probe(name, what);
    if (const auto probe = momentum_probe(name, what))
      return *probe;
    const std::vector<std::string> quantities = {"displacement",
                                                 "velocity",
                                                 "position"};
    const auto                     refuse     = [&](const std::string &reason) {
      throw Error(ExitCode::usage,
                  sentence("probe '" + name + " = " + what + "' " + reason) +
                    " The model '" + parameters.model() +
                    "' has 'mean velocity', with or without a direction, "
                                            "'angular momentum z', and '" +
                    join(quantities, "', '") +
                    "', each followed by a direction and a place, as "
                                            "'displacement x of block at 0.5, 0, 1'.");
    };
    const std::size_t of = what.find(" of "), at = what.find(" at ");
    if (of == std::string::npos || at == std::string::npos || at < of)
      refuse("is not known");
    const auto words =
      dealii::Utilities::split_string_list(what.substr(0, of), ' ');
    const auto directions = parameters.directions();
    if (words.size() != 2 ||
        std::count(quantities.begin(), quantities.end(), words[0]) == 0)
      refuse("is not known" + did_you_mean(words[0], quantities));
    const auto direction =
      std::find(directions.begin(), directions.end(), words[1]);
    if (direction == directions.end())
      refuse("has no direction");
    const std::string        body = what.substr(of + 4, at - of - 4);
    std::vector<std::string> bodies;
    for (const auto &each : parameters.bodies)
      bodies.push_back(each.first);
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    if (found == bodies.end())
      refuse("names no body" + did_you_mean(body, bodies));
    const auto place = read_place(what.substr(at + 4));
    if (!place)
      refuse("has no place of " + std::to_string(dim) + " coordinates");
    return place_probe(name,
                       words[0],
                       static_cast<unsigned int>(direction -
                                                 directions.begin()),
                       static_cast<unsigned int>(found - bodies.begin()),
                       *place);
  }



  template <int dim>
  std::optional<dealii::Point<dim>>
  Solid<dim>::read_place(const std::string &text)
  {
    try
      {
        const auto numbers = dealii::Utilities::string_to_double(
          dealii::Utilities::split_string_list(text, ','));
        if (numbers.size() != dim)
          return {};
        Position place;
        for (unsigned int d = 0; d < dim; ++d)
          place[d] = numbers[d];
        return place;
      }
    catch (const dealii::ExceptionBase &)
      {
        return {};
      }
  }



  /// By the shape functions of the cell that holds the place, on the first rank
  /// that has one; on the boundary a tolerance decides.
  template <int dim>
  Probe
  Solid<dim>::place_probe(const std::string &name,
                          const std::string &quantity,
                          const unsigned int component,
                          const unsigned int body,
                          const Position    &place) const
  {
    std::vector<std::pair<unsigned int, double>> row; // in `relevant`
    std::vector<dealii::types::global_dof_index> nodes(
      element.n_dofs_per_cell());
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (!cell->is_locally_owned() || mesh.body_of(cell) != body ||
            !row.empty() || place.distance(cell->center()) > cell->diameter())
          continue;
        try
          {
            const auto xi = mapping.transform_real_to_unit_cell(cell, place);
            if (!cell->reference_cell().contains_point(xi, 1e-8))
              continue;
            cell->get_dof_indices(nodes);
            for (unsigned int a = 0; a < nodes.size(); ++a)
              row.emplace_back(relevant->global_to_local(dim * nodes[a] +
                                                         component),
                               element.shape_value(a, xi));
          }
        catch (const typename dealii::Mapping<dim>::ExcTransformationFailed &)
          {}
      }
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(communicator);
    const unsigned int nobody =
      dealii::Utilities::MPI::n_mpi_processes(communicator);
    const unsigned int first =
      dealii::Utilities::MPI::min(row.empty() ? nobody : rank, communicator);
    if (first == nobody)
      throw Error(ExitCode::usage,
                  "probe '" + name + "': its place is not in the body '" +
                    parameters.bodies[body].first + "'.");
    if (rank != first)
      row.clear();
    const bool   is_velocity = quantity == "velocity";
    const double offset =
      quantity == "position" && rank == first ? place[component] : 0;
    return {name,
            is_velocity ? "m/s" : "m",
            [this, row, is_velocity, offset](const State &state) {
              const double *const x =
                ghosted(is_velocity ? velocity(state) :
                                      displacement(state.time, state.q),
                        ghosts);
              double value = offset;
              for (const auto &[i, weight] : row)
                value += weight * x[i];
              return dealii::Utilities::MPI::sum(value, communicator);
            }};
  }



  namespace
  {
    /// The nodes of a patch with n + 1 points along each edge.
    template <int dim>
    std::vector<dealii::Point<dim>>
    patch_points(const unsigned int n)
    {
      std::vector<dealii::Point<dim>> points;
      const unsigned int              n_z = dim == 3 ? n : 0;
      for (unsigned int k = 0; k <= n_z; ++k)
        for (unsigned int j = 0; j <= n; ++j)
          for (unsigned int i = 0; i <= n; ++i)
            {
              dealii::Point<dim> x;
              const unsigned int number[3] = {i, j, k};
              for (unsigned int d = 0; d < dim; ++d)
                x[d] = static_cast<double>(number[d]) / n;
              points.push_back(x);
            }
      return points;
    }

    /// The equivalent stress of von Mises.
    double
    von_mises(const dealii::Tensor<2, 3> &stress)
    {
      return std::sqrt(1.5) *
             dealii::deviator(dealii::symmetrize(stress)).norm();
    }
  } // namespace



  template <int dim>
  std::string
  Solid<dim>::write_fields(const State       &state,
                           const Vector      &contact_forces,
                           const FieldFolder &folder,
                           const std::string &name) const
  {
    contact_set.impulses(contact_forces, work);
    const Vector *const fields_of_nodes[3] = {
      &displacement(state.time, state.q), &velocity(state), &work};
    std::vector<std::vector<double>> values(3);
    for (unsigned int f = 0; f < 3; ++f)
      {
        const double *const begin = ghosted(*fields_of_nodes[f], ghosts);
        values[f].assign(begin,
                         begin + relevant->locally_owned_size() +
                           relevant->n_ghost_indices());
      }
    const unsigned int            p      = parameters.degree;
    const auto                    points = patch_points<dim>(p);
    const dealii::Quadrature<dim> at_points(points);
    using namespace dealii;
    FEValues<dim>          shapes(mapping,
                         element,
                         at_points,
                         update_values | update_gradients |
                           update_quadrature_points);
    FieldPatches<dim, dim> fields;
    fields.vectors = {"displacement", "velocity", "contact_force"};
    fields.names   = {"stress", "body"};
    std::vector<types::global_dof_index> nodes(element.n_dofs_per_cell());
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (!cell->is_locally_owned())
          continue;
        shapes.reinit(cell);
        cell->get_dof_indices(nodes);
        auto patch                 = FieldPatches<dim, dim>::make_patch();
        patch.n_subdivisions       = p;
        patch.points_are_available = true;
        patch.data.reinit(11 + dim, points.size());
        for (const unsigned int v : cell->vertex_indices())
          patch.vertices[v] = cell->vertex(v);
        for (unsigned int i = 0; i < points.size(); ++i)
          fill_point(shapes, i, nodes, values, patch.data);
        for (unsigned int i = 0; i < points.size(); ++i)
          patch.data(10, i) = static_cast<float>(mesh.body_of(cell));
        fields.patches.push_back(patch);
      }
    // Next to "solution_00000010" stands "contact_00000010".
    surfaces->write(state,
                    contact_forces,
                    folder,
                    "contact" + name.substr(name.rfind('_')));
    return write_vtu(fields, folder, name, state.time, communicator);
  }



  template <int dim>
  void
  Solid<dim>::fill_point(
    const dealii::FEValues<dim>                        &shapes,
    const unsigned int                                  point,
    const std::vector<dealii::types::global_dof_index> &nodes,
    const std::vector<std::vector<double>>             &values,
    dealii::Table<2, float>                            &data) const
  {
    dealii::Tensor<2, dim> gradient;
    double                 fields[3][3] = {};
    for (unsigned int a = 0; a < nodes.size(); ++a)
      {
        const unsigned int first = relevant->global_to_local(dim * nodes[a]);
        for (unsigned int d = 0; d < dim; ++d)
          {
            for (unsigned int f = 0; f < 3; ++f)
              fields[f][d] +=
                shapes.shape_value(a, point) * values[f][first + d];
            gradient[d] += values[0][first + d] * shapes.shape_grad(a, point);
          }
      }
    for (unsigned int f = 0; f < 3; ++f)
      for (unsigned int d = 0; d < 3; ++d)
        data(3 * f + d, point) = static_cast<float>(fields[f][d]);
    auto stress = ElasticLaw<dim>::cauchy_stress(
      materials[mesh.material_of(shapes.get_cell())], gradient);
    if (dim == 2)
      stress /= parameters.thickness;
    if (dim == 2 && parameters.plane == "stress")
      stress[2][2] = 0;
    data(9, point) = static_cast<float>(von_mises(stress));
    for (unsigned int d = 0; d < dim; ++d)
      data(11 + d, point) =
        static_cast<float>(shapes.quadrature_point(point)[d]);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
