// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/local_contact.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  namespace
  {
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
                        {SolverNeeds::Form::any, false, 3},
                        context)
      {}

      std::string
      description() const override;

    protected:
      ContactReport
      attempt(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const ContactSolver &
      method(const std::string &name) const;

      /// What has been asked of a method.
      struct Count
      {
        unsigned long n_solved = 0, n_failed = 0;
      };

      mutable std::map<std::string, std::unique_ptr<ContactSolver>> methods;
      mutable std::map<std::string, Count>                          counts;
      mutable unsigned long n_single = 0;
    };



    /// What decides about the methods.
    struct Kind
    {
      bool         has_friction = false;
      bool         is_spatial   = false; ///< friction in two directions
      unsigned int n_rows       = 0;     ///< of active contacts, on all ranks
    };

    Kind
    kind_of(const ContactProblem &problem)
    {
      unsigned int found[2] = {0, 1}; // rows, directions with friction
      for (const unsigned int contact : problem.active)
        {
          const ContactPoint &point = problem.points[contact];
          found[0] += point.n_directions;
          if (problem.law.friction(point) > 0)
            found[1] = std::max(found[1], point.n_directions);
        }
      const auto &partition = *problem.W.partition();
      if (partition.n_mpi_processes() > 1)
        {
          const MPI_Comm communicator = partition.get_mpi_communicator();
          found[0] = dealii::Utilities::MPI::sum(found[0], communicator);
          found[1] = dealii::Utilities::MPI::max(found[1], communicator);
        }
      return {found[1] > 1, found[1] > 2, found[0]};
    }



    /// The methods to try. doc/contact_solvers.md has the measurements.
    std::vector<std::string>
    cascade(const Kind &kind)
    {
      constexpr unsigned int small = 60;
      if (!kind.has_friction)
        return kind.n_rows <= small ?
                 std::vector<std::string>{"lemke",
                                          "newton",
                                          "prox",
                                          "projection"} :
                 std::vector<std::string>{
                   "newton", "lemke", "petsc vi", "prox", "projection"};
      if (!kind.is_spatial && kind.n_rows <= small)
        return {"lemke", "newton", "prox", "projection"};
      return {"newton", "prox", "projection"};
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
      contact.n_directions = point.n_directions;
      contact.friction     = problem.law.friction(point);
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
    Automatic::method(const std::string &method_name) const
    {
      auto &solver = methods[method_name];
      if (!solver)
        solver = Registry<ContactSolver>::plugins()
                   .at(method_name)
                   .make_builder()
                   ->build({tolerance});
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
      const Vector guess    = lambda;
      Vector       trial    = guess;
      bool         is_first = true;
      for (const std::string &method_name : cascade(kind_of(problem)))
        {
          const ContactSolver &solver = method(method_name);
          if (!solver.refusal(problem).empty())
            continue;
          trial              = guess;
          const auto found   = solver.solve(problem, trial);
          const bool is_best = is_first || found.residual < report.residual;
          report.n_iterations += found.n_iterations;
          if (is_best)
            {
              lambda.swap(trial);
              report.residual  = found.residual;
              report.converged = found.converged;
              is_first         = false;
            }
          ++(found.converged ? counts[method_name].n_solved :
                               counts[method_name].n_failed);
          if (found.converged)
            break;
        }
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
