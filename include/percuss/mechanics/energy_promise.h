// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/mechanical_model.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// How a scheme balances momentum in a step,
  /// @f[ M(q_m)\,(v_{k+1}-v_k) = J + j + D(q_c)^T\lambda, @f]
  /// with its own impulse J of all smooth forces, evaluated from both states,
  /// and that of joints, j.
  /// Multiplied by the mean velocity this gives the balance of energy,
  /// @f[ \Delta E = W_\text{load} + W_\text{damping} + v_{k+1/2}\cdot
  ///     D^T\lambda - \mathcal D, \qquad
  ///     \mathcal D = v_{k+1/2}\cdot M(q_m)\Delta v - \Delta E
  ///     - v_{k+1/2}\cdot (J + j) + W_\text{load} + W_\text{damping}, @f]
  /// where W are the works of the scheme's impulses of the loads and of the
  /// damping: D is what the potential and the changing mass matrix make of the
  /// smooth motion.
  class MomentumBalance
  {
  public:
    virtual ~MomentumBalance() = default;

    /// @p J is the scheme's impulse of a term: force (all), load or damping.
    virtual void
    impulse(Term         term,
            const State &begin,
            const State &end,
            Vector      &J) const = 0;

    /// Whether q_m is the position at the end of the step, or at its start.
    virtual bool
    has_mass_of_end() const = 0;

    /// The same for the directions q_c of the contacts.
    virtual bool
    has_contacts_of_end() const = 0;
  };



  /// What a scheme promises about the energy of a linear model in a step.
  ///
  /// **Balance**, exactly:
  /// @f[ \Delta E = \Delta q\cdot F_{k+w} - \Delta q\cdot C v_{k+d}
  ///     + u_{k+1/2}\cdot\lambda - \mathcal D, @f]
  /// @f[ \mathcal D = a_v |\Delta v|_M^2 + a_q |\Delta q|_K^2
  ///     + a_a |\Delta a|_M^2 + s\,\Delta(a^T M a)
  ///     - \Delta q\cdot (M a_{k+w} - f_{k+w} - r_{k+w}) @f]
  /// @f[ + (\tfrac12-c)(u_{k+1}-u_k)\cdot\lambda
  ///     - l\,(D \Delta q - h u_{k+1/2})\cdot\lambda + m\, p\cdot\Delta v @f]
  /// @f[ + a_{k+w}\cdot(p - \tfrac h2 (D^T\lambda + j))
  ///     - \Delta q\cdot r_{k+w} - v_{k+1/2}\cdot j, @f]
  /// with x_{k+w} = (1-w) x_k + w x_{k+1}, the smooth force f, the scheme's
  /// acceleration a, which obeys
  /// @f[ (1-\alpha_m) M a_{k+1} + \alpha_m M a_k
  ///     = (1-\alpha_f) (f+r)_{k+1} + \alpha_f (f+r)_k, @f]
  /// and, where a scheme has them, the impulse p that corrects positions, the
  /// impulse j and the force r of joints. A line of D, or a term, is left out
  /// where its coefficient is zero; the last line belongs to schemes that
  /// correct positions.
  ///
  /// **Inequality**: where all hypotheses hold, the algorithmic energy
  /// E + s a^T M a (+ the filter's part) grows by no more than the work of
  /// loads and damping.
  ///
  /// A scheme for models that are not linear promises the balance of momentum
  /// instead, see MomentumBalance.
  struct EnergyPromise
  {
    const MomentumBalance *momentum = nullptr;

    double step_size      = 0;   ///< h, in s
    double load_weight    = 0.5; ///< w
    double damping_weight = 0.5; ///< d
    double contact_weight = 0.5; ///< c
    double velocity       = 0;   ///< a_v
    double displacement   = 0;   ///< a_q
    double acceleration   = 0;   ///< a_a, in s^2
    double storage        = 0;   ///< s, in s^2
    double alpha_m        = 0;
    double alpha_f        = 0;
    double force_lag      = 0; ///< l, in 1/s
    double projection     = 0; ///< m, in 1/s

    /// The scheme damps the mean motion: v_{k+d} in the balance is dq/h.
    bool damps_mean_motion = false;

    /// The scheme has the memory "position impulse", p.
    bool corrects_positions = false;

    /// The scheme has the memories "joint impulse" and "joint force", j and r;
    /// one that promises the balance of momentum has j alone.
    bool has_joints = false;

    /// Joints hold in velocities, as they do in positions.
    bool joints_hold_velocities = true;

    /// Impulses that round-off of the positions makes in the scheme's
    /// equations, in N s: stiffness times round-off. Impulses of joints are not
    /// known better.
    double impulse_round_off = 0;

    /// The scheme is of the HHT family and has the memories "filter
    /// displacement", "filter load" and "filter damping": then the ledger
    /// closes the balance of H (V. Acary's slides, equation (86)) as well.
    bool is_filtered = false;

    /// How much larger the scheme's matrix is than the mass matrix, entry by
    /// entry of the diagonal: the square of the Courant number of the finest
    /// element. Round-off of the balance grows with it.
    double stiffness_ratio = 1;

    struct Hypothesis
    {
      std::string text; ///< "theta <= 1/(1+e)"
      bool        holds;
    };

    /// Under which the inequality is promised.
    std::vector<Hypothesis> hypotheses;

    /// No promise of an inequality where false.
    bool promises_dissipation = false;

    /// Further hypotheses, tested in each step. The work of the damping is not
    /// positive (where dq is not h v_{k+d} it need not be), and the step size
    /// is that of the step before (the storage depends on it). Contacts with
    /// an impulse did not separate at the start of the step, u_k <= 0.
    bool needs_approach = true;

    /// Another one: no contact with an impulse penetrated at the start of the
    /// step, g(q_k) >= 0.
    bool needs_admissible_start = false;

    /// Which energy the inequality is about: "E", "K" or "H".
    std::string algorithmic_energy = "E";

    bool
    hypotheses_hold() const
    {
      for (const Hypothesis &hypothesis : hypotheses)
        if (!hypothesis.holds)
          return false;
      return true;
    }
  };
} // namespace Percuss
