// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// The rows of active contacts and the largest block with friction, on all
    /// ranks.
    std::pair<unsigned int, unsigned int>
    sizes(const ContactProblem &problem)
    {
      unsigned int n_rows = 0, block = 1;
      for (const unsigned int contact : problem.active)
        {
          const ContactPoint &point = problem.points[contact];
          n_rows += point.n_directions;
          if (problem.law.friction(point) > 0)
            block = std::max(block, point.n_directions);
        }
      const auto &partition = *problem.W.partition();
      if (partition.n_mpi_processes() == 1)
        return {n_rows, block};
      const MPI_Comm communicator = partition.get_mpi_communicator();
      return {dealii::Utilities::MPI::sum(n_rows, communicator),
              dealii::Utilities::MPI::max(block, communicator)};
    }
  } // namespace



  std::string
  ContactSolver::refusal(const ContactProblem &problem) const
  {
    if (needs.form == SolverNeeds::Form::matrix && !problem.W.matrix())
      return "needs the entries of the Delassus matrix";
    if (needs.form == SolverNeeds::Form::global && !problem.W.global_form())
      return "needs the system behind the Delassus matrix";
    if (needs.symmetry && !problem.W.is_symmetric())
      return "needs a symmetric, positive semidefinite Delassus matrix";
    const auto [n_rows, block] = sizes(problem);
    if (block > needs.largest_frictional_block)
      return needs.largest_frictional_block == 1 ?
               "knows no friction" :
               "knows friction in the plane only";
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
