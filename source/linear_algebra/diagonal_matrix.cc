// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/linear_algebra/diagonal_matrix.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/tridiagonal_matrix.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace Percuss
{
  bool
  is_diagonal(const SparseMatrix &matrix)
  {
    const std::vector<double> diagonal = matrix.diagonal();
    Vector                    x(matrix.partition()), y(matrix.partition());
    const auto                first = matrix.partition()->local_range().first;
    for (unsigned int i = 0; i < diagonal.size(); ++i)
      x.local_element(i) = 2 + std::sin(static_cast<double>(first + i));
    matrix.multiply(x, y);
    unsigned int n_others = 0;
    for (unsigned int i = 0; i < diagonal.size(); ++i)
      n_others +=
        !(diagonal[i] > 0 &&
          std::abs(y.local_element(i) - diagonal[i] * x.local_element(i)) <=
            1e-15 * y.local_element(i));
    return dealii::Utilities::MPI::sum(
             n_others, matrix.partition()->get_mpi_communicator()) == 0;
  }



  namespace
  {
    /// A number in [-1, 1) that looks random but is the same on any number of
    /// ranks: the finaliser of S. Vigna's splitmix64.
    double
    number_without_order(const std::uint64_t i)
    {
      std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15;
      bits               = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
      bits               = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
      bits               = bits ^ (bits >> 31);
      return static_cast<double>(bits >> 11) / 4503599627370496. - 1; // 2^52
    }

    /// Lanczos's tridiagonal matrix; its space is @p invariant where it cannot
    /// grow.
    struct Tridiagonal
    {
      std::vector<double> diagonal, beside;
      bool                invariant = false;

      double
      largest_eigenvalue() const
      {
        const auto n = static_cast<unsigned int>(diagonal.size());
        dealii::TridiagonalMatrix<double> T(n, true);
        for (unsigned int i = 0; i < n; ++i)
          {
            T(i, i) = diagonal[i];
            if (i + 1 < n)
              T(i, i + 1) = beside[i];
          }
        T.compute_eigenvalues();
        return T.eigenvalue(n - 1);
      }
    };

    /// Of M^-1/2 A M^-1/2. Nothing is orthogonalised again: that changes the
    /// largest Ritz value by round-off only.
    Tridiagonal
    make_tridiagonal(const SparseMatrix        &A,
                     const std::vector<double> &masses,
                     const unsigned int         n_products)
    {
      const Partition &owned = A.partition();
      const auto       first = owned->local_range().first;
      Vector           v(owned), before(owned), w(owned), scaled(owned);
      for (unsigned int i = 0; i < masses.size(); ++i)
        v.local_element(i) = number_without_order(first + i);
      v /= v.l2_norm();
      Tridiagonal T;
      double      beta = 0, largest = 0;
      while (true)
        {
          for (unsigned int i = 0; i < masses.size(); ++i)
            scaled.local_element(i) = v.local_element(i) / std::sqrt(masses[i]);
          A.multiply(scaled, w);
          for (unsigned int i = 0; i < masses.size(); ++i)
            w.local_element(i) /= std::sqrt(masses[i]);
          w.add(-beta, before);
          const double alpha = w * v;
          w.add(-alpha, v);
          T.diagonal.push_back(alpha);
          beta        = w.l2_norm();
          largest     = std::max({largest, alpha, beta});
          T.invariant = beta <= 1e-12 * largest;
          if (T.invariant || T.diagonal.size() == n_products)
            return T;
          T.beside.push_back(beta);
          before.swap(v);
          v.equ(1 / beta, w);
        }
    }
  } // namespace



  double
  largest_eigenvalue(const SparseMatrix &A, const std::vector<double> &masses)
  {
    constexpr unsigned int n_products = 80;
    const Tridiagonal      T          = make_tridiagonal(A, masses, n_products);
    const double           theta      = T.largest_eigenvalue();
    if (T.invariant)
      return (1 + 1e-10) * theta;
    constexpr double k     = n_products - 1;
    const double     n     = static_cast<double>(A.partition()->size());
    const double     ratio = (std::log(n) + 4 * std::log(k)) / k;
    return theta / (1 - 0.103 * ratio * ratio);
  }
} // namespace Percuss
