// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/linear_algebra/vector.h>

#include <vector>

namespace Percuss
{
  /// A load that impulses bring along beside D^T lambda, smaller than that:
  /// @f[ A w = f + D^T\lambda + G\lambda, \qquad \xi = D w + b. @f]
  class ImpulseLoad
  {
  public:
    virtual ~ImpulseLoad() = default;

    /// A guess of G lambda for the impulses that are to be found.
    virtual void
    guess(Vector &load) const = 0;

    /// @p load = G lambda with a relative error of about @p tolerance, from
    /// what was found last. Collective.
    virtual LinearReport
    find(const Vector &lambda, double tolerance, Vector &load) const = 0;
  };



  /// Follows the impulses while they are being found: the load is held, and
  /// moves towards G lambda when update() is called, with Aitken's relaxation.
  /// Without an ImpulseLoad there is none.
  class FollowingLoad
  {
  public:
    /// @p inverse_diagonal is that of A. It outlives this object, as @p source.
    FollowingLoad(const ImpulseLoad         *source,
                  const Partition           &partition,
                  const std::vector<double> &inverse_diagonal);

    bool
    exists() const
    {
      return source != nullptr;
    }

    /// The load at present: at first its guess.
    const Vector &
    present() const
    {
      return load;
    }

    /// Moves the load for @p lambda, which is known to about @p tolerance, and
    /// returns the way that is left, max_i |G lambda - load|_i / A_ii, of all
    /// ranks: a velocity. Collective.
    double
    update(const Vector &lambda, double tolerance);

    /// How the load changed in the last update().
    Vector &
    change()
    {
      return step;
    }

    unsigned int
    n_iterations() const
    {
      return iteration_count;
    }

  private:
    void
    relax();

    const ImpulseLoad *const   source;
    const std::vector<double> &inverse_diagonal;
    Vector                     load, step, last_difference;
    double                     relaxation      = 1;
    unsigned int               update_count    = 0;
    unsigned int               iteration_count = 0; ///< of linear solvers
  };
} // namespace Percuss
