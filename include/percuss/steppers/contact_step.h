// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/unit_responses.h>

#include <memory>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The contact part that velocity-level schemes share: which contacts are
  /// active, and which impulses they need so that the velocity at the end of
  /// the step,
  /// @f[ v = v_\text{free} + R\,D^T\lambda, @f]
  /// obeys their law. The impulses are part of the state, as a guess for the
  /// next step.
  class ContactStep
  {
  public:
    explicit ContactStep(const TimeStepper::Context &context);

    /// R, for steps of @p h seconds, and the inverse matrix that it is.
    void
    set_response(double                           h,
                 const ContactResponse::Response &response,
                 const ContactResponse::Inverse  &inverse = {});

    /// W = D R D^T by its entries, see ContactResponse.
    void
    set_response(const double step_size, SparseMatrix::Rows &&W)
    {
      h = step_size;
      delassus.set(std::move(W));
    }

    /// The same where R changes, see invalidate_response().
    void
    set_changing_response(double                           h,
                          const ContactResponse::Response &response,
                          const ContactResponse::Inverse  &inverse = {});

    /// R has changed. Collective.
    void
    invalidate_response() const;

    /// Adds the impulses to an initial state, as its first memory.
    void
    start(State &state) const;

    /// That of the activation.
    double
    look_ahead() const
    {
      return activation.look_ahead;
    }

    /// The number of contacts that take part in a step from @p begin, on all
    /// ranks.
    unsigned int
    count_active(const State &begin) const
    {
      return count_active({begin.time, begin.q, begin.v},
                          activation.look_ahead);
    }

    /// The same with another place and look-ahead, as in solve().
    unsigned int
    count_active(const Configuration &before, double look_ahead) const;

    /// Fills @p report and @p lambda. The contacts are placed and found active
    /// at the position and with the velocity @p before. Returns whether an
    /// entry of any rank is not zero; then impulse() holds D^T lambda.
    bool
    solve(const Configuration &before,
          double               look_ahead,
          const Vector        &v_free,
          const Vector        &guess,
          Vector              &lambda,
          StepReport          &report) const;

    /// At the start of the step, with the look-ahead of the activation.
    bool
    solve(const State  &begin,
          const Vector &v_free,
          const Vector &guess,
          Vector       &lambda,
          StepReport   &report) const;

    /// The same for the impulses of @p end.
    bool
    solve(const State  &begin,
          const Vector &v_free,
          State        &end,
          StepReport   &report) const;

    /// Whether solve_motion() can be used, and has to be.
    bool
    is_applied() const
    {
      return contacts.partition()->size() > 0 && delassus.is_applied();
    }

    /// The first part of a step with solve_motion(): finds the active contacts
    /// and guesses the impulses of @p end. Returns whether there are some.
    bool
    begin_motion(const State &begin, State &end, StepReport &report) const;

    /// The same for the velocity @p v in the place of v_k, with contacts that
    /// are placed and found active as by solve(). @p guess is another vector
    /// than the impulses of @p end.
    bool
    begin_motion(const Configuration &before,
                 double               look_ahead,
                 const Vector        &v,
                 const Vector        &guess,
                 State               &end,
                 StepReport          &report) const;

    /// The second part: finds the impulses with the change z of the velocity,
    /// @f[ A y = f + s D^T\lambda, \qquad B u = s D^T\lambda, \qquad
    ///     z = y + u, \qquad v = v_k + z. @f]
    /// @p z holds a guess before.
    ContactReport
    solve_motion(const Vector &f, Vector &z, State &end) const;

    /// How the Delassus operator is held.
    std::string
    description() const
    {
      return contacts.partition()->size() == 0 ? "" : delassus.description();
    }

    const Vector &
    impulse() const
    {
      return contact_impulse;
    }

  private:
    /// @throws Error with ExitCode::invariant on all ranks
    void
    check_gaps(double time) const;

    /// Fills b = D v + c and what the law adds, and the guess, for the active
    /// contacts.
    void
    pose(const Vector &v, const Vector &guess, Vector &lambda) const;

    /// Fills the active contacts of this rank; returns their global number.
    unsigned int
    activate(const Configuration &before, double look_ahead) const;

    const MechanicalModel            &model;
    const ContactSet                 &contacts;
    const ContactLaw                 &law;
    const Activation                  activation;
    double                            h = 0;
    ContactResponse                   delassus;
    std::shared_ptr<UnitResponses>    units; ///< where directions change
    mutable std::vector<unsigned int> active;
    mutable Vector                    gap, u_before, b, contact_impulse;
  };
} // namespace Percuss
