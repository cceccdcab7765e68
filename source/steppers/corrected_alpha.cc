// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/corrected_alpha.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

namespace Percuss
{
  AlphaMotion::AlphaMotion(const Partition &partition, const bool has_joints)
  {
    for (Vector *vector : {&q, &v, &a, &position_impulse})
      vector->reinit(partition);
    if (has_joints)
      for (Vector *vector : {&joint_impulse, &joint_force})
        vector->reinit(partition);
  }



  void
  AlphaMotion::clear()
  {
    for (Vector *vector :
         {&q, &v, &a, &position_impulse, &joint_impulse, &joint_force})
      *vector = 0.;
  }



  void
  AlphaMotion::apply_to(State &end) const
  {
    end.q += q;
    end.v += v;
    AlphaStep::acceleration(end) += a;
    end.recall("position impulse") += position_impulse;
    if (joint_force.size() > 0)
      {
        end.recall("joint impulse") += joint_impulse;
        end.recall("joint force") += joint_force;
      }
  }



  FreeMotion::FreeMotion(const AlphaCoefficients    &coefficients,
                         const TimeStepper::Context &context)
    : model(context.model)
    , smooth(coefficients, context)
    , f(model.partition())
    , zero(model.partition())
  {}



  void
  FreeMotion::start(State &state) const
  {
    smooth.start(state);
    state.memory.push_back(
      {"position impulse", Vector(model.partition()), State::Kind::load});
  }



  void
  FreeMotion::advance(const State &begin, State &end, StepReport &report) const
  {
    smooth.advance(begin, end, report);
    end.recall("position impulse") = 0.;
  }



  CorrectedAlpha::CorrectedAlpha(std::unique_ptr<CorrectedMotion> motion,
                                 const Context                   &context)
    : model(context.model)
    , contacts(model.contacts())
    , law(context.law)
    , tolerance(context.activation.tolerance)
    , motion(std::move(motion))
    , positions(context)
    , velocities(context)
    , from_positions(model.partition(), model.constraints() != nullptr)
    , from_velocities(model.partition(), model.constraints() != nullptr)
    , of_unit(model.partition(), model.constraints() != nullptr)
  {
    for (Vector *vector : {&nu,
                           &lambda,
                           &lambda_guess,
                           &residual,
                           &residual_before,
                           &b,
                           &change,
                           &u_before})
      vector->reinit(contacts.partition());
    load.reinit(model.partition());
  }



  void
  CorrectedAlpha::set_step_size(const double h)
  {
    motion->set_step_size(h);
    if (model.constraints() == nullptr)
      set_responses();
  }



  void
  CorrectedAlpha::set_responses() const
  {
    // Work space of their own: W may be computed in the middle of a step.
    const auto change_of_position = [this](const Vector &unit,
                                           Vector       &position) {
      const LinearReport report = motion->respond_to_position(unit, of_unit);
      position                  = of_unit.q;
      return report;
    };
    const auto change_of_velocity = [this](const Vector &unit,
                                           Vector       &velocity) {
      const LinearReport report = motion->respond_to_velocity(unit, of_unit);
      velocity                  = of_unit.v;
      return report;
    };
    positions.set(change_of_position);
    velocities.set(change_of_velocity);
  }



  void
  CorrectedAlpha::start(State &state) const
  {
    state.memory.push_back(
      {"impulse", Vector(contacts.partition()), State::Kind::contact});
    motion->start(state);
  }



  void
  CorrectedAlpha::advance(const State &begin,
                          State       &end,
                          StepReport  &report) const
  {
    if (model.constraints() == nullptr)
      {
        motion->advance(begin, end, report);
        solve_contacts(begin, end, report);
        return;
      }
    // The joints at the end of the step, by Newton's method.
    constexpr unsigned int n_iterations = 30;
    motion->linearize(begin);
    for (unsigned int i = 0; i < n_iterations; ++i)
      {
        report.contact = {};
        motion->advance(begin, end, report);
        set_responses();
        solve_contacts(begin, end, report);
        if (motion->linearize(end))
          return;
      }
    report.converged = false;
  }



