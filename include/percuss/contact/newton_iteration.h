// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/conjugate_sweeps.h>
#include <percuss/contact/newton_matrix.h>

#include <vector>

namespace Percuss
{
  /// Newton's method for F(lambda) = 0, a function of the impulses and
  /// velocities of the contacts, with a line search on |F|. Where that finds no
  /// descent or a slow one, sweeps of block Gauss-Seidel bring it closer, each
  /// time twice as many.
  class NewtonIteration
  {
  public:
    NewtonIteration(const GatheredProblem &problem,
                    const ContactBlocks   &blocks);
    virtual ~NewtonIteration() = default;

    /// Returns the number of iterations.
    unsigned int
    run(unsigned int maximum_iterations, double tolerance);

    const std::vector<double> &
    impulses() const
    {
      return best;
    }

  protected:
    /// Sets -F from lambda = @p at and xi. Returns |F|, infinity where it is
    /// not finite.
    virtual double
    set_minus_F(const std::vector<double> &at) = 0;

    /// Sets the derivative of F at lambda.
    virtual void
    assemble() = 0;

    /// For where Newton's step is no descent: another direction and its
    /// length, after assemble(). Returns false where there is none.
    virtual bool
    set_other_step()
    {
      return false;
    }

    const GatheredProblem &problem;
    const ContactBlocks   &blocks;
    std::vector<double>    lambda, xi, minus_F, step;
    NewtonMatrix           matrix;

  private:
    /// Sets xi and -F, and |F|, which it returns.
    double
    evaluate(const std::vector<double> &at);

    /// Goes a part of the step; false where |F| does not shrink.
    bool
    search(double before);

    /// One iteration of Newton's method.
    bool
    advance();

    /// Sweeps, from where the last ones ended unless Newton's method has come
    /// much closer since, until they change velocities by less than @p small.
    void
    sweep(double small);

    double
    residual() const
    {
      return blocks.residual(lambda, xi);
    }

    std::vector<double> trial, best, start;
    ConjugateSweeps     sweeps;
    double              size = 0, best_size = 0, start_size = 0; ///< of F
    unsigned int        n_sweeps    = 40;
    double              last_change = 1; ///< of a sweep
  };
} // namespace Percuss
