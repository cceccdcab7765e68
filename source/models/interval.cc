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



  Interval::Interval(const Parameters &parameters, const MPI_Comm communicator)
    : parameters(parameters)
    , p(parameters.degree)
  {
    const unsigned int rank     = this_mpi_process(communicator);
    const unsigned int n_ranks  = n_mpi_processes(communicator);
    owned_elements              = {first_element(rank, n_ranks),
                                   first_element(rank + 1, n_ranks)};
    const auto [first, end]     = owned_elements;
    const bool         has_last = first < end && end == parameters.n_elements;
    const unsigned int n        = parameters.n_components;
    owned = make_partition(((end - first) * p + (has_last ? 1 : 0)) * n,
                           communicator);
    const auto [left, right] = touching_elements();
    const unsigned int last  = left == right ? left : right;
    with_ghosts = add_ghosts(owned, left * p * n, (last * p + 1) * n - 1);

    const dealii::QGaussLobatto<1> lobatto(p + 1);
    for (const auto &point : lobatto.get_points())
      unit_nodes.push_back(point[0]);
    for (unsigned int node = 0; node < n_owned_nodes(); ++node)
      coordinates.push_back((first + node / p + unit_nodes[node % p]) *
                            element_length());
  }



  unsigned int
  Interval::first_element(const unsigned int rank,
                          const unsigned int n_ranks) const
  {
    if (rank == n_ranks)
      return parameters.n_elements;
    unsigned int first = even_share(parameters.n_elements, rank, n_ranks).first;
    // The last node of the element before would be on another rank than the
    // first one.
    const auto is_undivided = [this](const unsigned int element) {
      return std::any_of(parameters.undivided.begin(),
                         parameters.undivided.end(),
                         [&](const double x) {
                           const Place place = locate(x);
                           return place.element == element && place.xi > 0;
                         });
    };
    while (first > 0 && first < parameters.n_elements &&
           is_undivided(first - 1))
      ++first;
    return first;
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
    return (owned_elements.first - touching_elements().first) * p *
           parameters.n_components;
  }



  const double *
  Interval::ghosted(const Vector &vector, std::vector<double> &storage) const
  {
    if (owned->n_mpi_processes() == 1)
      return vector.begin();
    const unsigned int  n_owned  = owned->locally_owned_size();
    const unsigned int  n_left   = n_left_ghosts();
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



  Interval::Place
  Interval::locate(const double x) const
  {
    double       distance = std::max(0., x / element_length()); // in elements
    const double nearest  = std::round(distance);
    if (std::abs(distance - nearest) < 1e-9)
      distance = nearest;
    const unsigned int element =
      std::min(static_cast<unsigned int>(distance), parameters.n_elements - 1);
    return {element, std::min(1., distance - element)};
  }
} // namespace Percuss
