// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/ledger/ledger.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "obstacle_supply.h"

namespace Percuss
{
  namespace
  {
    /// The sum of all masses, of whatever unit.
    double
    sum_of_masses(const MechanicalModel &model)
    {
      double sum = 0;
      for (const double mass : model.masses())
        sum += mass;
      return dealii::Utilities::MPI::sum(sum, model.communicator);
    }

    const Vector &
    acceleration(const State &state)
    {
      return state.recall("acceleration");
    }

    /// Whether forces of two states make a step.
    bool
    has_filter(const EnergyPromise &promise)
    {
      return promise.alpha_m != 0 || promise.alpha_f != 0;
    }

    [[noreturn]] void
    stop(const State &end, const std::string &reason)
    {
      std::ostringstream message;
      message << "step " << end.step << ", t = " << end.time
              << " s: " << reason;
      throw Error(ExitCode::invariant, message.str());
    }
  } // namespace



  void
  Ledger::Parameters::declare(ParameterSection section)
  {
    section.add("tolerance",
                tolerance,
                "Stop where the energy balance of a step fails by more than "
                "this part of the energies at hand",
                Range::positive());
  }



  Ledger::Ledger(const Parameters &parameters, const MechanicalModel &model)
    : parameters(parameters)
    , model(model)
    , joint_audit(model)
    , momentum_audit(model)
    , mass(sum_of_masses(model))
    , u_begin(model.contacts().partition())
    , u_end(model.contacts().partition())
    , contact_work(model.contacts().partition())
  {}



  double
  Ledger::stored_by_scheme(const State         &state,
                           const EnergyPromise &promise) const
  {
    return promise.storage == 0 ?
             0 :
             promise.storage * model.mass_norm(acceleration(state));
  }



  void
  Ledger::open(const State &state, const EnergyPromise &promise)
  {
    last.is_known     = false;
    present           = model.energy(state);
    present_supported = energy_of_supports(state);
    extremes          = {present.total(), present.total()};
    stored            = stored_by_scheme(state, promise);
    judge(0, parameters.tolerance, 0, present, present_supported, state);
  }



  void
  Ledger::restore(const Memory &memory, const State &state)
  {
    sums              = memory.sums;
    scale             = memory.scale;
    largest_residual  = memory.largest_residual;
    worst             = memory.worst;
    stored            = memory.stored;
    was_within        = memory.within;
    was_dissipative   = memory.dissipative;
    certificate       = memory.certificate;
    last_step_size    = memory.last_step_size;
    joints            = memory.joints;
    extremes          = memory.extremes;
    last.is_known     = false;
    present           = model.energy(state);
    present_supported = energy_of_supports(state);
  }



  void
  Ledger::take_over(const Memory        &memory,
                    const Energy        &before,
                    const State         &state,
                    const EnergyPromise &promise)
  {
    restore(memory, state);
    sums.mesh_change += present.total() - before.total();
    stored         = stored_by_scheme(state, promise);
    last_step_size = 0;
  }



  void
  Ledger::record(const State         &begin,
                 const State         &end,
                 const StepReport    &report,
                 const EnergyPromise &promise)
  {
    if (promise.momentum != nullptr)
      {
        record_momentum(begin, end, report, promise);
        return;
      }
    const Products step    = products(begin, end, report, promise);
    const Squares  square  = squares(begin, end, step, promise);
    const double   storage = square.stored - square.stored_before;
    const double   dissipation =
      square.dissipation + storage + step.contact_shift -
      promise.force_lag * step.force_lag +
      promise.projection * step.projection + step.correction - step.filter;
    const Energy energy    = model.energy(end);
    const double supported = energy_of_supports(end);
    const double change =
      energy.total() - present.total() - (supported - present_supported);
    const double work      = step.external + step.damping;
    const double residual  = change - work - step.contact + dissipation;
    const double tolerance = tolerance_of(promise);
    judge(std::abs(residual) + std::abs(step.equilibrium) +
            filter_residual(step, square, promise, change),
          tolerance,
          step.impulse,
          energy,
          supported,
          end);
    if (promise.has_joints)
      judge_joints(begin, end, promise);
    const double filter_storage =
      square.filter_stored - square.filter_stored_before;
    const double damping_work =
      promise.is_filtered ? step.filtered_damping : step.damping;
    const double external_work =
      promise.is_filtered ? step.filtered_work : step.external;
    judge_inequality(change + storage + filter_storage - external_work -
                       supply_of_obstacles(model, promise, end) -
                       std::min(damping_work, 0.),
                     damping_work,
                     tolerance,
                     step,
                     promise,
                     end);
    last_step_size = promise.step_size;
    stored         = square.stored + square.filter_stored;
    Works works{step.external,
                step.damping,
                step.contact - step.friction,
                step.friction,
                dissipation};
    add_supports(begin, end, promise, supported, works);
    book(energy, works);
  }



