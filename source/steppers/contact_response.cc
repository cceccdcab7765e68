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

    /// The global number of each contact of all ranks.
    std::map<BodyAndSlot, PetscInt>
    number_contacts(const ContactSet &contacts)
    {
      const auto              &partition = *contacts.partition();
      std::vector<BodyAndSlot> mine;
      for (const ContactPoint &point : contacts.points())
        mine.emplace_back(point.body, point.slot);
      std::map<BodyAndSlot, PetscInt> numbers;
      PetscInt                        number = 0;
      for (const auto &part :
           dealii::Utilities::MPI::all_gather(partition.get_mpi_communicator(),
                                              mine))
        for (const BodyAndSlot &contact : part)
          numbers[contact] = number++;
      return numbers;
    }



    /// One solve for each slot: the contacts of a slot do not feel each other.
    std::unique_ptr<SparseMatrix>
    delassus_matrix(const MechanicalModel           &model,
                    const ContactResponse::Response &response)
    {
      const ContactSet &contacts = model.contacts();
      const auto        numbers  = number_contacts(contacts);
      unsigned int      n_slots  = 0;
      for (const auto &contact : numbers)
        n_slots = std::max(n_slots, contact.first.second + 1);
      const std::size_t n_local = contacts.points().size();
      std::vector<std::vector<std::pair<PetscInt, double>>> entries(n_local);
      Vector lambda(contacts.partition()), u(contacts.partition());
      Vector impulse(model.partition()), velocity(model.partition());
      for (unsigned int slot = 0; slot < n_slots; ++slot)
        {
          for (std::size_t i = 0; i < n_local; ++i)
            lambda.local_element(i) = contacts.points()[i].slot == slot ? 1 : 0;
          contacts.impulses(lambda, impulse);
          if (!response(impulse, velocity).converged)
            throw Error(ExitCode::solver,
                        "The linear solver failed to compute the response of "
                        "a contact.");
          contacts.velocities(velocity, u);
          for (std::size_t i = 0; i < n_local; ++i)
            if (const auto partner =
                  numbers.find({contacts.points()[i].body, slot});
                partner != numbers.end())
              entries[i].emplace_back(partner->second, u.local_element(i));
        }
      SparseMatrix::Rows rows;
      for (auto &row : entries)
        {
          std::sort(row.begin(), row.end());
          for (const auto &[column, value] : row)
            {
              rows.columns.push_back(column);
              rows.values.push_back(value);
            }
          rows.start.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return std::make_unique<SparseMatrix>(contacts.partition(),
                                            std::move(rows));
    }
  } // namespace



  ContactResponse::ContactResponse(const TimeStepper::Context &context)
    : model(context.model)
    , contacts(context.model.contacts())
    , law(context.law)
    , solver(context.contact_solver)
  {}



  void
  ContactResponse::set(const Response &new_response)
  {
    set_lazily(new_response);
    compute();
  }



  void
  ContactResponse::set_lazily(const Response &new_response)
  {
    response = new_response;
    W        = nullptr;
  }



  void
  ContactResponse::compute() const
  {
    W       = delassus_matrix(model, response);
    problem = std::make_unique<ContactProblem>(ContactProblem{
      *W, law, contacts.points(), {}, Vector(contacts.partition())});
  }



  ContactReport
  ContactResponse::solve(const std::vector<unsigned int> &active,
                         const Vector                    &b,
                         Vector                          &lambda) const
  {
    if (W == nullptr)
      compute();
    problem->active = active;
    problem->b      = b;
    return solver.solve(*problem, lambda);
  }



  ContactReport
  ContactResponse::solve_all(const Vector &b, Vector &lambda) const
  {
    std::set<unsigned int> pressed; // bodies
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      if (b.local_element(i) < 0)
        pressed.insert(contacts.points()[i].body);
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
      if (pressed.count(contacts.points()[i].body) > 0)
        candidates.push_back(i);
      else
        lambda.local_element(i) = 0;
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
