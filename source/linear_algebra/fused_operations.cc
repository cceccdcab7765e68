// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/fused_operations.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    /// So many numbers of a vector stay in the first cache.
    constexpr std::size_t n_in_cache = 1024;

    /// Calls @p work with the beginnings and ends of parts.
    template <typename Work>
    void
    in_parts(const std::size_t n, const Work &work)
    {
      for (std::size_t begin = 0; begin < n; begin += n_in_cache)
        work(begin, std::min(n, begin + n_in_cache));
    }
  } // namespace



  double
  largest_ratio(const Vector &x, const std::vector<double> &d)
  {
    const double *const xi      = x.begin();
    double              largest = 0;
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < d.size(); ++i)
      {
        const double ratio = std::abs(xi[i]) * d[i];
        largest            = ratio > largest ? ratio : largest;
      }
    return largest;
  }



  Products
  local_products(const Vector &p, const Vector &q, const std::vector<double> &d)
  {
    const double *const pi = p.begin(), *const qi = q.begin();
    double with_other = 0, with_itself = 0;
#pragma omp simd reduction(+ : with_other, with_itself)
    for (std::size_t i = 0; i < d.size(); ++i)
      {
        with_other += pi[i] * qi[i];
        with_itself += d[i] * pi[i] * pi[i];
      }
    return {with_other, with_itself};
  }



  double
  step_back(const double               s,
            const Vector              &p,
            const Vector              &q,
            const std::vector<double> &d,
            Vector                    &x,
            Vector                    &r)
  {
    const double *const pi = p.begin(), *const qi = q.begin();
    double *const xi = x.begin(), *const ri = r.begin();
    double largest = 0;
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < d.size(); ++i)
      {
        xi[i] -= s * pi[i];
        ri[i] -= s * qi[i];
        const double ratio = std::abs(ri[i]) * d[i];
        largest            = ratio > largest ? ratio : largest;
      }
    return largest;
  }



  double
  step_back(const double               s,
            const Vector              &q,
            const std::vector<double> &d,
            Vector                    &r)
  {
    const double *const qi      = q.begin();
    double *const       ri      = r.begin();
    double              largest = 0;
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < d.size(); ++i)
      {
        ri[i] -= s * qi[i];
        const double ratio = std::abs(ri[i]) * d[i];
        largest            = ratio > largest ? ratio : largest;
      }
    return largest;
  }



  void
  local_products(const std::vector<const Vector *> &vectors,
                 const Vector                      &x,
                 double *const                      products)
  {
    std::fill_n(products, vectors.size(), 0.);
    const double *const xi = x.begin();
    in_parts(x.locally_owned_size(),
             [&](const std::size_t begin, const std::size_t end) {
               for (std::size_t j = 0; j < vectors.size(); ++j)
                 {
                   const double *const yi  = vectors[j]->begin();
                   double              sum = 0;
#pragma omp simd reduction(+ : sum)
                   for (std::size_t i = begin; i < end; ++i)
                     sum += xi[i] * yi[i];
                   products[j] += sum;
                 }
             });
  }



  void
  subtract(const std::vector<const Vector *> &vectors,
           const double *const                factors,
           Vector                            &x)
  {
    double *const xi = x.begin();
    in_parts(x.locally_owned_size(),
             [&](const std::size_t begin, const std::size_t end) {
               for (std::size_t j = 0; j < vectors.size(); ++j)
                 {
                   const double *const yi = vectors[j]->begin();
                   const double        s  = factors[j];
#pragma omp simd
                   for (std::size_t i = begin; i < end; ++i)
                     xi[i] -= s * yi[i];
                 }
             });
  }
} // namespace Percuss
