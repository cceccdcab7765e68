// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>

#include <algorithm>
#include <limits>
#include <string>

namespace Percuss
{
  struct [[nodiscard]] ContactReport
  {
    bool         converged           = true;
    unsigned int n_iterations        = 0;
    double       residual            = 0; ///< natural_residual(), relative
    unsigned int n_linear_iterations = 0; ///< of solves for motions
  };

  /// What a method must be given.
  struct SolverNeeds
  {
    enum class Form
    {
      any,   ///< W is only applied
      matrix ///< the entries of W
    };

    Form form     = Form::matrix;
    bool symmetry = false; ///< W symmetric and positive semidefinite

    /// The largest number of directions of a contact with friction:
    /// largest_block with rolling, 3 in space, 2 in the plane, 1 for no
    /// friction.
    unsigned int largest_frictional_block = 3;

    /// Rows of active contacts on all ranks.
    unsigned int largest_size = std::numeric_limits<unsigned int>::max();
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

      /// Fewer sweeps than the parameters allow, where another method is to
      /// have a try soon. Methods without sweeps do not use it.
      unsigned int iteration_limit = std::numeric_limits<unsigned int>::max();
    };

    ContactSolver(const std::string &name,
                  const SolverNeeds &needs,
                  const Context     &context)
      : needs(needs)
      , tolerance(context.tolerance)
      , name(name)
      , iteration_limit(context.iteration_limit)
    {}
    virtual ~ContactSolver() = default;

    /// Why the method cannot solve a problem: "knows no friction"; empty where
    /// it can. The same on all ranks. Collective.
    std::string
    refusal(const ContactProblem &problem) const;

    /// @p lambda holds a guess before and the impulses afterwards; it is zero
    /// outside the active contacts. Collective.
    /// @throws Error with the refusal()
    ContactReport
    solve(const ContactProblem &problem, Vector &lambda) const;

    /// Finds the motion w with the impulses, where W has a global form:
    /// @f[ A y = f + D^T\lambda, \qquad B u = D^T\lambda, \qquad w = y + u,
    ///     \qquad \xi = D w + b, @f]
    /// u = 0 where there is no second system. @p w holds a guess before and the
    /// motion afterwards, @p lambda as in solve(). Methods that work on A need
    /// no free motion A^-1 f. Collective.
    ContactReport
    solve_motion(const ContactProblem &problem,
                 const Vector         &f,
                 Vector               &w,
                 Vector               &lambda) const;

    /// Motion and impulses at once, nearly: both are certified afterwards. A
    /// method that cannot leaves @p w and @p lambda as they are and returns
    /// false, on all ranks.
    virtual bool
    run_motion(const ContactProblem &,
               const Vector &,
               Vector &,
               Vector &,
               ContactReport &) const
    {
      return false;
    }

    /// What the solver does, or has done, for run.json.
    virtual std::string
    description() const
    {
      return name;
    }

  protected:
    /// The method: returns the number of iterations.
    virtual unsigned int
    run(const ContactProblem &, Vector &) const
    {
      return 0;
    }

    /// What is allowed of @p maximum_iterations.
    unsigned int
    limited(const unsigned int maximum_iterations) const
    {
      return std::min(maximum_iterations, iteration_limit);
    }

    /// Runs the method, projects its answer and certifies it. Solvers without
    /// a method of their own ask others instead.
    virtual ContactReport
    attempt(const ContactProblem &problem, Vector &lambda) const;

    /// Puts @p lambda into the set of admissible impulses, solves for the
    /// motion that belongs to it and measures both.
    void
    certify_motion(const ContactProblem &problem,
                   const Vector         &f,
                   Vector               &w,
                   Vector               &lambda,
                   ContactReport        &report) const;

    /// First the free motion, then the impulses, then the motion.
    ContactReport
    attempt_after_free_motion(const ContactProblem &problem,
                              const Vector         &f,
                              Vector               &w,
                              Vector               &lambda) const;

  public:
    const SolverNeeds needs;
    const double      tolerance;
    const std::string name;

  private:
    const unsigned int iteration_limit;
  };
} // namespace Percuss
