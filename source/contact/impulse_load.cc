// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/impulse_load.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  FollowingLoad::FollowingLoad(const ImpulseLoad *const   source,
                               const Partition           &partition,
                               const std::vector<double> &inverse_diagonal)
    : source(source)
    , inverse_diagonal(inverse_diagonal)
  {
    if (source == nullptr)
      return;
    for (Vector *vector : {&load, &step, &last_difference})
      vector->reinit(partition);
    source->guess(load);
  }



  double
  FollowingLoad::update(const Vector &lambda, const double tolerance)
  {
    if (source == nullptr)
      return 0;
    iteration_count += source->find(lambda, tolerance, step).n_iterations;
    step -= load;
    double largest = 0;
    for (std::size_t i = 0; i < inverse_diagonal.size(); ++i)
      largest = std::max(largest,
                         std::abs(step.local_element(i)) * inverse_diagonal[i]);
    relax();
    load += step;
    return load.get_partitioner()->n_mpi_processes() == 1 ?
             largest :
             dealii::Utilities::MPI::max(largest, load.get_mpi_communicator());
  }



  /// Aitken's relaxation where the difference d between G lambda and the load
  /// does not shrink by itself: omega <- omega d_old.(d_old-d) / |d_old-d|^2.
  void
  FollowingLoad::relax()
  {
    if (update_count++ > 0 && step.l2_norm() > 0.5 * last_difference.l2_norm())
      {
        last_difference -= step;
        const double square = last_difference.norm_sqr();
        if (square > 0)
          relaxation *= 1 + (last_difference * step) / square;
        relaxation = std::clamp(relaxation, 0.05, 1.);
      }
    last_difference = step;
    if (relaxation != 1)
      step *= relaxation;
  }
} // namespace Percuss
