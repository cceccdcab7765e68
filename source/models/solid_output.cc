// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/vtu.h>

#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <sstream>

#include "solid.h"
#include "solid_probes.h"
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
      {"coarse cells",
       std::to_string(mesh.cells().n_cells(0)) + ", which each rank holds"},
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
    const std::string quantity = what.substr(0, what.find(" of "));
    if (quantity.find("contact ") != std::string::npos)
      return surfaces->make_probe(name, what);
    return SolidProbes<dim>(*this).make(name, what);
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

    /// Where Solid::fields_at() has the fields of
    /// SolidParameters::known_fields().
    struct FieldRows
    {
      unsigned int first, number;
    };
    constexpr FieldRows all_rows[] =
      {{0, 3}, {3, 3}, {6, 3}, {9, 9}, {18, 1}, {19, 1}};

    /// Declares the fields that the file asks for, and returns their rows among
    /// all.
    template <int dim>
    std::vector<unsigned int>
    choose_fields(const SolidParameters  &parameters,
                  FieldPatches<dim, dim> &fields)
    {
      const auto                chosen = parameters.chosen_fields();
      const auto               &known  = SolidParameters::known_fields();
      std::vector<unsigned int> rows;
      for (std::size_t f = 0; f < known.size(); ++f)
        {
          if (std::count(chosen.begin(), chosen.end(), known[f]) == 0)
            continue;
          const auto [first, number] = all_rows[f];
          (number == 1 ? fields.names :
           number == 3 ? fields.vectors :
                         fields.tensors)
            .push_back(known[f]);
          for (unsigned int i = 0; i < number; ++i)
            rows.push_back(first + i);
        }
      return rows;
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
    const auto             rows   = choose_fields(parameters, fields);
    const auto             n_rows = static_cast<unsigned int>(rows.size());
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
        patch.data.reinit(n_rows + dim, points.size());
        for (const unsigned int v : cell->vertex_indices())
          patch.vertices[v] = cell->vertex(v);
        for (unsigned int i = 0; i < points.size(); ++i)
          {
            const auto here = fields_at(shapes, i, nodes, values);
            for (unsigned int row = 0; row < n_rows; ++row)
              patch.data(row, i) = static_cast<float>(here[rows[row]]);
            for (unsigned int d = 0; d < dim; ++d)
              patch.data(n_rows + d, i) =
                static_cast<float>(shapes.quadrature_point(i)[d]);
          }
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
  dealii::Tensor<2, 3>
  Solid<dim>::stress(const unsigned int            material,
                     const dealii::Tensor<2, dim> &gradient) const
  {
    auto result = ElasticLaw<dim>::cauchy_stress(materials[material], gradient);
    if (dim == 2)
      result /= parameters.thickness;
    if (dim == 2 && parameters.plane == "stress")
      result[2][2] = 0;
    return result;
  }



  template <int dim>
  std::vector<double>
  Solid<dim>::fields_at(const dealii::FEValues<dim>            &shapes,
                        const unsigned int                      point,
                        const std::vector<Node>                &nodes,
                        const std::vector<std::vector<double>> &values) const
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
    const auto          cell  = shapes.get_cell();
    const auto          sigma = stress(mesh.material_of(cell), gradient);
    std::vector<double> result(&fields[0][0], &fields[0][0] + 9);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        result.push_back(sigma[i][j]);
    result.push_back(von_mises(sigma));
    result.push_back(mesh.body_of(cell));
    return result;
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
