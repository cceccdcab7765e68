// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>

#include <limits>

namespace Percuss
{
  namespace
  {
    /// The motion of @p f and the impulses, w = y + u, from guesses in @p w and
    /// in the second system.
    LinearReport
    find_motion(const GlobalForm &form,
                const Vector     &f,
                const Vector     &lambda,
                Vector           &w)
    {
      Vector load(f);
      form.contacts.impulses(lambda, load);
      LinearReport of_second;
      if (form.second != nullptr)
        {
          w -= form.second->motion();
          of_second = form.second->improve(load, form.second->motion());
        }
      load += f;
      const LinearReport of_first = form.inverse.improve(load, w);
      if (form.second != nullptr)
        w += form.second->motion();
      return {of_first.converged && of_second.converged,
              of_first.n_iterations + of_second.n_iterations};
    }
  } // namespace



  std::string
  ContactSolver::refusal(const ContactProblem &problem) const
  {
    if (needs.form == SolverNeeds::Form::matrix && !problem.W.matrix())
      return "needs the entries of the Delassus matrix";
    if (needs.symmetry && !problem.W.is_symmetric())
      return "needs a symmetric, positive semidefinite Delassus matrix";
    const auto [n_rows, block] = active_size(problem);
    if (block > needs.largest_frictional_block)
      return needs.largest_frictional_block == 1 ?
               "knows no friction" :
             needs.largest_frictional_block == 2 ?
               "knows friction in the plane only" :
               "knows no rolling friction";
    if (n_rows > needs.largest_size)
      return "takes at most " + std::to_string(needs.largest_size) +
             " unknowns of active contacts, not " + std::to_string(n_rows);
    return "";
  }



  ContactReport
  ContactSolver::solve(const ContactProblem &problem, Vector &lambda) const
  {
    if (dealii::Utilities::MPI::sum(
          problem.active.size(),
          problem.W.partition()->get_mpi_communicator()) == 0)
      return {};
    if (const std::string reason = refusal(problem); !reason.empty())
      throw Error(ExitCode::solver,
                  "The contact solver '" + name + "' " + reason +
                    "; 'automatic' finds one that fits.");
    try
      {
        return attempt(problem, lambda);
      }
    catch (const ResponseFailed &)
      {
        ContactReport report;
        report.converged = false;
        report.residual  = std::numeric_limits<double>::infinity();
        return report;
      }
  }



  ContactReport
  ContactSolver::attempt(const ContactProblem &problem, Vector &lambda) const
  {
    ContactReport report;
    report.n_iterations = run(problem, lambda);
    for (const unsigned int contact : problem.active)
      {
        const ContactPoint &point = problem.points[contact];
        problem.law.project(point, lambda.begin() + point.first);
      }
    report.residual  = natural_residual(problem, lambda);
    report.converged = report.residual <= tolerance;
    return report;
  }



  ContactReport
  ContactSolver::solve_motion(const ContactProblem &problem,
                              const Vector         &f,
                              Vector               &w,
                              Vector               &lambda) const
  {
    ContactReport report;
    Vector        guess(lambda);
    if (run_motion(problem, f, w, lambda, report))
      {
        certify_motion(problem, f, w, lambda, report);
        if (report.converged)
          return report;
        lambda.swap(guess);
      }
    ContactReport second = attempt_after_free_motion(problem, f, w, lambda);
    second.n_iterations += report.n_iterations;
    second.n_linear_iterations += report.n_linear_iterations;
    return second;
  }



  void
  ContactSolver::certify_motion(const ContactProblem &problem,
                                const Vector         &f,
                                Vector               &w,
                                Vector               &lambda,
                                ContactReport        &report) const
  {
    const GlobalForm &form = *problem.W.global_form();
    for (const unsigned int contact : problem.active)
      {
        const ContactPoint &point = problem.points[contact];
        problem.law.project(point, lambda.begin() + point.first);
      }
    const LinearReport found = find_motion(form, f, lambda, w);
    Vector             xi(lambda);
    form.contacts.multiply(w, xi);
    xi += problem.b;
    report.residual = natural_residual(problem, lambda, xi);
    report.n_linear_iterations += found.n_iterations;
    report.converged = found.converged && report.residual <= tolerance;
  }



  ContactReport
  ContactSolver::attempt_after_free_motion(const ContactProblem &problem,
                                           const Vector         &f,
                                           Vector               &w,
                                           Vector               &lambda) const
  {
    const GlobalForm &form = *problem.W.global_form();
    ContactProblem    known{
      problem.W, problem.law, problem.points, problem.active, problem.b};
    if (form.second != nullptr)
      w -= form.second->motion();
    const LinearReport first = form.inverse.improve(f, w);
    form.contacts.multiply(w, known.b);
    known.b += problem.b;
    ContactReport report;
    if (first.converged)
      report = solve(known, lambda);
    if (form.second != nullptr)
      w += form.second->motion();
    const LinearReport second = find_motion(form, f, lambda, w);
    report.converged &= first.converged && second.converged;
    report.n_linear_iterations += first.n_iterations + second.n_iterations;
    return report;
  }
} // namespace Percuss
