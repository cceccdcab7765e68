// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/conjugate_sweeps.h>

#include <algorithm>

namespace Percuss
{
  ConjugateSweeps::ConjugateSweeps(const ContactBlocks &blocks,
                                   const unsigned int   n_rows)
    : blocks(blocks)
    , before(n_rows)
    , p(n_rows)
  {}



  void
  ConjugateSweeps::restart()
  {
    std::fill(p.begin(), p.end(), 0.);
    last_size = 0;
    n_sweeps  = 0;
  }



  double
  ConjugateSweeps::sweep(const double relaxation, std::vector<double> &lambda)
  {
    constexpr unsigned int n_plain = 15;
    if (n_sweeps++ > n_plain)
      extend(lambda);
    before = lambda;
    return blocks.sweep(relaxation, lambda);
  }



  void
  ConjugateSweeps::extend(std::vector<double> &lambda)
  {
    double size = 0;
    for (unsigned int i = 0; i < p.size(); ++i)
      size +=
        (lambda[i] - before[i]) * (lambda[i] - before[i]) / blocks.step(i);
    const double beta = size < last_size ? size / last_size : 0;
    last_size         = size;
    for (unsigned int i = 0; i < p.size(); ++i)
      {
        const double r = lambda[i] - before[i];
        lambda[i] += beta * p[i];
        p[i] = beta * p[i] + r;
      }
    blocks.project(lambda);
  }
} // namespace Percuss
