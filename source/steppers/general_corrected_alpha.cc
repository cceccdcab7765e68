// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/steppers/general_corrected_alpha.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    const std::string equilibrium = "equilibrium acceleration";
  }



  GeneralCorrectedAlpha::GeneralCorrectedAlpha(
    const AlphaCoefficients &coefficients,
    const JointParameters   &joints,
    const Context           &context)
    : c(coefficients)
    , model(context.model)
    , contacts(model.contacts())
    , law(context.law)
    , tolerance(context.activation.tolerance)
    , has_joints(model.constraints() != nullptr)
    , solver(model, joints.treatment(model), context.make_linear_solver)
    , inertia(model, solver.treatment, context.make_linear_solver)
    , positions(context)
    , velocities(context)
    , tangent(model.make_tangent())
    , mass(model.make_tangent())
  {
    if (!model.has_constant_mass() || model.has_damping())
      throw EntryError("scheme/type",
                       "for a model that is not linear the scheme needs a "
                       "constant mass and no damping; 'generalized alpha' and "
                       "'null space variational' do not");
    for (Vector *vector :
         {&q_star, &v_star, &f, &r, &x, &work, &load, &correction})
      vector->reinit(model.partition());
    for (Vector *vector : {&y, &y_unit})
      vector->reinit(solver.unknowns());
    for (Vector *vector : {&nu, &lambda, &b, &change, &u_before})
      vector->reinit(contacts.partition());
    const State state = model.initial_state();
    model.add_derivative(Term::momentum,
                         Argument::velocity,
                         {state.time, state.q, state.v},
                         1,
                         *mass);
  }



  void
  GeneralCorrectedAlpha::set_step_size(const double step_size)
  {
    h = step_size;
    kept.drop();
    const double new_part = (1 - c.alpha_f) / (1 - c.alpha_m);
    c_q                   = h * h * c.beta * new_part;
    c_v                   = h * c.gamma * new_part;
    const auto respond    = [this](const ConstrainedSolver &with) {
      return [this, &with](const Vector &unit, Vector &result) {
        with.solve(unit, y_unit);
        with.expand(y_unit, result);
        return LinearReport{with.has_converged(), 1};
      };
    };
    positions.set(respond(solver));
    velocities.set(respond(inertia));
    const State state = model.initial_state();
    q_star            = state.q;
    load              = 0.;
    find_residual(state);
    assemble(state);
    round_off = impulse_round_off(*tangent, state.q) / h;
  }



  void
  GeneralCorrectedAlpha::start(State &state) const
  {
    state.memory.push_back(
      {"impulse", Vector(contacts.partition()), State::Kind::contact});
    for (const std::string &name : {std::string("acceleration"), equilibrium})
      state.memory.push_back({name, Vector(model.partition())});
    if (has_joints)
      for (const std::string name : {"joint impulse", "joint force"})
        state.memory.push_back(
          {name, Vector(model.partition()), State::Kind::load});
    if (!factorize_mass(state))
      throw Error(ExitCode::solver,
                  "The accelerations at the start could not be computed: is "
                  "the mass matrix singular, or do joints depend on each "
                  "other?");
    accelerate(state);
    state.recall("acceleration") = state.recall(equilibrium);
  }



  bool
  GeneralCorrectedAlpha::factorize_mass(const State &state) const
  {
    return inertia.factorize(*mass, state.q, state.q);
  }



  void
  GeneralCorrectedAlpha::accelerate(State &state) const
  {
    Vector &A = state.recall(equilibrium);
    model.evaluate(Term::force, {state.time, state.q, state.v}, f);
    inertia.solve(f,
                  has_joints ?
                    model.constraints()->curvature(state.q, state.v) :
                    std::vector<double>(),
                  state.q,
                  A);
    if (!has_joints)
      return;
    Vector &force = state.recall("joint force");
    mass->multiply(A, force);
    force -= f;
  }



  void
  GeneralCorrectedAlpha::begin_step(const State &begin) const
  {
    const Vector &a = begin.recall("acceleration");
    const Vector &A = begin.recall(equilibrium);
    // The part of a_{k+1} that is known: (alpha_f A_k - alpha_m
    // a_k)/(1-alpha_m)
    work.equ(c.alpha_f / (1 - c.alpha_m), A);
    work.add(-c.alpha_m / (1 - c.alpha_m), a);
    q_star = begin.q;
    q_star.add(h, begin.v, h * h * (0.5 - c.beta), a);
    q_star.add(h * h * c.beta, work);
    v_star = begin.v;
    v_star.add(h * (1 - c.gamma), a, h * c.gamma, work);
  }



  void
  GeneralCorrectedAlpha::advance(const State &begin,
                                 State       &end,
                                 StepReport  &report) const
  {
    const StepReport before = report;
    begin_step(begin);
    kept.begin_step(!tangent->has_blocks() || has_joints);
    if (!converge(begin, end, report) && kept.has_served())
      {
        // Another try, with new tangents.
        report = before;
        kept.begin_step(true);
        (void)converge(begin, end, report);
      }
    if (report.converged)
      report.converged &= solve_velocities(begin, end, report);
  }



  bool
  GeneralCorrectedAlpha::converge(const State &begin,
                                  State       &end,
                                  StepReport  &report) const
  {
    constexpr unsigned int n_iterations = 40;
    end.q                               = begin.q;
    end.v                               = begin.v;
    end.time                            = begin.time + h;
    end.step                            = begin.step + 1;
    end.lead                            = begin.lead;
    load                                = 0.;
    progress.restart();
    for (unsigned int i = 0; i < n_iterations && report.converged; ++i)
      if (iterate(begin, end, report))
        return report.converged;
    report.converged = false;
    return false;
  }



  void
  GeneralCorrectedAlpha::find_residual(const State &end) const
  {
    model.evaluate(Term::force, {end.time, end.q, end.v}, f);
    work = end.q;
    work -= q_star;
    mass->multiply(work, r);
    r.sadd(-1, c_q, f);
  }



  void
  GeneralCorrectedAlpha::assemble(const State &end) const
  {
    const Configuration at = {end.time, end.q, end.v};
    std::fill_n(tangent->values(), tangent->n_values(), 0.);
    model.add_derivative(Term::momentum, Argument::velocity, at, 1, *tangent);
    model.add_derivative(Term::force, Argument::position, at, -c_q, *tangent);
    if (!has_joints)
      return;
    work = r;
    work += load;
    model.constraints()->add_hessian(end.q,
                                     solver.fit_multipliers(work, end.q),
                                     -1,
                                     *tangent);
  }



  bool
  GeneralCorrectedAlpha::linearize(const State &end) const
  {
    kept.drop();
    positions.follow_response();
    assemble(end);
    if (!solver.factorize(*tangent, end.q, end.q))
      return false;
    kept.renew();
    return true;
  }



  bool
  GeneralCorrectedAlpha::iterate(const State &begin,
                                 State       &end,
                                 StepReport  &report) const
  {
    find_residual(end);
    if (!std::isfinite(r.l1_norm()))
      report.is_finite = report.converged = false;
    else if (kept.is_due())
      report.converged &= linearize(end);
    if (!report.converged)
      return false;
    ++report.n_linear_iterations;
    solver.correct(r, end.q, y);
    solver.expand(y, x);
    if (contacts.size() > 0)
      {
        contacts.place(end.time, end.q);
        if (!contacts.has_constant_directions())
          positions.follow_directions();
        contacts.gaps(end.q, b);
        contacts.multiply(x, change);
        b += change;
        nu             = 0.;
        report.contact = {};
        report.add(positions.solve_all(b, nu));
        load = 0.;
        if (ContactResponse::count(nu) > 0)
          {
            contacts.impulses(nu, load);
            solver.solve(load, y_unit);
            y += y_unit;
            solver.expand(y, x);
          }
      }
    report.converged &= solver.has_converged();
    solver.displace(y, end.q);
    const bool result =
      progress.is_done(x, begin.q, end.q, kept.is_of_iterate() ? 1e-9 : 1e-12);
    kept.observe(x.linfty_norm(), result);
    return result;
  }



  void
  GeneralCorrectedAlpha::find_closed(const State &end, StepReport &report) const
  {
    closed.clear();
    report.n_active = 0;
    if (contacts.size() == 0)
      return;
    contacts.place(end.time, end.q);
    contacts.gaps(end.q, b);
    for (unsigned int i = 0; i < contacts.points().size(); ++i)
      if (const unsigned int normal = contacts.points()[i].first;
          nu.local_element(normal) > 0 || b.local_element(normal) <= tolerance)
        closed.push_back(i);
    report.n_active =
      dealii::Utilities::MPI::sum(static_cast<unsigned int>(closed.size()),
                                  model.communicator);
  }



  bool
  GeneralCorrectedAlpha::solve_velocities(const State &begin,
                                          State       &end,
                                          StepReport  &report) const
  {
    if (!factorize_mass(end))
      return false;
    find_closed(end, report);
    model.evaluate(Term::force, {end.time, end.q, end.v}, f);
    mass->multiply(v_star, r);
    r.add(c_v, f);
    inertia.solve(r, y);
    inertia.expand(y, end.v);
    lambda = 0.;
    if (report.n_active > 0)
      {
        if (!model.has_constant_mass() || has_joints)
          velocities.follow_response();
        else if (!contacts.has_constant_directions())
          velocities.follow_directions();
        contacts.velocities(begin.v, u_before);
        contacts.velocities(end.v, b);
        for (const unsigned int i : closed)
          law.add_shift(contacts.points()[i],
                        u_before.begin() + contacts.points()[i].first,
                        b.begin() + contacts.points()[i].first);
        report.add(velocities.solve(closed, b, lambda));
        contacts.impulses(lambda, load);
        inertia.solve(load, y);
        inertia.expand(y, work);
        end.v += work;
        r += load;
      }
    end.memory.front().values = lambda;
    accelerate(end);
    if (has_joints)
      {
        Vector &j = end.recall("joint impulse");
        mass->multiply(end.v, j);
        j -= r;
        j.add(-c_v, end.recall("joint force"));
      }
    Vector &a = end.recall("acceleration");
    a.equ((1 - c.alpha_f) / (1 - c.alpha_m), end.recall(equilibrium));
    a.add(c.alpha_f / (1 - c.alpha_m),
          begin.recall(equilibrium),
          -c.alpha_m / (1 - c.alpha_m),
          begin.recall("acceleration"));
    return inertia.has_converged() && std::isfinite(a.l1_norm());
  }



  EnergyPromise
  GeneralCorrectedAlpha::promise() const
  {
    EnergyPromise promise;
    promise.momentum          = this;
    promise.step_size         = h;
    promise.has_joints        = has_joints;
    promise.impulse_round_off = round_off;
    return promise;
  }



  /// J = M (v^* - v_k) + c_v (f + G^T lambda_B)(q_{k+1}).
  void
  GeneralCorrectedAlpha::impulse(const Term   term,
                                 const State &begin,
                                 const State &end,
                                 Vector      &J) const
  {
    const Configuration after = {end.time, end.q, end.v};
    if (term != Term::force)
      {
        model.evaluate(term, {begin.time, begin.q, begin.v}, J);
        model.evaluate(term, after, work);
        J.sadd(h * (1 - c.gamma), h * c.gamma, work);
        return;
      }
    begin_step(begin);
    v_star -= begin.v;
    mass->multiply(v_star, J);
    model.evaluate(Term::force, after, f);
    J.add(c_v, f);
    if (has_joints)
      J.add(c_v, end.recall("joint force"));
  }
} // namespace Percuss
