// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/base/suggestion.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/fclib_file.h>
#include <percuss/driver/contact_problem_command.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <limits>
#include <sstream>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// The names of the solvers to try.
    std::vector<std::string>
    chosen_solvers(const std::string &choice)
    {
      std::vector<std::string> names = Registry<ContactSolver>::names();
      if (choice == "all")
        return names;
      if (std::count(names.begin(), names.end(), choice) == 0)
        {
          const std::string known = join(names);
          names.push_back("all");
          throw Error(ExitCode::usage,
                      sentence("--solver: '" + choice +
                               "' is not a contact solver" +
                               did_you_mean(choice, names)) +
                        " Solvers: " + known + "; or all.");
        }
      return {choice};
    }

    /// How a solver fared.
    struct Trial
    {
      std::string   name;
      std::string   outcome; ///< for people
      bool          has_run = false;
      ContactReport report;
      double        fclib_error = 0;
      double        difference  = 0; ///< from the velocities in the file
      double        seconds     = 0;
    };

    /// max |W r + q - u| / max {|u|, |q|}; zero where u is.
    double
    difference(const ContactProblem &problem, const Vector &r, const Vector &u)
    {
      if (u.linfty_norm() == 0)
        return 0;
      const double scale = std::max(u.linfty_norm(), problem.b.linfty_norm());
      Vector       found(u);
      problem.W.multiply(r, found);
      found += problem.b;
      found -= u;
      return found.linfty_norm() / scale;
    }

    /// @p guess is the first one, @p velocity a known answer or zero.
    Trial
    try_solver(const std::string           &name,
               const ContactProblem        &problem,
               const Vector                &guess,
               const Vector                &velocity,
               const ContactProblemOptions &options)
    {
      using Clock = std::chrono::steady_clock;
      const auto solver =
        Registry<ContactSolver>::plugins().at(name).make_builder()->build(
          {options.tolerance});
      const MPI_Comm communicator =
        problem.W.partition()->get_mpi_communicator();
      Trial trial;
      trial.name             = name;
      trial.report.converged = false;
      trial.outcome          = solver->refusal(problem);
      if (!trial.outcome.empty())
        return trial;
      trial.seconds = std::numeric_limits<double>::infinity();
      Vector r;
      for (unsigned int i = 0; i < options.n_repeats; ++i)
        {
          r = guess;
          MPI_Barrier(communicator);
          const auto start = Clock::now();
          try
            {
              trial.report = solver->solve(problem, r);
            }
          catch (const Error &error)
            {
              trial.outcome = std::string("ended with: ") + error.what();
              return trial;
            }
          const std::chrono::duration<double> time = Clock::now() - start;
          trial.seconds =
            std::min(trial.seconds,
                     dealii::Utilities::MPI::max(time.count(), communicator));
        }
      trial.has_run     = true;
      trial.outcome     = trial.report.converged ? "converged" : "failed";
      trial.fclib_error = fclib_error(problem, r);
      trial.difference  = difference(problem, r, velocity);
      return trial;
    }

    /// A text in one line, without what a terminal might obey.
    std::string
    printable(std::string text)
    {
      for (char &character : text)
        if (character < ' ' || character > '~')
          character = ' ';
      return text;
    }

    void
    print_problem(const std::string    &name,
                  const FclibProblem   &file,
                  const ContactProblem &problem,
                  std::ostream         &out)
    {
      const auto fact = [&out](const std::string &what) -> std::ostream & {
        return out << "  " << std::left << std::setw(20) << what;
      };
      const auto range = [&](const std::string         &what,
                             const std::vector<double> &numbers) {
        const auto [least, most] =
          std::minmax_element(numbers.begin(), numbers.end());
        fact(what) << *least;
        if (*most > *least)
          out << " to " << *most;
        out << '\n';
      };
      out << std::setprecision(6) << name << '\n';
      if (!file.title.empty())
        fact("title") << printable(file.title) << '\n';
      if (!file.remark.empty())
        fact("remark") << file.remark << '\n';
      fact("contacts") << file.mu.size()
                       << (file.space_dimension == 2 ? ", in the plane\n" :
                                                       ", in space\n");
      fact("rows") << file.q.size() << '\n';
      fact("entries of W") << file.W.values.size()
                           << (problem.W.is_symmetric() ? ", symmetric\n" :
                                                          ", not symmetric\n");
      range("friction", file.mu);
      if (!file.mu_r.empty())
        range("rolling friction", file.mu_r);
    }

    void
    print_stored_solution(const FclibProblem  &file,
                          const StoredProblem &stored,
                          std::ostream        &out)
    {
      if (file.solution.empty())
        return;
      const Vector r        = stored.share(file.solution);
      const double residual = natural_residual(stored.problem(), r);
      const double error    = fclib_error(stored.problem(), r);
      out << "  " << std::left << std::setw(20) << "stored solution"
          << std::setprecision(2) << std::scientific << "residual " << residual
          << ", FCLIB error " << error << std::defaultfloat << '\n';
    }

    void
    print_table(const std::vector<Trial> &trials,
                const bool                knows_velocity,
                std::ostream             &out)
    {
      std::size_t width = 6;
      for (const Trial &trial : trials)
        width = std::max(width, trial.name.size());
      const auto first = static_cast<int>(width) + 2;
      const auto cell  = [&out](const auto &entry) {
        out << std::right << std::setw(14) << entry;
      };
      out << "  " << std::left << std::setw(first) << "solver"
          << "outcome  ";
      for (const char *title : {"iterations", "residual", "FCLIB error"})
        cell(title);
      if (knows_velocity)
        cell("from stored u");
      cell("seconds");
      out << '\n';
      for (const Trial &trial : trials)
        {
          out << "  " << std::left << std::setw(first) << trial.name
              << std::setw(9) << trial.outcome;
          if (trial.has_run)
            {
              cell(trial.report.n_iterations);
              out << std::scientific << std::setprecision(2);
              cell(trial.report.residual);
              cell(trial.fclib_error);
              if (knows_velocity)
                cell(trial.difference);
              out << std::defaultfloat << std::setprecision(3);
              cell(trial.seconds);
            }
          out << '\n';
        }
    }
  } // namespace



  void
  contact_problem_command(const ContactProblemOptions &options,
                          const MPI_Comm               communicator,
                          std::ostream                &out)
  {
    const std::vector<std::string> names = chosen_solvers(options.solver);
    const FclibProblem  file = read_fclib_file(options.file, communicator);
    const StoredProblem stored(file, communicator);
    print_problem(options.file, file, stored.problem(), out);
    print_stored_solution(file, stored, out);
    const Vector guess =
      stored.share(options.use_guess ? file.guess : std::vector<double>());
    const Vector       velocity = stored.share(file.velocity);
    std::vector<Trial> trials;
    bool               has_converged = false;
    for (const std::string &name : names)
      {
        trials.push_back(
          try_solver(name, stored.problem(), guess, velocity, options));
        has_converged |= trials.back().report.converged;
      }
    print_table(trials, !file.velocity.empty(), out);
    if (has_converged)
      return;
    if (trials.size() > 1)
      throw Error(ExitCode::solver,
                  "no contact solver solved '" + options.file + "'.");
    std::ostringstream reason;
    if (trials[0].has_run)
      reason << "did not solve '" << options.file
             << "': the residual is above the tolerance " << options.tolerance;
    else
      reason << trials[0].outcome;
    throw Error(ExitCode::solver,
                sentence("the contact solver '" + trials[0].name + "' " +
                         reason.str()));
  }
} // namespace Percuss
