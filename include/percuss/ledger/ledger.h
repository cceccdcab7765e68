// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/ledger/joint_audit.h>
#include <percuss/ledger/momentum_audit.h>
#include <percuss/mechanics/time_stepper.h>

#include <utility>

namespace Percuss
{
  /// Audits each step from the two states and the impulses alone: it computes
  /// energies, works and the algorithmic dissipation that the scheme promises,
  /// and stops the run where the promised balance does not hold.
  ///
  /// The work of the contacts is @f$ \tfrac12 (u_k+u_{k+1})\cdot\lambda @f$ for
  /// all schemes; what a scheme's own identity weighs differently is booked as
  /// algorithmic dissipation.
  ///
  /// It also watches the inequality that some schemes promise, dissipation of
  /// an algorithmic energy, and its hypotheses.
  class Ledger
  {
  public:
    struct Parameters
    {
      double tolerance = 1e-8;

      void
      declare(ParameterSection section);
    };

    /// Sums since the start, in J.
    struct Works
    {
      double external = 0; ///< of the driving loads and moving supports
      double damping  = 0; ///< <= 0 but for single steps
      double contact  = 0; ///< <= 0: impact losses
      double friction = 0; ///< <= 0 but for single steps
      double algorithmic_dissipation = 0; ///< > 0: lost by the scheme
      double mesh_change             = 0; ///< > 0: gained by new meshes
    };

    /// How the promised inequality fared, in steps since the start.
    struct Inequality
    {
      unsigned long n_steps_within  = 0; ///< all hypotheses held
      unsigned long n_steps_outside = 0; ///< some did not, or none is promised
      unsigned long n_gains         = 0; ///< the energy grew nevertheless
      double        largest_gain    = 0; ///< of a step, in J
    };

    Ledger(const Parameters &parameters, const MechanicalModel &model);

    /// Books the energy of @p state without a step.
    void
    open(const State &state, const EnergyPromise &promise = {});

    /// @throws Error with ExitCode::invariant where the balance fails, or the
    /// inequality although its hypotheses hold; the step is then not booked
    void
    record(const State         &begin,
           const State         &end,
           const StepReport    &report,
           const EnergyPromise &promise);

    const Energy &
    energy() const
    {
      return present;
    }

    const Works &
    works() const
    {
      return sums;
    }

    /// E plus what the scheme stores besides: K or H, in J.
    double
    algorithmic_energy() const
    {
      return present.total() + stored;
    }

    const Inequality &
    inequality() const
    {
      return certificate;
    }

    /// Largest residual of a step since the last call, in J.
    double
    take_residual();

    /// The smallest and the largest energy since the last call, in J.
    std::pair<double, double>
    take_extremes();

    /// Since the last call: whether all hypotheses held in all steps, and
    /// whether the algorithmic energy grew in none.
    std::pair<bool, bool>
    take_verdict();

    /// Largest residual of any step relative to the energies at hand.
    double
    worst_residual() const
    {
      return worst;
    }

    /// The largest violations of joints so far.
    const JointAudit::Violations &
    worst_joints() const
    {
      return joints;
    }

    /// The largest energy or work at hand so far, in J.
    double
    energy_scale() const
    {
      return scale;
    }

    /// What must survive a restart.
    struct Memory
    {
      Works  sums;
      double scale            = 0;
      double largest_residual = 0;
      double worst            = 0;
      double stored           = 0;
      bool   within           = true;
      bool   dissipative      = true;
      double last_step_size   = 0;

      std::pair<double, double> extremes;

      JointAudit::Violations joints;
      Inequality             certificate;
    };

    Memory
    memory() const
    {
      return {sums,
              scale,
              largest_residual,
              worst,
              stored,
              was_within,
              was_dissipative,
              last_step_size,
              extremes,
              joints,
              certificate};
    }

    void
    restore(const Memory &memory, const State &state);

    /// Goes on from the books of a ledger of the same motion on another mesh;
    /// @p before is its energy.
    void
    take_over(const Memory        &memory,
              const Energy        &before,
              const State         &state,
              const EnergyPromise &promise);

  private:
    /// What the scheme stores besides E, in J.
    double
    stored_by_scheme(const State &state, const EnergyPromise &promise) const;

    /// Scalar products of a step, summed over the ranks.
    struct Products
    {
      double external      = 0; ///< dq . F_{k+w}
      double damping       = 0; ///< -dq . C v_{k+d}
      double contact       = 0; ///< u_{k+1/2} . lambda
      double friction      = 0; ///< its part of the tangential directions
      double contact_shift = 0; ///< (u_{k+1/2} - u_{k+c}) . lambda
      double force_lag     = 0; ///< (D dq - h u_{k+1/2}) . lambda
      double projection    = 0; ///< p . dv
      double correction    = 0; ///< the last line of D
      double filter        = 0; ///< dq . (M a_{k+w} - f_{k+w} - r_{k+w})
      double equilibrium   = 0; ///< dq . residual of the filter's equation
      /// dq . ((1-alpha) y_{k,w} + alpha y_{k-1,w}) of the loads, and of -C v.
      double filtered_work = 0, filtered_damping = 0;
      /// What the filter's vectors give besides: dq . K dq (without damping
      /// and driving loads), and of accelerations a . M a at both ends and of
      /// their difference.
      double stiffness_of_dq = 0, mass_of_begin = 0, mass_of_end = 0,
             mass_of_da    = 0;
      double impulse       = 0; ///< sum of |lambda|, in N s
      double n_separating  = 0; ///< contacts with u_k . lambda > 0
      double n_penetrating = 0; ///< contacts with g_k lambda < 0
    };

