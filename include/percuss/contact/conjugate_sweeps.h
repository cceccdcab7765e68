// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_blocks.h>

#include <vector>

namespace Percuss
{
  /// Sweeps of block Gauss-Seidel with directions in the manner of conjugate
  /// gradients (Silcowitz, Niebuhr, Erleben, Vis. Comput. 26, 2010): with the
  /// change r of a sweep, there is between two sweeps
  /// @f[ \beta = |r|^2 / |r_{\text{before}}|^2, \qquad
  ///     \lambda \leftarrow \mathrm{proj}(\lambda + \beta p), \qquad
  ///     p \leftarrow \beta p + r, @f]
  /// and anew from p = r where r grows. Redundant contacts need it; the first
  /// sweeps are plain, which is enough for easy problems.
  class ConjugateSweeps
  {
  public:
    ConjugateSweeps(const ContactBlocks &blocks, unsigned int n_rows);

    /// One sweep. Returns what ContactBlocks::sweep() does.
    double
    sweep(double relaxation, std::vector<double> &lambda);

    /// Forgets the sweeps before, for impulses from elsewhere.
    void
    restart();

  private:
    /// From the impulses after a sweep to those for the next one.
    void
    extend(std::vector<double> &lambda);

    const ContactBlocks &blocks;
    std::vector<double>  before, p;
    double               last_size = 0; ///< of r
    unsigned int         n_sweeps  = 0;
  };
} // namespace Percuss
