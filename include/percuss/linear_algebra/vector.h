// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/partitioner.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <memory>
#include <utility>
#include <vector>

namespace Percuss
{
  /// One number per degree of freedom, each rank holding a contiguous range.
  /// Plain memory underneath: a short vector costs nanoseconds, and PETSc and
  /// LAPACK work on the same array without a copy. Ghost values are kept by
  /// those who need them, never in the vector.
  using Vector = dealii::LinearAlgebra::distributed::Vector<double>;

  /// This rank's part of x . y.
  inline double
  local_product(const Vector &x, const Vector &y)
  {
    const double *const xi = x.begin(), *const yi = y.begin();
    const std::size_t n   = x.locally_owned_size();
    double            sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i)
      sum += xi[i] * yi[i];
    return sum;
  }

  /// Which rank owns which range.
  using Partition = std::shared_ptr<const dealii::Utilities::MPI::Partitioner>;

  /// The partition in which this rank owns the next @p n_owned indices.
  /// @throws Error where the ranks own more than PETSc can number
  Partition
  make_partition(unsigned int n_owned, MPI_Comm communicator);

  /// Who owns which index. The ranges of ranks without any begin at 0 and
  /// cannot be searched.
  class Owners
  {
  public:
    /// Collective.
    explicit Owners(const dealii::Utilities::MPI::Partitioner &partition);

    unsigned int
    operator()(dealii::types::global_dof_index index) const;

  private:
    std::vector<dealii::types::global_dof_index> ends; ///< of each rank
  };

  /// The share of @p n_items of a rank as [begin, end): as even as possible,
  /// in the order of ranks.
  std::pair<unsigned int, unsigned int>
  even_share(unsigned int n_items, unsigned int rank, unsigned int n_ranks);
} // namespace Percuss
