// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_solver.h>

namespace Percuss
{
  ContactReport
  ContactSolver::solve(const ContactProblem &problem, Vector &lambda) const
  {
    ContactReport report;
    report.n_iterations = run(problem, lambda);
    report.residual     = natural_residual(problem, lambda);
    report.converged    = report.residual <= tolerance;
    return report;
  }
} // namespace Percuss
