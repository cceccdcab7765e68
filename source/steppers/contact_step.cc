// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/work_space.h>
#include <percuss/steppers/contact_step.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

namespace Percuss
{
  ContactStep::ContactStep(const TimeStepper::Context &context)
    : model(context.model)
    , contacts(context.model.contacts())
    , law(context.law)
    , activation(context.activation)
    , delassus(context)
    , gap(contacts.partition())
    , u_before(contacts.partition())
    , b(contacts.partition())
  {}



  void
  ContactStep::set_response(const double                     step_size,
                            const ContactResponse::Response &response,
                            const ContactResponse::Inverse  &inverse)
  {
    h     = step_size;
    units = nullptr;
    if (contacts.has_constant_directions())
      {
        delassus.set(response, inverse);
        return;
      }
    // Solves give what does not change; the rest costs little.
    units = std::make_shared<UnitResponses>(model, response);
    delassus.set(
      [known = units](const Vector &load, Vector &velocity) {
        return known->respond(load, velocity);
      },
      inverse);
  }



  void
  ContactStep::set_changing_response(const double                     step_size,
                                     const ContactResponse::Response &response,
                                     const ContactResponse::Inverse  &inverse)
  {
    if (inverse.A != nullptr)
      {
        set_response(step_size, response, inverse);
        return;
      }
    h = step_size;
    delassus.set(response);
  }



  void
  ContactStep::invalidate_response() const
  {
    if (units)
      units->forget();
    delassus.follow_response();
  }



  void
  ContactStep::start(State &state) const
  {
    state.memory.push_back(
      {"impulse", Vector(contacts.partition()), State::Kind::contact});
  }



  unsigned int
  ContactStep::activate(const Configuration &before,
                        const double         look_ahead) const
  {
    active.clear();
    if (!contacts.has_constant_directions())
      {
        contacts.place(before.time,
                       before.q,
                       {activation.tolerance,
                        look_ahead * h,
                        before.v.linfty_norm()});
        delassus.follow_directions();
      }
    contacts.gaps(before.q, gap);
    contacts.velocities(before.v, u_before);
    check_gaps(before.time);
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      {
        const unsigned int normal = contacts.points()[i].first;
        const double       u      = u_before.local_element(normal);
        if (gap.local_element(normal) + look_ahead * h * u <=
              activation.tolerance &&
            (!activation.approaching_only || u <= 0))
          active.push_back(i);
      }
    const auto n_local = static_cast<unsigned int>(active.size());
    return contacts.partition()->n_mpi_processes() == 1 ?
             n_local :
             dealii::Utilities::MPI::sum(n_local, model.communicator);
  }



  unsigned int
  ContactStep::count_active(const Configuration &before,
                            const double         look_ahead) const
  {
    return contacts.partition()->size() == 0 ? 0 : activate(before, look_ahead);
  }



  /// A gap that is no number is not open.
  void
  ContactStep::check_gaps(const double time) const
  {
    if (contacts.has_constant_directions())
      return;
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < contacts.points().size() && wrong == 0; ++i)
      if (const unsigned int normal = contacts.points()[i].first;
          !std::isfinite(gap.local_element(normal)) ||
          !std::isfinite(u_before.local_element(normal)))
        wrong = i + 1;
    if (contacts.partition()->n_mpi_processes() > 1)
      wrong = dealii::Utilities::MPI::max(wrong, model.communicator);
    if (wrong == 0)
      return;
    std::ostringstream message;
    message << "the gap of contact " << wrong
            << ", or its rate, is not a finite number at t = " << time << " s.";
    throw Error(ExitCode::invariant, message.str());
  }



  bool
  ContactStep::solve(const State  &begin,
                     const Vector &v_free,
                     const Vector &guess,
                     Vector       &lambda,
                     StepReport   &report) const
  {
    return solve({begin.time, begin.q, begin.v},
                 activation.look_ahead,
                 v_free,
                 guess,
                 lambda,
                 report);
  }



  bool
  ContactStep::solve(const Configuration &before,
                     const double         look_ahead,
                     const Vector        &v_free,
                     const Vector        &guess,
                     Vector              &lambda,
                     StepReport          &report) const
  {
    if (contacts.partition()->size() == 0)
      return false;
    report.n_active = activate(before, look_ahead);
    if (report.n_active == 0)
      {
        lambda = 0.;
        return false;
      }
    pose(v_free, guess, lambda);
    report.add(delassus.solve(active, b, lambda));
    contacts.impulses(lambda, make_room(contact_impulse, model.partition()));
    return lambda.linfty_norm() > 0;
  }



  void
  ContactStep::pose(const Vector &v, const Vector &guess, Vector &lambda) const
  {
    contacts.velocities(v, b);
    lambda = 0.;
    for (const unsigned int i : active)
      {
        const ContactPoint &point = contacts.points()[i];
        std::copy_n(guess.begin() + point.first,
                    point.n_directions,
                    lambda.begin() + point.first);
        law.add_shift(point,
                      u_before.begin() + point.first,
                      b.begin() + point.first);
      }
  }



  bool
  ContactStep::begin_motion(const State &begin,
                            State       &end,
                            StepReport  &report) const
  {
    return begin_motion({begin.time, begin.q, begin.v},
                        activation.look_ahead,
                        begin.v,
                        impulses(begin),
                        end,
                        report);
  }



  bool
  ContactStep::begin_motion(const Configuration &before,
                            const double         look_ahead,
                            const Vector        &v,
                            const Vector        &guess,
                            State               &end,
                            StepReport          &report) const
  {
    Vector &lambda  = end.memory.front().values;
    report.n_active = activate(before, look_ahead);
    if (report.n_active > 0)
      pose(v, guess, lambda);
    else
      lambda = 0.;
    return report.n_active > 0;
  }



  ContactReport
  ContactStep::solve_motion(const Vector &f, Vector &z, State &end) const
  {
    Vector             &lambda = end.memory.front().values;
    const ContactReport report = delassus.solve_motion(active, b, f, z, lambda);
    contacts.impulses(lambda, make_room(contact_impulse, model.partition()));
    return report;
  }



  bool
  ContactStep::solve(const State  &begin,
                     const Vector &v_free,
                     State        &end,
                     StepReport   &report) const
  {
    return solve(
      begin, v_free, impulses(begin), end.memory.front().values, report);
  }
} // namespace Percuss
