// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

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
    report.residual     = natural_residual(problem, lambda);
    report.converged    = report.residual <= tolerance;
    return report;
  }
} // namespace Percuss
