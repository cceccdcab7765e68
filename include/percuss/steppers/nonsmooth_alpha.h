// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/work_space.h>
#include <percuss/steppers/alpha_step.h>
#include <percuss/steppers/contact_step.h>
#include <percuss/steppers/share_of_jump.h>

#include <optional>
#include <string>
#include <utility>

namespace Percuss
{
  /// The nonsmooth generalized-alpha scheme at velocity level for any
  /// coefficients: the smooth motion by AlphaStep, the impulses apart,
  /// @f[ M w = D^T \lambda, \qquad
  ///     v_{k+1} = \ldots + w, \qquad q_{k+1} = \ldots + \tfrac h2 w. @f]
  /// With z = v_{k+1} - v_k, impulses add to the right-hand side of S z
  /// @f[ (1-\alpha_m) D^T\lambda
  ///     + (1-\alpha_f) h^2 (\beta-\tfrac\gamma2) K w. @f]
  class NonsmoothAlpha : public TimeStepper
  {
  public:
    NonsmoothAlpha(const AlphaCoefficients &coefficients,
                   const Context           &context);

    void
    set_step_size(double h) override;

    void
    start(State &state) const override;

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override
    {
      return smooth.promise();
    }

    bool
    treats_friction() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return smooth.solver_description();
    }

    std::string
    delassus_description() const override
    {
      return contact.description();
    }

  protected:
    /// Instead of set_step_size(), where the Delassus matrix is known.
    void
    set_step_size(const double h, SparseMatrix::Rows &&W)
    {
      smooth.set_step_size(h);
      jump = 0.;
      contact.set_response(h, std::move(W));
    }

  private:
    /// R of the contacts as the inverse of matrices, where it is.
    ContactResponse::Inverse
    invert();

    /// jump = w and v_change = z of impulses alone.
    LinearReport
    respond(const Vector &impulse) const;

    /// The step with contacts where their Delassus operator is applied, motion
    /// and impulses at once,
    /// @f[ S y = f + s D^T\lambda, \qquad z = y + \theta w. @f]
    void
    advance_with_motion(const State &begin,
                        State       &end,
                        StepReport  &report) const;

    /// Adds to @p end what the changes jump and v_change alone do.
    void
    add_changes(State &end) const;

    /// The same for the jump alone.
    void
    add_jump(State &end) const;

    const MechanicalModel     &model;
    AlphaStep                  smooth;
    ContactStep                contact;
    std::optional<ShareOfJump> share_of_jump; ///< where theta is not zero
    mutable Vector             f, jump, v_change, zero;
    mutable SolutionGuess      guess_of_jump;
  };
} // namespace Percuss
