// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/models/interval.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    using dealii::Utilities::MPI::n_mpi_processes;
    using dealii::Utilities::MPI::this_mpi_process;

    /// The owned nodes and, as ghosts, the other nodes of the touching
    /// elements.
    Partition
    add_ghosts(const Partition   &owned,
               const unsigned int first_needed,
               const unsigned int last_needed)
    {
      dealii::IndexSet ghosts(owned->size());
      const auto [begin, end] = owned->local_range();
      if (first_needed < begin)
        ghosts.add_range(first_needed, begin);
      if (last_needed >= end)
        ghosts.add_range(end, last_needed + 1);
      auto partition = std::make_shared<dealii::Utilities::MPI::Partitioner>(
        owned->locally_owned_range(), owned->get_mpi_communicator());
      partition->set_ghost_indices(ghosts);
      return partition;
    }
  } // namespace



  Interval::Interval(const double       length,
                     const unsigned int n_elements,
                     const unsigned int degree,
                     const MPI_Comm     communicator)
    : length(length)
    , n_elements(n_elements)
    , p(degree)
    , owned_elements(even_share(n_elements,
                                this_mpi_process(communicator),
                                n_mpi_processes(communicator)))
  {
    const auto [first, end] = owned_elements;
    const bool has_last     = first < end && end == n_elements;
    owned_nodes =
      make_partition((end - first) * p + (has_last ? 1 : 0), communicator);
    const auto [left, right] = touching_elements();
    with_ghosts =
      add_ghosts(owned_nodes, left * p, left == right ? left * p : right * p);

    const dealii::QGaussLobatto<1> lobatto(p + 1);
    for (const auto &point : lobatto.get_points())
      unit_nodes.push_back(point[0]);
    for (unsigned int node = 0; node < n_owned_nodes(); ++node)
      coordinates.push_back((first + node / p + unit_nodes[node % p]) *
                            element_length());
  }



  std::pair<unsigned int, unsigned int>
  Interval::touching_elements() const
  {
    const auto [first, end] = owned_elements;
    return {first > 0 && first < end ? first - 1 : first, end};
  }



  unsigned int
  Interval::n_left_ghosts() const
  {
    return (owned_elements.first - touching_elements().first) * p;
  }



  const double *
  Interval::ghosted(const Vector &vector, std::vector<double> &storage) const
  {
    if (owned_nodes->n_mpi_processes() == 1)
      return vector.begin();
    const unsigned int  n_owned = n_owned_nodes(), n_left = n_left_ghosts();
    const unsigned int  n_ghosts = with_ghosts->n_ghost_indices();
    std::vector<double> ghosts(n_ghosts),
      to_send(with_ghosts->n_import_indices());
    std::vector<MPI_Request> requests;
    with_ghosts
      ->export_to_ghosted_array_start<double, dealii::MemorySpace::Host>(
        0,
        dealii::ArrayView<const double>(vector.begin(), n_owned),
        dealii::ArrayView<double>(to_send.data(), to_send.size()),
        dealii::ArrayView<double>(ghosts.data(), n_ghosts),
        requests);
    with_ghosts
      ->export_to_ghosted_array_finish<double, dealii::MemorySpace::Host>(
        dealii::ArrayView<double>(ghosts.data(), n_ghosts), requests);
    storage.resize(n_owned + n_ghosts);
    std::copy(ghosts.begin(), ghosts.begin() + n_left, storage.begin());
    std::copy(vector.begin(), vector.end(), storage.begin() + n_left);
    std::copy(ghosts.begin() + n_left,
              ghosts.end(),
              storage.begin() + n_left + n_owned);
    return storage.data();
  }



  unsigned int
  Interval::element_at(const double x) const
  {
    const auto nearest =
      static_cast<unsigned int>(std::max(0., std::floor(x / element_length())));
    const unsigned int element = std::min(nearest, n_elements - 1);
    const auto [first, end]    = owned_elements;
    return element >= first && element < end ?
             element :
             dealii::numbers::invalid_unsigned_int;
  }
} // namespace Percuss