  void
  CorrectedAlpha::solve_contacts(const State &begin,
                                 State       &end,
                                 StepReport  &report) const
  {
    lambda = impulses(begin);
    solve_positions(end, false, report);
    solve_velocities(begin, end, report);
    if (motion->is_coupled() && report.n_active > 0)
      iterate(begin, end, report);
    end.memory.front().values = lambda;
    if (report.n_active > 0)
      {
        from_positions.apply_to(end);
        from_velocities.apply_to(end);
      }
  }



  /// The map from Lambda, which moves positions, over nu to a new Lambda is
  /// affine while the same contacts are closed: Aitken's relaxation finds its
  /// fixed point at once for one contact, and soon for more.
  void
  CorrectedAlpha::iterate(const State &begin,
                          const State &end,
                          StepReport  &report) const
  {
    constexpr unsigned int n_iterations = 100;
    double                 relaxation   = 1;
    lambda_guess                        = 0.;
    residual_before                     = 0.;
    for (unsigned int i = 0; i < n_iterations && report.converged; ++i)
      {
        residual = lambda;
        residual -= lambda_guess;
        const double size = residual.linfty_norm();
        if (size <= 1e-12 * lambda.linfty_norm())
          return;
        residual_before -= residual;
        const double change = residual_before.norm_sqr();
        if (i > 0 && change > 0)
          relaxation *= 1 + (residual_before * residual) / change;
        lambda_guess.add(relaxation, residual);
        residual_before = residual;
        contacts.impulses(lambda_guess, load);
        report.add(motion->respond_to_velocity(load, from_velocities));
        solve_positions(end, true, report);
        solve_velocities(begin, end, report);
      }
    report.converged = false;
  }



  void
  CorrectedAlpha::solve_positions(const State &end,
                                  const bool   is_moved,
                                  StepReport  &report) const
  {
    contacts.gaps(end.q, b);
    if (is_moved)
      {
        contacts.multiply(from_velocities.q, change);
        b += change;
      }
    nu = 0.;
    report.add(positions.solve_all(b, nu));
    const bool has_nu = ContactResponse::count(nu) > 0;
    if (has_nu)
      {
        contacts.impulses(nu, load);
        report.add(motion->respond_to_position(load, from_positions));
        contacts.multiply(from_positions.q, change);
        b += change;
      }
    closed.clear();
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      if (const unsigned int normal = contacts.points()[i].first;
          nu.local_element(normal) > 0 || b.local_element(normal) <= tolerance)
        closed.push_back(i);
    const auto n_local = static_cast<unsigned int>(closed.size());
    report.n_active =
      contacts.partition()->n_mpi_processes() == 1 ?
        n_local :
        dealii::Utilities::MPI::sum(n_local, model.communicator);
    if (report.n_active > 0 && !has_nu)
      from_positions.clear();
  }



  void
  CorrectedAlpha::solve_velocities(const State &begin,
                                   const State &end,
                                   StepReport  &report) const
  {
    if (report.n_active == 0)
      {
        lambda = 0.;
        return;
      }
    contacts.velocities(begin.v, u_before);
    contacts.velocities(end.v, b);
    contacts.multiply(from_positions.v, change);
    b += change;
    // The guess of open contacts is zero.
    auto next = closed.begin();
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      {
        const ContactPoint &point = contacts.points()[i];
        law.add_shift(point,
                      u_before.begin() + point.first,
                      b.begin() + point.first);
        if (next != closed.end() && *next == i)
          ++next;
        else
          std::fill_n(lambda.begin() + point.first, point.n_directions, 0.);
      }
    report.add(velocities.solve(closed, b, lambda));
    contacts.impulses(lambda, load);
    report.add(motion->respond_to_velocity(load, from_velocities));
  }



  EnergyPromise
  CorrectedAlpha::promise() const
  {
    EnergyPromise promise        = motion->promise();
    promise.corrects_positions   = true;
    promise.has_joints           = model.constraints() != nullptr;
    promise.is_filtered          = false;
    promise.promises_dissipation = false;
    promise.hypotheses.clear();
    promise.algorithmic_energy = "K";
    return promise;
  }
} // namespace Percuss
