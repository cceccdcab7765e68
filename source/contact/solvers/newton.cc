// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_blocks.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Semismooth Newton method (Alart, Curnier, CMAME 92, 1991) for
    /// @f[ 0 = F(\lambda) = \lambda - \mathrm{proj}(\lambda - R\,\xi(\lambda))
    /// @f]
    /// with R from the diagonal of W and a line search on |F|. Where that finds
    /// no descent or a slow one, sweeps of block Gauss-Seidel bring it closer,
    /// each time twice as many. The matrix is dense and each rank solves
    /// the same problem: for up to some hundred active contacts.
    class Newton : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_iterations = 200;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum iterations",
                      maximum_iterations,
                      "More than this counts as failure",
                      1);
        }
      };

      Newton(const Parameters &parameters, const Context &context)
        : ContactSolver("newton",
                        {SolverNeeds::Form::matrix, false, 3, 3000},
                        context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const Parameters parameters;
    };



    /// The function F, its derivative and what a step needs.
    class NaturalMap
    {
    public:
      NaturalMap(const GatheredProblem &problem, const ContactBlocks &blocks)
        : problem(problem)
        , blocks(blocks)
        , lambda(problem.lambda)
        , xi(problem.size())
        , trial(problem.size())
        , minus_f(problem.size())
        , step(problem.size())
        , matrix(problem.size())
      {
        evaluate(lambda);
      }

      /// |F| as ContactBlocks measures it. Sets xi and -F.
      double
      evaluate(const std::vector<double> &at);

      /// Goes a part of Newton's step; false where |F| does not shrink.
      bool
      advance();

      double
      residual() const
      {
        return blocks.residual(lambda, xi);
      }

      const GatheredProblem &problem;
      const ContactBlocks   &blocks;
      std::vector<double>    lambda;
      double                 size = 0; ///< |F(lambda)|

    private:
      void
      assemble();

      std::vector<double>              xi, trial, minus_f;
      dealii::Vector<double>           step;
      dealii::LAPACKFullMatrix<double> matrix;
    };



    double
    NaturalMap::evaluate(const std::vector<double> &at)
    {
      blocks.velocities(at, xi);
      return size = blocks.natural_map(1, at, xi, minus_f);
    }



    /// An element of the generalised derivative of the projection at z:
    /// with t = z_T / |z_T| and the radius mu z_N,
    /// @f[ \mathrm d\lambda_N = \mathrm dz_N, \qquad \mathrm d\lambda_T =
    ///     \mathrm dz_T \;\text{(inside)}, \quad \mu t\,\mathrm dz_N +
    ///     \frac{\mu z_N}{|z_T|}(I - t t^{\mathsf T})\,\mathrm dz_T
    ///     \;\text{(outside)}, @f]
    /// and zero for negative z_N.
    void
    differentiate_projection(const LocalContact &contact,
                             const double       *z,
                             double (&P)[3][3])
    {
      for (auto &row : P)
        std::fill_n(row, 3, 0.);
      if (z[0] <= 0)
        return;
      P[0][0]             = 1;
      const double mu     = contact.friction;
      double       length = 0;
      for (unsigned int d = 1; d < contact.n_directions; ++d)
        length = std::hypot(length, z[d]);
      const bool is_inside = mu > 0 && length <= mu * z[0];
      for (unsigned int d = 1; d < contact.n_directions; ++d)
        if (is_inside)
          P[d][d] = 1;
        else if (mu > 0)
          {
            const double factor = mu * z[0] / length;
            P[d][0]             = mu * z[d] / length;
            for (unsigned int e = 1; e < contact.n_directions; ++e)
              P[d][e] =
                factor * ((d == e ? 1 : 0) - z[d] / length * (z[e] / length));
          }
    }



    /// I - P (I - R W'), where W' is W with its diagonal raised by a little:
    /// where contacts are redundant, W is singular and impulses are not
    /// unique, and the step then stays short.
    void
    NaturalMap::assemble()
    {
      constexpr double regularisation = 1e-11;
      matrix                          = 0.;
      double P[3][3], z[3];
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        {
          const unsigned int first = problem.points[c].first;
          const unsigned int n     = problem.points[c].n_directions;
          for (unsigned int d = 0; d < n; ++d)
            z[d] = lambda[first + d] - blocks.step(first + d) * xi[first + d];
          differentiate_projection(blocks.contact(c), z, P);
          for (unsigned int d = 0; d < n; ++d)
            {
              matrix(first + d, first + d) += 1;
              for (unsigned int e = 0; e < n; ++e)
                if (P[d][e] != 0)
                  {
                    const unsigned int i      = first + e;
                    const double       factor = P[d][e] * blocks.step(i);
                    matrix(first + d, i) += P[d][e] * (regularisation - 1);
                    for (unsigned int k = problem.row_start[i];
                         k < problem.row_start[i + 1];
                         ++k)
                      matrix(first + d, problem.columns[k]) +=
                        factor * problem.values[k];
                  }
            }
        }
    }



    bool
    NaturalMap::advance()
    {
      const double before = evaluate(lambda);
      assemble();
      std::copy(minus_f.begin(), minus_f.end(), step.begin());
      try
        {
          matrix.compute_lu_factorization();
          matrix.solve(step);
        }
      catch (const dealii::ExceptionBase &) // a singular matrix
        {
          return false;
        }
      for (double factor = 1; factor > 0.01; factor *= 0.5)
        {
          for (unsigned int i = 0; i < problem.size(); ++i)
            trial[i] = lambda[i] + factor * step[i];
          if (evaluate(trial) <= (1 - 1e-4 * factor) * before)
            {
              lambda.swap(trial);
              return true;
            }
        }
      evaluate(lambda);
      return false;
    }



    unsigned int
    Newton::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      NaturalMap          map(gathered, blocks);
      std::vector<double> best = map.lambda, start = map.lambda;
      double              best_size = map.size, start_size = map.size;
      unsigned int        n_sweeps = 5, n_iterations = 0, n_slow = 0;
      double              change = 1;
      while (n_iterations < parameters.maximum_iterations &&
             map.residual() > 0.01 * tolerance && change > 0)
        {
          ++n_iterations;
          const double before      = map.size;
          const bool   has_descent = map.advance();
          n_slow                   = map.size > 0.7 * before ? n_slow + 1 : 0;
          if (!has_descent && map.residual() <= 0.5 * tolerance)
            break; // round-off
          if (!has_descent || n_slow > 4)
            {
              // From where the last sweeps ended, unless Newton's method has
              // come much closer since.
              if (map.size > 0.1 * start_size)
                map.lambda = start;
              for (unsigned int i = 0; i < n_sweeps; ++i)
                change = blocks.sweep(1, map.lambda);
              n_sweeps   = std::min(2 * n_sweeps, 1000u);
              start_size = map.evaluate(map.lambda);
              start      = map.lambda;
              n_slow     = 0;
            }
          if (map.size < best_size)
            {
              best      = map.lambda;
              best_size = map.size;
            }
        }
      gathered.lambda = best;
      scatter(gathered, problem, lambda);
      return n_iterations;
    }

    const Registration<ContactSolver, Newton>
      registration("newton",
                   "semismooth Newton method with a dense matrix, for small "
                   "numbers of contacts; friction in the plane and in space");
  } // namespace
} // namespace Percuss
