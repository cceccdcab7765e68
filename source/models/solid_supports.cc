// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_supports.h"

#include <percuss/mechanics/energy_promise.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>

namespace Percuss
{
  template <int dim>
  SolidSupports<dim>::SolidSupports(const std::vector<Formula> &formulas,
                                    const FormulaNames         &names,
                                    const Partition            &owned,
                                    const ProportionalDamping  &damping)
    : owned(owned)
    , damping(damping)
    , formula_values(formulas.size())
  {
    std::vector<Formula> derivatives = formulas;
    for (CompiledFormulas &motion : motions)
      {
        motion = CompiledFormulas(derivatives, names);
        for (Formula &each : derivatives)
          each = each.derivative(dim); // by t
      }
  }



  template <int dim>
  void
  SolidSupports<dim>::add_moving(const Index               number,
                                 const dealii::Point<dim> &place,
                                 const unsigned int        motion)
  {
    moving[number] = static_cast<unsigned int>(dofs.size());
    dofs.push_back({number, 0, place, motion});
  }



  template <int dim>
  void
  SolidSupports<dim>::add_entry(const Index  row,
                                const Index  column,
                                const double of_mass,
                                const double of_stiffness)
  {
    auto &[m, k] = collected[{row, column}];
    m += of_mass;
    k += of_stiffness;
  }



  template <int dim>
  void
  SolidSupports<dim>::complete(const Vector &gravity)
  {
    dealii::IndexSet mine(owned->size()), all(owned->size());
    mine.add_range(owned->local_range().first, owned->local_range().second);
    for (const MovingDof &dof : dofs)
      all.add_index(dof.number);
    for (const auto &entry : collected)
      all.add_index(entry.first.first);
    felt = std::make_shared<const dealii::Utilities::MPI::Partitioner>(
      mine, all, owned->get_mpi_communicator());
    x_felt.reinit(felt);
    f_felt.reinit(felt);
    for (MovingDof &dof : dofs)
      {
        dof.local = felt->global_to_local(dof.number);
        if (dof.local < owned->locally_owned_size())
          dof.gravity = gravity.local_element(dof.local);
      }
    for (const auto &[place, entry] : collected)
      {
        const auto row    = moving.find(place.first);
        const bool moves  = row != moving.end();
        const auto column = moving.at(place.second);
        (moves ? moving_rows : free_rows)
          .push_back({moves ? row->second : felt->global_to_local(place.first),
                      column,
                      entry.first,
                      entry.second});
      }
    collected.clear();
    mean.reinit(owned);
    for (Values *values : {&l, &rate, &acceleration, &step, &none})
      values->assign(dofs.size(), 0.);
  }



  template <int dim>
  void
  SolidSupports<dim>::set_forces(
    const std::function<void(const State &, Vector &)> &new_forces)
  {
    forces = new_forces;
  }



  template <int dim>
  void
  SolidSupports<dim>::evaluate(const double       time,
                               const unsigned int derivative,
                               Values            &values) const
  {
    double at[dim + 1];
    at[dim] = time;
    for (std::size_t i = 0; i < dofs.size(); ++i)
      {
        for (unsigned int d = 0; d < dim; ++d)
          at[d] = dofs[i].place[d];
        motions[derivative].evaluate(at, formula_values.data());
        values[i] = formula_values[dofs[i].motion];
      }
  }



  template <int dim>
  void
  SolidSupports<dim>::evaluate_change(const State       &begin,
                                      const State       &end,
                                      const unsigned int derivative,
                                      Values            &values) const
  {
    evaluate(begin.time, derivative, l);
    evaluate(end.time, derivative, values);
    for (std::size_t i = 0; i < dofs.size(); ++i)
      values[i] -= l[i];
  }



  template <int dim>
  void
  SolidSupports<dim>::add(const double       time,
                          const unsigned int derivative,
                          Vector            &x) const
  {
    evaluate(time, derivative, l);
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (dofs[i].local < owned->locally_owned_size())
        x.local_element(dofs[i].local) += l[i];
  }



  template <int dim>
  void
  SolidSupports<dim>::add_displacement(const double time, Vector &q) const
  {
    add(time, 0, q);
  }



  template <int dim>
  void
  SolidSupports<dim>::add_velocity(const double time, Vector &v) const
  {
    add(time, 1, v);
  }



  template <int dim>
  void
  SolidSupports<dim>::add_acceleration(const double time, Vector &a) const
  {
    add(time, 2, a);
  }



  template <int dim>
  void
  SolidSupports<dim>::add_load(const double time,
                               const double factor,
                               Vector      &f) const
  {
    evaluate(time, 0, l);
    evaluate(time, 1, rate);
    evaluate(time, 2, acceleration);
    f_felt = 0.;
    for (const Entry &entry : free_rows)
      {
        const unsigned int j = entry.column;
        f_felt.local_element(entry.row) -=
          factor * (entry.of_mass * (acceleration[j] + damping.mass * rate[j]) +
                    entry.of_stiffness *
                      ((forces ? 0 : l[j]) + damping.stiffness * rate[j]));
      }
    f_felt.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      f.local_element(i) += f_felt.local_element(i);
  }



