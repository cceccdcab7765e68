// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/frictional_motion.h>
#include <percuss/contact/local_contact.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// A method, and how much it is to try.
    struct Stage
    {
      const char  *name;
      unsigned int iteration_limit = std::numeric_limits<unsigned int>::max();
    };



    /// Asks one method after the other, the most promising for the kind and
    /// the size of the problem first, until the certificate of an answer is
    /// good. Where none is, the best answer is returned, as a failure. A method
    /// that throws an Error of its solve has failed; where none has an answer,
    /// the last Error is thrown.
    class Automatic : public ContactSolver
    {
    public:
      struct Parameters
      {
        void
        declare(ParameterSection &)
        {}
      };

      Automatic(const Parameters &, const Context &context)
        : ContactSolver("automatic",
                        {SolverNeeds::Form::any, false, largest_block},
                        context)
      {}

      std::string
      description() const override;

      /// Active sets without friction; with it, FrictionalMotion.
      bool
      run_motion(const ContactProblem &problem,
                 const Vector         &f,
                 Vector               &w,
                 Vector               &lambda,
                 ContactReport        &report) const override;

    protected:
      ContactReport
      attempt(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const ContactSolver &
      method(const Stage &stage) const;

      /// Whether one contact is active and its exact solution has a good
      /// certificate; @p lambda is as it was where not.
      bool
      attempt_single(const ContactProblem &problem,
                     Vector               &lambda,
                     ContactReport        &report) const;

      /// What has been asked of a method.
      struct Count
      {
        unsigned long n_solved = 0, n_failed = 0;
      };

      mutable std::map<std::string, std::unique_ptr<ContactSolver>> methods;
      mutable std::map<std::string, Count>                          counts;
      mutable unsigned long n_single = 0;
    };



    using Cascade = std::vector<Stage>;

    const Cascade few = {{"lemke"},
                         {"newton"},
                         {"interior point"},
                         {"prox"},
                         {"accelerated gradient"}};

    const Cascade many_without_friction = {{"active set"},
                                           {"mprgp"},
                                           {"newton"},
                                           {"interior point"},
                                           {"petsc vi"},
                                           {"petsc tao"},
                                           {"accelerated gradient"},
                                           {"gauss seidel"}};

    // Easy problems take few sweeps.
    const Cascade many_with_friction = {{"projection", 300},
                                        {"interior point"},
                                        {"newton"},
                                        {"accelerated gradient"},
                                        {"gauss seidel"},
                                        {"prox"}};

    const Cascade with_rolling = {{"projection"}, {"prox"}, {"gauss seidel"}};

    const Cascade very_many_with_friction = {{"accelerated gradient"},
                                             {"gauss seidel"}};

    /// The methods to try; those that refuse are left out.
    /// doc/contact_solvers.md has the measurements. Pivoting is exact for few
    /// contacts, Newton's methods and interior points cope with redundant ones,
    /// and the last ones of each list take any number of contacts.
    const Cascade &
    cascade(const ContactProblem &problem)
    {
      const auto [n_rows, frictional_block] = active_size(problem);
      if (frictional_block > 3)
        return with_rolling;
      if (n_rows <= 60 && problem.W.matrix() != nullptr)
        return few;
      if (frictional_block == 1)
        return many_without_friction;
      return n_rows <= 3000 ? many_with_friction : very_many_with_friction;
    }



    /// The exact solution where one contact is active; false where it is not
    /// the only one, or has none.
    bool
    solve_single(const ContactProblem &problem, Vector &lambda)
    {
      const SparseMatrix *const matrix = problem.W.matrix();
      if (matrix == nullptr || problem.active.size() != 1 ||
          matrix->partition()->n_mpi_processes() > 1)
        return false;
      const ContactPoint &point = problem.points[problem.active.front()];
      const auto         &rows  = matrix->rows();
      LocalContact        contact;
      contact.n_directions     = point.n_directions;
      contact.friction         = problem.law.friction(point);
      contact.rolling_friction = problem.law.rolling_friction(point);
      for (unsigned int d = 0; d < point.n_directions; ++d)
        for (PetscInt k = rows.start[point.first + d];
             k < rows.start[point.first + d + 1];
             ++k)
          if (const auto column = static_cast<unsigned int>(rows.columns[k]);
              column >= point.first &&
              column < point.first + point.n_directions)
            contact.W[d][column - point.first] = rows.values[k];
      return contact.solve(problem.b.begin() + point.first,
                           lambda.begin() + point.first);
    }



    const ContactSolver &
    Automatic::method(const Stage &stage) const
    {
      auto &solver = methods[stage.name];
      if (!solver)
        solver = Registry<ContactSolver>::plugins()
                   .at(stage.name)
                   .make_builder()
                   ->build({tolerance, stage.iteration_limit});
      return *solver;
    }



    bool
    Automatic::attempt_single(const ContactProblem &problem,
                              Vector               &lambda,
                              ContactReport        &report) const
    {
      if (problem.active.size() != 1)
        return false;
      const ContactPoint &point = problem.points[problem.active.front()];
      double *const       block = lambda.begin() + point.first;
      double              guess[largest_block];
      std::copy_n(block, point.n_directions, guess);
      if (!solve_single(problem, lambda))
        return false;
      report = {true, 1, natural_residual(problem, lambda)};
      if (report.residual <= tolerance)
        return true;
      std::copy_n(guess, point.n_directions, block);
      return false;
    }



    ContactReport
    Automatic::attempt(const ContactProblem &problem, Vector &lambda) const
    {
      constexpr ContactReport nothing = {
        false, 0, std::numeric_limits<double>::infinity()};
      ContactReport report;
      if (attempt_single(problem, lambda, report))
        {
          ++n_single;
          return report;
        }
      report                = nothing;
      const Vector guess    = lambda;
      Vector       trial    = guess;
      bool         is_asked = false, is_answered = false;
      std::string  failure;
      for (const Stage &stage : cascade(problem))
        {
          const ContactSolver &solver = method(stage);
          if (!solver.refusal(problem).empty())
            continue;
          is_asked            = true;
          trial               = guess;
          ContactReport found = nothing;
          try
            {
              found       = solver.solve(problem, trial);
              is_answered = true;
            }
          catch (const Error &error)
            {
              if (error.code != ExitCode::solver)
                throw;
              failure = error.what();
            }
          report.n_iterations += found.n_iterations;
          if (found.converged || found.residual < report.residual)
            {
              lambda.swap(trial);
              report.residual  = found.residual;
              report.converged = found.converged;
            }
          ++(found.converged ? counts[stage.name].n_solved :
                               counts[stage.name].n_failed);
          if (found.converged)
            break;
        }
      if (!is_answered)
        throw Error(ExitCode::solver,
                    is_asked ? failure :
                               "No contact solver treats this problem: without "
                               "the entries of the Delassus matrix it must be "
                               "symmetric.");
      return report;
    }



    bool
    Automatic::run_motion(const ContactProblem &problem,
                          const Vector         &f,
                          Vector               &w,
                          Vector               &lambda,
                          ContactReport        &report) const
    {
      const unsigned int block = active_size(problem).frictional_block;
      const Stage        stage{"active set"};
      bool               is_solved = false;
      if (block == 1)
        is_solved = method(stage).run_motion(problem, f, w, lambda, report);
      else if (auto frames = ContactFrames::find(problem))
        {
          FrictionalMotion motion(problem, std::move(frames), f);
          is_solved           = motion.run(0.1 * tolerance, w, lambda);
          report.n_iterations = motion.n_products();
          ++(is_solved ? counts["motion"].n_solved : counts["motion"].n_failed);
          return is_solved;
        }
      counts[stage.name].n_solved += is_solved;
      return is_solved;
    }



    std::string
    Automatic::description() const
    {
      std::string text = "automatic";
      const auto  add  = [&text](const std::string  &what,
                               const unsigned long n_times) {
        if (n_times > 0)
          text += (text.back() == 'c' ? ": " : ", ") + what + ' ' +
                  std::to_string(n_times);
      };
      add("single contacts", n_single);
      for (const auto &[method_name, count] : counts)
        {
          add(method_name, count.n_solved);
          add(method_name + " failed", count.n_failed);
        }
      return text;
    }

    const Registration<ContactSolver, Automatic>
      registration("automatic",
                   "the method that suits the size and the kind of the "
                   "problem, and the next one where it fails; the default");
  } // namespace
} // namespace Percuss