    /// The step of a scheme that promises the balance of momentum.
    void
    record_momentum(const State         &begin,
                    const State         &end,
                    const StepReport    &report,
                    const EnergyPromise &promise);

    /// Relative to the energies at hand; at least the backward error of a
    /// solve, round-off times the size of the matrix.
    double
    tolerance_of(const EnergyPromise &promise) const;

    /// Takes over the energy and the works of a step that was judged.
    void
    book(const Energy &energy, const Works &step);

    /// S of the model's moving supports, or zero.
    double
    energy_of_supports(const State &state) const
    {
      return model.supports() ? model.supports()->energy(state) : 0;
    }

    /// Adds to the works of q alone those of moving supports, whose energy
    /// changes to @p supported.
    void
    add_supports(const State         &begin,
                 const State         &end,
                 const EnergyPromise &promise,
                 double               supported,
                 Works               &step);

    /// The squares of the promise.
    struct Squares
    {
      double dissipation          = 0; ///< their part of D
      double stored               = 0; ///< s a_{k+1}^T M a_{k+1}
      double stored_before        = 0; ///< s a_k^T M a_k
      double filter               = 0; ///< what D has more in the balance of H
      double filter_stored        = 0; ///< what H stores more than K
      double filter_stored_before = 0;
    };

    Products
    products(const State         &begin,
             const State         &end,
             const StepReport    &report,
             const EnergyPromise &promise);

    void
    add_contact_products(const State         &begin,
                         const State         &end,
                         const EnergyPromise &promise,
                         Products            &result);

    void
    add_filter_products(const State         &begin,
                        const State         &end,
                        const EnergyPromise &promise,
                        Products            &result);

    void
    add_correction_products(const State         &begin,
                            const State         &end,
                            const EnergyPromise &promise,
                            Products            &result);

    /// The force and the inertia M a at the start of a step, which was the end
    /// of the step before, mostly.
    void
    recall_forces(const State &begin, const EnergyPromise &promise);

    /// force = dead load + drive(t) - K q - C v (+ force of the joints).
    void
    smooth_force(const State         &state,
                 const EnergyPromise &promise,
                 Vector              &force) const;

    /// With what the products know already.
    Squares
    squares(const State         &begin,
            const State         &end,
            const Products      &step,
            const EnergyPromise &promise);

    void
    add_filter_squares(const State         &begin,
                       const State         &end,
                       const EnergyPromise &promise,
                       Squares             &result);

    /// By how much the balance of H fails, in J.
    static double
    filter_residual(const Products      &step,
                    const Squares       &squares,
                    const EnergyPromise &promise,
                    double               energy_change);

    /// Books how the inequality fared; @p gain is the growth of the
    /// algorithmic energy less the work.
    /// @throws Error where it fails although its hypotheses hold
    void
    judge_inequality(double               gain,
                     double               damping_work,
                     double               tolerance,
                     const Products      &step,
                     const EnergyPromise &promise,
                     const State         &end);

    /// @throws Error where joints do not hold, or their forces are none
    void
    judge_joints(const State         &begin,
                 const State         &end,
                 const EnergyPromise &promise);

    /// Compares with the energies at hand: those of the state, the works, what
    /// moving supports have, and what the impulses would give to a free body (a
    /// body at rest on a wall has no other).
    /// @throws Error where the balance fails
    void
    judge(double        residual,
          double        tolerance,
          double        impulse,
          const Energy &energy,
          double        supported,
          const State  &end);

    const Parameters       parameters;
    const MechanicalModel &model;
    const JointAudit       joint_audit;
    const MomentumAudit    momentum_audit;
    JointAudit::Violations joints;
    const double           mass; ///< the sum of all
    Energy                 present;

    std::pair<double, double> extremes;
    double                    stored = 0, last_step_size = 0;
    double                    present_supported = 0; ///< energy_of_supports()
    Works                     sums;
    Inequality                certificate;
    bool                      was_within = true, was_dissipative = true;
    double                    scale            = 0;
    double                    largest_residual = 0;
    double                    worst            = 0;
    Vector                    dq, work, force, u_begin, u_end, contact_work;

    /// What generalized alpha's filter needs of the last step's end.
    struct Forces
    {
      Vector       smooth, inertia;
      unsigned int step     = 0;
      double       time     = 0;
      bool         is_known = false;
    };
    Forces last;
  };
} // namespace Percuss
