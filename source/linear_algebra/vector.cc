// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <petscsys.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace Percuss
{
  Partition
  make_partition(const unsigned int n_owned, const MPI_Comm communicator)
  {
    const auto n_total =
      dealii::Utilities::MPI::sum(static_cast<std::uint64_t>(n_owned),
                                  communicator);
    if (n_total >
        static_cast<std::uint64_t>(std::numeric_limits<PetscInt>::max()))
      throw Error(ExitCode::usage,
                  std::to_string(n_total) +
                    " unknowns are more than this PETSc can number: " +
                    std::to_string(std::numeric_limits<PetscInt>::max()) + ".");
    unsigned int end = 0;
    MPI_Scan(&n_owned, &end, 1, MPI_UNSIGNED, MPI_SUM, communicator);
    dealii::IndexSet owned(static_cast<unsigned int>(n_total));
    owned.add_range(end - n_owned, end);
    owned.compress();
    return std::make_shared<dealii::Utilities::MPI::Partitioner>(owned,
                                                                 communicator);
  }



  Owners::Owners(const dealii::Utilities::MPI::Partitioner &partition)
    : ends(dealii::Utilities::MPI::all_gather(
        partition.get_mpi_communicator(),
        static_cast<dealii::types::global_dof_index>(
          partition.locally_owned_size())))
  {
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
  }



  unsigned int
  Owners::operator()(const dealii::types::global_dof_index index) const
  {
    return static_cast<unsigned int>(
      std::upper_bound(ends.begin(), ends.end(), index) - ends.begin());
  }



  std::pair<unsigned int, unsigned int>
  even_share(const unsigned int n_items,
             const unsigned int rank,
             const unsigned int n_ranks)
  {
    const unsigned int share = n_items / n_ranks, rest = n_items % n_ranks;
    const unsigned int begin = rank * share + std::min(rank, rest);
    return {begin, begin + share + (rank < rest ? 1 : 0)};
  }
} // namespace Percuss
