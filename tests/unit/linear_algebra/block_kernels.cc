// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "linear_algebra/block_kernels.h"

#include <percuss/base/processor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace Percuss::Test
{
  namespace
  {
    /// Ten nodes, each with the next ones up to a distance of three.
    struct Rows
    {
      static constexpr unsigned int n     = 10;
      std::vector<unsigned int>     start = {0}, columns;

      Rows()
      {
        for (unsigned int i = 0; i < n; ++i)
          {
            for (unsigned int j = i; j < n && j <= i + 3; ++j)
              columns.push_back(j);
            start.push_back(static_cast<unsigned int>(columns.size()));
          }
      }

      BlockRows
      view() const
      {
        return {start.data(), start.data() + 1, columns.data(), 0, n};
      }
    };

    template <typename T>
    std::vector<T>
    numbers(const std::size_t size, const double factor)
    {
      std::vector<T> result(size);
      for (std::size_t i = 0; i < size; ++i)
        result[i] = static_cast<T>(factor * std::sin(1. + i));
      return result;
    }

    /// The entry c, d of the matrix at a place.
    template <typename T>
    double
    entry(const std::vector<T> &values,
          const std::size_t     place,
          const unsigned int    size,
          const bool            has_numbers,
          const unsigned int    c,
          const unsigned int    d)
    {
      return has_numbers ? (c == d ? values[place] : 0) :
                           values[size * (size * place + d) + c];
    }

    /// Checks one set of kernels against sums over all entries.
    void
    check(const BlockKernels &kernels,
          const unsigned int  size,
          const bool          has_numbers)
    {
      const Rows         rows;
      const unsigned int n        = Rows::n;
      const unsigned int n_values = has_numbers ? 1 : size * size;
      const auto         A = numbers<double>(rows.columns.size() * n_values, 1);
      const auto         x = numbers<double>(n * size, 2);
      std::vector<double> y(n * size, 0.), sum(y);
      kernels.multiply(rows.view(), A.data(), x.data(), y.data());

      // V is the unit matrix and what is right of the diagonal; its diagonal
      // places have D^-1.
      const auto V = numbers<float>(rows.columns.size() * n_values + 4, 0.3);
      std::vector<float>  z(4 * n, 0.f);
      std::vector<double> VTz(n * size, 0.), Dz(VTz), DVz(VTz);
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int c = 0; c < size; ++c)
          z[4 * i + c] = static_cast<float>(x[size * i + c]);
      std::vector<float> forward(z);
      kernels.substitute_forward(rows.view(), V.data(), forward.data());
      std::vector<float> backward(z);
      kernels.substitute_backward(rows.view(), V.data(), backward.data());
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int k = rows.start[i]; k < rows.start[i + 1]; ++k)
          for (unsigned int c = 0; c < size; ++c)
            for (unsigned int d = 0; d < size; ++d)
              {
                const unsigned int j = rows.columns[k];
                const double       a = entry(A, k, size, has_numbers, c, d);
                const double       v = entry(V, k, size, has_numbers, c, d);
                sum[size * i + c] += a * x[size * j + d];
                if (i == j)
                  {
                    VTz[size * i + c] += c == d ? forward[4 * i + d] : 0;
                    Dz[size * i + c] += v * z[4 * i + d];
                    DVz[size * i + c] += c == d ? backward[4 * i + d] : 0;
                    continue;
                  }
                sum[size * j + d] += a * x[size * i + c];
                VTz[size * j + d] += v * forward[4 * i + c];
                DVz[size * i + c] += v * backward[4 * j + d];
              }
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int c = 0; c < size; ++c)
          {
            EXPECT_NEAR(y[size * i + c], sum[size * i + c], 1e-14 * 20);
            EXPECT_NEAR(VTz[size * i + c], z[4 * i + c], 6e-8 * 200);
            EXPECT_NEAR(DVz[size * i + c], Dz[size * i + c], 6e-8 * 200);
          }
    }

    TEST(BlockKernels, AreThoseOfAllEntries)
    {
      for (const unsigned int size : {2, 3})
        for (const bool has_numbers : {false, true})
          {
            check(portable_block_kernels(size, has_numbers), size, has_numbers);
            const BlockKernels *const fast =
              avx2_block_kernels(size, has_numbers);
            if (fast != nullptr && processor_has_avx2())
              check(*fast, size, has_numbers);
          }
    }
  } // namespace
} // namespace Percuss::Test
