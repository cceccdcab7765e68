// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/ledger/ledger.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

namespace Percuss
{
  namespace
  {
    double
    local_product(const Vector &x, const Vector &y)
    {
      return std::inner_product(x.begin(), x.end(), y.begin(), 0.);
    }

    double
    mass_of_unit_motion(const MechanicalModel &model)
    {
      Vector ones(model.partition());
      ones = 1.;
      return model.mass_norm(ones);
    }

    const Vector &
    acceleration(const State &state)
    {
      for (const State::Memory &memory : state.memory)
        if (memory.name == "acceleration")
          return memory.values;
      Assert(false, dealii::ExcMessage("The scheme carries no acceleration."));
      return state.v;
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
    , mass(mass_of_unit_motion(model))
    , u_begin(model.contacts().partition())
    , u_end(model.contacts().partition())
  {
    for (Vector *vector : {&dq, &work, &force, &filtered})
      vector->reinit(model.partition());
  }



  void
  Ledger::open(const State &state)
  {
    present = model.energy(state);
    judge(0, parameters.tolerance, 0, present, state);
  }



  void
  Ledger::restore(const Memory &memory, const State &state)
  {
    sums             = memory.sums;
    scale            = memory.scale;
    largest_residual = memory.largest_residual;
    worst            = memory.worst;
    present          = model.energy(state);
  }



  void
  Ledger::record(const State         &begin,
                 const State         &end,
                 const StepReport    &report,
                 const EnergyPromise &promise)
  {
    const double   energy_before = present.total();
    const Products step          = products(begin, end, report, promise);
    const double   dissipation   = quadratic_dissipation(begin, end, promise) +
                               step.contact_shift - step.filter;
    const Energy energy   = model.energy(end);
    const double residual = energy.total() - energy_before - step.external -
                            step.damping - step.contact + dissipation;
    // Backward error of a solve: round-off times the size of the matrix.
    const double round_off =
      10 * std::numeric_limits<double>::epsilon() * promise.stiffness_ratio;
    judge(std::abs(residual) + std::abs(step.equilibrium),
          std::max(parameters.tolerance, round_off),
          step.impulse,
          energy,
          end);
    present = energy;
    sums.external += step.external;
    sums.damping += step.damping;
    sums.contact += step.contact;
    sums.algorithmic_dissipation += dissipation;
  }



  double
  Ledger::take_residual()
  {
    return std::exchange(largest_residual, 0.);
  }



  Ledger::Products
  Ledger::products(const State         &begin,
                   const State         &end,
                   const StepReport    &report,
                   const EnergyPromise &promise)
  {
    Products result;
    if (report.n_active > 0)
      add_contact_products(begin, end, promise, result);
    const bool has_filter = promise.alpha_m != 0 || promise.alpha_f != 0;
    if (model.has_driving_load() || model.has_damping() || has_filter)
      {
        dq = end.q;
        dq -= begin.q;
      }
    const double w = promise.load_weight;
    if (model.has_driving_load())
      {
        work = 0.;
        model.add_driving_load(begin.time, 1 - w, work);
        model.add_driving_load(end.time, w, work);
        result.external = local_product(dq, work);
      }
    if (model.has_damping())
      {
        work.equ(1 - w, begin.v);
        work.add(w, end.v);
        model.damping_forces(work, force);
        result.damping = -local_product(dq, force);
      }
    if (has_filter)
      add_filter_products(begin, end, promise, result);
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
    model.contacts().velocities(begin.v, u_begin);
    model.contacts().velocities(end.v, u_end);
    const double before  = local_product(u_begin, lambda);
    const double after   = local_product(u_end, lambda);
    result.contact       = 0.5 * (before + after);
    result.contact_shift = (0.5 - promise.contact_weight) * (after - before);
    for (const double impulse : lambda)
      result.impulse += std::abs(impulse);
  }



  void
  Ledger::smooth_force(const State &state, Vector &force_now) const
  {
    model.internal_forces(state.q, state.v, force_now);
    force_now.sadd(-1, 1, model.dead_load());
    model.add_driving_load(state.time, 1, force_now);
  }



  void
  Ledger::add_filter_products(const State         &begin,
                              const State         &end,
                              const EnergyPromise &promise,
                              Products            &result)
  {
    const double w = promise.load_weight;
    smooth_force(begin, force);
    const double f_begin = local_product(dq, force);
    smooth_force(end, force);
    const double f_end = local_product(dq, force);
    model.multiply_by_mass(acceleration(begin), filtered);
    const double inertia_begin = local_product(dq, filtered);
    model.multiply_by_mass(acceleration(end), filtered);
    const double inertia_end = local_product(dq, filtered);
    result.filter =
      (1 - w) * (inertia_begin - f_begin) + w * (inertia_end - f_end);
    result.equilibrium =
      (1 - promise.alpha_m) * inertia_end + promise.alpha_m * inertia_begin -
      (1 - promise.alpha_f) * f_end - promise.alpha_f * f_begin;
  }



  double
  Ledger::quadratic_dissipation(const State         &begin,
                                const State         &end,
                                const EnergyPromise &promise)
  {
    double     sum        = 0;
    const auto difference = [this](const Vector &later,
                                   const Vector &earlier) -> const Vector & {
      work = later;
      work -= earlier;
      return work;
    };
    if (promise.velocity != 0)
      sum += promise.velocity * model.mass_norm(difference(end.v, begin.v));
    if (promise.displacement != 0)
      sum +=
        promise.displacement * model.stiffness_norm(difference(end.q, begin.q));
    if (promise.acceleration != 0)
      sum +=
        promise.acceleration *
        model.mass_norm(difference(acceleration(end), acceleration(begin)));
    if (promise.storage != 0)
      sum += promise.storage * (model.mass_norm(acceleration(end)) -
                                model.mass_norm(acceleration(begin)));
    return sum;
  }



  void
  Ledger::judge(const double  residual,
                const double  tolerance,
                const double  impulse,
                const Energy &energy,
                const State  &end)
  {
    const auto stop = [&](const std::string &reason) {
      std::ostringstream message;
      message << "step " << end.step << ", t = " << end.time
              << " s: " << reason;
      throw Error(ExitCode::invariant, message.str());
    };
    if (!std::isfinite(energy.total()) || !std::isfinite(residual))
      stop("the energy is not a finite number.");
    const double new_scale =
      std::max({scale,
                energy.kinetic + energy.strain + std::abs(energy.potential),
                impulse * impulse / (2 * mass),
                std::abs(sums.external),
                std::abs(sums.damping),
                std::abs(sums.contact)});
    if (residual > tolerance * new_scale)
      {
        std::ostringstream text;
        text << "the energy balance that the scheme promises fails by "
             << residual << " J, more than " << tolerance
             << " of the energies at hand (" << new_scale << " J).";
        stop(text.str());
      }
    scale            = new_scale;
    largest_residual = std::max(largest_residual, residual);
    if (scale > 0)
      worst = std::max(worst, residual / scale);
  }
} // namespace Percuss
