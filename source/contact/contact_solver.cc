// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>

namespace Percuss
{
  namespace
  {
    /// load = f + D^T lambda + G lambda.
    LinearReport
    find_load(const GlobalForm &form,
              const Vector     &f,
              const Vector     &lambda,
              Vector           &load)
    {
      constexpr double tolerance = 1e-12;
      LinearReport     report;
      form.contacts.impulses(lambda, load);
      load += f;
      if (form.load != nullptr)
        {
          Vector brought(f);
          report = form.load->find(lambda, tolerance, brought);
          load += brought;
        }
      return report;
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
    Vector             load(f), xi(lambda);
    const LinearReport brought = find_load(form, f, lambda, load);
    const LinearReport linear  = form.inverse.improve(load, w);
    form.contacts.multiply(w, xi);
    xi += problem.b;
    report.residual = natural_residual(problem, lambda, xi);
    report.n_linear_iterations += brought.n_iterations + linear.n_iterations;
    report.converged =
      brought.converged && linear.converged && report.residual <= tolerance;
  }



  ContactReport
  ContactSolver::attempt_after_free_motion(const ContactProblem &problem,
                                           const Vector         &f,
                                           Vector               &w,
                                           Vector               &lambda) const
  {
    constexpr unsigned int n_updates = 50;
    const GlobalForm      &form      = *problem.W.global_form();
    ContactProblem         known{
      problem.W, problem.law, problem.points, problem.active, problem.b};
    std::vector<double> inverse_diagonal = form.A.diagonal();
    for (double &entry : inverse_diagonal)
      entry = 1 / entry;
    FollowingLoad follower(form.load, form.A.partition(), inverse_diagonal);
    ContactReport report;
    Vector        load(f);
    for (unsigned int i = 0; i < n_updates; ++i)
      {
        load = f;
        if (follower.exists())
          load += follower.present();
        const LinearReport first = form.inverse.improve(load, w);
        form.contacts.multiply(w, known.b);
        known.b += problem.b;
        const double        speed = known.b.linfty_norm();
        const ContactReport found = solve(known, lambda);
        report.converged          = first.converged && found.converged;
        report.residual           = found.residual;
        report.n_iterations += found.n_iterations;
        report.n_linear_iterations += first.n_iterations;
        if (!report.converged ||
            follower.update(lambda, tolerance) <= tolerance * speed)
          break;
        report.converged = false; // until the load stays
      }
    const LinearReport brought = find_load(form, f, lambda, load);
    const LinearReport second  = form.inverse.improve(load, w);
    report.converged &= brought.converged && second.converged;
    report.n_linear_iterations +=
      brought.n_iterations + second.n_iterations + follower.n_iterations();
    return report;
  }
} // namespace Percuss
