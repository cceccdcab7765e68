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
    add_point(point, rows.size(), false);
    for (const Row &row : rows)
      {
        offsets.push_back(&row == &rows.front() ? initial_gap : 0);
        for (const auto &[dof, coefficient] : row)
          {
            added.dofs.push_back(dof);
            added.coefficients.push_back(coefficient);
          }
        added.start.push_back(static_cast<unsigned int>(added.dofs.size()));
      }
  }



  void
  ContactSet::add_across(const ContactPoint           &point,
                         const std::vector<GlobalRow> &rows,
                         const double                  initial_gap)
  {
    add_point(point, rows.size(), false);
    for (const GlobalRow &row : rows)
      {
        offsets.push_back(&row == &rows.front() ? initial_gap : 0);
        for (const auto &[dof, coefficient] : row)
          {
            across.emplace_back(added.dofs.size(), dof);
            added.dofs.push_back(0);
            added.coefficients.push_back(coefficient);
          }
        added.start.push_back(static_cast<unsigned int>(added.dofs.size()));
      }
  }



  void
  ContactSet::add_following(const ContactPoint &point)
  {
    add_point(point, point.n_directions, true);
    offsets.insert(offsets.end(), point.n_directions, 0.);
    added.start.insert(added.start.end(),
                       point.n_directions,
                       static_cast<unsigned int>(added.dofs.size()));
  }



  void
  ContactSet::add_point(const ContactPoint &point,
                        const std::size_t   n_rows,
                        const bool          following)
  {
    local_points.push_back(point);
    follows.push_back(following);
    local_points.back().first =
      static_cast<unsigned int>(added.start.size() - 1);
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
  ContactSet::set_finder(const Finder                    &new_finder,
                         const std::vector<unsigned int> &may_be_found)
  {
    finder   = new_finder;
    findable = may_be_found;
  }



  void
  ContactSet::complete(const Partition &of_dofs)
  {
    dealii::IndexSet others(of_dofs->size());
    for (const auto &entry : across)
      if (!of_dofs->in_local_range(entry.second))
        others.add_index(entry.second);
    others.compress();
    const auto all = std::make_shared<dealii::Utilities::MPI::Partitioner>(
      of_dofs->locally_owned_range(), others, communicator);
    number_across(all);
    const auto n_others =
      dealii::Utilities::MPI::max(others.n_elements(), communicator);
    if (n_others > 0 || (finder && of_dofs->n_mpi_processes() > 1))
      felt.reinit(all);
    complete();
  }



  void
  ContactSet::complete()
  {
    Assert(across.empty() || numbers_across, dealii::ExcInternalError());
    numbering =
      make_partition(static_cast<unsigned int>(offsets.size()), communicator);
    rates.assign(offsets.size(), 0.);
    present           = added;
    double largest[3] = {0, 1, 0};
    for (const ContactPoint &point : local_points)
      {
        largest[0] = std::max(largest[0], point.restitution);
        if (point.friction > 0 || point.n_directions > 3)
          largest[1] =
            std::max(largest[1], static_cast<double>(point.n_directions));
        if (point.n_own_dofs > 0)
          largest[2] = 1;
      }
    MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, communicator);
    restitution      = largest[0];
    frictional_block = static_cast<unsigned int>(largest[1]);
    of_two_bodies    = largest[2] > 0;
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
    if (has_constant_directions() ||
        (local_points.empty() && !reaches_other_ranks()))
      return;
    const bool is_enough =
      is_again || !looks_near || placed_reach.covers(reach);
    if (is_enough && is_placed(time, q))
      return;
    placed_reach = reach;
    placed_time  = time;
    placed_q.assign(q.begin(), q.end());
    if (geometry)
      geometry(
        time, q, offsets.data(), added.coefficients.data(), rates.data());
    if (!finder)
      return;
    finder(time, q, found);
    number_across(found.dofs);
    merge();
    if (reaches_other_ranks() && felt.get_partitioner() != found.dofs)
      felt.reinit(found.dofs);
  }



  void
  ContactSet::number_across(const Partition &dofs) const
  {
    if (numbers_across == dofs)
      return;
    numbers_across = dofs;
    for (const auto &[k, dof] : across)
      added.dofs[k] = dofs->global_to_local(dof);
  }



  void
  ContactSet::merge() const
  {
    const auto append = [this](const auto        &dofs,
                               const auto        &coefficients,
                               const unsigned int begin,
                               const unsigned int end) {
      present.dofs.insert(present.dofs.end(),
                          dofs.begin() + begin,
                          dofs.begin() + end);
      present.coefficients.insert(present.coefficients.end(),
                                  coefficients.begin() + begin,
                                  coefficients.begin() + end);
      present.start.push_back(static_cast<unsigned int>(present.dofs.size()));
    };
    present.start.resize(1);
    present.dofs.clear();
    present.coefficients.clear();
    std::size_t row = 0, contact = 0; // of those that follow
    for (std::size_t p = 0; p < local_points.size(); ++p)
      {
        const ContactPoint &point = local_points[p];
        if (follows[p])
          offsets[point.first] = found.gaps[contact++];
        for (unsigned int i = point.first; i < point.first + point.n_directions;
             ++i)
          if (!follows[p])
            append(added.dofs,
                   added.coefficients,
                   added.start[i],
                   added.start[i + 1]);
          else
            {
              append(found.columns,
                     found.coefficients,
                     found.start[row],
                     found.start[row + 1]);
              ++row;
            }
      }
  }



  std::vector<unsigned int>
  ContactSet::touched_dofs() const
  {
    std::vector<unsigned int> result = findable;
    if (!reaches_other_ranks())
      result.insert(result.end(), added.dofs.begin(), added.dofs.end());
    else
      {
        felt = 0.;
        for (const unsigned int dof : added.dofs)
          felt.local_element(dof) = 1;
        felt.compress(dealii::VectorOperation::add);
        for (unsigned int i = 0; i < felt.locally_owned_size(); ++i)
          if (felt.local_element(i) != 0)
            result.push_back(i);
      }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }



  void
  ContactSet::gaps(const Vector &q, Vector &gap) const
  {
    if (!has_constant_directions())
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
    const Rows         &all     = rows();
    for (std::size_t i = 0; i < offsets.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = all.start[i]; k < all.start[i + 1]; ++k)
          sum +=
            all.coefficients[k] * all.coefficients[k] * entries[all.dofs[k]];
        w.local_element(i) = sum;
      }
  }



  void
  ContactSet::multiply(const Vector &x, Vector &y) const
  {
    const double *const entries = values(x);
    const Rows         &all     = rows();
    for (std::size_t i = 0; i < offsets.size(); ++i)
      {
        double sum = 0;
        for (unsigned int k = all.start[i]; k < all.start[i + 1]; ++k)
          sum += all.coefficients[k] * entries[all.dofs[k]];
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
    const Rows &all = rows();
    Vector     &sum = reaches_other_ranks() ? felt : impulse;
    sum             = 0.; // and no ghost values
    for (std::size_t i = 0; i < offsets.size(); ++i)
      for (unsigned int k = all.start[i]; k < all.start[i + 1]; ++k)
        sum.local_element(all.dofs[k]) +=
          all.coefficients[k] * lambda.local_element(i);
    if (&sum == &impulse)
      return;
    felt.compress(dealii::VectorOperation::add);
    std::copy_n(felt.begin(), felt.locally_owned_size(), impulse.begin());
  }



  ContactSet::Row
  ContactSet::row(const unsigned int i) const
  {
    const Rows &all = rows();
    Row         entries;
    for (unsigned int k = all.start[i]; k < all.start[i + 1]; ++k)
      entries.emplace_back(all.dofs[k], all.coefficients[k]);
    return entries;
  }
} // namespace Percuss
