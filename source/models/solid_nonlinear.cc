// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "solid.h"
#include "solid_large_strains.h"

// The forces of a solid and their derivatives where strains may be large.

namespace Percuss
{
  /// The materials that cells have are the same on all ranks' coarse meshes, so
  /// that all decide alike.
  template <int dim>
  void
  Solid<dim>::make_large_strains()
  {
    const auto is_large = [](const SolidMaterial &material) {
      return material.law != SolidMaterial::Law::linear;
    };
    if (std::none_of(materials.begin(), materials.end(), is_large))
      return;
    if (dim == 2 && parameters.plane == "stress")
      throw EntryError("model/" + parameters.model() + "/plane",
                       "materials for large strains are for 'strain', not for "
                       "'stress'");
    const dealii::QGauss<dim> gauss(parameters.degree + 1);
    using namespace dealii;
    FEValues<dim> values(mapping,
                         element,
                         gauss,
                         update_inverse_jacobians | update_JxW_values);
    large_strains =
      std::make_unique<LargeStrains<dim>>(materials, pattern, element, gauss);
    for (Vector *vector : {&ghosts, &more_ghosts})
      vector->reinit(relevant);
    std::vector<types::global_dof_index> nodes(element.n_dofs_per_cell());
    std::unique_ptr<CondensedCells<dim>> condensed;
    if (has_any_hanging_nodes())
      condensed = std::make_unique<CondensedCells<dim>>(std::move(rows),
                                                        pattern,
                                                        relevant);
    for (const auto &cell : numbering.active_cell_iterators())
      {
        if (cell->is_artificial())
          continue;
        cell->get_dof_indices(nodes);
        typename LargeStrains<dim>::Cell entry;
        bool                             is_needed = cell->is_locally_owned();
        for (const auto node : nodes)
          {
            entry.places.push_back(relevant->global_to_local(dim * node));
            entry.columns.push_back(column(node));
            entry.numbers.push_back(static_cast<unsigned int>(node));
            is_needed |= !condensed && entry.columns.back() < pattern->n_rows();
          }
        if (!is_needed)
          continue;
        if (condensed)
          condensed->add_cell(FreeNodes(nodes, hanging));
        entry.material = mesh.material_of(cell);
        entry.is_own   = cell->is_locally_owned();
        values.reinit(cell);
        large_strains->add_cell(entry, values);
      }
    large_strains->finish(std::move(condensed));
  }



  template <int dim>
  void
  Solid<dim>::add_fixed_diagonal(const double factor, double *blocks) const
  {
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        if (is_fixed[dim * i + d])
          {
            const std::size_t place =
              pattern->start[i] * dim * dim + (dim + 1) * d;
            blocks[place] += factor * stiffness->values[place];
          }
  }



  /// Large strains are those of the whole body; of small ones the driving load
  /// has the part of moving supports.
  template <int dim>
  void
  Solid<dim>::evaluate(const Term           term,
                       const Configuration &at,
                       Vector              &result) const
  {
    MechanicalModel::evaluate(
      term,
      {at.time, large_strains ? displacement(at.time, at.q) : at.q, at.v},
      result);
  }



  template <int dim>
  void
  Solid<dim>::add_derivative(const Term           term,
                             const Argument       argument,
                             const Configuration &at,
                             const double         factor,
                             SparseMatrix        &matrix) const
  {
    if (cells)
      {
        MechanicalModel::add_derivative(term, argument, at, factor, matrix);
        return;
      }
    double *const blocks = matrix.values();
    if (argument == Argument::velocity)
      {
        if (term == Term::momentum)
          add_matrices(factor, 0, blocks);
        else if (term != Term::load)
          add_matrices(-factor * parameters.mass_damping,
                       -factor * parameters.stiffness_damping,
                       blocks);
      }
    else if (term == Term::force || term == Term::gradient)
      {
        if (!large_strains)
          add_matrices(0, -factor, blocks);
        else
          {
            large_strains->add_tangent(ghosted(displacement(at.time, at.q),
                                               ghosts),
                                       -factor,
                                       is_fixed,
                                       blocks);
            add_fixed_diagonal(-factor, blocks);
          }
      }
  }



  template <int dim>
  void
  Solid<dim>::add_conserving_force(const Vector &q_begin,
                                   const Vector &q_end,
                                   const double  factor,
                                   Vector       &f) const
  {
    make_room(internal, owned);
    if (large_strains)
      {
        internal = 0.;
        large_strains->add_mean_forces(ghosted(q_begin, ghosts),
                                       ghosted(q_end, more_ghosts),
                                       1,
                                       internal);
      }
    else
      {
        work = q_begin;
        work.sadd(0.5, 0.5, q_end);
        apply_stiffness(work, internal);
      }
    zero_fixed(internal);
    f.add(-factor, internal, factor, gravity_load);
  }



  template <int dim>
  void
  Solid<dim>::add_conserving_derivative(const Vector &q_begin,
                                        const Vector &q_end,
                                        const double  factor,
                                        SparseMatrix &matrix) const
  {
    if (!large_strains)
      {
        MechanicalModel::add_conserving_derivative(q_begin,
                                                   q_end,
                                                   factor,
                                                   matrix);
        return;
      }
    double *const blocks = matrix.values();
    large_strains->add_mean_tangent(ghosted(q_begin, ghosts),
                                    ghosted(q_end, more_ghosts),
                                    -factor,
                                    is_fixed,
                                    blocks);
    add_fixed_diagonal(-factor / 2, blocks);
  }

  template class Solid<2>;
  template class Solid<3>;
} // namespace Percuss