  double
  Ledger::tolerance_of(const EnergyPromise &promise) const
  {
    return std::max(parameters.tolerance,
                    10 * std::numeric_limits<double>::epsilon() *
                      promise.stiffness_ratio);
  }



  void
  Ledger::record_momentum(const State         &begin,
                          const State         &end,
                          const StepReport    &report,
                          const EnergyPromise &promise)
  {
    const MomentumAudit::Works step =
      momentum_audit.measure(begin, end, report, promise);
    const Energy energy    = model.energy(end);
    const double supported = energy_of_supports(end);
    const double on_strain =
      model.supports() ? model.supports()->strain_work(begin, end) : 0;
    const double change = energy.total() - present.total() - on_strain -
                          (supported - present_supported);
    const double work = step.load + step.damping;
    const double dissipation =
      step.inertia - change - step.smooth - step.joints + work;
    const double tolerance = tolerance_of(promise);
    judge(step.residual, tolerance, step.impulse, energy, supported, end);
    if (promise.has_joints)
      judge_joints(begin, end, promise);
    judge_inequality(change - step.load - std::min(step.damping, 0.),
                     step.damping,
                     tolerance,
                     {},
                     promise,
                     end);
    last_step_size = promise.step_size;
    Works works{step.load + on_strain,
                step.damping,
                step.contact,
                step.friction,
                dissipation};
    add_supports(begin, end, promise, supported, works);
    book(energy, works);
  }



  void
  Ledger::add_supports(const State         &begin,
                       const State         &end,
                       const EnergyPromise &promise,
                       const double         supported,
                       Works               &step)
  {
    if (!model.supports())
      return;
    const double damping =
      model.has_damping() ?
        model.supports()->damping_work(begin, end, promise) :
        0;
    const double dissipation =
      model.supports()->dissipation(begin, end, promise);
    step.external += supported - present_supported - damping + dissipation;
    step.damping += damping;
    step.algorithmic_dissipation += dissipation;
    present_supported = supported;
  }



  void
  Ledger::book(const Energy &energy, const Works &step)
  {
    present = energy;
    sums.external += step.external;
    sums.damping += step.damping;
    sums.contact += step.contact;
    sums.friction += step.friction;
    sums.algorithmic_dissipation += step.algorithmic_dissipation;
    extremes.first  = std::min(extremes.first, energy.total());
    extremes.second = std::max(extremes.second, energy.total());
  }



  std::pair<double, double>
  Ledger::take_extremes()
  {
    return std::exchange(extremes, {present.total(), present.total()});
  }



  void
  Ledger::judge_joints(const State         &begin,
                       const State         &end,
                       const EnergyPromise &promise)
  {
    const auto found =
      joint_audit.measure(begin, end, promise.impulse_round_off);
    const double length = end.q.linfty_norm(), speed = end.v.linfty_norm();
    if (found.position > parameters.tolerance * length ||
        (promise.joints_hold_velocities &&
         found.velocity > parameters.tolerance * speed + 1e-14 * length))
      {
        std::ostringstream text;
        text << "a joint does not hold: " << found.position << " m and "
             << found.velocity << " m/s.";
        stop(end, text.str());
      }
    if (found.force > parameters.tolerance)
      stop(end, "a force is booked for the joints that they cannot carry.");
    joints.position = std::max(joints.position, found.position);
    joints.velocity = std::max(joints.velocity, found.velocity);
    joints.force    = std::max(joints.force, found.force);
  }



  double
  Ledger::take_residual()
  {
    return std::exchange(largest_residual, 0.);
  }



  std::pair<bool, bool>
  Ledger::take_verdict()
  {
    return {std::exchange(was_within, true),
            std::exchange(was_dissipative, true)};
  }



