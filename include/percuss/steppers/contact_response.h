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
  /// positions. The entries of W are computed once, when contacts first need
  /// them, or as often as R changes: their pattern stays. Where the candidates
  /// are too many for that and R = s A^-1 is known, W is applied by solves with
  /// A, or the motion is found with the multipliers.
  class ContactResponse
  {
  public:
    /// result = R D^T lambda, for the generalized impulse D^T lambda.
    using Response =
      std::function<LinearReport(const Vector &impulse, Vector &result)>;

    /// R = s (A^-1 + B^-1). All outlives the response.
    struct Inverse
    {
      const SparseMatrix *A      = nullptr; ///< none where R is not of the kind
      const LinearSolver *solver = nullptr;
      double              scale  = 1;       ///< s
      const SecondSystem *second = nullptr; ///< B, where there is one
      /// Of another R: whether it is symmetric and positive semidefinite.
      bool is_symmetric = false;
    };

    explicit ContactResponse(const TimeStepper::Context &context);

    /// The columns of W are computed when contacts need them first, or it is
    /// applied.
    void
    set(const Response &response, const Inverse &inverse);

    /// For any response.
    void
    set(const Response &response)
    {
      set_entries(response, false);
    }

    /// For a W whose entries are known, symmetric and positive definite: this
    /// rank's rows, with an entry on the diagonal.
    void
    set(SparseMatrix::Rows &&rows);

    /// The directions of the contacts have changed: columns of W are computed
    /// anew when contacts that are active need them.
    void
    follow_directions() const
    {
      if (is_applied() && W)
        W->follow_directions();
      else
        forget_columns();
    }

    /// The same where the response has changed, with the values of its matrix.
    void
    follow_response() const
    {
      if (is_applied() && W)
        pose_applied();
      else
        forget_columns();
    }

    /// Finds the multipliers of the contacts @p active of this rank; the others
    /// are zero. @p lambda holds a guess before.
    ContactReport
    solve(const std::vector<unsigned int> &active,
          const Vector                    &b,
          Vector                          &lambda) const;

    /// Whether W is applied, and not held: then solve_motion() finds the motion
    /// with the multipliers.
    bool
    is_applied() const
    {
      return !entries;
    }

    /// Finds the multipliers of the contacts @p active and the motion w with
    /// @f[ A y = f + s D^T\lambda, \qquad B u = s D^T\lambda, \qquad
    ///     w = y + u, \qquad \xi = D w + b. @f]
    /// @p w holds a guess before.
    ContactReport
    solve_motion(const std::vector<unsigned int> &active,
                 const Vector                    &b,
                 const Vector                    &f,
                 Vector                          &w,
                 Vector                          &lambda) const;

    /// The same with all contacts as candidates, as position-level schemes
    /// need it. Where b is not negative at any contact of a body, the body's
    /// multipliers are zero, and nothing is solved for it.
    ContactReport
    solve_all(const Vector &b, Vector &lambda) const;

    /// How many entries of @p lambda are not zero, on all ranks.
    static unsigned int
    count(const Vector &lambda);

    /// How W is held, and why, for people.
    std::string
    description() const;

  private:
    /// Whether the entries of W cost less than applying it does.
    bool
    entries_pay(const Inverse &inverse) const;

    /// Whether solve_motion() needs no W.
    bool
    finds_motions(const Inverse &inverse, bool has_friction) const;

    bool
    law_knows_friction() const;

    /// Which contacts feel each other: an empty W.
    void
    make_pattern();

    void
    forget_columns() const
    {
      is_complete = false;
      is_computed.assign(n_slots, 0);
    }

    /// The columns of W that belong to a slot, from the response; false where
    /// a solver failed. Collective, as the next one.
    [[nodiscard]] bool
    compute(unsigned int slot) const;

    /// Those that are missing of the contacts @p active of this rank.
    [[nodiscard]] bool
    compute_columns(const std::vector<unsigned int> &active) const;

    /// W from entries that are not computed yet.
    void
    set_entries(const Response &response, bool is_symmetric);

    /// The problem with the operator @p W.
    void
    pose(std::unique_ptr<DelassusOperator> W) const;

    /// The problem with the present values of what is applied.
    void
    pose_applied() const;

    const MechanicalModel        &model;
    const ContactSet             &contacts;
    const ContactLaw             &law;
    const ContactSolver          &solver;
    const DelassusForm            form;
    Response                      response;
    Inverse                       applied; ///< where W is
    double                        scale   = 1;
    unsigned int                  n_slots = 0; ///< on all ranks
    std::unique_ptr<SparseMatrix> entries;
    bool                          is_known = false; ///< W, without solves
    mutable std::unique_ptr<DelassusOperator> W;
    mutable bool                      is_complete = false; ///< all columns
    mutable std::vector<char>         is_computed; ///< columns of each slot
    mutable std::vector<unsigned int> is_needed;   ///< the same
    std::vector<unsigned int>         slots; ///< of this rank's directions
    std::vector<unsigned int>         slot_of_entry; ///< of the columns of W
    /// Work space.
    mutable std::vector<unsigned int>       candidates;
    mutable std::unique_ptr<ContactProblem> problem;
    mutable Vector                          unit, u, impulse, velocity;
  };
} // namespace Percuss
