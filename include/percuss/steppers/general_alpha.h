// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/alpha_step.h>
#include <percuss/steppers/contact_step.h>
#include <percuss/steppers/effective_matrix.h>
#include <percuss/steppers/kept_tangent.h>
#include <percuss/steppers/share_of_jump.h>

#include <memory>
#include <optional>
#include <string>

namespace Percuss
{
  /// The nonsmooth generalized-alpha scheme at velocity level for models that
  /// are not linear: with the accelerations A of the equations of motion,
  /// M(q) A = h(q, v),
  /// @f[ (1-\alpha_m) a_{k+1} + \alpha_m a_k
  ///     = (1-\alpha_f) A_{k+1} + \alpha_f A_k, \qquad
  ///     M(q_k)\,w = D(q_k)^T \lambda, @f]
  /// @f[ v_{k+1} = v_k + h [(1-\gamma) a_k + \gamma a_{k+1}] + w, \qquad
  ///     q_{k+1} = q_k + h v_k + h^2 [(\tfrac12-\beta) a_k + \beta a_{k+1}]
  ///     + \tfrac h2 w. @f]
  /// Newton's method for a and w; each iteration solves the contact problem of
  /// the linearised step. Large matrices stay as long as they serve, see
  /// KeptTangent.
  class GeneralAlpha : public TimeStepper, private MomentumBalance
  {
  public:
    GeneralAlpha(const AlphaCoefficients &coefficients, const Context &context);

    void
    set_step_size(double step_size) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override;

    bool
    treats_nonlinear_models() const override
    {
      return true;
    }

    bool
    treats_friction() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return matrix.description();
    }

    std::string
    delassus_description() const override
    {
      return contact.description();
    }

  private:
    /// @p result = M(q) x at the position of @p state.
    void
    multiply_by_mass(const State &state, const Vector &x, Vector &result) const;

    /// Factorises M at the position of @p state.
    bool
    set_mass(const State &state) const;

    /// A of @p state, with its mass, which set_mass() must have set.
    void
    accelerate(const State &state, Vector &result) const;

    /// q and v of @p end for its acceleration and the jump w.
    void
    move(const State &begin, State &end) const;

    /// residual = M(q) y - (1-alpha_f) h.
    void
    find_residual(const State &begin, const State &end) const;

    /// Its derivatives by a and w.
    /// @returns whether the matrix is regular
    bool
    linearize(const State &end) const;

    /// Iterates until a and w have converged; false where they do not.
    bool
    converge(const State &begin, State &end, StepReport &report) const;

    /// da_dw = -S_a^{-1} S_w w.
    LinearReport
    respond(const Vector &w) const;

    /// R of the contacts as the inverse of matrices, where it is: with
    /// S_w = S_a/(2 h beta) + sigma M, for a tangent with no other damping than
    /// that by the mass.
    ContactResponse::Inverse
    invert();

    /// Solves the linearised step for a_free without impulses, and then for
    /// them.
    void
    solve_in_turn(const State &begin, State &end, StepReport &report) const;

    /// Solves it for both at once, where contacts are active; else false.
    bool
    solve_at_once(const State &begin, State &end, StepReport &report) const;

    /// One iteration; returns whether it has converged.
    bool
    iterate(const State &begin, State &end, StepReport &report) const;

    void
    impulse(Term         term,
            const State &begin,
            const State &end,
            Vector      &J) const override;

    bool
    has_mass_of_end() const override
    {
      return false;
    }

    bool
    has_contacts_of_end() const override
    {
      return false;
    }

    const AlphaCoefficients       c;
    const MechanicalModel        &model;
    EffectiveMatrix               matrix, mass;
    ContactStep                   contact;
    std::unique_ptr<SparseMatrix> jump_matrix;   ///< S_w
    std::optional<ShareOfJump>    share_of_jump; ///< where theta is not zero
    double                        h = 0;
    Vector                        zero;
    mutable Vector A, A_end, y, residual, work, jump, v_free, a_free, da_dw;
    mutable Vector guess_of_impulses;
    mutable KeptTangent kept;
    mutable double      scale = 0;
  };
} // namespace Percuss
