// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>

namespace Percuss
{
  ContactReport
  ContactSolver::solve(const ContactProblem &problem, Vector &lambda) const
  {
    ContactReport report;
    if (dealii::Utilities::MPI::sum(
          problem.active.size(),
          problem.W.partition()->get_mpi_communicator()) == 0)
      return report;
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



  void
  ContactSolver::check_size(const std::string &name,
                            const unsigned int n_unknowns)
  {
    constexpr unsigned int largest_size = 3000; // 144 MB as a tableau
    if (n_unknowns > largest_size)
      throw Error(ExitCode::solver,
                  std::to_string(n_unknowns) +
                    " unknowns of active contacts are too many for the contact "
                    "solver '" +
                    name +
                    "'; use 'projection' or 'prox', or, without friction, "
                    "'petsc vi'.");
  }
} // namespace Percuss
