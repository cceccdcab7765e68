// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/gradient_projection.h>

namespace Percuss
{
  namespace
  {
    /// GradientProjection on the BoundedProgramme of the contacts, distributed:
    /// on A where nodes meet obstacles, on W otherwise, which is only applied.
    /// Counts the products with A or W as iterations.
    class Mprgp : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_iterations = 20000;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum iterations",
                      maximum_iterations,
                      "More products with the matrix than this count as "
                      "failure",
                      1);
        }
      };

      Mprgp(const Parameters &parameters, const Context &context)
        : ContactSolver("mprgp", {SolverNeeds::Form::any, true, 1}, context)
        , maximum_iterations(parameters.maximum_iterations)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override
      {
        const BoundedProgramme programme(problem);
        GradientProjection     method(programme);
        Vector                 x(programme.partition());
        programme.guess(lambda, x);
        const unsigned int n_products =
          method.minimise(0.1 * tolerance, maximum_iterations, x);
        programme.impulses(x, method.gradient(), lambda);
        return n_products;
      }

    private:
      const unsigned int maximum_iterations;
    };

    const Registration<ContactSolver, Mprgp>
      registration("mprgp",
                   "conjugate gradients with projections onto the bounds, "
                   "distributed, for very many contacts; no friction");
  } // namespace
} // namespace Percuss