  Ledger::Products
  Ledger::products(const State         &begin,
                   const State         &end,
                   const StepReport    &report,
                   const EnergyPromise &promise)
  {
    Products result;
    if (model.has_driving_load() || model.has_damping() ||
        has_filter(promise) || promise.force_lag != 0 ||
        promise.corrects_positions)
      {
        for (Vector *vector : {&dq, &work})
          make_room(*vector, model.partition());
        dq = end.q;
        dq -= begin.q;
      }
    if (report.n_active > 0)
      add_contact_products(begin, end, promise, result);
    const double w = promise.load_weight, d = promise.damping_weight;
    if (model.has_driving_load())
      {
        work = 0.;
        model.add_driving_load(begin.time, 1 - w, work);
        model.add_driving_load(end.time, w, work);
        result.external = local_product(dq, work);
      }
    if (model.has_damping())
      {
        if (promise.damps_mean_motion)
          work.equ(1 / promise.step_size, dq);
        else
          {
            work.equ(1 - d, begin.v);
            work.add(d, end.v);
          }
        model.damping_forces(work, make_room(force, model.partition()));
        result.damping = -local_product(dq, force);
      }
    if (has_filter(promise))
      add_filter_products(begin, end, promise, result);
    if (promise.corrects_positions &&
        (report.n_active > 0 || promise.has_joints))
      add_correction_products(begin, end, promise, result);
    if (promise.projection != 0)
      {
        const Vector &p   = end.recall("position impulse");
        result.projection = local_product(p, end.v) - local_product(p, begin.v);
      }
    if (model.partition()->n_mpi_processes() > 1)
      MPI_Allreduce(MPI_IN_PLACE,
                    &result,
                    sizeof(result) / sizeof(double),
                    MPI_DOUBLE,
                    MPI_SUM,
                    model.communicator);
    return result;
  }



  void
  Ledger::add_contact_products(const State         &begin,
                               const State         &end,
                               const EnergyPromise &promise,
                               Products            &result)
  {
    const Vector &lambda = impulses(end);
    model.contacts().place_again(begin.time, begin.q);
    model.contacts().multiply(begin.v, u_begin);
    model.contacts().multiply(end.v, u_end);
    const double before  = local_product(u_begin, lambda);
    const double after   = local_product(u_end, lambda);
    result.contact       = 0.5 * (before + after);
    result.contact_shift = (0.5 - promise.contact_weight) * (after - before);
    u_end += u_begin;
    model.contacts().velocities(begin.v, u_begin); // relative to obstacles
    if (promise.force_lag != 0)
      {
        model.contacts().multiply(dq, contact_work);
        result.force_lag = local_product(contact_work, lambda) -
                           promise.step_size * result.contact;
      }
    if (promise.needs_admissible_start)
      model.contacts().gaps(begin.q, contact_work);
    const double none = std::numeric_limits<double>::epsilon() * scale;
    for (const ContactPoint &point : model.contacts().points())
      {
        const double *const impulse  = lambda.begin() + point.first;
        const double *const u_before = u_begin.begin() + point.first;
        const double *const u_sum    = u_end.begin() + point.first;
        double              slipping = 0;
        for (unsigned int i = 1; i < point.n_directions; ++i)
          {
            slipping += u_before[i] * impulse[i];
            result.friction += 0.5 * u_sum[i] * impulse[i];
            result.impulse += std::abs(impulse[i]);
          }
        result.impulse += std::abs(impulse[0]);
        result.n_separating +=
          u_before[0] * impulse[0] > none || slipping > none;
        if (promise.needs_admissible_start)
          result.n_penetrating +=
            -contact_work.local_element(point.first) * impulse[0] >
            1e-12 * scale * promise.step_size;
      }
  }



  /// a_{k+w} . (p - h/2 (D^T lambda + j)) - dq . r_{k+w} - v_{k+1/2} . j
  void
  Ledger::add_correction_products(const State         &begin,
                                  const State         &end,
                                  const EnergyPromise &promise,
                                  Products            &result)
  {
    const double w = promise.load_weight;
    model.contacts().impulses(impulses(end), work);
    if (promise.has_joints)
      {
        const Vector &j = end.recall("joint impulse");
        work += j;
        result.correction -=
          (1 - w) * local_product(dq, begin.recall("joint force")) +
          w * local_product(dq, end.recall("joint force")) +
          0.5 * (local_product(begin.v, j) + local_product(end.v, j));
      }
    work.sadd(-promise.step_size / 2, 1, end.recall("position impulse"));
    result.correction += (1 - w) * local_product(acceleration(begin), work) +
                         w * local_product(acceleration(end), work);
  }



