// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/friction_cone.h>
#include <percuss/contact/newton_iteration.h>
#include <percuss/contact/solver_parameters.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Semismooth Newton method for the function of Fischer and Burmeister in
    /// the Jordan algebra of the second-order cone (Fukushima, Luo, Tseng, SIAM
    /// J. Optim. 12, 2002),
    /// @f[ 0 = \Phi(x, y) = x + y - (x\circ x + y\circ y)^{1/2}, \qquad
    ///     x = w\,(\mu\lambda_N, \lambda_T), \qquad
    ///     y = (\xi_N/\mu + |\xi_T|, \xi_T), @f]
    /// and a + b - (a^2 + b^2)^1/2 with a = w lambda_N and b = xi_N where there
    /// is no friction. Where Newton's step does not lead downhill on |Phi|, the
    /// gradient of |Phi|^2 / 2 does. Each rank solves the same problem: for up
    /// to a thousand active contacts.
    class FischerBurmeister : public ContactSolver
    {
    public:
      using Parameters = IterationParameters<200>;

      FischerBurmeister(const Parameters &parameters, const Context &context)
        : ContactSolver("fischer burmeister",
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



    /// x o x + y o y in n dimensions, by its eigenvalues.
    struct SumOfSquares
    {
      SumOfSquares(const unsigned int n, const double *x, const double *y)
        : n(n)
      {
        double length = 0;
        for (unsigned int d = 0; d < n; ++d)
          {
            sum += x[d] * x[d] + y[d] * y[d];
            axis[d] = 2 * (x[0] * x[d] + y[0] * y[d]);
            length += d == 0 ? 0 : axis[d] * axis[d];
          }
        length = std::sqrt(length);
        for (unsigned int d = 1; d < n; ++d)
          axis[d] = length > 0 ? axis[d] / length : 0;
        larger  = std::sqrt(sum + length);
        smaller = std::sqrt(std::max(0., sum - length));
      }

      /// Its root z.
      void
      root(double *z) const
      {
        z[0] = 0.5 * (larger + smaller);
        for (unsigned int d = 1; d < n; ++d)
          z[d] = 0.5 * (larger - smaller) * axis[d];
      }

      /// @p p = L(z)^-1 L(x) with the products L(x) v = x o v. On the boundary
      /// of the cone, where L(z) is singular, that of a point near by.
      void
      quotient(const double *x, NewtonMatrix::Block &p) const;

      const unsigned int n;
      double             sum = 0, axis[3] = {}, larger = 0, smaller = 0;
    };



    void
    SumOfSquares::quotient(const double *x, NewtonMatrix::Block &p) const
    {
      if (larger == 0)
        {
          for (unsigned int d = 0; d < n; ++d)
            for (unsigned int e = 0; e < n; ++e)
              p[d][e] = d == e ? std::sqrt(0.5) : 0;
          return;
        }
      SumOfSquares near(*this);
      near.smaller = std::max(smaller, 1e-8 * larger);
      double z[3];
      near.root(z);
      const double determinant = near.smaller * near.larger;
      for (unsigned int e = 0; e < n; ++e)
        {
          // Column e of L(x).
          double column[3] = {x[e], 0, 0}, product = 0;
          for (unsigned int d = 1; d < n; ++d)
            {
              column[d] = e == 0 ? x[d] : d == e ? x[0] : 0;
              product += z[d] * column[d];
            }
          p[0][e] = (z[0] * column[0] - product) / determinant;
          for (unsigned int d = 1; d < n; ++d)
            p[d][e] = (column[d] - p[0][e] * z[d]) / z[0];
        }
    }



    class ConeFunction : public NewtonIteration
    {
    public:
      ConeFunction(const GatheredProblem &problem, const ContactBlocks &blocks)
        : NewtonIteration(problem, blocks)
        , product(problem.size())
      {}

    protected:
      double
      set_minus_F(const std::vector<double> &at) override;

      void
      assemble() override;

      /// Down the gradient, as far as the linear model shrinks.
      bool
      set_other_step() override;

    private:
      /// The arguments of the function, and their dimension: 1 without
      /// friction.
      unsigned int
      arguments(unsigned int               contact,
                const std::vector<double> &at,
                double                    *x,
                double                    *y) const;

      std::vector<double> product;
    };



    unsigned int
    ConeFunction::arguments(const unsigned int         contact,
                            const std::vector<double> &at,
                            double                    *x,
                            double                    *y) const
    {
      const LocalContact &local    = blocks.contact(contact);
      const double        mu       = local.friction;
      const double       *impulse  = &at[problem.points[contact].first];
      const double       *velocity = &xi[problem.points[contact].first];
      const double        w        = blocks.weight(contact);
      if (mu == 0)
        {
          x[0] = w * impulse[0];
          y[0] = velocity[0];
          return 1;
        }
      const FrictionCone cone{local.n_directions, mu};
      x[0] = w * mu * impulse[0];
      y[0] = velocity[0] / mu + cone.tangential_norm(velocity);
      for (unsigned int d = 1; d < local.n_directions; ++d)
        {
          x[d] = w * impulse[d];
          y[d] = velocity[d];
        }
      return local.n_directions;
    }



    double
    ConeFunction::set_minus_F(const std::vector<double> &at)
    {
      double sum = 0, x[3], y[3], z[3];
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        {
          const unsigned int first = problem.points[c].first;
          const unsigned int n     = arguments(c, at, x, y);
          SumOfSquares(n, x, y).root(z);
          for (unsigned int d = 0; d < blocks.contact(c).n_directions; ++d)
            {
              minus_F[first + d] = d < n ? z[d] - (x[d] + y[d]) :
                                           -blocks.weight(c) * at[first + d];
              sum += minus_F[first + d] * minus_F[first + d];
            }
        }
      return std::isfinite(sum) ? std::sqrt(sum) :
                                  std::numeric_limits<double>::infinity();
    }



    void
    ConeFunction::assemble()
    {
      double              x[3], y[3];
      NewtonMatrix::Block X, Y, C, B;
      matrix.clear();
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        {
          const unsigned int n_directions = blocks.contact(c).n_directions;
          const unsigned int n            = arguments(c, lambda, x, y);
          const SumOfSquares squares(n, x, y);
          squares.quotient(x, X);
          squares.quotient(y, Y);
          const double  mu       = n > 1 ? blocks.contact(c).friction : 1;
          const double *velocity = &xi[problem.points[c].first];
          const double  slip = FrictionCone{n, mu}.tangential_norm(velocity);
          for (unsigned int d = 0; d < n_directions; ++d)
            for (unsigned int e = 0; e < n_directions; ++e)
              {
                C[d][e] = d == e ? blocks.weight(c) : 0;
                B[d][e] = 0;
                if (d >= n || e >= n)
                  continue;
                // dx = w (mu, 1, 1) dlambda
                C[d][e] = blocks.weight(c) * (e == 0 ? mu : 1) *
                          ((d == e ? 1 : 0) - X[d][e]);
                // dy = (1/mu, 1, 1) dxi, and that of the length of xi_T
                B[d][e] = ((d == e ? 1 : 0) - Y[d][e]) / (e == 0 ? mu : 1);
                if (e > 0 && slip > 0)
                  B[d][e] += ((d == 0 ? 1 : 0) - Y[d][0]) * velocity[e] / slip;
              }
          matrix.append(C, B);
        }
    }



    bool
    ConeFunction::set_other_step()
    {
      matrix.transposed_multiply(minus_F, step);
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        for (unsigned int d = 0; d < blocks.contact(c).n_directions; ++d)
          step[problem.points[c].first + d] /=
            blocks.weight(c) * blocks.weight(c);
      matrix.multiply(step, product);
      double along = 0, square = 0;
      for (unsigned int i = 0; i < problem.size(); ++i)
        {
          along += product[i] * minus_F[i];
          square += product[i] * product[i];
        }
      for (double &entry : step)
        entry *= along / square;
      return square > 0 && std::isfinite(along);
    }



    unsigned int
    FischerBurmeister::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      ConeFunction        function(gathered, blocks);
      const unsigned int  n_iterations =
        function.run(parameters.maximum_iterations, tolerance);
      gathered.lambda = function.impulses();
      blocks.polish(tolerance, gathered.lambda);
      scatter(gathered, problem, lambda);
      return n_iterations;
    }

    const Registration<ContactSolver, FischerBurmeister>
      registration("fischer burmeister",
                   "semismooth Newton method on the function of Fischer and "
                   "Burmeister; friction in the plane and in space");
  } // namespace
} // namespace Percuss
