// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>

namespace Percuss
{
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
    return attempt(problem, lambda);
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
} // namespace Percuss
