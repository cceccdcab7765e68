// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Projected Gauss-Seidel: contact by contact,
    /// @f[ \lambda_i \leftarrow
    ///     \mathrm{proj}(\lambda_i - \omega \xi_i / W_{ii}), @f]
    /// from the impulses of the step before. Converges for symmetric positive
    /// definite W; each rank solves the same problem.
    class Projection : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_sweeps = 10000;
        double       relaxation     = 1;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum sweeps",
                      maximum_sweeps,
                      "More than this counts as failure",
                      1);
          section.add("relaxation",
                      relaxation,
                      "The factor omega of successive over-relaxation",
                      {0, 2, true, true});
        }
      };

      Projection(const Parameters &parameters, const Context &context)
        : ContactSolver(context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      /// Returns the largest change of a velocity, |W_ii d lambda_i|, in m/s.
      double
      sweep(const ContactLaw &law, GatheredProblem &problem) const;

      const Parameters parameters;
    };



    double
    Projection::sweep(const ContactLaw &law, GatheredProblem &problem) const
    {
      double largest_change = 0;
      for (const ContactPoint &point : problem.points)
        {
          double old[3], xi[3], diagonal = 0;
          for (unsigned int d = 0; d < point.n_directions; ++d)
            {
              const unsigned int i = point.first + d;
              old[d]               = problem.lambda[i];
              xi[d]                = problem.b[i];
              for (unsigned int k = problem.row_start[i];
                   k < problem.row_start[i + 1];
                   ++k)
                {
                  xi[d] +=
                    problem.values[k] * problem.lambda[problem.columns[k]];
                  if (problem.columns[k] == i)
                    diagonal = std::max(diagonal, problem.values[k]);
                }
            }
          double *const lambda = &problem.lambda[point.first];
          for (unsigned int d = 0; d < point.n_directions; ++d)
            lambda[d] -= parameters.relaxation * xi[d] / diagonal;
          law.project(point, lambda);
          for (unsigned int d = 0; d < point.n_directions; ++d)
            largest_change =
              std::max(largest_change, diagonal * std::abs(lambda[d] - old[d]));
        }
      return largest_change;
    }



    unsigned int
    Projection::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem gathered = gather(problem, lambda);
      double          scale    = 0;
      for (const double b : gathered.b)
        scale = std::max(scale, std::abs(b));
      unsigned int n_sweeps = 0;
      double       change   = 0;
      do
        {
          change = sweep(problem.law, gathered);
          ++n_sweeps;
        }
      while (change > 0.1 * tolerance * scale &&
             n_sweeps < parameters.maximum_sweeps);
      scatter(gathered, problem, lambda);
      return n_sweeps;
    }

    const Registration<ContactSolver, Projection>
      registration("projection",
                   "projected Gauss-Seidel with relaxation, warm-started");
  } // namespace
} // namespace Percuss