  template <int dim>
  const double *
  SolidSupports<dim>::feel(const Vector &x) const
  {
    x_felt.zero_out_ghost_values();
    std::copy(x.begin(), x.end(), x_felt.begin());
    x_felt.update_ghost_values();
    return x_felt.begin();
  }



  template <int dim>
  double
  SolidSupports<dim>::product(const Values       &a,
                              const double *const x,
                              const Values       &b,
                              const double        of_mass,
                              const double        of_stiffness) const
  {
    double     sum   = 0;
    const auto value = [of_mass, of_stiffness](const Entry &entry) {
      return of_mass * entry.of_mass + of_stiffness * entry.of_stiffness;
    };
    for (const Entry &entry : free_rows)
      sum += a[entry.column] * value(entry) * x[entry.row];
    for (const Entry &entry : moving_rows)
      sum += a[entry.row] * value(entry) * b[entry.column];
    return sum;
  }



  template <int dim>
  double
  SolidSupports<dim>::add_stiffness(const double  time,
                                    const Vector &q,
                                    Vector       &f) const
  {
    evaluate(time, 0, l);
    f_felt = 0.;
    for (const Entry &entry : free_rows)
      f_felt.local_element(entry.row) += entry.of_stiffness * l[entry.column];
    f_felt.compress(dealii::VectorOperation::add);
    for (unsigned int i = 0; i < owned->locally_owned_size(); ++i)
      f.local_element(i) += f_felt.local_element(i);
    return product(l, feel(q), l, 0, 1);
  }



  template <int dim>
  double
  SolidSupports<dim>::work_of_gravity(const double time) const
  {
    evaluate(time, 0, l);
    double sum = 0;
    for (std::size_t i = 0; i < dofs.size(); ++i)
      sum += dofs[i].gravity * l[i];
    return sum;
  }



  template <int dim>
  double
  SolidSupports<dim>::energy(const State &state) const
  {
    const auto half_product = [&](const unsigned int derivative,
                                  const Vector      &x,
                                  const double       of_mass) {
      evaluate(state.time, derivative, l);
      for (std::size_t i = 0; i < l.size(); ++i)
        rate[i] = l[i] / 2;
      return product(l, feel(x), rate, of_mass, 1 - of_mass);
    };
    double sum = half_product(1, state.v, 1) - work_of_gravity(state.time);
    if (!forces)
      sum += half_product(0, state.q, 0);
    return dealii::Utilities::MPI::sum(sum, owned->get_mpi_communicator());
  }



  template <int dim>
  double
  SolidSupports<dim>::strain_work(const State &begin, const State &end) const
  {
    if (!forces)
      return 0;
    evaluate_change(begin, end, 0, step);
    double sum = 0;
    for (const State *const state : {&begin, &end})
      {
        forces(*state, mean);
        for (std::size_t i = 0; i < dofs.size(); ++i)
          if (dofs[i].local < owned->locally_owned_size())
            sum += step[i] * mean.local_element(dofs[i].local) / 2;
      }
    return dealii::Utilities::MPI::sum(sum, owned->get_mpi_communicator());
  }



  template <int dim>
  double
  SolidSupports<dim>::damping_work(const State         &begin,
                                   const State         &end,
                                   const EnergyPromise &promise) const
  {
    const double h = promise.step_size, d = promise.damping_weight;
    evaluate_change(begin, end, 0, step);
    evaluate(begin.time, 1, rate);
    evaluate(end.time, 1, acceleration);
    for (std::size_t i = 0; i < dofs.size(); ++i)
      rate[i] = promise.damps_mean_motion ?
                  step[i] / h :
                  (1 - d) * rate[i] + d * acceleration[i];
    const double a = damping.mass, b = damping.stiffness;
    mean = end.q;
    mean -= begin.q;
    double sum = product(rate, feel(mean), none, a, b);
    if (promise.damps_mean_motion)
      mean /= h;
    else
      {
        mean.equ(1 - d, begin.v);
        mean.add(d, end.v);
      }
    sum += product(step, feel(mean), rate, a, b);
    return -dealii::Utilities::MPI::sum(sum, owned->get_mpi_communicator());
  }



  /// a (2 dx . A dl + dl . A dl), with A = K of positions and M of velocities.
  template <int dim>
  double
  SolidSupports<dim>::dissipation(const State         &begin,
                                  const State         &end,
                                  const EnergyPromise &promise) const
  {
    const auto square =
      [&](const unsigned int derivative, const Vector &to, const Vector &from) {
        evaluate_change(begin, end, derivative, step);
        for (std::size_t i = 0; i < dofs.size(); ++i)
          rate[i] = step[i] / 2;
        mean = to;
        mean -= from;
        return 2 * product(step, feel(mean), rate, derivative, 1. - derivative);
      };
    double sum = 0;
    if (promise.displacement != 0)
      sum += promise.displacement * square(0, end.q, begin.q);
    if (promise.velocity != 0)
      sum += promise.velocity * square(1, end.v, begin.v);
    return dealii::Utilities::MPI::sum(sum, owned->get_mpi_communicator());
  }

  template class SolidSupports<2>;
  template class SolidSupports<3>;
} // namespace Percuss
