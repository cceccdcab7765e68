// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>

#include <string>

namespace Percuss
{
  struct [[nodiscard]] ContactReport
  {
    bool         converged    = true;
    unsigned int n_iterations = 0;
    double       residual     = 0; ///< natural_residual(), relative
  };

  /// Solves contact problems. The answer of a method is never trusted: the
  /// base class puts it into the set of admissible impulses, from which
  /// round-off may have moved it, measures it with natural_residual() and calls
  /// it converged below the tolerance only.
  class ContactSolver
  {
  public:
    struct Context
    {
      double tolerance = 1e-10; ///< of natural_residual()
    };

    explicit ContactSolver(const Context &context)
      : tolerance(context.tolerance)
    {}
    virtual ~ContactSolver() = default;

    /// The largest number of directions of a contact with friction that the
    /// method can treat: 3 in space, 2 in the plane, 1 for no friction.
    virtual unsigned int
    largest_frictional_block() const
    {
      return 3;
    }

    /// @p lambda holds a guess before and the impulses afterwards; it is zero
    /// outside the active contacts. Collective.
    ContactReport
    solve(const ContactProblem &problem, Vector &lambda) const;

  protected:
    /// Returns the number of iterations.
    virtual unsigned int
    run(const ContactProblem &problem, Vector &lambda) const = 0;

    /// Throws an error where a method with a dense matrix would need too much
    /// memory.
    static void
    check_size(const std::string &name, unsigned int n_unknowns);

    const double tolerance;
  };
} // namespace Percuss
