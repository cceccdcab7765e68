// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/adaptive_relaxation.h>
#include <percuss/contact/conjugate_sweeps.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/solver_parameters.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Block Gauss-Seidel: contact by contact, lambda_i becomes
    /// @f[ \mathrm{proj}((1-\omega)\lambda_i + \omega\hat\lambda_i) @f]
    /// with the solution of the problem of this contact alone, the others held
    /// (Jean, The non-smooth contact dynamics method, CMAME 177, 1999), from
    /// the impulses of the step before. Converges for symmetric positive
    /// definite W without friction. With large friction it may go round in
    /// circles; omega is halved where the changes do not shrink in as many
    /// sweeps as were made before. Conjugate directions shorten the way where
    /// contacts are redundant. Each rank solves the same problem.
    class Projection : public ContactSolver
    {
    public:
      using Parameters = SweepParameters;

      Projection(const Parameters &parameters, const Context &context)
        : ContactSolver("projection",
                        {SolverNeeds::Form::matrix, false, largest_block},
                        context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const Parameters parameters;
    };



    unsigned int
    Projection::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      ConjugateSweeps     sweeps(blocks, gathered.size());
      std::vector<double> xi(gathered.size());
      double              scale = 0;
      for (const double b : gathered.b)
        scale = std::max(scale, std::abs(b));
      AdaptiveRelaxation relaxation(parameters.relaxation);
      const unsigned int most     = limited(parameters.maximum_sweeps);
      unsigned int       n_sweeps = 0;
      while (n_sweeps < most)
        {
          const double change =
            sweeps.sweep(relaxation.factor(), gathered.lambda);
          ++n_sweeps;
          relaxation.record(change);
          if (change == 0 || !std::isfinite(change))
            break;
          if (change > 0.1 * tolerance * scale)
            continue;
          blocks.velocities(gathered.lambda, xi);
          if (blocks.residual(gathered.lambda, xi) <= 0.1 * tolerance)
            break;
        }
      scatter(gathered, problem, lambda);
      return n_sweeps;
    }

    const Registration<ContactSolver, Projection>
      registration("projection",
                   "Gauss-Seidel over the contacts with relaxation, "
                   "warm-started; friction in the plane and in space, rolling");
  } // namespace
} // namespace Percuss
