// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <optional>

#include "formula_entry.h"
#include "solid.h"
#include "solid_fields.h"

// Loads of solids that depend on time.

namespace Percuss
{
  namespace
  {
    /// Gravity that changes with time is a body force of density times it: the
    /// formulas of all materials, or none. The density of plane ones is that of
    /// an area.
    std::vector<Formula>
    forces_of_gravity(const SolidParameters            &parameters,
                      const std::vector<SolidMaterial> &materials)
    {
      const std::vector<Formula> gravity = read_gravity(parameters, true);
      const double               thickness =
        parameters.dimension == 2 ? parameters.thickness : 1;
      std::vector<Formula> result;
      if (std::any_of(gravity.begin(), gravity.end(), [](const Formula &each) {
            return !each.is_zero();
          }))
        for (const SolidMaterial &material : materials)
          for (const Formula &acceleration : gravity)
            result.push_back(Formula(material.density / thickness) *
                             acceleration);
      return result;
    }



    /// Components of a traction or body force, or a pressure.
    std::vector<Formula>
    read_load(const SolidParameters       &parameters,
              const SolidParameters::Load &load,
              const std::string           &path)
    {
      const FormulaNames names = field_names(parameters);
      if (!load.body_force.empty())
        return read_field(parameters,
                          path + "/body force",
                          load.body_force,
                          names);
      if (!load.traction.empty())
        return read_field(parameters, path + "/traction", load.traction, names);
      const FormulaEntry entry(path + "/pressure",
                               load.pressure,
                               "model/" + parameters.model());
      return {entry.formula(entry.whole(), names)};
    }



    /// Calls @p add with own cells that have formulas: @p formula says where
    /// those begin.
    template <int dim, typename Add, typename Formulas>
    void
    for_cells(const dealii::DoFHandler<dim> &numbering,
              dealii::FEValues<dim>         &values,
              const Add                     &add,
              const Formulas                &formula)
    {
      std::vector<dealii::types::global_dof_index> nodes(values.dofs_per_cell);
      for (const auto &cell : numbering.active_cell_iterators())
        if (cell->is_locally_owned())
          if (const auto first = formula(cell))
            {
              cell->get_dof_indices(nodes);
              values.reinit(cell);
              add(values, nodes, *first);
            }
    }



    /// The same with faces of own cells on the side of a body.
    template <int dim, typename Add>
    void
    for_faces(const dealii::DoFHandler<dim>              &numbering,
              const SolidMesh<dim>                       &mesh,
              const std::pair<unsigned int, std::string> &body_and_side,
              dealii::FEFaceValues<dim>                  &values,
              const unsigned int                          formula,
              const Add                                  &add)
    {
      const auto &[body, side] = body_and_side;
      std::vector<dealii::types::global_dof_index> nodes(values.dofs_per_cell);
      for (const auto &cell : numbering.active_cell_iterators())
        if (cell->is_locally_owned() && mesh.body_of(cell) == body)
          for (const unsigned int f : cell->face_indices())
            if (mesh.is_on(cell->face(f), body, side))
              {
                cell->get_dof_indices(nodes);
                values.reinit(cell, f);
                add(values, nodes, formula);
              }
    }
  } // namespace



  template <int dim>
  void
  Solid<dim>::add_load_points(const dealii::FEValuesBase<dim> &values,
                              const std::vector<Node>         &nodes,
                              const unsigned int               formula,
                              const bool                       is_pressure)
  {
    const FreeNodes     free(nodes, hanging);
    std::vector<double> weights(free.nodes.size());
    for (const unsigned int q : values.quadrature_point_indices())
      {
        const double area =
          values.JxW(q) * (dim == 2 ? parameters.thickness : 1);
        std::fill(weights.begin(), weights.end(), 0.);
        for (unsigned int a = 0; a < nodes.size(); ++a)
          for (const auto &[i, weight] : free.weights[a])
            weights[i] += weight * values.shape_value(a, q) * area;
        LoadPoint point{formula, values.quadrature_point(q), {}, {}};
        if (is_pressure)
          point.inward = -values.normal_vector(q);
        for (unsigned int i = 0; i < weights.size(); ++i)
          if (weights[i] != 0)
            {
              point.nodes.push_back(
                relevant->global_to_local(dim * free.nodes[i]));
              point.weights.push_back(weights[i]);
            }
        load_points.push_back(point);
      }
  }



  template <int dim>
  void
  Solid<dim>::make_loads()
  {
    using namespace dealii;
    using Cell = typename DoFHandler<dim>::active_cell_iterator;
    const UpdateFlags flags =
      update_values | update_JxW_values | update_quadrature_points;
    const unsigned int n_points = parameters.degree + 1;
    FEFaceValues<dim>  on_face(mapping,
                              element,
                              QGauss<dim - 1>(n_points),
                              flags | update_normal_vectors);
    FEValues<dim>      in_cell(mapping, element, QGauss<dim>(n_points), flags);
    const auto         add = [this](const auto &...points) {
      add_load_points(points..., false);
    };
    const auto add_pressure = [this](const auto &...points) {
      add_load_points(points..., true);
    };
    std::vector<Formula> formulas = forces_of_gravity(parameters, materials);
    if (!formulas.empty())
      for_cells(numbering, in_cell, add, [this](const Cell &cell) {
        return std::make_optional(dim * mesh.material_of(cell));
      });
    for (const auto &[name, load] : parameters.loads)
      {
        const std::string path  = "loads/" + name;
        const auto        first = static_cast<unsigned int>(formulas.size());
        for (const Formula &formula : read_load(parameters, load, path))
          formulas.push_back(formula);
        if (!load.body_force.empty())
          {
            const auto body = parameters.read_body(load.on, path + "/on");
            for_cells(numbering, in_cell, add, [&](const Cell &cell) {
              return mesh.body_of(cell) == body ? std::make_optional(first) :
                                                  std::nullopt;
            });
            continue;
          }
        const auto side = parameters.read_side(load.on, path + "/on");
        if (load.pressure.empty())
          for_faces(numbering, mesh, side, on_face, first, add);
        else
          for_faces(numbering, mesh, side, on_face, first, add_pressure);
      }
    if (!formulas.empty())
      driving_load.reinit(relevant);
    tractions = CompiledFormulas(formulas, field_names(parameters));
    traction_values.resize(formulas.size());
  }



  template <int dim>
  dealii::Tensor<1, dim>
  Solid<dim>::load_at(const LoadPoint &point, const double time) const
  {
    double at[dim + 1];
    for (unsigned int d = 0; d < dim; ++d)
      at[d] = point.place[d];
    at[dim] = time;
    tractions.evaluate(at, traction_values.data());
    const double *const values = traction_values.data() + point.formula;
    if (point.inward.norm_square() > 0)
      return *values * point.inward;
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = values[d];
    return result;
  }



  template <int dim>
  void
  Solid<dim>::add_driving_load(const double time,
                               const double factor,
                               Vector      &f) const
  {
    if (moving_supports)
      moving_supports->add_load(time, factor, f);
    if (tractions.size() == 0)
      return;
    driving_load = 0.;
    for (const LoadPoint &point : load_points)
      {
        const dealii::Tensor<1, dim> load = load_at(point, time);
        for (std::size_t i = 0; i < point.nodes.size(); ++i)
          for (unsigned int d = 0; d < dim; ++d)
            driving_load.local_element(point.nodes[i] + d) +=
              factor * point.weights[i] * load[d];
      }
    driving_load.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
      if (!is_fixed[i])
        f.local_element(i) += driving_load.local_element(i);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
