// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/files.h>
#include <percuss/contact/fclib_file.h>
#include <percuss/output/contact_problem_files.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <sstream>
#include <utility>

namespace Percuss
{
  ContactProblemFiles::ContactProblemFiles(
    std::unique_ptr<ContactSolver>       solver_to_ask,
    const Kept                           kept,
    const std::filesystem::path         &folder,
    const std::function<unsigned int()> &step)
    : ContactSolver(solver_to_ask->name,
                    solver_to_ask->needs,
                    {solver_to_ask->tolerance})
    , solver(std::move(solver_to_ask))
    , kept(kept)
    , folder(folder)
    , step(step)
  {}



  bool
  ContactProblemFiles::is_kept(const ContactReport &report) const
  {
    switch (kept)
      {
        case Kept::failed:
          return !report.converged;
        case Kept::hardest:
          return static_cast<long>(report.n_iterations) > most_iterations;
        case Kept::all:
          break;
      }
    return true;
  }



  std::filesystem::path
  ContactProblemFiles::next_path() const
  {
    if (step() != present_step)
      {
        present_step = step();
        number       = 0;
      }
    ++number;
    return folder /
           ("step_" + dealii::Utilities::int_to_string(present_step, 8) + "_" +
            std::to_string(number) + ".hdf5");
  }



  void
  ContactProblemFiles::write(const ContactProblem &problem,
                             const Vector         &guess,
                             const Vector         &lambda,
                             const ContactReport  &report) const
  {
    const std::filesystem::path path = next_path();
    FclibProblem                file =
      to_fclib(problem, guess, report.converged ? &lambda : nullptr);
    std::ostringstream text;
    text << "Step " << present_step << ", problem " << number << " of it; "
         << name << (report.converged ? " converged in " : " failed after ")
         << report.n_iterations << " iterations with the residual "
         << report.residual;
    file.title       = "Percuss";
    file.description = text.str();
    file.math_info   = "u = W r + q with Coulomb's law; q contains what the "
                       "impact law adds";
    const MPI_Comm communicator = problem.W.partition()->get_mpi_communicator();
    collectively(communicator, [&]() {
      if (dealii::Utilities::MPI::this_mpi_process(communicator) > 0)
        return;
      Files::create_folder(folder);
      write_fclib_file(path, file);
      if (kept == Kept::hardest && !hardest.empty() && hardest != path)
        std::filesystem::remove(hardest);
    });
    hardest         = path;
    most_iterations = static_cast<long>(report.n_iterations);
  }



  ContactReport
  ContactProblemFiles::attempt(const ContactProblem &problem,
                               Vector               &lambda) const
  {
    const Vector        guess(lambda);
    const ContactReport report = solver->solve(problem, lambda);
    if (is_kept(report))
      write(problem, guess, lambda, report);
    return report;
  }
} // namespace Percuss
