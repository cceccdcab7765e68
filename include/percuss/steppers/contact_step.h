// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>

#include <functional>
#include <memory>

namespace Percuss
{
  /// The contact part that velocity-level schemes share: which contacts are
  /// active, and which impulses they need so that the velocity at the end of
  /// the step,
  /// @f[ v = v_\text{free} + R\,D^T\lambda, @f]
  /// obeys their law. R is the scheme's response; the Delassus matrix D R D^T
  /// is computed once for all candidates. The impulses are part of the state,
  /// as a guess for the next step.
  class ContactStep
  {
  public:
    /// velocity = R impulse.
    using Response =
      std::function<LinearReport(const Vector &impulse, Vector &velocity)>;

    explicit ContactStep(const TimeStepper::Context &context);

    /// Computes the Delassus matrix.
    void
    set_response(double h, const Response &response);

    /// Adds the impulses to an initial state, as its first memory.
    void
    start(State &state) const;

    /// Fills @p report, and the impulses of @p end. Returns whether an impulse
    /// of any rank is not zero; then impulse() holds D^T lambda.
    bool
    solve(const State  &begin,
          const Vector &v_free,
          State        &end,
          StepReport   &report) const;

    const Vector &
    impulse() const
    {
      return contact_impulse;
    }

  private:
    /// Fills the active contacts of this rank; returns their global number.
    unsigned int
    activate(const State &begin) const;

    const MechanicalModel        &model;
    const ContactSet             &contacts;
    const ContactSolver          &solver;
    const Activation              activation;
    double                        h = 0;
    std::unique_ptr<SparseMatrix> W;
    const ContactLaw             &law;
    /// Work space of solve().
    mutable std::unique_ptr<ContactProblem> problem;
    mutable Vector gap, u_before, u_free, contact_impulse;
  };
} // namespace Percuss
