// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/relative_motion.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int most_levels    = 4;
    constexpr double       shortest_frame = 0.1;
    /// Of S in its row: round-off of a velocity grows with its square.
    constexpr double shortest_normal = 0.01;
    constexpr double round_off       = 1e-13; ///< of integrals



    double
    largest_of(const ContactSet::Row &row)
    {
      double largest = 0;
      for (const auto &entry : row)
        largest = std::max(largest, std::abs(entry.second));
      return largest;
    }
  } // namespace



  RelativeMotion::RelativeMotion(const GlobalForm &form)
    : n_owned(form.A.partition()->locally_owned_size())
  {}



  std::unique_ptr<RelativeMotion>
  RelativeMotion::find(const ContactProblem &problem,
                       const Directions      directions)
  {
    const GlobalForm *const form = problem.W.global_form();
    if (form == nullptr)
      return nullptr;
    const Partition                &partition = form->A.partition();
    std::unique_ptr<RelativeMotion> result(new RelativeMotion(*form));
    result->is_frame = directions == Directions::all;
    bool is_possible = true;
    for (const unsigned int contact : problem.active)
      is_possible &= result->add(form->contacts, problem.points[contact]);
    is_possible &= result->are_disjoint();
    unsigned int sums[2] = {!is_possible, result->is_needed()};
    dealii::Utilities::MPI::sum(sums, partition->get_mpi_communicator(), sums);
    if (sums[0] > 0)
      return nullptr;
    if (sums[1] == 0)
      return result;
    if (form->contacts.reaches_other_ranks())
      result->exchange = std::make_unique<GhostExchange>(form->contacts.dofs());
    return result->find_levels(partition) ? std::move(result) : nullptr;
  }



  bool
  RelativeMotion::is_needed() const
  {
    for (unsigned int c = 0; c < entries.size(); ++c)
      if (is_needed(c))
        return true;
    return false;
  }



  bool
  RelativeMotion::add(const ContactSet &contacts, const ContactPoint &point)
  {
    Contact            contact;
    const unsigned int size = is_frame ? point.n_directions : 1;
    if (size > 3)
      return false;
    contact.n_directions = size;
    of_contacts.emplace_back();
    Own   &own     = of_contacts.back();
    double largest = 0; // of the normal
    for (unsigned int i = 0; i < size; ++i)
      {
        contact.start[i]   = static_cast<unsigned int>(dofs.size());
        const auto   row   = contacts.row(point.first + i);
        const double scale = largest_of(row), zero = round_off * scale;
        largest = i == 0 ? scale : largest;
        for (const auto &[dof, coefficient] : row)
          if (std::abs(coefficient) <= zero)
            continue;
          else if (point.n_own_dofs > 0 &&
                   (dof < point.own_dof ||
                    dof >= point.own_dof + point.n_own_dofs))
            {
              dofs.push_back(dof);
              coefficients.push_back(coefficient);
            }
          else if (!set_entry(i, dof, coefficient, own))
            return false;
      }
    contact.start[size] = static_cast<unsigned int>(dofs.size());
    const bool is_good  = is_frame ?
                            normalise(own, contact) :
                            find_factor(own, shortest_normal * largest, contact);
    entries.push_back(contact);
    return is_good;
  }



  bool
  RelativeMotion::set_entry(const unsigned int direction,
                            const unsigned int dof,
                            const double       coefficient,
                            Own               &own) const
  {
    unsigned int k = 0;
    while (k < own.n_dofs && own.dofs[k] != dof)
      ++k;
    if (k == 3 || dof >= n_owned)
      return false;
    own.dofs[k]                  = dof;
    own.n_dofs                   = std::max(own.n_dofs, k + 1);
    own.directions[direction][k] = coefficient;
    return true;
  }



  bool
  RelativeMotion::find_factor(const Own   &own,
                              const double shortest,
                              Contact     &contact)
  {
    double square = 0;
    for (const double entry : own.directions[0])
      square += entry * entry;
    contact.factor = 1 / square;
    return square > shortest * shortest;
  }



  bool
  RelativeMotion::normalise(Own &own, Contact &contact)
  {
    const unsigned int size   = contact.n_directions;
    double             square = 0;
    for (const double entry : own.directions[0])
      square += entry * entry;
    const bool   is_one = std::abs(square - 1) < 1e-12;
    const double length = is_one ? 1 : std::sqrt(square);
    if (own.n_dofs != size || length < shortest_frame)
      return false;
    own.length     = length;
    contact.factor = 1 / length;
    for (unsigned int i = 0; i < size; ++i)
      for (unsigned int j = 0; j <= i; ++j)
        {
          double product = i == j ? -square : 0;
          for (unsigned int k = 0; k < size; ++k)
            product += own.directions[i][k] * own.directions[j][k];
          if (std::abs(product) > 1e-12)
            return false;
        }
    for (unsigned int i = 0; i < size; ++i)
      for (unsigned int k = 0; k < size; ++k)
        own.directions[i][k] /= length;
    return true;
  }



  bool
  RelativeMotion::are_disjoint() const
  {
    std::vector<bool> is_taken(n_owned);
    for (const Own &own : of_contacts)
      for (unsigned int k = 0; k < own.n_dofs; ++k)
        {
          if (is_taken[own.dofs[k]])
            return false;
          is_taken[own.dofs[k]] = true;
        }
    return true;
  }



  unsigned int
  RelativeMotion::level_above(const Contact      &contact,
                              const double *const levels,
                              const double *const of_ranks) const
  {
    double highest = 0;
    for (unsigned int e = contact.start[0];
         e < contact.start[contact.n_directions];
         ++e)
      highest = std::max(highest,
                         dofs[e] < n_owned ? levels[dofs[e]] :
                                             of_ranks[dofs[e] - n_owned]);
    return static_cast<unsigned int>(highest);
  }



  bool
  RelativeMotion::find_levels(const Partition &partition)
  {
    PooledVector              of_dofs(partition); // counted from 1
    std::vector<unsigned int> of_contact(entries.size(), 0);
    for (unsigned int i = 0; i <= most_levels; ++i)
      {
        for (std::size_t c = 0; c < entries.size(); ++c)
          for (unsigned int k = 0; k < of_contacts[c].n_dofs; ++k)
            of_dofs.local_element(of_contacts[c].dofs[k]) = 1 + of_contact[c];
        const double *const of_ranks = entries_of_ranks(of_dofs.begin());
        unsigned int        state[2] = {0, 0}; // changes, the highest level
        for (std::size_t c = 0; c < entries.size(); ++c)
          {
            const unsigned int level =
              level_above(entries[c], of_dofs.begin(), of_ranks);
            state[0] |= level != of_contact[c];
            of_contact[c] = level;
            state[1]      = std::max(state[1], level);
          }
        dealii::Utilities::MPI::max(state,
                                    partition->get_mpi_communicator(),
                                    state);
        if (state[0] > 0)
          continue;
        levels.resize(state[1] + 1);
        for (unsigned int c = 0; c < entries.size(); ++c)
          if (is_needed(c))
            levels[of_contact[c]].push_back(c);
        return true;
      }
    return false; // contacts that follow each other in a circle
  }



  const double *
  RelativeMotion::entries_of_ranks(const double *const w) const
  {
    if (!exchange)
      return nullptr;
    exchange->start_reading(w);
    return exchange->finish_reading();
  }



  void
  RelativeMotion::add_following(const unsigned int  c,
                                const double        sign,
                                const double *const of_ranks,
                                double *const       w) const
  {
    const Contact &contact = entries[c];
    const Own     &own     = of_contacts[c];
    for (unsigned int i = 0; i < contact.n_directions; ++i)
      {
        double sum = 0;
        for (unsigned int e = contact.start[i]; e < contact.start[i + 1]; ++e)
          sum += coefficients[e] *
                 (dofs[e] < n_owned ? w[dofs[e]] : of_ranks[dofs[e] - n_owned]);
        for (unsigned int k = 0; k < own.n_dofs; ++k)
          w[own.dofs[k]] += sign * contact.factor * own.directions[i][k] * sum;
      }
  }



  void
  RelativeMotion::push(const std::vector<unsigned int> &level,
                       const double                     sign,
                       double *const                    f) const
  {
    double *const of_ranks = exchange ? exchange->new_sums() : nullptr;
    for (const unsigned int c : level)
      for (unsigned int i = 0; i < entries[c].n_directions; ++i)
        {
          const Contact &contact = entries[c];
          const Own     &own     = of_contacts[c];
          double         sum     = 0;
          for (unsigned int k = 0; k < own.n_dofs; ++k)
            sum += own.directions[i][k] * f[own.dofs[k]];
          sum *= sign * contact.factor;
          for (unsigned int e = contact.start[i]; e < contact.start[i + 1]; ++e)
            (dofs[e] < n_owned ? f[dofs[e]] : of_ranks[dofs[e] - n_owned]) +=
              coefficients[e] * sum;
        }
    if (exchange)
      exchange->add_sums(f);
  }



  void
  RelativeMotion::scale(const unsigned int c,
                        const double       factor,
                        double *const      w) const
  {
    for (unsigned int k = 0; k < of_contacts[c].n_dofs; ++k)
      w[of_contacts[c].dofs[k]] *= factor;
  }



  /// w_O = z_O / a - S^+ M w.
  void
  RelativeMotion::to_motion(Vector &z) const
  {
    double *const w = z.begin();
    for (const auto &level : levels)
      {
        const double *const of_ranks = entries_of_ranks(w);
        for (const unsigned int c : level)
          {
            scale(c, 1 / of_contacts[c].length, w);
            add_following(c, -1, of_ranks, w);
          }
      }
  }



  void
  RelativeMotion::from_motion(Vector &w) const
  {
    double *const z = w.begin();
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
      {
        const double *const of_ranks = entries_of_ranks(z);
        for (const unsigned int c : *level)
          {
            add_following(c, 1, of_ranks, z);
            scale(c, of_contacts[c].length, z);
          }
      }
  }



  void
  RelativeMotion::from_forces(Vector &f) const
  {
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
      {
        push(*level, -1, f.begin());
        for (const unsigned int c : *level)
          scale(c, 1 / of_contacts[c].length, f.begin());
      }
  }



  void
  RelativeMotion::to_forces(Vector &f) const
  {
    for (const auto &level : levels)
      {
        for (const unsigned int c : level)
          scale(c, of_contacts[c].length, f.begin());
        push(level, 1, f.begin());
      }
  }
} // namespace Percuss
