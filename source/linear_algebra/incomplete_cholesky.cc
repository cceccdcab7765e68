// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/incomplete_cholesky.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace Percuss
{
  namespace
  {
    /// The entries of a node, or a column of a block, and numbers that do not
    /// count: registers hold four, and a column is read with what follows it.
    constexpr unsigned int n_lanes = 4;
    using Lanes = float __attribute__((vector_size(n_lanes * sizeof(float))));
    using Order = int __attribute__((vector_size(n_lanes * sizeof(int))));

    Lanes
    read(const float *const from)
    {
      Lanes result;
      std::memcpy(&result, from, sizeof(Lanes));
      return result;
    }

    void
    write(const Lanes lanes, float *const to)
    {
      std::memcpy(to, &lanes, sizeof(Lanes));
    }

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

      /// B^T y; lanes of @p y after the first n are zero.
      static Lanes
      transposed_product(const float *const B, const Lanes y)
      {
        const Lanes a = read(B) * y, b = read(B + n) * y;
        if constexpr (n == 2)
          return __builtin_shuffle(a, b, Order{0, 4, 0, 4}) +
                 __builtin_shuffle(a, b, Order{1, 5, 1, 5});
        else
          {
            const Lanes c     = read(B + 2 * n) * y;
            const Lanes first = __builtin_shuffle(a, b, Order{0, 4, 1, 5});
            const Lanes last  = __builtin_shuffle(a, b, Order{2, 6, 2, 6});
            return __builtin_shuffle(first, c, Order{0, 1, 4, 4}) +
                   __builtin_shuffle(first, c, Order{2, 3, 5, 5}) +
                   __builtin_shuffle(last, c, Order{0, 1, 6, 6});
          }
      }

      /// B y as the sum of n terms.
      struct Product
      {
        Lanes terms[n] = {};

        void
        add(const float *const B, const float *const y)
        {
          for (unsigned int c = 0; c < n; ++c)
            terms[c] += read(B + n * c) * y[c];
        }

        Lanes
        sum() const
        {
          Lanes result = terms[0];
          for (unsigned int c = 1; c < n; ++c)
            result += terms[c];
          return result;
        }
      };
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

      static Lanes
      transposed_product(const float *const b, const Lanes y)
      {
        return *b * y;
      }

      struct Product
      {
        Lanes term = {};

        void
        add(const float *const b, const float *const y)
        {
          term += *b * read(y);
        }

        Lanes
        sum() const
        {
          return term;
        }
      };
    };
  } // namespace



  IncompleteCholesky::IncompleteCholesky(
    const std::shared_ptr<const BlockPattern> &pattern)
    : pattern(pattern)
    , work(n_lanes * pattern->n_rows())
  {
    const auto &columns = pattern->columns;
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      end_of_own.push_back(static_cast<unsigned int>(
        std::lower_bound(columns.begin() + pattern->start[i],
                         columns.begin() + pattern->start[i + 1],
                         pattern->n_rows()) -
        columns.begin()));
  }



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
    std::transform(A.begin(), A.end(), values.begin(), [](const double entry) {
      return static_cast<float>(entry);
    });
    constexpr unsigned int to_next =
      Entry::n_values > 1 ? Entry::size + 1 : 1; // on the diagonal of a block
    for (unsigned int k = 0; k < pattern->n_rows(); ++k)
      for (unsigned int c = 0; c < Entry::n_values; c += to_next)
        values[Entry::n_values * pattern->start[k] + c] *=
          static_cast<float>(1 + shift);
    for (unsigned int k = 0; k < pattern->n_rows(); ++k)
      {
        if (!Entry::invert(&values[Entry::n_values * pattern->start[k]]))
          return false;
        eliminate<Entry>(k);
      }
    return true;
  }



  /// With the row U_k of what is left of A, V_k = D_k^-1 U_k and
  /// A_ij <- A_ij - V_ki^T U_kj.
  template <typename Entry>
  void
  IncompleteCholesky::eliminate(const unsigned int k)
  {
    constexpr unsigned int n       = Entry::n_values;
    const auto            &columns = pattern->columns;
    const unsigned int     first = pattern->start[k], end = end_of_own[k];
    for (unsigned int a = first + 1; a < end; ++a)
      {
        float Va[n];
        Entry::multiply(&values[n * first], &values[n * a], Va);
        const unsigned int i     = columns[a];
        unsigned int       place = pattern->start[i]; // in row i
        for (unsigned int b = a; b < end; ++b)
          {
            while (place < end_of_own[i] && columns[place] < columns[b])
              ++place;
            if (place == end_of_own[i])
              break;
            if (columns[place] == columns[b])
              Entry::subtract(Va, &values[n * b], &values[n * place]);
          }
        std::copy_n(Va, n, &values[n * a]);
      }
  }



  template <typename Entry>
  void
  IncompleteCholesky::substitute_forward() const
  {
    constexpr unsigned int    n       = Entry::n_values;
    const unsigned int *const start   = pattern->start.data();
    const unsigned int *const columns = pattern->columns.data();
    float *const              y       = work.data();
    for (unsigned int i = 0; i < pattern->n_rows(); ++i)
      {
        Lanes yi = read(y + n_lanes * i);
        for (unsigned int d = Entry::size; d < n_lanes; ++d)
          yi[d] = 0;
        const float *B = values.data() + n * (start[i] + 1);
        for (unsigned int k = start[i] + 1; k < end_of_own[i]; ++k, B += n)
          {
            float *const yj = y + n_lanes * columns[k];
            write(read(yj) - Entry::transposed_product(B, yi), yj);
          }
      }
  }



  /// The nearest nodes come last: their values are the last to be known.
  template <typename Entry>
  void
  IncompleteCholesky::substitute_backward() const
  {
    constexpr unsigned int    n       = Entry::n_values;
    const unsigned int *const start   = pattern->start.data();
    const unsigned int *const columns = pattern->columns.data();
    float *const              y       = work.data();
    for (unsigned int i = pattern->n_rows(); i-- > 0;)
      {
        typename Entry::Product own, others;
        own.add(values.data() + n * start[i], y + n_lanes * i);
        for (unsigned int k = end_of_own[i]; --k > start[i];)
          others.add(values.data() + n * k, y + n_lanes * columns[k]);
        write(own.sum() - others.sum(), y + n_lanes * i);
      }
  }



  /// Single precision has a small range: r is scaled.
  template <typename Entry>
  void
  IncompleteCholesky::substitute(const double *const r, double *const z) const
  {
    constexpr unsigned int size    = Entry::size;
    const unsigned int     n       = pattern->n_rows();
    double                 largest = 0;
    for (unsigned int i = 0; i < size * n; ++i)
      largest = std::max(largest, std::abs(r[i]));
    const double scale = largest > 0 ? 1 / largest : 0;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int c = 0; c < size; ++c)
        work[n_lanes * i + c] = static_cast<float>(scale * r[size * i + c]);
    substitute_forward<Entry>();
    substitute_backward<Entry>();
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int c = 0; c < size; ++c)
        z[size * i + c] = largest * static_cast<double>(work[n_lanes * i + c]);
  }



  void
  IncompleteCholesky::apply(const double *const r, double *const z) const
  {
    if (pattern->size == 2)
      has_numbers ? substitute<Number<2>>(r, z) : substitute<Block<2>>(r, z);
    else
      has_numbers ? substitute<Number<3>>(r, z) : substitute<Block<3>>(r, z);
  }
} // namespace Percuss
