// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_set.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace Percuss
{
  ContactSet::ContactSet(const MPI_Comm communicator)
    : communicator(communicator)
  {}



  void
  ContactSet::add(const ContactPoint &point,
                  const Row          &row,
                  const double        initial_gap)
  {
    add(point, std::vector<Row>{row}, initial_gap);
  }



  void
  ContactSet::add(const ContactPoint     &point,
                  const std::vector<Row> &rows,
                  const double            initial_gap)
  {
    add_point(point, rows.size());
    for (const Row &row : rows)
      {
        offsets.push_back(&row == &rows.front() ? initial_gap : 0);
        for (const auto &[dof, coefficient] : row)
          {
            dofs.push_back(dof);
            coefficients.push_back(coefficient);
          }
        row_start.push_back(static_cast<unsigned int>(dofs.size()));
      }
  }



  void
  ContactSet::add_across(const ContactPoint           &point,
                         const std::vector<GlobalRow> &rows,
                         const double                  initial_gap)
  {
    add_point(point, rows.size());
    for (const GlobalRow &row : rows)
      {
        offsets.push_back(&row == &rows.front() ? initial_gap : 0);
        for (const auto &[dof, coefficient] : row)
          {
            pending.emplace_back(dofs.size(), dof);
            dofs.push_back(0);
            coefficients.push_back(coefficient);
          }
        row_start.push_back(static_cast<unsigned int>(dofs.size()));
      }
  }



  void
  ContactSet::add_point(const ContactPoint &point, const std::size_t n_rows)
  {
    local_points.push_back(point);
    local_points.back().first = static_cast<unsigned int>(row_start.size() - 1);
    local_points.back().n_directions = static_cast<unsigned int>(n_rows);
  }



  void
  ContactSet::set_geometry(const Geometry &new_geometry,
                           const bool      new_looks_near)
  {
    geometry   = new_geometry;
    looks_near = new_looks_near;
  }



  void
  ContactSet::complete(const Partition &of_dofs)
  {
    dealii::IndexSet others(of_dofs->size());
    for (const auto &entry : pending)
      if (!of_dofs->in_local_range(entry.second))
        others.add_index(entry.second);
    others.compress();
    const auto all = std::make_shared<dealii::Utilities::MPI::Partitioner>(
      of_dofs->locally_owned_range(), others, communicator);
    for (const auto &[k, dof] : pending)
      dofs[k] = all->global_to_local(dof);
    pending.clear();
    if (dealii::Utilities::MPI::max(others.n_elements(), communicator) > 0)
      felt.reinit(all);
    complete();
  }



  void
  ContactSet::complete()
  {
    Assert(pending.empty(), dealii::ExcInternalError());
    numbering =
      make_partition(static_cast<unsigned int>(offsets.size()), communicator);
    rates.assign(offsets.size(), 0.);
    double largest[2] = {0, 1};
    for (const ContactPoint &point : local_points)
      {
        largest[0] = std::max(largest[0], point.restitution);
        if (point.friction > 0 || point.n_directions > 3)
          largest[1] =
            std::max(largest[1], static_cast<double>(point.n_directions));
      }
    MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, communicator);
    restitution      = largest[0];
    frictional_block = static_cast<unsigned int>(largest[1]);
    n_contacts       = dealii::Utilities::MPI::sum(
      static_cast<unsigned int>(local_points.size()), communicator);
  }



  bool
  ContactSet::is_placed(const double time, const Vector &q) const
  {
    const bool is_same =
      time == placed_time && placed_q.size() == q.locally_owned_size() &&
      std::equal(placed_q.begin(), placed_q.end(), q.begin());
    return reaches_other_ranks() ?
             dealii::Utilities::MPI::min(is_same ? 1u : 0u, communicator) == 1 :
             is_same;
  }



  void
  ContactSet::place(const double time, const Vector &q) const
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    place(time, q, {infinity, infinity, infinity}, false);
  }



  /// With some more speed, so that it serves the next step too.
  void
  ContactSet::place(const double        time,
                    const Vector       &q,
                    const ContactReach &reach) const
  {
    if (!last_reach.covers(reach) || last_reach.speed > 8 * reach.speed)
      last_reach = {reach.distance, reach.duration, 1.5 * reach.speed};
    place(time, q, last_reach, false);
  }



  void
  ContactSet::place_again(const double time, const Vector &q) const
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    place(time, q, {infinity, infinity, infinity}, true);
  }



  void
  ContactSet::place(const double        time,
                    const Vector       &q,
                    const ContactReach &reach,
                    const bool          is_again) const
  {
    if (!geometry || (local_points.empty() && !reaches_other_ranks()))
      return;
    const bool is_enough =
      is_again || !looks_near || placed_reach.covers(reach);
    if (is_enough && is_placed(time, q))
      return;
    placed_reach = reach;
    placed_time  = time;
    placed_q.assign(q.begin(), q.end());
    geometry(time, q, offsets.data(), coefficients.data(), rates.data());
  }



  std::vector<unsigned int>
  ContactSet::touched_dofs() const
  {
    std::vector<unsigned int> result;
    const unsigned int        n_own = reaches_other_ranks() ?
                                        felt.locally_owned_size() :
                                        std::numeric_limits<unsigned int>::max();
    std::copy_if(dofs.begin(),
                 dofs.end(),
                 std::back_inserter(result),
                 [n_own](const unsigned int dof) { return dof < n_own; });
    if (reaches_other_ranks())
      for (const auto &[begin, end] : felt.get_partitioner()->import_indices())
        for (unsigned int dof = begin; dof < end; ++dof)
          result.push_back(dof);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }



  void
  ContactSet::gaps(const Vector &q, Vector &gap) const
  {
    if (geometry)
      std::copy(offsets.begin(), offsets.end(), gap.begin());
    else
      {
        multiply(q, gap);
        for (std::size_t i = 0; i < offsets.size(); ++i)
          gap.local_element(i) += offsets[i];
      }
  }



  const double *
  ContactSet::values(const Vector &x) const
  {
    if (!reaches_other_ranks())
      return x.begin();
    felt.zero_out_ghost_values();
    std::copy_n(x.begin(), x.locally_owned_size(), felt.begin());
    felt.update_ghost_values();
    return felt.begin();
  }



  void
  ContactSet::squares(const Vector &a, Vector &w) const
  {
    const double *const entries = values(a);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
          sum += coefficients[k] * coefficients[k] * entries[dofs[k]];
        w.local_element(i) = sum;
      }
  }



  void
  ContactSet::multiply(const Vector &x, Vector &y) const
  {
    const double *const entries = values(x);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
          sum += coefficients[k] * entries[dofs[k]];
        y.local_element(i) = sum;
      }
  }



  void
  ContactSet::velocities(const Vector &v, Vector &u) const
  {
    multiply(v, u);
    if (geometry)
      for (std::size_t i = 0; i < rates.size(); ++i)
        u.local_element(i) += rates[i];
  }



  void
  ContactSet::impulses(const Vector &lambda, Vector &impulse) const
  {
    Vector &sum = reaches_other_ranks() ? felt : impulse;
    sum         = 0.; // and no ghost values
    for (std::size_t i = 0; i < offsets.size(); ++i)
      for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
        sum.local_element(dofs[k]) += coefficients[k] * lambda.local_element(i);
    if (&sum == &impulse)
      return;
    felt.compress(dealii::VectorOperation::add);
    std::copy_n(felt.begin(), felt.locally_owned_size(), impulse.begin());
  }



  ContactSet::Row
  ContactSet::row(const unsigned int i) const
  {
    Row entries;
    for (unsigned int k = row_start[i]; k < row_start[i + 1]; ++k)
      entries.emplace_back(dofs[k], coefficients[k]);
    return entries;
  }
} // namespace Percuss
