// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/contact_step.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <map>
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
    delassus_matrix(const MechanicalModel       &model,
                    const ContactStep::Response &response)
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



  ContactStep::ContactStep(const TimeStepper::Context &context)
    : model(context.model)
    , contacts(context.model.contacts())
    , solver(context.contact_solver)
    , activation(context.activation)
    , law(context.law)
    , gap(contacts.partition())
    , u_before(contacts.partition())
    , u_free(contacts.partition())
    , contact_impulse(model.partition())
  {}



  void
  ContactStep::set_response(const double step_size, const Response &response)
  {
    h       = step_size;
    W       = delassus_matrix(model, response);
    problem = std::make_unique<ContactProblem>(ContactProblem{
      *W, law, contacts.points(), {}, Vector(contacts.partition())});
  }



  void
  ContactStep::start(State &state) const
  {
    state.memory.push_back({"impulse", Vector(contacts.partition())});
  }



  unsigned int
  ContactStep::activate(const State &begin) const
  {
    problem->active.clear();
    contacts.gaps(begin.q, gap);
    contacts.velocities(begin.v, u_before);
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      {
        const double u = u_before.local_element(i);
        if (gap.local_element(i) + activation.look_ahead * h * u <=
              activation.tolerance &&
            (!activation.approaching_only || u <= 0))
          problem->active.push_back(i);
      }
    const auto n_local = static_cast<unsigned int>(problem->active.size());
    return contacts.partition()->n_mpi_processes() == 1 ?
             n_local :
             dealii::Utilities::MPI::sum(n_local, model.communicator);
  }



  bool
  ContactStep::solve(const State  &begin,
                     const Vector &v_free,
                     State        &end,
                     StepReport   &report) const
  {
    report.contact = {};
    Vector &lambda = end.memory[0].values;
    if (contacts.partition()->size() == 0)
      return false;
    report.n_active = activate(begin);
    if (report.n_active == 0)
      {
        lambda = 0.;
        return false;
      }
    contacts.velocities(v_free, u_free);
    const Vector &guess = begin.memory[0].values;
    lambda              = 0.;
    for (const unsigned int i : problem->active)
      {
        lambda.local_element(i) = guess.local_element(i);
        problem->b.local_element(i) =
          u_free.local_element(i) +
          law.shift(contacts.points()[i], u_before.local_element(i));
      }
    report.contact = solver.solve(*problem, lambda);
    report.converged &= report.contact.converged;
    contacts.impulses(lambda, contact_impulse);
    return lambda.linfty_norm() > 0;
  }
} // namespace Percuss
