// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>

#include <functional>
#include <memory>
#include <vector>

namespace Percuss
{
  /// What the multipliers of the contacts do to the contacts,
  /// @f[ \xi = W\lambda + b, \qquad W = D R D^T, @f]
  /// where R is the response of a scheme's velocities to impulses, or of its
  /// positions. W is computed once for all candidates, or as often as set() is
  /// called: its pattern stays.
  class ContactResponse
  {
  public:
    /// result = R D^T lambda, for the generalized impulse D^T lambda.
    using Response =
      std::function<LinearReport(const Vector &impulse, Vector &result)>;

    explicit ContactResponse(const TimeStepper::Context &context);

    /// Computes W.
    void
    set(const Response &response);

    /// The same, but W is not computed before it is needed.
    void
    set_lazily(const Response &response);

    /// The response, or the directions of the contacts, have changed: W is
    /// computed anew when it is needed.
    void
    invalidate() const
    {
      is_computed = false;
    }

    /// Finds the multipliers of the contacts @p active of this rank; the others
    /// are zero. @p lambda holds a guess before.
    ContactReport
    solve(const std::vector<unsigned int> &active,
          const Vector                    &b,
          Vector                          &lambda) const;

    /// The same with all contacts as candidates, as position-level schemes
    /// need it. Where b is not negative at any contact of a body, the body's
    /// multipliers are zero, and nothing is solved for it.
    ContactReport
    solve_all(const Vector &b, Vector &lambda) const;

    /// How many entries of @p lambda are not zero, on all ranks.
    static unsigned int
    count(const Vector &lambda);

  private:
    /// Which contacts feel each other: an empty W.
    void
    make_pattern();

    /// W from the response.
    void
    compute() const;

    const MechanicalModel          &model;
    const ContactSet               &contacts;
    const ContactLaw               &law;
    const ContactSolver            &solver;
    Response                        response;
    std::unique_ptr<SparseMatrix>   W;
    std::unique_ptr<DelassusMatrix> delassus;
    mutable bool                    is_computed = false;
    unsigned int                    n_slots     = 0;
    std::vector<unsigned int>       slots; ///< of this rank's directions
    std::vector<unsigned int>       slot_of_entry; ///< of the columns of W
    /// Work space.
    mutable std::vector<unsigned int>       candidates;
    mutable std::unique_ptr<ContactProblem> problem;
    mutable Vector                          unit, u, impulse, velocity;
  };
} // namespace Percuss
