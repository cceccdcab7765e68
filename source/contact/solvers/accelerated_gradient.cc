// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/friction_cone.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Projected gradients with Nesterov's acceleration for
    /// @f[ \min_{\lambda\in K}\; \tfrac12\lambda\cdot W\lambda +
    ///     (b + s\,e_N)\cdot\lambda @f]
    /// with Coulomb's cones K (APGD: Mazhar, Heyn, Negrut, Tasora, ACM Trans.
    /// Graph. 34, 2015). The step adapts to the curvature met, and momentum is
    /// given up where it leads uphill (O'Donoghue, Candes, Found. Comput. Math.
    /// 15, 2015). The shifts s = mu |xi_T| make it Coulomb's law; they follow
    /// the velocities in each iteration, more slowly where that goes round in
    /// circles. W is only applied, once an iteration, and each rank keeps its
    /// contacts.
    class AcceleratedGradient : public ContactSolver
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
                      "More than this counts as failure",
                      1);
        }
      };

      AcceleratedGradient(const Parameters &parameters, const Context &context)
        : ContactSolver("accelerated gradient",
                        {SolverNeeds::Form::any, true, 3},
                        context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const Parameters parameters;
    };



    /// A contact of this rank.
    struct Block
    {
      unsigned int first;
      FrictionCone cone;
      double       weight; ///< w of natural_residual()
      double       shift;
    };



    class Descent
    {
    public:
      Descent(const ContactProblem &problem, const Vector &lambda);

      /// One accepted step.
      void
      advance();

      /// natural_residual() of the impulses.
      double
      residual() const
      {
        return error == 0 ? 0 : error / scale;
      }

      unsigned int
      n_products() const
      {
        return products;
      }

      const Vector &
      impulses() const
      {
        return best;
      }

    private:
      /// Calls action(entry, weight) for the entries of active contacts.
      template <typename Action>
      void
      for_each_entry(const Action &action) const
      {
        for (const Block &block : blocks)
          for (unsigned int i = block.first;
               i < block.first + block.cone.n_directions;
               ++i)
            action(i, block.weight);
      }

      /// @p next = proj(from - t gradient / w), and its product with W.
      void
      make_step();

      /// Halves the step until it fits the curvature.
      void
      search();

      /// From the impulses @p next to the next start, with momentum.
      void
      extrapolate(bool is_uphill);

      /// Sets the error and keeps the best impulses.
      void
      measure();

      /// Slows the shifts down where the error has not shrunk for long.
      void
      set_pace();

      void
      update_shifts();

      const ContactProblem &problem;
      const MPI_Comm        communicator;
      std::vector<Block>    blocks;
      Vector                from, W_from, next, W_next, last, W_last, gradient;
      Vector                best;
      double                step = 1, momentum = 1;
      double                error = 0, scale = 0, best_error;
      double                pace = 1;     ///< at which shifts follow
      double                marked_error; ///< the last one by half smaller
      unsigned int          mark     = 0; ///< products at that time
      unsigned int          products = 0;
    };



    Descent::Descent(const ContactProblem &problem, const Vector &lambda)
      : problem(problem)
      , communicator(problem.W.partition()->get_mpi_communicator())
      , from(lambda)
      , W_from(lambda)
      , next(lambda)
      , W_next(lambda)
      , last(lambda)
      , W_last(lambda)
      , gradient(lambda)
      , best(lambda)
      , best_error(std::numeric_limits<double>::infinity())
      , marked_error(best_error)
    {
      for (const unsigned int contact : problem.active)
        {
          const ContactPoint &point  = problem.points[contact];
          double              weight = 0;
          for (unsigned int d = 0; d < point.n_directions; ++d)
            weight =
              std::max(weight, std::abs(problem.W.diagonal(point.first + d)));
          blocks.push_back({point.first,
                            {point.n_directions, problem.law.friction(point)},
                            weight > 0 ? weight : 1,
                            0});
          blocks.back().cone.project(next.begin() + point.first);
        }
      problem.W.multiply(next, W_next);
      ++products;
      update_shifts();
      measure();
      last   = next;
      W_last = W_next;
      from   = next;
      W_from = W_next;
    }



    void
    Descent::update_shifts()
    {
      double xi[3];
      for (Block &block : blocks)
        {
          for (unsigned int d = 0; d < block.cone.n_directions; ++d)
            xi[d] = W_next.local_element(block.first + d) +
                    problem.b.local_element(block.first + d);
          block.shift += pace * (block.cone.shift(xi) - block.shift);
        }
    }



    void
    Descent::measure()
    {
      double largest[2] = {0, 0}, xi[3];
      for (std::size_t c = 0; c < blocks.size(); ++c)
        {
          const Block &block = blocks[c];
          for (unsigned int d = 0; d < block.cone.n_directions; ++d)
            {
              const double change = W_next.local_element(block.first + d);
              const double b      = problem.b.local_element(block.first + d);
              xi[d]               = change + b;
              largest[1] =
                std::max({largest[1], std::abs(b), std::abs(change)});
            }
          largest[0] = std::max(largest[0],
                                law_violation(problem.law,
                                              problem.points[problem.active[c]],
                                              block.weight,
                                              next.begin() + block.first,
                                              xi));
        }
      MPI_Allreduce(
        MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, communicator);
      error = largest[0];
      scale = largest[1];
      if (error < best_error)
        {
          best_error = error;
          best       = next;
        }
    }



    void
    Descent::set_pace()
    {
      if (error < 0.5 * marked_error)
        {
          marked_error = error;
          mark         = products;
        }
      else if (products > mark + 500)
        {
          pace = std::max(0.5 * pace, 1e-3);
          mark = products;
        }
    }



    void
    Descent::make_step()
    {
      for (const Block &block : blocks)
        {
          for (unsigned int i = block.first;
               i < block.first + block.cone.n_directions;
               ++i)
            next.local_element(i) =
              from.local_element(i) -
              step * gradient.local_element(i) / block.weight;
          block.cone.project(next.begin() + block.first);
        }
      problem.W.multiply(next, W_next);
      ++products;
    }



    void
    Descent::search()
    {
      for (unsigned int trial = 0; trial < 60; ++trial)
        {
          make_step();
          double sums[2] = {0, 0}; // curvature along the step, its square
          for_each_entry([&](const unsigned int i, const double weight) {
            const double d = next.local_element(i) - from.local_element(i);
            sums[0] += d * (W_next.local_element(i) - W_from.local_element(i));
            sums[1] += weight * d * d;
          });
          MPI_Allreduce(
            MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, communicator);
          if (!(step * sums[0] > sums[1]))
            return;
          step = std::min(0.9 * sums[1] / sums[0], 0.7 * step);
        }
    }



    void
    Descent::extrapolate(const bool is_uphill)
    {
      const double old = momentum;
      momentum = is_uphill ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * old * old));
      const double factor = is_uphill ? 0 : (old - 1) / momentum;
      for_each_entry([&](const unsigned int i, const double) {
        from.local_element(i) =
          next.local_element(i) +
          factor * (next.local_element(i) - last.local_element(i));
        W_from.local_element(i) =
          W_next.local_element(i) +
          factor * (W_next.local_element(i) - W_last.local_element(i));
      });
      last.swap(next);
      W_last.swap(W_next);
    }



    void
    Descent::advance()
    {
      for_each_entry([&](const unsigned int i, const double) {
        gradient.local_element(i) =
          W_from.local_element(i) + problem.b.local_element(i);
      });
      for (const Block &block : blocks)
        gradient.local_element(block.first) += block.shift;
      search();
      measure();
      double uphill = 0;
      for_each_entry([&](const unsigned int i, const double weight) {
        // The gradient of the projected problem is w (from - next) / t.
        uphill += weight * (from.local_element(i) - next.local_element(i)) *
                  (next.local_element(i) - last.local_element(i));
      });
      MPI_Allreduce(
        MPI_IN_PLACE, &uphill, 1, MPI_DOUBLE, MPI_SUM, communicator);
      set_pace();
      update_shifts();
      extrapolate(uphill > 0);
      step *= 1.02;
    }



    unsigned int
    AcceleratedGradient::run(const ContactProblem &problem,
                             Vector               &lambda) const
    {
      Descent descent(problem, lambda);
      while (descent.n_products() < parameters.maximum_iterations &&
             descent.residual() > 0.1 * tolerance)
        descent.advance();
      lambda = descent.impulses();
      return descent.n_products();
    }

    const Registration<ContactSolver, AcceleratedGradient>
      registration("accelerated gradient",
                   "projected gradients with Nesterov's acceleration, "
                   "distributed, without entries of W; friction in the plane "
                   "and in space");
  } // namespace
} // namespace Percuss
