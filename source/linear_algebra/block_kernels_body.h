// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <cstring>

#include "block_kernels.h"

// Compiled twice, for different processors: all of it is local to a file.

namespace Percuss
{
  namespace
  {
    /// The entries of a node, or a column of a block, and numbers that do not
    /// count: a column is read with what follows it.
    template <typename T>
    struct Register
    {
      typedef T Lanes __attribute__((vector_size(n_lanes * sizeof(T))));
    };

    template <typename T>
    using Lanes = typename Register<T>::Lanes;

    template <typename T>
    inline Lanes<T>
    read(const T *const from)
    {
      Lanes<T> result;
      std::memcpy(&result, from, sizeof(result));
      return result;
    }

    template <typename T>
    inline void
    write(const Lanes<T> lanes, T *const to)
    {
      std::memcpy(to, &lanes, sizeof(lanes));
    }

    /// The first n of four lanes; zero after them.
    template <unsigned int n, typename T>
    inline Lanes<T>
    read_first(const T *const from)
    {
      Lanes<T> result = {};
      for (unsigned int d = 0; d < n; ++d)
        result[d] = from[d];
      return result;
    }

    /// Shuffles.
    template <typename T, int... lanes>
    inline Lanes<T>
    pick(const Lanes<T> a, const Lanes<T> b)
    {
      return __builtin_shufflevector(a, b, lanes...);
    }

    /// A block of a matrix, column by column.
    template <unsigned int n>
    struct Block
    {
      static constexpr unsigned int size = n, n_values = n * n;

      /// B^T y; lanes of @p y after the first n are zero.
      template <typename T>
      static Lanes<T>
      transposed_product(const T *const B, const Lanes<T> y)
      {
        const Lanes<T> a = read(B) * y, b = read(B + n) * y;
        if constexpr (n == 2)
          return pick<T, 0, 4, 0, 4>(a, b) + pick<T, 1, 5, 1, 5>(a, b);
        else
          {
            const Lanes<T> c     = read(B + 2 * n) * y;
            const Lanes<T> first = pick<T, 0, 4, 1, 5>(a, b);
            const Lanes<T> last  = pick<T, 2, 6, 2, 6>(a, b);
            return pick<T, 0, 1, 4, 4>(first, c) +
                   pick<T, 2, 3, 5, 5>(first, c) + pick<T, 0, 1, 6, 6>(last, c);
          }
      }

      /// B y as the sum of n terms.
      template <typename T>
      struct Product
      {
        Lanes<T> terms[n] = {};

        void
        add(const T *const B, const T *const y)
        {
          for (unsigned int c = 0; c < n; ++c)
            terms[c] += read(B + n * c) * y[c];
        }

        Lanes<T>
        sum() const
        {
          Lanes<T> result = terms[0];
          for (unsigned int c = 1; c < n; ++c)
            result += terms[c];
          return result;
        }
      };
    };

    /// The same for a number times the identity.
    template <unsigned int n>
    struct Number
    {
      static constexpr unsigned int size = n, n_values = 1;

      template <typename T>
      static Lanes<T>
      transposed_product(const T *const b, const Lanes<T> y)
      {
        return *b * y;
      }

      template <typename T>
      struct Product
      {
        Lanes<T> term = {};

        void
        add(const T *const b, const T *const y)
        {
          term += *b * read(y);
        }

        Lanes<T>
        sum() const
        {
          return term;
        }
      };
    };

    /// y += a x for the entries of a node. Those of neighbours follow each
    /// other: nothing is written that is read next.
    template <unsigned int n>
    inline void
    add_entries(const Lanes<double> ax, double *const y)
    {
      typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
      Pair           first;
      std::memcpy(&first, y, sizeof(first));
      first += Pair{ax[0], ax[1]};
      std::memcpy(y, &first, sizeof(first));
      if constexpr (n == 3)
        y[2] += ax[2];
    }

