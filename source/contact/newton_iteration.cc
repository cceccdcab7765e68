// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/newton_iteration.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  NewtonIteration::NewtonIteration(const GatheredProblem &problem,
                                   const ContactBlocks   &blocks)
    : problem(problem)
    , blocks(blocks)
    , lambda(problem.lambda)
    , xi(problem.size())
    , minus_F(problem.size())
    , step(problem.size())
    , matrix(problem)
    , trial(problem.size())
    , best(lambda)
    , start(lambda)
    , sweeps(blocks, problem.size())
  {}



  double
  NewtonIteration::evaluate(const std::vector<double> &at)
  {
    blocks.velocities(at, xi);
    return size = set_minus_F(at);
  }



  bool
  NewtonIteration::search(const double before)
  {
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



  bool
  NewtonIteration::advance()
  {
    const double before = evaluate(lambda);
    assemble();
    step = minus_F;
    return (matrix.solve(step) && search(before)) ||
           (set_other_step() && search(before));
  }



  void
  NewtonIteration::sweep(const double small)
  {
    if (size > 0.1 * start_size)
      lambda = start;
    else
      sweeps.restart();
    for (unsigned int i = 0; i < n_sweeps; ++i)
      {
        last_change = sweeps.sweep(1, lambda);
        if (last_change <= small)
          break;
      }
    n_sweeps   = std::min(2 * n_sweeps, 1000u);
    start_size = evaluate(lambda);
    start      = lambda;
  }



  unsigned int
  NewtonIteration::run(const unsigned int maximum_iterations,
                       const double       tolerance)
  {
    unsigned int n_iterations = 0, n_slow = 0;
    double       scale = 0;
    for (const double b : problem.b)
      scale = std::max(scale, std::abs(b));
    best_size = start_size = evaluate(lambda);
    while (n_iterations < maximum_iterations && residual() > 0.01 * tolerance &&
           last_change > 0)
      {
        ++n_iterations;
        const double before      = size;
        const bool   has_descent = advance();
        n_slow                   = size > 0.7 * before ? n_slow + 1 : 0;
        if (!has_descent && residual() <= 0.5 * tolerance)
          break; // round-off
        if (!has_descent || n_slow > 2)
          {
            sweep(0.01 * tolerance * scale);
            n_slow = 0;
          }
        if (size < best_size)
          {
            best      = lambda;
            best_size = size;
          }
      }
    return n_iterations;
  }
} // namespace Percuss
