// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/ledger/ledger.h>
#include <percuss/linear_algebra/work_space.h>

#include <cmath>

// What the filters of generalized-alpha schemes add to the balance of energy.

namespace Percuss
{
  namespace
  {
    const Vector &
    acceleration(const State &state)
    {
      return state.recall("acceleration");
    }
  } // namespace



  void
  Ledger::smooth_force(const State         &state,
                       const EnergyPromise &promise,
                       Vector              &force_now) const
  {
    model.internal_forces(state.q, state.v, force_now);
    force_now.sadd(-1, 1, model.dead_load());
    model.add_driving_load(state.time, 1, force_now);
    if (promise.has_joints)
      force_now += state.recall("joint force");
  }



  /// Driving loads may depend on the past, which goes on between steps.
  void
  Ledger::recall_forces(const State &begin, const EnergyPromise &promise)
  {
    if (last.is_known && last.step == begin.step && last.time == begin.time &&
        !model.has_driving_load())
      return;
    for (Vector *vector : {&last.smooth, &last.inertia})
      make_room(*vector, model.partition());
    smooth_force(begin, promise, last.smooth);
    model.multiply_by_mass(acceleration(begin), last.inertia);
  }



  void
  Ledger::add_filter_products(const State         &begin,
                              const State         &end,
                              const EnergyPromise &promise,
                              Products            &result)
  {
    const double  w       = promise.load_weight;
    const Vector &a_begin = acceleration(begin), &a_end = acceleration(end);
    recall_forces(begin, promise);
    const double f_begin       = local_product(dq, last.smooth);
    const double inertia_begin = local_product(dq, last.inertia);
    const double mixed         = local_product(a_end, last.inertia);
    result.mass_of_begin       = local_product(a_begin, last.inertia);
    smooth_force(end, promise, last.smooth);
    model.multiply_by_mass(a_end, last.inertia);
    last.step                = end.step;
    last.time                = end.time;
    last.is_known            = true;
    const double f_end       = local_product(dq, last.smooth);
    const double inertia_end = local_product(dq, last.inertia);
    result.stiffness_of_dq   = f_begin - f_end;
    result.mass_of_end       = local_product(a_end, last.inertia);
    result.mass_of_da = result.mass_of_begin + result.mass_of_end - 2 * mixed;
    result.filter =
      (1 - w) * (inertia_begin - f_begin) + w * (inertia_end - f_end);
    result.equilibrium =
      (1 - promise.alpha_m) * inertia_end + promise.alpha_m * inertia_begin -
      (1 - promise.alpha_f) * f_end - promise.alpha_f * f_begin;
    if (promise.is_filtered)
      {
        const double alpha = promise.alpha_f;
        make_room(force, model.partition());
        work.equ(w - 1, begin.v);
        work.add(-w, end.v);
        model.damping_forces(work, force);
        result.filtered_damping =
          (1 - alpha) * local_product(dq, force) +
          alpha * local_product(dq, begin.recall("filter damping"));
        force = 0.;
        model.add_driving_load(begin.time, 1 - w, force);
        model.add_driving_load(end.time, w, force);
        result.filtered_work =
          (1 - alpha) * local_product(dq, force) +
          alpha * local_product(dq, begin.recall("filter load"));
      }
  }



  void
  Ledger::add_filter_squares(const State         &begin,
                             const State         &end,
                             const EnergyPromise &promise,
                             Squares             &result)
  {
    const double  gamma = promise.load_weight, alpha = promise.alpha_f;
    const double  factor        = 2 * alpha * (1 - gamma);
    const Vector &w_before      = begin.recall("filter displacement");
    const Vector &w             = end.recall("filter displacement");
    result.filter_stored        = factor * model.stiffness_norm(w);
    result.filter_stored_before = factor * model.stiffness_norm(w_before);
    work                        = w;
    work -= w_before;
    result.filter = factor * model.stiffness_norm(work);
    work          = end.q;
    work -= begin.q;
    result.filter -= alpha * model.stiffness_norm(work);
  }



  /// Equation (86) of V. Acary's slides, where z stands for w.
  double
  Ledger::filter_residual(const Products      &step,
                          const Squares       &square,
                          const EnergyPromise &promise,
                          const double         energy_change)
  {
    if (!promise.is_filtered)
      return 0;
    return std::abs(energy_change + square.stored - square.stored_before +
                    square.filter_stored - square.filter_stored_before -
                    step.filtered_work - step.filtered_damping - step.contact +
                    square.dissipation + square.filter);
  }
} // namespace Percuss
