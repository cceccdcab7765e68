// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <utility>

namespace Percuss
{
  Partition
  make_partition(const unsigned int n_owned, const MPI_Comm communicator)
  {
    const unsigned int n_total =
      dealii::Utilities::MPI::sum(n_owned, communicator);
    unsigned int end = 0;
    MPI_Scan(&n_owned, &end, 1, MPI_UNSIGNED, MPI_SUM, communicator);
    dealii::IndexSet owned(n_total);
    owned.add_range(end - n_owned, end);
    owned.compress();
    return std::make_shared<dealii::Utilities::MPI::Partitioner>(owned,
                                                                 communicator);
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
