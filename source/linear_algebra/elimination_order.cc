// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/elimination_order.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>

namespace Percuss
{
  EliminationOrder::EliminationOrder(
    const std::shared_ptr<const BlockPattern> &pattern)
    : pattern(pattern)
    , levels({0, pattern->n_rows()})
    , first_row(static_cast<unsigned int>(pattern->owned->local_range().first /
                                          pattern->size))
  {
    if (pattern->owned->n_mpi_processes() == 1)
      return;
    number_rows();
    ask_others();
    arrange_columns();
  }



  /// The lower one of two ranks has a pair in its pattern, and tells the
  /// other one.
  std::vector<unsigned int>
  EliminationOrder::find_levels() const
  {
    const unsigned int n = pattern->n_rows(), size = pattern->size;
    Vector             level(pattern->ghosted);
    for (bool changes = true; changes;)
      {
        const double sum = level.l1_norm();
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int k = pattern->start[i]; k < pattern->start[i + 1];
               ++k)
            if (pattern->columns[k] >= n)
              {
                double &other = level.local_element(size * pattern->columns[k]);
                other = std::max(other, 1 + level.local_element(size * i));
              }
        level.compress(dealii::VectorOperation::max);
        changes = level.l1_norm() > sum;
      }
    std::vector<unsigned int> result(n);
    for (unsigned int i = 0; i < n; ++i)
      result[i] = static_cast<unsigned int>(level.local_element(size * i));
    return result;
  }



  void
  EliminationOrder::number_rows()
  {
    const std::vector<unsigned int> level    = find_levels();
    unsigned int                    n_levels = 1; // of this rank, then of all
    for (const unsigned int l : level)
      n_levels = std::max(n_levels, l + 1);
    n_levels =
      dealii::Utilities::MPI::max(n_levels,
                                  pattern->owned->get_mpi_communicator());
    levels.assign(n_levels + 1, 0);
    for (const unsigned int l : level)
      ++levels[l + 1];
    for (unsigned int l = 0; l < n_levels; ++l)
      levels[l + 1] += levels[l];
    std::vector<unsigned int> next(levels);
    for (const unsigned int l : level)
      rows.push_back(next[l]++);
  }



  /// Others' rows are numbered in the order of their places on all ranks.
  void
  EliminationOrder::ask_others()
  {
    const unsigned int n = pattern->n_rows(), size = pattern->size;
    Vector             numbers(pattern->ghosted);
    for (unsigned int node = 0; node < n; ++node)
      numbers.local_element(size * node) = first_row + rows[node];
    numbers.update_ghost_values();
    std::vector<unsigned int> theirs;
    for (unsigned int k = 0; k < pattern->others.size(); ++k)
      theirs.push_back(
        static_cast<unsigned int>(numbers.local_element(size * (n + k))));
    others = theirs;
    std::sort(others.begin(), others.end());
    for (const unsigned int number : theirs)
      rows.push_back(n +
                     static_cast<unsigned int>(
                       std::lower_bound(others.begin(), others.end(), number) -
                       others.begin()));
    for (const auto &[rank, n_ghosts] : pattern->ghosted->ghost_targets())
      owners.insert(owners.end(), n_ghosts / size, rank);
  }



  template <typename Call>
  void
  EliminationOrder::for_pairs(const Call &call) const
  {
    for (unsigned int node = 0; node < pattern->n_rows(); ++node)
      for (unsigned int k = pattern->start[node]; k < pattern->start[node + 1];
           ++k)
        call(k, rows[node], rows[pattern->columns[k]]);
  }



  void
  EliminationOrder::arrange_columns()
  {
    const unsigned int n = pattern->n_rows();
    own_start.assign(n + 1, 0);
    for_pairs([&](unsigned int, const unsigned int a, const unsigned int b) {
      ++own_start[std::min(a, b) + 1];
    });
    for (unsigned int i = 0; i < n; ++i)
      own_start[i + 1] += own_start[i];
    own_columns.resize(own_start[n]);
    std::vector<unsigned int> next(own_start);
    for_pairs([&](unsigned int, const unsigned int a, const unsigned int b) {
      own_columns[next[std::min(a, b)]++] = std::max(a, b);
    });
    for (unsigned int i = 0; i < n; ++i)
      std::sort(own_columns.begin() + own_start[i],
                own_columns.begin() + own_start[i + 1]);
  }



  std::ptrdiff_t
  EliminationOrder::find(const unsigned int first,
                         const unsigned int second) const
  {
    const unsigned int *const begin = columns() + start()[first];
    const unsigned int *const end   = columns() + start()[first + 1];
    const unsigned int *const found = std::lower_bound(begin, end, second);
    return found != end && *found == second ? found - columns() : -1;
  }



  std::ptrdiff_t
  EliminationOrder::find_global(const unsigned int first,
                                const unsigned int second) const
  {
    const unsigned int n = pattern->n_rows();
    if (second < first_row + n)
      return find(first - first_row, second - first_row);
    const auto found = std::lower_bound(others.begin(), others.end(), second);
    return found != others.end() && *found == second ?
             find(first - first_row,
                  n + static_cast<unsigned int>(found - others.begin())) :
             -1;
  }



  /// A block of a pair that has changed places is transposed.
  void
  EliminationOrder::arrange(const std::vector<double> &A,
                            const unsigned int         n_values,
                            std::vector<float>        &values) const
  {
    if (rows.empty())
      {
        std::transform(A.begin(), A.end(), values.begin(), [](const double a) {
          return static_cast<float>(a);
        });
        return;
      }
    const unsigned int size = n_values == 1 ? 1 : pattern->size;
    for_pairs([&](const unsigned int place,
                  const unsigned int a,
                  const unsigned int b) {
      const auto          to   = find(std::min(a, b), std::max(a, b));
      const double *const from = A.data() + n_values * place;
      for (unsigned int c = 0; c < size; ++c)
        for (unsigned int d = 0; d < size; ++d)
          values[n_values * static_cast<std::size_t>(to) + size * c + d] =
            static_cast<float>(from[a <= b ? size * c + d : size * d + c]);
    });
  }



  Partition
  EliminationOrder::partition(const unsigned int n) const
  {
    const auto n_all = static_cast<unsigned int>(
      pattern->owned->size() / pattern->size); // rows of all ranks
    dealii::IndexSet mine(n * n_all), ghosts(n * n_all);
    mine.add_range(n * first_row, n * (first_row + pattern->n_rows()));
    for (const unsigned int number : others)
      ghosts.add_range(n * number, n * (number + 1));
    return std::make_shared<const dealii::Utilities::MPI::Partitioner>(
      mine, ghosts, pattern->owned->get_mpi_communicator());
  }
} // namespace Percuss
