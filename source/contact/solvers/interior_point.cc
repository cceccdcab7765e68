// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_blocks.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/friction_cone.h>
#include <percuss/contact/newton_matrix.h>
#include <percuss/contact/solver_parameters.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Primal-dual interior-point method of Mehrotra's kind in the Jordan
    /// algebra of the second-order cone, with the scaling of Nesterov and Todd
    /// (Vandenberghe, The CVXOPT linear and quadratic cone program solvers,
    /// 2010; for friction Acary, Armand, Nguyen, Shpakovych, 2023):
    /// @f[ x = w\,(\mu\lambda_N, \lambda_T), \qquad
    ///     y = (\xi_N/\mu + |\xi_T|, \xi_T), \qquad
    ///     x\circ y = \tau e, \quad \tau \to 0, @f]
    /// x and y inside the cone. De Saxce's shift |xi_T| is not held but part of
    /// Newton's equations: the limit is Coulomb's law itself. Redundant
    /// contacts do not trouble it; each iteration is one factorisation. Each
    /// rank solves the same problem: for up to a thousand active contacts.
    class InteriorPoint : public ContactSolver
    {
    public:
      using Parameters = IterationParameters<200>;

      InteriorPoint(const Parameters &parameters, const Context &context)
        : ContactSolver("interior point",
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



    /// An element of the Jordan algebra in n <= 3 dimensions, n = 1 being the
    /// real numbers.
    struct Element
    {
      double v[3] = {0, 0, 0};

      double &
      operator[](const unsigned int d)
      {
        return v[d];
      }
      double
      operator[](const unsigned int d) const
      {
        return v[d];
      }

      double
      tail() const
      {
        return std::hypot(v[1], v[2]);
      }

      /// The smaller eigenvalue: positive inside the cone.
      double
      smallest() const
      {
        return v[0] - tail();
      }

      double
      determinant() const
      {
        return (v[0] - tail()) * (v[0] + tail());
      }
    };

    double
    dot(const Element &a, const Element &b)
    {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    Element
    combine(const double s, const Element &a, const double t, const Element &b)
    {
      return {{s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]}};
    }

    /// a o b.
    Element
    product(const Element &a, const Element &b)
    {
      return {
        {dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]}};
    }

    /// The z with a o z = b.
    Element
    quotient(const Element &b, const Element &a)
    {
      Element result;
      result[0] = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / a.determinant();
      for (unsigned int d = 1; d < 3; ++d)
        result[d] = (b[d] - result[0] * a[d]) / a[0];
      return result;
    }

    /// The largest s <= 1 with x + s dx in the cone.
    double
    largest_step(const Element &x, const Element &dx)
    {
      // det(x + s dx) = c + 2 s b + s^2 a, and the first entry stays positive.
      const double a            = dx.determinant();
      const double b            = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
      const double c            = x.determinant();
      double       s            = dx[0] < 0 ? std::min(1., -x[0] / dx[0]) : 1;
      const double discriminant = b * b - a * c;
      if (discriminant < 0)
        return s;
      // Of the positive roots the smallest, without cancellation.
      const double q = -(b + std::copysign(std::sqrt(discriminant), b));
      for (const double root : {c / q, q / a})
        if (root > 0 && root < s)
          s = root;
      return s;
    }



    /// The scaling T of Nesterov and Todd for x and y: T x = T^-1 y,
    /// @f[ T = \eta\,(2 v v^T - J), \qquad T^{-1} = \eta^{-1}(2 Jvv^TJ - J),
    ///     \qquad J = \mathrm{diag}(1, -1, -1). @f]
    struct Scaling
    {
      Scaling(const Element &x, const Element &y);

      Element
      apply(const Element &z) const
      {
        return reflect(v, z, eta);
      }

      Element
      apply_inverse(const Element &z) const
      {
        return reflect({{v[0], -v[1], -v[2]}}, z, 1 / eta);
      }

    private:
      /// factor (2 a a^T - J) z.
      static Element
      reflect(const Element &a, const Element &z, const double factor)
      {
        const double along = 2 * dot(a, z);
        return {{factor * (along * a[0] - z[0]),
                 factor * (along * a[1] + z[1]),
                 factor * (along * a[2] + z[2])}};
      }

      Element v;
      double  eta = 1;
    };

    Scaling::Scaling(const Element &x, const Element &y)
    {
      const double  of_x  = std::sqrt(x.determinant());
      const double  of_y  = std::sqrt(y.determinant());
      const double  gamma = std::sqrt(0.5 * (1 + dot(x, y) / (of_x * of_y)));
      const Element reflected = {{x[0], -x[1], -x[2]}};
      v = combine(0.5 / (gamma * of_y), y, 0.5 / (gamma * of_x), reflected);
      const double norm = std::sqrt(2 * (v[0] + 1));
      v[0] += 1;
      v   = combine(1 / norm, v, 0, v);
      eta = std::sqrt(of_y / of_x);
    }



    /// The iteration on the gathered problem.
    class CentralPath
    {
    public:
      CentralPath(const GatheredProblem &problem, const ContactBlocks &blocks);

      /// One iteration; false where it gets no further.
      bool
      advance();

      /// From the best impulses and some sweeps over the contacts: with large
      /// friction the path may end at the boundary of the cone.
      void
      restart(unsigned int n_sweeps);

      double
      residual() const
      {
        return best_residual;
      }

      const std::vector<double> &
      impulses() const
      {
        return best;
      }

    private:
      /// What a contact has besides its impulses.
      struct Block
      {
        unsigned int first, n_directions, n; ///< n = 1 without friction
        Element      to_x, to_y;             ///< factors of lambda and xi
        Element      x, y, dx, dy;
        Element      scaled;   ///< T x = T^-1 y
        Element      residual; ///< of y
      };

      void
      start();

      /// Sets xi, and all residuals, from lambda and y.
      void
      evaluate();

      /// Keeps lambda if it is better than all before.
      void
      remember();

      /// Newton's matrix for the present scaling.
      void
      assemble();

      /// Solves for dlambda, dx and dy with x o y -> @p target e, and the
      /// product of a step before if @p is_corrector.
      bool
      solve(double target, bool is_corrector);

      double
      step_to_boundary() const;

      const GatheredProblem &problem;
      const ContactBlocks   &blocks;
      std::vector<Block>     path;
      std::vector<Scaling>   scalings;
      std::vector<double>    lambda, xi, rhs, best;
      NewtonMatrix           matrix;
      double                 gap     = 0; ///< x . y of a contact, mean
      unsigned int           n_short = 0; ///< steps in a row
      double best_residual           = std::numeric_limits<double>::infinity();
    };



    CentralPath::CentralPath(const GatheredProblem &problem,
                             const ContactBlocks   &blocks)
      : problem(problem)
      , blocks(blocks)
      , lambda(problem.lambda)
      , xi(problem.size())
      , rhs(problem.size())
      , best(problem.lambda)
      , matrix(problem)
    {
      for (unsigned int c = 0; c < blocks.n_contacts(); ++c)
        {
          const LocalContact &local = blocks.contact(c);
          Block               block;
          block.first        = problem.points[c].first;
          block.n_directions = local.n_directions;
          block.n            = local.friction > 0 ? local.n_directions : 1;
          const double root  = std::sqrt(blocks.weight(c));
          const double mu    = local.friction > 0 ? local.friction : 1;
          for (unsigned int d = 0; d < block.n; ++d)
            {
              block.to_x[d] = root * (d == 0 ? mu : 1);
              block.to_y[d] = 1 / (root * (d == 0 ? mu : 1));
            }
          path.push_back(block);
        }
      start();
    }



    /// y of Coulomb's law for the scaled velocity u: with the shift.
    Element
    shifted(Element u)
    {
      u[0] += u.tail();
      return u;
    }



    void
    CentralPath::start()
    {
      n_short = 0;
      blocks.project(lambda);
      blocks.velocities(lambda, xi);
      remember(); // the guess may be the answer
      double     largest = 0;
      const bool is_cold =
        std::all_of(lambda.begin(), lambda.end(), [](const double value) {
          return value == 0;
        });
      for (const Block &block : path)
        for (unsigned int d = 0; d < block.n; ++d)
          largest =
            std::max({largest,
                      std::abs(block.to_y[d] * problem.b[block.first + d]),
                      std::abs(block.to_x[d] * lambda[block.first + d])});
      const double scale = largest > 0 ? largest : 1;
      // From inside the cone: near a guess, far from the boundary without one.
      const double inside = scale * (is_cold ? 1 : 0.01);
      for (Block &block : path)
        {
          for (unsigned int d = 0; d < block.n_directions; ++d)
            if (d < block.n)
              {
                block.x[d] = block.to_x[d] * lambda[block.first + d];
                block.y[d] = block.to_y[d] * xi[block.first + d];
              }
            else
              lambda[block.first + d] = 0;
          block.y = shifted(block.y);
          block.x[0] += inside + std::max(0., -block.x.smallest());
          block.y[0] += inside + std::max(0., -block.y.smallest());
          lambda[block.first] = block.x[0] / block.to_x[0];
        }
      evaluate();
    }



    void
    CentralPath::evaluate()
    {
      blocks.velocities(lambda, xi);
      gap = 0;
      for (Block &block : path)
        {
          Element u;
          for (unsigned int d = 0; d < block.n; ++d)
            {
              block.x[d] = block.to_x[d] * lambda[block.first + d];
              u[d]       = block.to_y[d] * xi[block.first + d];
            }
          block.residual = combine(1, u, -1, block.y);
          block.residual[0] += block.y.tail();
          gap += dot(block.x, block.y);
        }
      gap /= static_cast<double>(path.size());
      remember();
    }



    void
    CentralPath::remember()
    {
      const double error = blocks.residual(lambda, xi);
      if (error < best_residual)
        {
          best_residual = error;
          best          = lambda;
        }
    }



    /// u = y - |y_T| e_N, so that du = dy - (y_T . dy_T / |y_T|) e_N.
    Element
    unshift(const Element &y, Element dy)
    {
      const double tail = y.tail();
      if (tail > 0)
        dy[0] -= (y[1] * dy[1] + y[2] * dy[2]) / tail;
      return dy;
    }



    void
    CentralPath::assemble()
    {
      // With Q dy = du: to_y W dlambda + Q T^2 to_x dlambda = right-hand side.
      matrix.clear();
      scalings.clear();
      NewtonMatrix::Block C, B;
      for (Block &block : path)
        {
          scalings.emplace_back(block.x, block.y);
          const Scaling &T = scalings.back();
          block.scaled     = T.apply(block.x);
          for (unsigned int e = 0; e < block.n_directions; ++e)
            {
              Element unit;
              unit[e]              = 1;
              const Element column = unshift(block.y, T.apply(T.apply(unit)));
              for (unsigned int d = 0; d < block.n_directions; ++d)
                {
                  const bool is_inner = d < block.n && e < block.n;
                  C[d][e]             = is_inner ? column[d] * block.to_x[e] :
                                        d == e   ? 1 :
                                                   0;
                  B[d][e]             = is_inner && d == e ? block.to_y[d] : 0;
                }
            }
          matrix.append(C, B);
        }
    }



    bool
    CentralPath::solve(const double target, const bool is_corrector)
    {
      std::vector<Element> wanted(path.size()); // T dx + T^-1 dy
      for (std::size_t c = 0; c < path.size(); ++c)
        {
          const Block &block = path[c];
          Element      d     = product(block.scaled, block.scaled);
          d                  = combine(-1, d, 0, d);
          d[0] += target;
          if (is_corrector)
            d = combine(1,
                        d,
                        -1,
                        product(scalings[c].apply(block.dx),
                                scalings[c].apply_inverse(block.dy)));
          wanted[c] = quotient(d, block.scaled);
          const Element right =
            combine(1,
                    unshift(block.y, scalings[c].apply(wanted[c])),
                    -1,
                    block.residual);
          for (unsigned int e = 0; e < block.n_directions; ++e)
            rhs[block.first + e] = e < block.n ? right[e] : 0;
        }
      if (!matrix.solve(rhs))
        return false;
      for (std::size_t c = 0; c < path.size(); ++c)
        {
          Block &block = path[c];
          for (unsigned int d = 0; d < block.n; ++d)
            block.dx[d] = block.to_x[d] * rhs[block.first + d];
          block.dy = scalings[c].apply(
            combine(1, wanted[c], -1, scalings[c].apply(block.dx)));
        }
      return true;
    }



    double
    CentralPath::step_to_boundary() const
    {
      double s = 1;
      for (const Block &block : path)
        s = std::min({s,
                      largest_step(block.x, block.dx),
                      largest_step(block.y, block.dy)});
      return s;
    }



    bool
    CentralPath::advance()
    {
      assemble();
      if (!solve(0, false))
        return false;
      const double free  = step_to_boundary();
      const double sigma = std::pow(1 - free, 3);
      if (!solve(sigma * gap, true))
        return false;
      double s = step_to_boundary();
      s        = s < 1 ? 0.99 * s : 1;
      n_short  = s < 0.1 ? n_short + 1 : 0;
      if (!(s > 1e-10) || n_short > 5)
        return false;
      for (std::size_t i = 0; i < lambda.size(); ++i)
        lambda[i] += s * rhs[i];
      for (Block &block : path)
        block.y = combine(1, block.y, s, block.dy);
      evaluate();
      return std::isfinite(gap) && gap > 0;
    }



    void
    CentralPath::restart(const unsigned int n_sweeps)
    {
      lambda = best;
      for (unsigned int i = 0; i < n_sweeps; ++i)
        blocks.sweep(1, lambda);
      start();
    }



    unsigned int
    InteriorPoint::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      CentralPath         path(gathered, blocks);
      unsigned int        n_iterations = 0, n_sweeps = 10;
      while (n_iterations < parameters.maximum_iterations &&
             path.residual() > 0.1 * tolerance)
        {
          ++n_iterations;
          if (path.advance())
            continue;
          path.restart(n_sweeps);
          n_sweeps = std::min(2 * n_sweeps, 1000u);
        }
      gathered.lambda = path.impulses();
      blocks.sweep(1, gathered.lambda); // open contacts have no impulse
      blocks.polish(tolerance, gathered.lambda);
      scatter(gathered, problem, lambda);
      return n_iterations;
    }

    const Registration<ContactSolver, InteriorPoint>
      registration("interior point",
                   "interior-point method for hard and redundant problems; "
                   "friction in the plane and in space");
  } // namespace
} // namespace Percuss