  Ledger::Squares
  Ledger::squares(const State         &begin,
                  const State         &end,
                  const Products      &step,
                  const EnergyPromise &promise)
  {
    Squares    result;
    const auto difference = [this](const Vector &later,
                                   const Vector &earlier) -> const Vector & {
      make_room(work, model.partition()) = later;
      work -= earlier;
      return work;
    };
    const bool knows_masses    = has_filter(promise);
    const bool knows_stiffness = knows_masses && !model.has_driving_load() &&
                                 !model.has_damping() && !promise.has_joints;
    if (promise.velocity != 0)
      result.dissipation +=
        promise.velocity * model.mass_norm(difference(end.v, begin.v));
    if (promise.displacement != 0)
      result.dissipation +=
        promise.displacement *
        (knows_stiffness ? step.stiffness_of_dq :
                           model.stiffness_norm(difference(end.q, begin.q)));
    if (promise.acceleration != 0)
      result.dissipation +=
        promise.acceleration *
        (knows_masses ?
           step.mass_of_da :
           model.mass_norm(difference(acceleration(end), acceleration(begin))));
    if (promise.storage != 0)
      {
        result.stored =
          promise.storage * (knows_masses ? step.mass_of_end :
                                            model.mass_norm(acceleration(end)));
        result.stored_before =
          promise.storage * (knows_masses ?
                               step.mass_of_begin :
                               model.mass_norm(acceleration(begin)));
      }
    if (promise.is_filtered)
      add_filter_squares(begin, end, promise, result);
    return result;
  }



  void
  Ledger::judge_inequality(const double         gain,
                           const double         damping_work,
                           const double         tolerance,
                           const Products      &step,
                           const EnergyPromise &promise,
                           const State         &end)
  {
    const bool is_within =
      promise.promises_dissipation && promise.hypotheses_hold() &&
      damping_work <= tolerance * scale &&
      (promise.storage == 0 || last_step_size == 0 ||
       last_step_size == promise.step_size) &&
      (!promise.needs_approach || step.n_separating == 0) &&
      (!promise.needs_admissible_start || step.n_penetrating == 0);
    const bool has_gained = gain > tolerance * scale;
    if (is_within && has_gained)
      {
        std::ostringstream text;
        text << "the energy " << promise.algorithmic_energy << " grows by "
             << gain
             << " J more than the work, although the scheme promises that it "
                "does not.";
        stop(end, text.str());
      }
    ++(is_within ? certificate.n_steps_within : certificate.n_steps_outside);
    certificate.n_gains += has_gained;
    if (has_gained)
      certificate.largest_gain = std::max(certificate.largest_gain, gain);
    was_within &= is_within;
    was_dissipative &= !has_gained;
  }



  void
  Ledger::judge(const double  residual,
                const double  tolerance,
                const double  impulse,
                const Energy &energy,
                const double  supported,
                const State  &end)
  {
    if (!std::isfinite(energy.total()) || !std::isfinite(residual))
      stop(end, "the energy is not a finite number.");
    if (energy.kinetic < -tolerance * scale)
      stop(end,
           "the kinetic energy is negative: the mass matrix is not positive.");
    const double new_scale =
      std::max({scale,
                energy.kinetic + energy.strain + std::abs(energy.potential),
                impulse * impulse / (2 * mass),
                std::abs(supported),
                std::abs(sums.external),
                std::abs(sums.damping),
                std::abs(sums.contact)});
    if (residual > tolerance * new_scale)
      {
        std::ostringstream text;
        text << "the energy balance that the scheme promises fails by "
             << residual << " J, more than " << tolerance
             << " of the energies at hand (" << new_scale << " J).";
        stop(end, text.str());
      }
    scale            = new_scale;
    largest_residual = std::max(largest_residual, residual);
    if (scale > 0)
      worst = std::max(worst, residual / scale);
  }
} // namespace Percuss
