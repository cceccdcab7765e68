// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/contact_response.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace Percuss
{
  namespace
  {
    using BodyAndSlot = std::pair<unsigned int, unsigned int>;

    /// The global row of each direction of the contacts of all ranks.
    std::map<BodyAndSlot, PetscInt>
    number_contacts(const ContactSet &contacts)
    {
      const auto              &partition = *contacts.partition();
      std::vector<BodyAndSlot> mine;
      for (const ContactPoint &point : contacts.points())
        for (unsigned int i = 0; i < point.n_directions; ++i)
          mine.emplace_back(point.body, point.slot + i);
      std::map<BodyAndSlot, PetscInt> numbers;
      PetscInt                        number = 0;
      for (const auto &part :
           dealii::Utilities::MPI::all_gather(partition.get_mpi_communicator(),
                                              mine))
        for (const BodyAndSlot &contact : part)
          numbers[contact] = number++;
      return numbers;
    }



  } // namespace



  ContactResponse::ContactResponse(const TimeStepper::Context &context)
    : model(context.model)
    , contacts(context.model.contacts())
    , law(context.law)
    , solver(context.contact_solver)
    , unit(contacts.partition())
    , u(contacts.partition())
    , impulse(model.partition())
    , velocity(model.partition())
  {
    make_pattern();
  }



  void
  ContactResponse::make_pattern()
  {
    const auto numbers = number_contacts(contacts);
    for (const auto &contact : numbers)
      n_slots = std::max(n_slots, contact.first.second + 1);
    SparseMatrix::Rows rows;
    for (const ContactPoint &point : contacts.points())
      for (unsigned int i = 0; i < point.n_directions; ++i)
        {
          slots.push_back(point.slot + i);
          std::vector<std::pair<PetscInt, unsigned int>> row;
          for (unsigned int slot = 0; slot < n_slots; ++slot)
            if (const auto partner = numbers.find({point.body, slot});
                partner != numbers.end())
              row.emplace_back(partner->second, slot);
          std::sort(row.begin(), row.end());
          for (const auto &[column, slot] : row)
            {
              rows.columns.push_back(column);
              rows.values.push_back(0);
              slot_of_entry.push_back(slot);
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
    W = std::make_unique<SparseMatrix>(contacts.partition(), std::move(rows));
    delassus = std::make_unique<DelassusMatrix>(*W);
    problem  = std::make_unique<ContactProblem>(ContactProblem{
      *delassus, law, contacts.points(), {}, Vector(contacts.partition())});
  }



  void
  ContactResponse::set(const Response &new_response)
  {
    set_lazily(new_response);
    compute();
  }



  void
  ContactResponse::set_lazily(const Response &new_response)
  {
    response    = new_response;
    is_computed = false;
  }



  void
  ContactResponse::compute() const
  {
    // One solve for each slot: the contacts of a slot do not feel each other.
    double *const values = W->values();
    const auto   &start  = W->rows().start;
    for (unsigned int slot = 0; slot < n_slots; ++slot)
      {
        for (std::size_t i = 0; i < slots.size(); ++i)
          unit.local_element(i) = slots[i] == slot ? 1 : 0;
        contacts.impulses(unit, impulse);
        if (!response(impulse, velocity).converged)
          throw Error(ExitCode::solver,
                      "The linear solver failed to compute the response of "
                      "a contact.");
        contacts.multiply(velocity, u);
        for (std::size_t i = 0; i < slots.size(); ++i)
          for (PetscInt k = start[i]; k < start[i + 1]; ++k)
            if (slot_of_entry[k] == slot)
              values[k] = u.local_element(i);
      }
    is_computed = true;
  }



  ContactReport
  ContactResponse::solve(const std::vector<unsigned int> &active,
                         const Vector                    &b,
                         Vector                          &lambda) const
  {
    if (!is_computed)
      compute();
    problem->active = active;
    problem->b      = b;
    return solver.solve(*problem, lambda);
  }



  ContactReport
  ContactResponse::solve_all(const Vector &b, Vector &lambda) const
  {
    std::set<unsigned int> pressed; // bodies
    for (const ContactPoint &point : contacts.points())
      if (b.local_element(point.first) < 0)
        pressed.insert(point.body);
    bool is_free = pressed.empty();
    if (contacts.partition()->n_mpi_processes() > 1)
      {
        namespace MPI = dealii::Utilities::MPI;
        is_free       = MPI::min(is_free ? 1u : 0u, model.communicator) == 1;
        if (!is_free)
          pressed = MPI::compute_set_union(pressed, model.communicator);
      }
    if (is_free)
      {
        lambda = 0.;
        return {};
      }
    candidates.clear();
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      if (const ContactPoint &point = contacts.points()[i];
          pressed.count(point.body) > 0)
        candidates.push_back(i);
      else
        std::fill_n(lambda.begin() + point.first, point.n_directions, 0.);
    return solve(candidates, b, lambda);
  }



  unsigned int
  ContactResponse::count(const Vector &lambda)
  {
    unsigned int n = 0;
    for (const double value : lambda)
      n += value != 0;
    return lambda.get_partitioner()->n_mpi_processes() == 1 ?
             n :
             dealii::Utilities::MPI::sum(n, lambda.get_mpi_communicator());
  }
} // namespace Percuss
