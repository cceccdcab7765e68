// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/incomplete_cholesky.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include "block_kernels.h"

namespace Percuss
{
  namespace
  {
    /// A block of a matrix, column by column.
    template <unsigned int n>
    struct Block
    {
      static constexpr unsigned int size = n, n_values = n * n;

      /// Replaces a symmetric positive definite block by its inverse; false
      /// where it is not positive definite by more than round-off. Gauss and
      /// Jordan without pivoting.
      static bool
      invert(float *block);

      /// result = A B, A symmetric.
      static void
      multiply(const float *const A, const float *const B, float *const result)
      {
        for (unsigned int c = 0; c < n; ++c)
          for (unsigned int d = 0; d < n; ++d)
            {
              result[n * c + d] = 0;
              for (unsigned int e = 0; e < n; ++e)
                result[n * c + d] += A[n * e + d] * B[n * c + e];
            }
      }

      /// C -= A^T B.
      static void
      subtract(const float *const A, const float *const B, float *const C)
      {
        for (unsigned int c = 0; c < n; ++c)
          for (unsigned int d = 0; d < n; ++d)
            for (unsigned int e = 0; e < n; ++e)
              C[n * c + d] -= A[n * d + e] * B[n * c + e];
      }
    };

    template <unsigned int n>
    bool
    Block<n>::invert(float *const block)
    {
      double A[n][n], limit[n];
      for (unsigned int i = 0; i < n; ++i)
        {
          limit[i] = 1e-6 * block[(n + 1) * i];
          for (unsigned int j = 0; j < n; ++j)
            A[i][j] = block[n * j + i];
        }
      for (unsigned int k = 0; k < n; ++k)
        {
          if (!(limit[k] > 0) || !(A[k][k] > limit[k]))
            return false;
          const double pivot = 1 / A[k][k];
          for (unsigned int i = 0; i < n; ++i)
            if (i != k)
              {
                const double factor = A[i][k] * pivot;
                for (unsigned int j = 0; j < n; ++j)
                  A[i][j] = j == k ? -factor : A[i][j] - factor * A[k][j];
              }
          for (unsigned int j = 0; j < n; ++j)
            A[k][j] = j == k ? pivot : A[k][j] * pivot;
        }
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          block[n * j + i] = static_cast<float>(A[i][j]);
      return true;
    }

    /// The same for a number times the identity.
    template <unsigned int n>
    struct Number
    {
      static constexpr unsigned int size = n, n_values = 1;

      static bool
      invert(float *const a)
      {
        const bool is_positive = *a > 0;
        *a                     = 1 / *a;
        return is_positive;
      }

      static void
      multiply(const float *const a, const float *const b, float *const result)
      {
        *result = *a * *b;
      }

      static void
      subtract(const float *const a, const float *const b, float *const c)
      {
        *c -= *a * *b;
      }
    };
  } // namespace



  IncompleteCholesky::IncompleteCholesky(
    const std::shared_ptr<const BlockPattern> &pattern)
    : pattern(pattern)
    , order(pattern)
    , work(order.partition(n_lanes))
  {}



  bool
  IncompleteCholesky::factorise(const SymmetricBlocks &A)
  {
    has_numbers = false;
    return pattern->size == 2 ? factorise_entries<Block<2>>(A.values) :
                                factorise_entries<Block<3>>(A.values);
  }



  bool
  IncompleteCholesky::factorise(const std::vector<double> &A)
  {
    has_numbers = true;
    return pattern->size == 2 ? factorise_entries<Number<2>>(A) :
                                factorise_entries<Number<3>>(A);
  }



  /// Raised diagonals: T. Manteuffel, Math. Comp. 34, 1980.
  template <typename Entry>
  bool
  IncompleteCholesky::factorise_entries(const std::vector<double> &A)
  {
    constexpr double first = 1e-3, last = 10;
    for (double shift = 0; shift < last; shift = std::max(first, 3 * shift))
      if (try_to_factorise<Entry>(A, shift))
        return true;
    return false;
  }



  template <typename Entry>
  bool
  IncompleteCholesky::try_to_factorise(const std::vector<double> &A,
                                       const double               shift)
  {
    values.resize(A.size() + n_lanes); // to read the last one with lanes
    order.arrange(A, Entry::n_values, values);
    constexpr unsigned int to_next =
      Entry::n_values > 1 ? Entry::size + 1 : 1; // on the diagonal of a block
    const unsigned int n = pattern->n_rows();
    for (unsigned int k = 0; k < n; ++k)
      for (unsigned int c = 0; c < Entry::n_values; c += to_next)
        values[Entry::n_values * order.start()[k] + c] *=
          static_cast<float>(1 + shift);
    taken.clear(); // of an attempt that has failed
    for (unsigned int l = 0; l < order.n_levels(); ++l)
      {
        if (!eliminate_rows<Entry>(order.levels[l], order.levels[l + 1]))
          return false;
        if (l + 1 < order.n_levels())
          send_others<Entry>();
      }
    return true;
  }



