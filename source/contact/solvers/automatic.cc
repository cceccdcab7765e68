// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
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
    /// good. Where none is, the best answer is returned, as a failure.
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

    protected:
      ContactReport
      attempt(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const ContactSolver &
      method(const Stage &stage) const;

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



    ContactReport
    Automatic::attempt(const ContactProblem &problem, Vector &lambda) const
    {
      ContactReport report;
      if (solve_single(problem, lambda))
        {
          report.residual = natural_residual(problem, lambda);
          if (report.residual <= tolerance)
            {
              report.n_iterations = 1;
              ++n_single;
              return report;
            }
        }
      report             = {false, 0, std::numeric_limits<double>::infinity()};
      const Vector guess = lambda;
      Vector       trial = guess;
      bool         is_asked = false;
      for (const Stage &stage : cascade(problem))
        {
          const ContactSolver &solver = method(stage);
          if (!solver.refusal(problem).empty())
            continue;
          is_asked         = true;
          trial            = guess;
          const auto found = solver.solve(problem, trial);
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
      if (!is_asked)
        throw Error(ExitCode::solver,
                    "No contact solver treats this problem: without the "
                    "entries of the Delassus matrix it must be symmetric.");
      return report;
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
