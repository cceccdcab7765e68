// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <tuple>

#include "formula_entry.h"
#include "solid_mesh.h"

// Smaller cells where the parameter file asks for them.

namespace Percuss
{
  namespace
  {
    /// Where a section asks for them.
    struct Region
    {
      std::string      side; ///< empty for none
      unsigned int     body = 0;
      bool             has_formula;
      CompiledFormulas where;
      unsigned int     n_levels;
    };

    Region
    make_region(const SolidParameters             &parameters,
                const std::string                 &name,
                const SolidParameters::Refinement &entries)
    {
      const std::string  path    = "refinement/" + name;
      const std::string  section = "model/" + parameters.model();
      const FormulaEntry where(path + "/where", entries.where, section);
      Region             result;
      result.n_levels    = entries.n_levels;
      result.has_formula = where.has_text();
      if (!entries.on.empty())
        std::tie(result.body, result.side) =
          parameters.read_side(entries.on, path + "/on");
      else if (!result.has_formula)
        throw EntryError(section + "/" + path + "/where",
                         "is empty, and so is 'on': one of them must say where "
                         "the cells are.");
      FormulaNames names;
      for (const std::string &direction : parameters.directions())
        names.add_variable(direction);
      if (result.has_formula)
        result.where =
          CompiledFormulas({where.formula(where.whole(), names)}, names);
      return result;
    }

    template <typename Cell>
    bool
    is_inside(const Cell &cell, const Region &region)
    {
      constexpr unsigned int dim = Cell::AccessorType::dimension;
      const auto is_inside       = [&region](const dealii::Point<dim> &x) {
        double coordinates[dim], value;
        for (unsigned int d = 0; d < dim; ++d)
          coordinates[d] = x[d];
        region.where.evaluate(coordinates, &value);
        return value <= 0;
      };
      if (!region.has_formula || is_inside(cell->center()))
        return true;
      for (const unsigned int v : cell->vertex_indices())
        if (is_inside(cell->vertex(v)))
          return true;
      return false;
    }
  } // namespace



  template <int dim>
  void
  SolidMesh<dim>::refine_locally()
  {
    std::vector<Region> regions;
    unsigned int        most = 0;
    for (const auto &[name, entries] : parameters.refinements)
      {
        regions.push_back(make_region(parameters, name, entries));
        most = std::max(most, entries.n_levels);
      }
    std::vector<int> levels(parameters.bodies.size()); // so far
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->is_locally_owned())
        levels[body_of(cell)] = std::max(levels[body_of(cell)], cell->level());
    dealii::Utilities::MPI::max(levels,
                                triangulation.get_communicator(),
                                levels);
    for (unsigned int k = 0; k < most; ++k)
      {
        for (const auto &cell : triangulation.active_cell_iterators())
          if (cell->is_locally_owned() &&
              std::any_of(
                regions.begin(), regions.end(), [&](const Region &region) {
                  return cell->level() < levels[body_of(cell)] +
                                           static_cast<int>(region.n_levels) &&
                         touches(cell, region.body, region.side) &&
                         is_inside(cell, region);
                }))
            cell->set_refine_flag();
        triangulation.execute_coarsening_and_refinement();
      }
  }



  template <int dim>
  bool
  SolidMesh<dim>::touches(
    const typename Triangulation::active_cell_iterator &cell,
    const unsigned int                                  body,
    const std::string                                  &side) const
  {
    const auto faces = cell->face_iterators();
    return side.empty() ||
           std::any_of(faces.begin(), faces.end(), [&](const auto &face) {
             return is_on(face, body, side);
           });
  }

  template class SolidMesh<2>;
  template class SolidMesh<3>;
} // namespace Percuss
