// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/bounded_programme.h>
#include <percuss/contact/contact_frames.h>
#include <percuss/linear_algebra/work_space.h>
#include <percuss/steppers/contact_response.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>

#include <boost/serialization/utility.hpp>

#include <algorithm>
#include <cmath>
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
    , form(context.delassus)
    , unit(contacts.partition())
    , u(contacts.partition())
  {
    for (const ContactPoint &point : contacts.points())
      n_slots = std::max(n_slots, point.slot + point.n_directions);
    n_slots = dealii::Utilities::MPI::max(n_slots, model.communicator);
  }



  /// The entries need a solve for each slot, once. Where motion and impulses
  /// are found at once, that hardly costs more than the step without contact:
  /// entries pay where they are few. Otherwise W is applied some hundred times
  /// in each step (20 to 300, see doc/contact_solvers.md): ten steps with
  /// contact pay for the entries.
  bool
  ContactResponse::entries_pay(const Inverse &inverse) const
  {
    constexpr double most_bytes = 1e9;
    const bool       has_friction =
      contacts.largest_frictional_block() > 1 && law_knows_friction();
    const unsigned int n_most = !finds_motions(inverse, has_friction) ? 1000 :
                                has_friction                          ? 300 :
                                                                        60;
    return n_slots <= n_most &&
           12. * n_slots * contacts.partition()->size() <= most_bytes;
  }



  /// With all contacts of directions that stay. Those of two bodies need more
  /// iterations: entries pay as if W were applied.
  bool
  ContactResponse::finds_motions(const Inverse &inverse,
                                 const bool     has_friction) const
  {
    if (!contacts.has_constant_directions() || contacts.connects_bodies())
      return false;
    const MatrixFreeDelassus trial(
      GlobalForm{*inverse.A, *inverse.solver, contacts});
    ContactProblem all{
      trial, law, contacts.points(), {}, Vector(contacts.partition())};
    for (unsigned int i = 0; i < all.points.size(); ++i)
      all.active.push_back(i);
    return has_friction ? ContactFrames::find(all) != nullptr :
                          BoundedProgramme::has_primal_form(all);
  }



  bool
  ContactResponse::law_knows_friction() const
  {
    ContactPoint point;
    point.n_directions = 2;
    point.friction     = 1;
    return law.friction(point) > 0;
  }



  void
  ContactResponse::make_pattern()
  {
    slots.clear();
    slot_of_entry.clear();
    const auto         numbers = number_contacts(contacts);
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
    entries =
      std::make_unique<SparseMatrix>(contacts.partition(), std::move(rows));
  }



  void
  ContactResponse::pose(std::unique_ptr<DelassusOperator> new_W) const
  {
    W       = std::move(new_W);
    problem = std::make_unique<ContactProblem>(ContactProblem{
      *W, law, contacts.points(), {}, Vector(contacts.partition())});
  }



  void
  ContactResponse::set(const Response &new_response, const Inverse &inverse)
  {
    const SolverNeeds::Form needed = solver.needs.form;
    const bool              is_applied =
      inverse.A != nullptr && needed != SolverNeeds::Form::matrix &&
      (form == DelassusForm::applied ||
       (form == DelassusForm::automatic && !entries_pay(inverse)));
    if (!is_applied)
      {
        set_entries(new_response, inverse.A != nullptr || inverse.is_symmetric);
        return;
      }
    scale       = inverse.scale;
    is_complete = true;
    entries     = nullptr;
    applied     = inverse;
    pose_applied();
  }



  void
  ContactResponse::pose_applied() const
  {
    pose(std::make_unique<MatrixFreeDelassus>(
      GlobalForm{*applied.A, *applied.solver, contacts, applied.second}));
  }



  void
  ContactResponse::set_entries(const Response &new_response,
                               const bool      is_symmetric)
  {
    response = new_response;
    scale    = 1;
    forget_columns();
    if (!entries || is_known)
      {
        W = nullptr;
        make_pattern();
      }
    is_known = false;
    if (!W || W->matrix() == nullptr || W->is_symmetric() != is_symmetric)
      pose(std::make_unique<DelassusMatrix>(*entries, is_symmetric));
  }



  void
  ContactResponse::set(SparseMatrix::Rows &&rows)
  {
    scale       = 1;
    is_complete = true;
    is_known    = true;
    entries =
      std::make_unique<SparseMatrix>(contacts.partition(), std::move(rows));
    pose(std::make_unique<DelassusMatrix>(*entries, true));
  }



  /// One solve for each slot: the contacts of a slot do not feel each other.
  bool
  ContactResponse::compute(const unsigned int slot) const
  {
    Assert(entries, dealii::ExcInternalError());
    double *const values = entries->values();
    const auto   &start  = entries->rows().start;
    for (std::size_t i = 0; i < slots.size(); ++i)
      unit.local_element(i) = slots[i] == slot ? 1 : 0;
    contacts.impulses(unit, make_room(impulse, model.partition()));
    if (!response(impulse, make_room(velocity, model.partition())).converged)
      return false;
    contacts.multiply(velocity, u);
    for (std::size_t i = 0; i < slots.size(); ++i)
      for (PetscInt k = start[i]; k < start[i + 1]; ++k)
        if (slot_of_entry[k] == slot)
          values[k] = u.local_element(i);
    is_computed[slot] = 1;
    return true;
  }



  bool
  ContactResponse::compute_columns(
    const std::vector<unsigned int> &active) const
  {
    if (is_complete)
      return true;
    is_needed.assign(n_slots, 0);
    for (const unsigned int i : active)
      {
        const ContactPoint &point = contacts.points()[i];
        for (unsigned int k = 0; k < point.n_directions; ++k)
          is_needed[point.slot + k] = 1;
      }
    if (contacts.partition()->n_mpi_processes() > 1)
      dealii::Utilities::MPI::max(is_needed, model.communicator, is_needed);
    for (unsigned int slot = 0; slot < n_slots; ++slot)
      if (is_needed[slot] == 1 && is_computed[slot] == 0 && !compute(slot))
        return false;
    is_complete =
      std::find(is_computed.begin(), is_computed.end(), 0) == is_computed.end();
    return true;
  }



  ContactReport
  ContactResponse::solve(const std::vector<unsigned int> &active,
                         const Vector                    &b,
                         Vector                          &lambda) const
  {
    if (!compute_columns(active))
      {
        ContactReport failed;
        failed.converged = false;
        return failed;
      }
    problem->active = active;
    problem->b      = b;
    // With R = s A^-1 the unknowns are s lambda: cones have no scale.
    if (scale == 1)
      return solver.solve(*problem, lambda);
    lambda *= scale;
    const ContactReport report = solver.solve(*problem, lambda);
    lambda /= scale;
    return report;
  }



  ContactReport
  ContactResponse::solve_motion(const std::vector<unsigned int> &active,
                                const Vector                    &b,
                                const Vector                    &f,
                                Vector                          &w,
                                Vector                          &lambda) const
  {
    Assert(is_applied(), dealii::ExcInternalError());
    problem->active = active;
    problem->b      = b;
    lambda *= scale;
    const ContactReport report = solver.solve_motion(*problem, f, w, lambda);
    lambda /= scale;
    return report;
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
          pressed.count(point.body) > 0 && contacts.has_direction(point))
        candidates.push_back(i);
      else
        std::fill_n(lambda.begin() + point.first, point.n_directions, 0.);
    return solve(candidates, b, lambda);
  }



  std::string
  ContactResponse::description() const
  {
    const std::string n_solves =
      std::to_string(n_slots) + (n_slots == 1 ? " solve" : " solves");
    return std::to_string(contacts.partition()->size()) + " rows, " +
           (is_known ? "explicit" :
            entries  ? "explicit: its entries take " + n_solves :
                       "matrix-free: its entries would take " + n_solves) +
           (entries && form == DelassusForm::applied ?
              "; scheme or solver need them" :
              "");
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
