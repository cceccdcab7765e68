// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid.h"

#include <percuss/base/error.h>
#include <percuss/base/registry.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

#include "solid_fields.h"
#include "solid_mesh_file.h"
#include "solid_surface.h"
#include "solid_survey.h"

namespace Percuss
{
  namespace
  {
    /// Calls with the number of each own node, and where it is at the time 0.
    template <int dim, typename Action>
    void
    for_places(const std::vector<dealii::Point<dim>> &places,
               const unsigned int                     n_own,
               const Action                          &action)
    {
      double at[dim + 1] = {};
      for (unsigned int i = 0; i < n_own; ++i)
        {
          for (unsigned int d = 0; d < dim; ++d)
            at[d] = places[i][d];
          action(i, at);
        }
    }
  } // namespace



  template <int dim>
  Solid<dim>::Solid(const Parameters &parameters, const Context &context)
    : Solid(with_mesh_files(parameters, context.communicator),
            context.communicator,
            nullptr)
  {}



  template <int dim>
  Solid<dim>::Solid(const Parameters &all_parameters,
                    const MPI_Comm    communicator,
                    const Mesh        given_mesh)
    : MechanicalModel(Context{communicator})
    , parameters(all_parameters)
    , materials(make_materials(parameters))
    , shared_mesh(
        given_mesh ?
          given_mesh :
          std::make_shared<const SolidMesh<dim>>(parameters, communicator))
    , mesh(*shared_mesh)
    , element(parameters.degree)
    , mapping(mesh.is_curved() ? parameters.degree : 1)
    , numbering(mesh.cells())
    , contact_set(communicator)
  {
    check_adaptation();
    check_cells(mesh, mapping, parameters);
    make_nodes();
    make_matrices();
    fix_supports();
    make_large_strains();
    make_moving_supports();
    rows.reset();
    work.reinit(owned);
    gravity_load.reinit(owned);
    make_masses_and_weight();
    const State start = initial_state();
    if (!std::isfinite(energy(start).strain))
      throw EntryError("model/" + parameters.model() + "/bodies",
                       "the initial displacement turns cells inside out");
    make_loads();
    make_contacts(start.q);
  }



  template <int dim>
  void
  Solid<dim>::zero_fixed(Vector &x) const
  {
    for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
      if (is_fixed[i])
        x.local_element(i) = 0;
  }



  template <int dim>
  void
  Solid<dim>::apply_mass(const Vector &x, Vector &y) const
  {
    if (cells)
      cells->multiply_by_mass(x.begin(), y.begin());
    else
      mass->multiply(x, y);
  }



  template <int dim>
  void
  Solid<dim>::apply_stiffness(const Vector &x, Vector &y) const
  {
    if (cells)
      cells->multiply(0, 1, x.begin(), y.begin());
    else
      stiffness->multiply(x, y);
  }



  template <int dim>
  State
  Solid<dim>::initial_state() const
  {
    const FormulaNames            names = place_names(parameters);
    std::vector<CompiledFormulas> displacement, velocity;
    for (const auto &[name, body] : parameters.bodies)
      {
        displacement.emplace_back(read_field(parameters,
                                             "bodies/" + name +
                                               "/initial displacement",
                                             body.initial_displacement,
                                             names),
                                  names);
        velocity.emplace_back(read_field(parameters,
                                         "bodies/" + name + "/initial velocity",
                                         body.initial_velocity,
                                         names),
                              names);
      }
    State result;
    result.q.reinit(owned);
    result.v.reinit(owned);
    for_places(
      places,
      pattern->n_rows(),
      [&](const unsigned int i, const double *const at) {
        displacement[body_of_node[i]].evaluate(at, result.q.begin() + dim * i);
        velocity[body_of_node[i]].evaluate(at, result.v.begin() + dim * i);
      });
    zero_fixed(result.q);
    zero_fixed(result.v);
    return result;
  }



  template <int dim>
  Vector
  Solid<dim>::gravity_at_nodes() const
  {
    Vector                 result(relevant);
    const CompiledFormulas gravity(read_gravity(parameters, false),
                                   field_names(parameters));
    for_places(places,
               pattern->n_rows(),
               [&](const unsigned int i, const double *const at) {
                 gravity.evaluate(at, result.begin() + dim * i);
               });
    result.update_ghost_values();
    return result;
  }



  /// The mass of hanging nodes is in the rows of those that they hang on.
  template <int dim>
  void
  Solid<dim>::make_masses_and_weight()
  {
    const Vector gravity = gravity_at_nodes();
    Vector       x(owned); // accelerations, then ones
    std::copy(gravity.begin(), gravity.end(), x.begin());
    apply_mass(x, gravity_load);
    if (moving_supports)
      moving_supports->complete(gravity_load);
    zero_fixed(gravity_load);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      x.local_element(i) = hangs(i / dim) ? 0 : 1;
    apply_mass(x, work);
    total_mass = work * x / dim;
    masses_of_nodes.reserve(pattern->n_rows());
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      masses_of_nodes.push_back(work.local_element(dim * i));
  }



  template <int dim>
  std::unique_ptr<SparseMatrix>
  Solid<dim>::assemble(const double m, const double c, const double k) const
  {
    const double of_mass      = m + c * parameters.mass_damping;
    const double of_stiffness = k + c * parameters.stiffness_damping;
    if (cells)
      return std::make_unique<SparseMatrix>(std::make_unique<SolidProduct<dim>>(
        cells, of_mass, of_stiffness, [this, m, c, k]() {
          return assemble_entries(m, c, k);
        }));
    SymmetricBlocks result(pattern);
    add_matrices(of_mass, of_stiffness, result.values.data());
    return std::make_unique<SparseMatrix>(std::move(result));
  }



