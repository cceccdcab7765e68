// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/linear_algebra/conjugate_gradients.h>

namespace Percuss
{
  namespace
  {
    class CG : public ConjugateGradients
    {
    public:
      struct Parameters : public Options
      {
        void
        declare(ParameterSection &section)
        {
          section.add_choice(
            "preconditioner",
            preconditioner,
            "Jacobi and incomplete Cholesky suit steps near the wave's time "
            "across an element; Chebyshev's polynomial of Jacobi needs fewer "
            "sums over all ranks; hypre and GAMG suit longer steps; automatic "
            "takes incomplete Cholesky for solids, else Jacobi",
            {"automatic", "jacobi", "chebyshev", "icc", "hypre", "gamg"});
          section.add("tolerance",
                      tolerance,
                      "Relative size of the residual at which to stop",
                      {0, 1, true, true});
          section.add("maximum iterations",
                      maximum_iterations,
                      "More than this counts as failure",
                      1);
        }
      };

      CG(const Parameters &parameters, const Context &context)
        : ConjugateGradients(context.matrix, parameters)
      {}
    };

    const Registration<LinearSolver, CG> registration(
      "cg",
      "conjugate gradients with Jacobi, Chebyshev, incomplete Cholesky, "
      "hypre or GAMG preconditioner, distributed");
  } // namespace
} // namespace Percuss