  template <typename Entry>
  bool
  IncompleteCholesky::eliminate_rows(const unsigned int begin,
                                     const unsigned int end)
  {
    bool is_positive = true;
    for (unsigned int k = begin; k < end && is_positive; ++k)
      {
        is_positive =
          Entry::invert(&values[Entry::n_values * order.start()[k]]);
        eliminate<Entry>(k);
      }
    return dealii::Utilities::MPI::min(
             is_positive ? 1 : 0, pattern->owned->get_mpi_communicator()) == 1;
  }



  /// With the row U_k of what is left of A, V_k = D_k^-1 U_k and
  /// A_ij <- A_ij - V_ki^T U_kj.
  template <typename Entry>
  void
  IncompleteCholesky::eliminate(const unsigned int k)
  {
    constexpr unsigned int n     = Entry::n_values;
    const unsigned int     first = order.start()[k], end = order.start()[k + 1];
    for (unsigned int a = first + 1; a < end; ++a)
      {
        float Va[n];
        Entry::multiply(&values[n * first], &values[n * a], Va);
        const unsigned int i = order.columns()[a];
        if (i < pattern->n_rows())
          subtract_own<Entry>(i, Va, a, end);
        else
          subtract_others<Entry>(i, Va, a, end);
        std::copy_n(Va, n, &values[n * a]);
      }
  }



  template <typename Entry>
  void
  IncompleteCholesky::subtract_own(const unsigned int i,
                                   const float *const V,
                                   const unsigned int begin,
                                   const unsigned int end)
  {
    constexpr unsigned int    n       = Entry::n_values;
    const unsigned int *const columns = order.columns();
    unsigned int              place   = order.start()[i];
    const unsigned int        last    = order.start()[i + 1];
    for (unsigned int b = begin; b < end; ++b)
      {
        while (place < last && columns[place] < columns[b])
          ++place;
        if (place == last)
          break;
        if (columns[place] == columns[b])
          Entry::subtract(V, &values[n * b], &values[n * place]);
      }
  }



  template <typename Entry>
  void
  IncompleteCholesky::subtract_others(const unsigned int i,
                                      const float *const V,
                                      const unsigned int begin,
                                      const unsigned int end)
  {
    constexpr unsigned int n = Entry::n_values;
    for (unsigned int b = begin; b < end; ++b)
      {
        std::vector<float> &entry = taken[{i, order.columns()[b]}];
        entry.resize(n);
        Entry::subtract(V, &values[n * b], entry.data());
      }
  }



  /// Pairs that are not in the other rank's pattern would be fill.
  template <typename Entry>
  void
  IncompleteCholesky::send_others()
  {
    constexpr unsigned int n    = Entry::n_values;
    const MPI_Comm communicator = pattern->owned->get_mpi_communicator();
    using Pair = std::pair<std::pair<unsigned int, unsigned int>,
                           std::vector<float>>; // global places
    std::map<unsigned int, std::vector<Pair>> to_ranks;
    for (const auto &[rows, entry] : taken)
      to_ranks[order.owner(rows.first)].push_back(
        {{order.global(rows.first), order.global(rows.second)}, entry});
    taken.clear();
    for (const auto &[rank, pairs] :
         dealii::Utilities::MPI::some_to_some(communicator, to_ranks))
      for (const auto &[rows, entry] : pairs)
        if (const std::ptrdiff_t place =
              order.find_global(rows.first, rows.second);
            place >= 0)
          std::transform(entry.begin(),
                         entry.end(),
                         &values[n * static_cast<std::size_t>(place)],
                         &values[n * static_cast<std::size_t>(place)],
                         std::plus<>());
  }



  BlockRows
  IncompleteCholesky::rows(const unsigned int level) const
  {
    return {order.start(),
            order.start() + 1,
            order.columns(),
            order.levels[level],
            order.levels[level + 1]};
  }



  /// Single precision has a small range: r is scaled.
  template <unsigned int size>
  void
  IncompleteCholesky::substitute(const double *const r, double *const z) const
  {
    const unsigned int n       = pattern->n_rows();
    double             largest = 0;
    for (unsigned int i = 0; i < size * n; ++i)
      largest = std::max(largest, std::abs(r[i]));
    largest =
      dealii::Utilities::MPI::max(largest,
                                  pattern->owned->get_mpi_communicator());
    const double scale = largest > 0 ? 1 / largest : 0;
    work.zero_out_ghost_values();
    float *const y = work.begin();
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int c = 0; c < size; ++c)
        y[n_lanes * order.row(i) + c] =
          static_cast<float>(scale * r[size * i + c]);
    const BlockKernels &kernels  = block_kernels(size, has_numbers);
    const unsigned int  n_levels = order.n_levels();
    for (unsigned int l = 0; l < n_levels; ++l)
      {
        kernels.substitute_forward(rows(l), values.data(), y);
        if (l + 1 < n_levels)
          work.compress(dealii::VectorOperation::add);
      }
    for (unsigned int l = n_levels; l-- > 0;)
      {
        if (l + 1 < n_levels)
          work.update_ghost_values();
        kernels.substitute_backward(rows(l), values.data(), y);
      }
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int c = 0; c < size; ++c)
        z[size * i + c] =
          largest * static_cast<double>(y[n_lanes * order.row(i) + c]);
  }



  void
  IncompleteCholesky::apply(const double *const r, double *const z) const
  {
    pattern->size == 2 ? substitute<2>(r, z) : substitute<3>(r, z);
  }
} // namespace Percuss