  template <int dim>
  void
  Solid<dim>::add_matrices(const double  of_mass,
                           const double  of_stiffness,
                           double *const blocks) const
  {
    if (of_stiffness != 0)
      for (std::size_t i = 0; i < stiffness->values.size(); ++i)
        blocks[i] += of_stiffness * stiffness->values[i];
    if (of_mass == 0)
      return;
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      for (unsigned int p = pattern->start[i]; p < pattern->start[i + 1]; ++p)
        {
          const unsigned int j = pattern->columns[p];
          for (unsigned int d = 0; d < dim; ++d)
            if (i == j || !(is_fixed[dim * i + d] || is_fixed[dim * j + d]))
              blocks[p * dim * dim + (dim + 1) * d] +=
                of_mass * mass->values[p];
        }
  }



  template <int dim>
  std::vector<double>
  Solid<dim>::masses() const
  {
    if (cells)
      return cells->diagonal(1, 0);
    std::vector<double> result(owned->locally_owned_size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = mass->values[pattern->start[i / dim]];
    return result;
  }



  /// By another model, which is there for that moment only.
  template <int dim>
  std::unique_ptr<SparseMatrix>
  Solid<dim>::assemble_entries(const double m,
                               const double c,
                               const double k) const
  {
    if (parameters.form == "matrix-free")
      throw EntryError("model/" + parameters.model() + "/operator",
                       "is 'matrix-free', but a solver needs the entries of "
                       "the matrix; set it to 'automatic', or set linear "
                       "solver/type = cg with preconditioner = jacobi.");
    Parameters others = parameters;
    others.form       = "assembled";
    return Solid<dim>(others, communicator, shared_mesh).assemble(m, c, k);
  }



  template <int dim>
  void
  Solid<dim>::multiply_by_mass(const Vector &x, Vector &y) const
  {
    apply_mass(x, y);
    zero_fixed(y);
  }



  template <int dim>
  void
  Solid<dim>::internal_forces(const Vector &q, const Vector &v, Vector &f) const
  {
    if (large_strains)
      {
        f = 0.;
        large_strains->add_forces(ghosted(q, ghosts), 1, f);
        if (parameters.stiffness_damping != 0)
          {
            stiffness->multiply(v, work);
            f.add(parameters.stiffness_damping, work);
          }
      }
    else if (parameters.stiffness_damping == 0)
      apply_stiffness(q, f);
    else
      {
        work = q;
        work.add(parameters.stiffness_damping, v);
        apply_stiffness(work, f);
      }
    if (parameters.mass_damping != 0)
      {
        apply_mass(v, work);
        f.add(parameters.mass_damping, work);
      }
    zero_fixed(f);
  }



  template <int dim>
  bool
  Solid<dim>::has_damping() const
  {
    return parameters.mass_damping != 0 || parameters.stiffness_damping != 0;
  }



  template <int dim>
  std::optional<ProportionalDamping>
  Solid<dim>::proportional_damping() const
  {
    return ProportionalDamping{parameters.mass_damping,
                               parameters.stiffness_damping};
  }



  template <int dim>
  void
  Solid<dim>::damping_forces(const Vector &v, Vector &f) const
  {
    apply_stiffness(v, f);
    f *= parameters.stiffness_damping;
    apply_mass(v, work);
    f.add(parameters.mass_damping, work);
    zero_fixed(f);
  }



  template <int dim>
  double
  Solid<dim>::mass_norm(const Vector &x) const
  {
    apply_mass(x, work);
    return work * x;
  }



  template <int dim>
  double
  Solid<dim>::stiffness_norm(const Vector &x) const
  {
    apply_stiffness(x, work);
    return work * x;
  }



  template <int dim>
  Energy
  Solid<dim>::energy(const State &state) const
  {
    const Vector &v = velocity(state);
    apply_mass(v, work);
    double parts[3] = {0.5 * local_product(work, v), 0, 0};
    if (large_strains)
      parts[1] = large_strains->energy(
        ghosted(displacement(state.time, state.q), ghosts));
    else
      {
        apply_stiffness(state.q, work);
        if (moving_supports)
          parts[1] =
            0.5 * moving_supports->add_stiffness(state.time, state.q, work);
        parts[1] += 0.5 * local_product(work, state.q);
      }
    parts[2] = -local_product(gravity_load, state.q);
    if (moving_supports)
      parts[2] -= moving_supports->work_of_gravity(state.time);
    if (owned->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE, parts, 3, MPI_DOUBLE, MPI_SUM, communicator);
    return {parts[0], parts[1], parts[2]};
  }



  template <int dim>
  double
  Solid<dim>::mean_velocity(const State &state) const
  {
    const Vector &v        = velocity(state);
    double        momentum = 0;
    for (unsigned int i = 0; i < masses_of_nodes.size(); ++i)
      momentum += masses_of_nodes[i] * v.local_element(dim * i + dim - 1);
    return dealii::Utilities::MPI::sum(momentum, communicator) / total_mass;
  }


  template class Solid<2>;
  template class Solid<3>;

  const Registration<MechanicalModel, Solid<2>>
                                                registration_2d("solid 2d",
                    "elastic bodies in the plane, by finite elements on "
                                                                "distributed meshes");
  const Registration<MechanicalModel, Solid<3>> registration_3d(
    "solid 3d",
    "elastic bodies in space, by finite elements on distributed "
    "meshes");
} // namespace Percuss