    /// The block of the last row's diagonal may be followed by nothing.
    template <unsigned int n>
    void
    multiply_blocks(const BlockRows    &rows,
                    const double *const A,
                    const double *const x,
                    double *const       y)
    {
      constexpr unsigned int ahead = 200; // numbers, to have them in time
      for (unsigned int i = rows.begin_row; i < rows.end_row; ++i)
        {
          const double *B = A + n * n * rows.start[i];
          for (unsigned int c = 0; c < n; ++c)
            for (unsigned int d = 0; d < n; ++d)
              y[n * i + d] += B[n * c + d] * x[n * i + c];
          const Lanes<double> xi = read_first<n>(x + n * i);
          typename Block<n>::template Product<double> own;
          for (unsigned int k = rows.start[i] + 1; k < rows.end[i]; ++k)
            {
              B += n * n;
              __builtin_prefetch(B + ahead);
              own.add(B, x + n * rows.columns[k]);
              add_entries<n>(Block<n>::transposed_product(B, xi),
                             y + n * rows.columns[k]);
            }
          const Lanes<double> sum = own.sum();
          for (unsigned int c = 0; c < n; ++c)
            y[n * i + c] += sum[c];
        }
    }

    /// Nothing may follow the entries of the last node.
    template <unsigned int n>
    void
    multiply_numbers(const BlockRows    &rows,
                     const double *const A,
                     const double *const x,
                     double *const       y)
    {
      const unsigned int last = rows.end_row - 1;
      for (unsigned int i = rows.begin_row; i < rows.end_row; ++i)
        {
          const Lanes<double> xi  = read_first<n>(x + n * i);
          Lanes<double>       sum = A[rows.start[i]] * xi;
          unsigned int        end = rows.end[i];
          if (end > rows.start[i] + 1 && rows.columns[end - 1] == last)
            {
              --end;
              sum += A[end] * read_first<n>(x + n * last);
              add_entries<n>(A[end] * xi, y + n * last);
            }
          for (unsigned int k = rows.start[i] + 1; k < end; ++k)
            {
              const unsigned int j = rows.columns[k];
              sum += A[k] * read(x + n * j);
              add_entries<n>(A[k] * xi, y + n * j);
            }
          add_entries<n>(sum, y + n * i);
        }
    }

    template <typename Entry>
    void
    substitute_forward(const BlockRows   &rows,
                       const float *const V,
                       float *const       y)
    {
      constexpr unsigned int n = Entry::n_values;
      for (unsigned int i = rows.begin_row; i < rows.end_row; ++i)
        {
          const Lanes<float> yi = read_first<Entry::size>(y + n_lanes * i);
          const float       *B  = V + n * (rows.start[i] + 1);
          for (unsigned int k = rows.start[i] + 1; k < rows.end[i]; ++k, B += n)
            {
              float *const yj = y + n_lanes * rows.columns[k];
              write<float>(read(yj) - Entry::transposed_product(B, yi), yj);
            }
        }
    }

    /// The nearest nodes come last: their values are the last to be known.
    template <typename Entry>
    void
    substitute_backward(const BlockRows   &rows,
                        const float *const V,
                        float *const       y)
    {
      constexpr unsigned int n = Entry::n_values;
      for (unsigned int i = rows.end_row; i-- > rows.begin_row;)
        {
          typename Entry::template Product<float> own, others;
          own.add(V + n * rows.start[i], y + n_lanes * i);
          for (unsigned int k = rows.end[i]; --k > rows.start[i];)
            others.add(V + n * k, y + n_lanes * rows.columns[k]);
          write<float>(own.sum() - others.sum(), y + n_lanes * i);
        }
    }

    template <unsigned int n>
    constexpr BlockKernels kernels_of_blocks = {&multiply_blocks<n>,
                                                &substitute_forward<Block<n>>,
                                                &substitute_backward<Block<n>>};

    template <unsigned int n>
    constexpr BlockKernels kernels_of_numbers = {
      &multiply_numbers<n>,
      &substitute_forward<Number<n>>,
      &substitute_backward<Number<n>>};

    inline const BlockKernels &
    choose_kernels(const unsigned int size, const bool has_numbers)
    {
      return size == 2 ?
               (has_numbers ? kernels_of_numbers<2> : kernels_of_blocks<2>) :
               (has_numbers ? kernels_of_numbers<3> : kernels_of_blocks<3>);
    }
  } // namespace
} // namespace Percuss
