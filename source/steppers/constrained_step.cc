// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/constrained_step.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  ConstrainedStep::ConstrainedStep(const Parameters &parameters,
                                   const Context    &context)
    : model(context.model)
    , solver(model, parameters.treatment(model), context.make_linear_solver)
    , has_joints(model.constraints() != nullptr)
    , is_constant(model.is_linear() && !has_joints)
    , contact(context)
    , tangent(model.make_tangent())
  {
    for (Vector *vector : {&q_middle, &v_middle, &r, &x, &v_free, &impulse})
      vector->reinit(model.partition());
    y.reinit(solver.unknowns());
    y_of_contacts.reinit(solver.unknowns());
  }



  void
  ConstrainedStep::set_step_size(const double step_size)
  {
    h = step_size;
    kept.drop();
    contact.set_changing_response(h,
                                  [this](const Vector &load, Vector &velocity) {
                                    r.equ(contact_part(), load);
                                    solver.solve(r, y_of_contacts);
                                    solver.expand(y_of_contacts, x);
                                    LinearReport report =
                                      respond(load, x, velocity);
                                    report.converged &= solver.has_converged();
                                    return report;
                                  });
    const State state = model.initial_state();
    clear(*tangent);
    add_tangent(state, state, *tangent);
    if (is_constant)
      (void)solver.factorize(*tangent, state.q, state.q);
    round_off = impulse_round_off(*tangent, state.q);
  }



  void
  ConstrainedStep::clear(SparseMatrix &matrix) const
  {
    std::fill_n(matrix.values(), matrix.n_values(), 0.);
  }



  void
  ConstrainedStep::start(State &state) const
  {
    contact.start(state);
    if (!has_joints)
      return;
    state.memory.push_back(
      {"joint impulse", Vector(model.partition()), State::Kind::load});
    state.memory.push_back(
      {joint_memory(), Vector(model.partition()), State::Kind::load});
  }



  Configuration
  ConstrainedStep::middle(const State &begin, const State &end) const
  {
    q_middle = begin.q;
    q_middle.sadd(0.5, 0.5, end.q);
    v_middle = end.q;
    v_middle.add(-1, begin.q);
    v_middle *= 1 / h;
    return {begin.time + h / 2, q_middle, v_middle};
  }



  void
  ConstrainedStep::advance(const State &begin,
                           State       &end,
                           StepReport  &report) const
  {
    const StepReport before = report;
    kept.begin_step(!tangent->has_blocks() || has_joints);
    if (converge(begin, end, report) || !kept.has_served())
      return;
    // Another try, with new tangents.
    report = before;
    kept.begin_step(true);
    (void)converge(begin, end, report);
  }



  bool
  ConstrainedStep::converge(const State &begin,
                            State       &end,
                            StepReport  &report) const
  {
    constexpr unsigned int n_iterations = 40;
    end.q                               = begin.q;
    end.v                               = begin.v;
    end.time                            = begin.time + h;
    end.step                            = begin.step + 1;
    end.lead                            = begin.lead;
    report.n_active                     = contact.count_active(begin);
    const bool has_contacts             = report.n_active > 0;
    end.memory.front().values           = 0.;
    impulse                             = 0.;
    guess_of_impulses                   = impulses(begin);
    progress.restart();
    for (unsigned int i = 0; i < n_iterations && report.converged; ++i)
      if (iterate(begin, has_contacts, end, report))
        {
          report.converged &= finish(begin, impulse, end);
          return report.converged;
        }
    report.converged = false;
    return false;
  }



  bool
  ConstrainedStep::linearize(const State &begin, const State &end) const
  {
    kept.drop();
    contact.invalidate_response();
    clear(*tangent);
    add_tangent(begin, end, *tangent);
    if (!solver.factorize(*tangent, joint_place(begin, end), end.q))
      return false;
    kept.renew();
    return true;
  }



  bool
  ConstrainedStep::iterate(const State &begin,
                           const bool   has_contacts,
                           State       &end,
                           StepReport  &report) const
  {
    residual(begin, end, r);
    if (!std::isfinite(r.l1_norm()))
      {
        report.is_finite = report.converged = false;
        return false;
      }
    if (!is_constant && kept.is_due())
      report.converged &= linearize(begin, end);
    if (!report.converged)
      return false;
    solver.correct(r, end.q, y);
    ++report.n_linear_iterations;
    if (has_contacts)
      {
        solver.expand(y, x);
        predict_velocity(begin, end, x, v_free);
        report.contact = {};
        impulse        = 0.;
        if (contact.solve(begin,
                          v_free,
                          guess_of_impulses,
                          end.memory.front().values,
                          report))
          {
            impulse = contact.impulse();
            r.equ(contact_part(), impulse);
            solver.solve(r, y_of_contacts);
            y += y_of_contacts;
          }
      }
    report.converged &= solver.has_converged();
    solver.expand(y, x);
    solver.displace(y, end.q);
    if (!kept.is_exact_step())
      guess_of_impulses = end.memory.front().values;
    const bool result =
      is_constant ||
      progress.is_done(x,
                       begin.q,
                       end.q,
                       solver.has_symmetric_part() ? 1e-12 : 1e-9);
    kept.observe(x.linfty_norm(), result);
    return result;
  }



  EnergyPromise
  ConstrainedStep::promise() const
  {
    EnergyPromise promise;
    promise.momentum               = this;
    promise.step_size              = h;
    promise.impulse_round_off      = round_off;
    promise.has_joints             = has_joints;
    promise.joints_hold_velocities = joints_hold_velocities();
    return promise;
  }



  std::vector<std::pair<std::string, std::string>>
  ConstrainedStep::facts() const
  {
    return {{"unknowns of a step", std::to_string(solver.n_rows())}};
  }
} // namespace Percuss
