// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_rows.h"

#include <deal.II/base/exceptions.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <limits>

namespace Percuss
{
  namespace
  {
    /// Keeps them ascending, each once: cells name a pair up to eight times,
    /// and there are many rows.
    void
    insert_once(const unsigned int number, std::vector<unsigned int> &numbers)
    {
      const auto place =
        std::lower_bound(numbers.begin(), numbers.end(), number);
      if (place == numbers.end() || *place != number)
        numbers.insert(place, number);
    }
  } // namespace



  unsigned int
  find_column(const BlockPattern                   &pattern,
              const dealii::types::global_dof_index node)
  {
    const auto first = pattern.owned->local_range().first / pattern.size;
    if (node >= first && node < first + pattern.n_rows())
      return static_cast<unsigned int>(node - first);
    const auto &others = pattern.others;
    const auto  found  = std::lower_bound(others.begin(), others.end(), node);
    if (found == others.end() || *found != node)
      return std::numeric_limits<unsigned int>::max();
    return pattern.n_rows() + static_cast<unsigned int>(found - others.begin());
  }



  SharedRows::SharedRows(const unsigned int size, const Partition &owned)
    : size(size)
    , owned(owned)
    , first(owned->local_range().first / size)
    , end(owned->local_range().second / size)
    , rows(end - first)
  {}



  void
  SharedRows::add_pairs(const std::vector<Node> &nodes)
  {
    for (const Node i : nodes)
      {
        const bool is_own = i >= first && i < end;
        auto      &row    = is_own ? rows[i - first] : others[i].columns;
        for (const Node j : nodes)
          if (j > i || (j == i && !is_own))
            insert_once(static_cast<unsigned int>(j), row);
      }
  }



  template <typename Number>
  std::map<unsigned int, std::vector<Number>>
  SharedRows::send(const std::vector<Number> &values, const std::size_t n) const
  {
    std::map<unsigned int, std::vector<Number>> messages;
    std::size_t                                 begin = 0;
    for (const auto &[rank, last] : end_of_rank)
      {
        messages[rank].assign(values.begin() + n * begin,
                              values.begin() + n * last);
        begin = last;
      }
    return dealii::Utilities::MPI::some_to_some(owned->get_mpi_communicator(),
                                                messages);
  }



  std::shared_ptr<const BlockPattern>
  SharedRows::make_pattern()
  {
    const Node       n_nodes = owned->size() / size;
    dealii::IndexSet mine(n_nodes), wanted(n_nodes);
    mine.add_range(first, end);
    for (const auto &other : others)
      wanted.add_index(other.first);
    const auto owners = dealii::Utilities::MPI::compute_index_owner(
      mine, wanted, owned->get_mpi_communicator());
    std::vector<unsigned int> pairs;
    std::size_t               number = 0;
    for (auto &[node, row] : others)
      {
        row.start = n_others;
        n_others += row.columns.size();
        end_of_rank[owners[number++]] = n_others;
        for (const unsigned int column : row.columns)
          pairs.insert(pairs.end(), {static_cast<unsigned int>(node), column});
      }
    const auto messages = send(pairs, 2);
    for (const auto &[rank, pairs_of_rank] : messages)
      for (std::size_t k = 0; k < pairs_of_rank.size(); k += 2)
        if (pairs_of_rank[k + 1] != pairs_of_rank[k])
          insert_once(pairs_of_rank[k + 1], rows[pairs_of_rank[k] - first]);
    pattern = join_rows();
    for (const auto &[rank, pairs_of_rank] : messages)
      for (std::size_t k = 0; k < pairs_of_rank.size(); k += 2)
        received[rank].push_back(
          pattern->find(find_column(*pattern, pairs_of_rank[k]),
                        find_column(*pattern, pairs_of_rank[k + 1])));
    return pattern;
  }



  std::shared_ptr<const BlockPattern>
  SharedRows::join_rows()
  {
    std::size_t n_pairs = rows.size();
    for (const auto &row : rows)
      n_pairs += row.size();
    std::vector<unsigned int> row_start, columns;
    row_start.reserve(rows.size() + 1);
    columns.reserve(n_pairs);
    row_start.push_back(0);
    for (Node i = 0; i < rows.size(); ++i)
      {
        columns.push_back(static_cast<unsigned int>(first + i));
        columns.insert(columns.end(), rows[i].begin(), rows[i].end());
        row_start.push_back(static_cast<unsigned int>(columns.size()));
      }
    std::vector<std::vector<unsigned int>>().swap(rows);
    return std::make_shared<const BlockPattern>(size,
                                                owned,
                                                row_start,
                                                columns);
  }



  void
  SharedRows::start(SymmetricScalars &of_mass, SymmetricBlocks &of_stiffness)
  {
    mass      = &of_mass;
    stiffness = &of_stiffness;
    others_mass.assign(n_others, 0.);
    others_stiffness.assign(n_others * size * size, 0.);
  }



  SharedRows::Place
  SharedRows::find(const Node i, const Node j) const
  {
    if (i >= first && i < end)
      return {true,
              pattern->find(static_cast<unsigned int>(i - first),
                            find_column(*pattern, j))};
    const OthersRow &row = others.at(i);
    return {false,
            row.start +
              static_cast<std::size_t>(
                std::lower_bound(row.columns.begin(), row.columns.end(), j) -
                row.columns.begin())};
  }



  void
  SharedRows::add(const Node          i,
                  const Node          j,
                  const double        of_mass,
                  const double *const of_stiffness)
  {
    const auto [is_own, place] = find(i, j);
    (is_own ? mass->values : others_mass)[place] += of_mass;
    double *const block = is_own ?
                            stiffness->block(place) :
                            others_stiffness.data() + place * size * size;
    for (unsigned int k = 0; k < size * size; ++k)
      block[k] += of_stiffness[k];
  }



  void
  SharedRows::exchange(
    const std::vector<double>                              &of_others,
    const std::size_t                                       n,
    const std::function<void(std::size_t, const double *)> &add) const
  {
    for (const auto &[rank, values] : send(of_others, n))
      for (std::size_t k = 0; k < values.size() / n; ++k)
        add(received.at(rank)[k], values.data() + n * k);
  }



  void
  SharedRows::finish()
  {
    const std::size_t n = size * size;
    exchange(others_mass,
             1,
             [this](const std::size_t place, const double *const values) {
               mass->values[place] += values[0];
             });
    exchange(others_stiffness,
             n,
             [this, n](const std::size_t place, const double *const values) {
               for (std::size_t k = 0; k < n; ++k)
                 stiffness->block(place)[k] += values[k];
             });
    mass      = nullptr;
    stiffness = nullptr;
    others_mass.clear();
    others_stiffness.clear();
  }
} // namespace Percuss
