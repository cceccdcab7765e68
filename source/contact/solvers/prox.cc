// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_blocks.h>
#include <percuss/contact/contact_solver.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// The fixed point of
    /// @f[ \lambda_i \leftarrow \mathrm{proj}(\lambda_i - r\,R_i\,\xi_i) @f]
    /// for all contacts at once, with R_i from the diagonal of W (Alart,
    /// Curnier, CMAME 92, 1991; Studer, Numerics of Unilateral Contacts and
    /// Friction, 2009). The common factor r is halved where the error grows and
    /// raised slowly while it shrinks. Anderson's acceleration makes the many
    /// iterations few; where it does not help, it starts anew. Each rank solves
    /// the same problem.
    class Prox : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_iterations = 20000;
        double       relaxation         = 1;
        unsigned int memory             = 10;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum iterations",
                      maximum_iterations,
                      "More than this counts as failure",
                      1);
          section.add("relaxation",
                      relaxation,
                      "The part of the way to the projected impulse that an "
                      "iteration goes",
                      {0, 2, true, true});
          section.add("memory",
                      memory,
                      "The number of iterations from which Anderson's "
                      "acceleration extrapolates; 0 for none",
                      0);
        }
      };

      Prox(const Parameters &parameters, const Context &context)
        : ContactSolver("prox",
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



    /// Anderson's acceleration (J. ACM 12, 1965; Walker, Ni, SIAM J. Numer.
    /// Anal. 49, 2011) of lambda <- lambda + omega f(lambda): the combination
    /// of the last differences that makes f smallest. Gram and Schmidt's
    /// process, newest difference first, drops those that add nothing new.
    class Anderson
    {
    public:
      Anderson(const ContactBlocks &blocks,
               const unsigned int   n,
               const unsigned int   memory)
        : memory(memory)
        , weights(n)
        , old_lambda(n)
        , old_f(n)
        , remainder(n)
        , lambda_differences(memory, std::vector<double>(n))
        , f_differences(memory, std::vector<double>(n))
        , p(memory, std::vector<double>(n))
        , q(memory, std::vector<double>(n))
      {
        for (unsigned int i = 0; i < n; ++i)
          weights[i] = 1 / blocks.step(i);
      }

      void
      clear()
      {
        n_stored = 0;
        is_first = true;
      }

      /// Whether the last step() was not accelerated.
      bool
      was_plain() const
      {
        return n_stored == 0;
      }

      void
      step(const std::vector<double> &lambda,
           const std::vector<double> &f,
           double                     relaxation,
           std::vector<double>       &next);

    private:
      double
      product(const std::vector<double> &a, const std::vector<double> &b) const
      {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
          sum += weights[i] * a[i] * b[i];
        return sum;
      }

      static void
      add(const double               factor,
          const std::vector<double> &x,
          std::vector<double>       &y)
      {
        for (std::size_t i = 0; i < x.size(); ++i)
          y[i] += factor * x[i];
      }

      void
      store(const std::vector<double> &lambda, const std::vector<double> &f);

      const unsigned int               memory;
      unsigned int                     n_stored = 0, newest = 0;
      bool                             is_first = true;
      std::vector<double>              weights, old_lambda, old_f, remainder;
      std::vector<std::vector<double>> lambda_differences, f_differences, p, q;
    };



    void
    Anderson::store(const std::vector<double> &lambda,
                    const std::vector<double> &f)
    {
      if (!is_first && memory > 0)
        {
          newest   = (newest + 1) % memory;
          n_stored = std::min(n_stored + 1, memory);
          for (std::size_t i = 0; i < f.size(); ++i)
            {
              lambda_differences[newest][i] = lambda[i] - old_lambda[i];
              f_differences[newest][i]      = f[i] - old_f[i];
            }
        }
      is_first   = false;
      old_lambda = lambda;
      old_f      = f;
    }



    void
    Anderson::step(const std::vector<double> &lambda,
                   const std::vector<double> &f,
                   const double               relaxation,
                   std::vector<double>       &next)
    {
      store(lambda, f);
      next      = lambda;
      remainder = f;
      // q holds orthogonal combinations of the differences of f, and p the
      // same combinations of those of lambda.
      unsigned int n_kept = 0;
      for (unsigned int j = 0; j < n_stored; ++j)
        {
          const unsigned int slot = (newest + memory - j) % memory;
          p[n_kept]               = lambda_differences[slot];
          q[n_kept]               = f_differences[slot];
          const double before     = product(q[n_kept], q[n_kept]);
          for (unsigned int k = 0; k < n_kept; ++k)
            {
              const double factor =
                -product(q[k], q[n_kept]) / product(q[k], q[k]);
              add(factor, q[k], q[n_kept]);
              add(factor, p[k], p[n_kept]);
            }
          const double after = product(q[n_kept], q[n_kept]);
          if (!(after > 1e-16 * before))
            continue;
          const double factor = -product(q[n_kept], remainder) / after;
          add(factor, q[n_kept], remainder);
          add(factor, p[n_kept], next);
          ++n_kept;
        }
      add(relaxation, remainder, next);
    }



    /// Impulses with their velocities and their error.
    struct Iterate
    {
      explicit Iterate(const unsigned int n)
        : lambda(n)
        , xi(n)
      {}

      void
      evaluate(const ContactBlocks &blocks, std::vector<double> &f)
      {
        blocks.velocities(lambda, xi);
        error = blocks.natural_map(1, lambda, xi, f);
      }

      std::vector<double> lambda, xi;
      double              error = 0;
    };



    /// The iteration: accelerated where that helps, and plain where not.
    class FixedPoint
    {
    public:
      FixedPoint(const GatheredProblem &problem,
                 const ContactBlocks   &blocks,
                 const double           relaxation,
                 const unsigned int     memory)
        : problem(problem)
        , blocks(blocks)
        , relaxation(relaxation)
        , is_accelerated(memory > 0)
        , anderson(blocks, problem.size(), memory)
        , present(problem.size())
        , next(problem.size())
        , nearest(problem.size())
        , best(problem.size())
        , f(problem.size())
      {
        present.lambda = problem.lambda;
        present.evaluate(blocks, f);
        nearest = best = present;
      }

      /// One iteration, seldom two.
      void
      advance();

      /// Iterations that nothing holds back, for when those of advance() get
      /// nowhere: the error may have to grow on the way.
      void
      wander(unsigned int n_steps);

      double
      residual() const
      {
        return blocks.residual(best.lambda, best.xi);
      }

      unsigned int
      n_iterations() const
      {
        return n_applied;
      }

      /// Iterations since the error shrank noticeably.
      unsigned int
      n_idle() const
      {
        return idle;
      }

      const std::vector<double> &
      solution() const
      {
        return best.lambda;
      }

    private:
      /// @p next from f = proj(lambda - r R xi) - lambda.
      void
      apply();

      /// Goes to @p next.
      void
      accept();

      const GatheredProblem &problem;
      const ContactBlocks   &blocks;
      const double           relaxation;
      const bool             is_accelerated;
      Anderson               anderson;
      Iterate                present, next;
      Iterate                nearest; ///< the best since the last wander()
      Iterate                best;
      std::vector<double>    f;
      double                 r         = 1;
      unsigned int           n_applied = 0, idle = 0;
    };



    void
    FixedPoint::apply()
    {
      blocks.natural_map(r, present.lambda, present.xi, f);
      anderson.step(present.lambda, f, relaxation, next.lambda);
      blocks.project(next.lambda);
      next.evaluate(blocks, f);
      ++n_applied;
    }



    void
    FixedPoint::accept()
    {
      std::swap(present, next);
      ++idle;
      if (present.error < 0.99 * nearest.error)
        idle = 0;
      if (present.error < nearest.error)
        nearest = present;
      if (present.error < best.error)
        best = present;
    }



    void
    FixedPoint::advance()
    {
      apply();
      if (!anderson.was_plain() && !(next.error <= 2 * nearest.error))
        {
          anderson.clear();
          r *= 1.1;
          apply();
        }
      if (anderson.was_plain() && !(next.error <= present.error))
        {
          anderson.clear(); // f of another r is another function
          r = std::max(0.5 * r, 1e-4);
        }
      else if (!is_accelerated)
        r *= 1.02;
      if (next.error <= 4 * nearest.error)
        {
          accept();
          return;
        }
      ++idle;
      present = nearest;
      anderson.clear();
    }



    void
    FixedPoint::wander(const unsigned int n_steps)
    {
      // Without friction these steps are contractions if W is symmetric: the
      // largest sum of a row of R^1/2 W R^1/2 bounds the eigenvalues of R W.
      double largest = 0;
      for (unsigned int i = 0; i < problem.size(); ++i)
        {
          double sum = 0;
          for (unsigned int k = problem.row_start[i];
               k < problem.row_start[i + 1];
               ++k)
            sum += std::abs(problem.values[k]) *
                   std::sqrt(blocks.step(i) * blocks.step(problem.columns[k]));
          largest = std::max(largest, sum);
        }
      r = largest > 0 ? 1 / largest : 1;
      for (unsigned int i = 0; i < n_steps; ++i)
        {
          anderson.clear();
          apply();
          if (!std::isfinite(next.error))
            break;
          accept();
        }
      anderson.clear();
      nearest = present;
      idle    = 0;
    }



    unsigned int
    Prox::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem     gathered = gather(problem, lambda);
      const ContactBlocks blocks(problem.law, gathered);
      FixedPoint          iteration(gathered,
                           blocks,
                           parameters.relaxation,
                           parameters.memory);
      unsigned int        n_steps = 50;
      while (iteration.n_iterations() < parameters.maximum_iterations &&
             iteration.residual() > 0.1 * tolerance)
        if (iteration.n_idle() < 50)
          iteration.advance();
        else
          {
            iteration.wander(std::min(n_steps,
                                      parameters.maximum_iterations -
                                        iteration.n_iterations()));
            n_steps = std::min(2 * n_steps, 400u);
          }
      gathered.lambda = iteration.solution();
      scatter(gathered, problem, lambda);
      return iteration.n_iterations();
    }

    const Registration<ContactSolver, Prox> registration(
      "prox",
      "fixed point of the projected impulses of all contacts at "
      "once, accelerated; friction in the plane and in space, rolling");
  } // namespace
} // namespace Percuss
