// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/linear_complementarity.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    /// Principal pivots: the problem in terms of the variables that are left
    /// after y_i and z_i have changed places for some i. With
    /// @f[ z_i = (y_i - \sum_{j\ne i} M_{ij} z_j - q_i) / M_{ii} @f]
    /// the principal transform of a P-matrix is a P-matrix, that of a positive
    /// semidefinite one positive semidefinite.
    class PrincipalPivots
    {
    public:
      explicit PrincipalPivots(LinearComplementarity &problem)
        : problem(problem)
        , is_exchanged(problem.n)
      {}

      /// Exchanges the positive entries of @p guess, largest pivots first, as
      /// far as their pivots are not small. Returns how many.
      unsigned int
      exchange_all(const std::vector<double> &guess);

      bool
      exchanged(const unsigned int i) const
      {
        return is_exchanged[i];
      }

    private:
      void
      exchange(unsigned int i);

      LinearComplementarity &problem;
      std::vector<bool>      is_exchanged;
    };



    unsigned int
    PrincipalPivots::exchange_all(const std::vector<double> &guess)
    {
      std::vector<unsigned int> left;
      double                    largest = 0;
      for (unsigned int i = 0; i < problem.n; ++i)
        {
          largest = std::max(largest, std::abs(problem.at(i, i)));
          if (guess[i] > 0)
            left.push_back(i);
        }
      unsigned int n_exchanged = 0;
      while (!left.empty())
        {
          const auto best = std::max_element(
            left.begin(),
            left.end(),
            [this](const unsigned int i, const unsigned int j) {
              return std::abs(problem.at(i, i)) < std::abs(problem.at(j, j));
            });
          // Redundant contacts make pivots of round-off.
          if (!(std::abs(problem.at(*best, *best)) > 1e-8 * largest))
            break;
          exchange(*best);
          left.erase(best);
          ++n_exchanged;
        }
      return n_exchanged;
    }



    void
    PrincipalPivots::exchange(const unsigned int i)
    {
      const unsigned int n     = problem.n;
      const double       pivot = problem.at(i, i);
      for (unsigned int j = 0; j < n; ++j)
        if (j != i)
          problem.at(i, j) /= -pivot;
      problem.q[i] /= -pivot;
      problem.at(i, i) = 1 / pivot;
      for (unsigned int k = 0; k < n; ++k)
        if (const double factor = problem.at(k, i); k != i && factor != 0)
          {
            for (unsigned int j = 0; j < n; ++j)
              if (j != i)
                problem.at(k, j) += factor * problem.at(i, j);
            problem.at(k, i) = factor / pivot;
            problem.q[k] += factor * problem.q[i];
          }
      is_exchanged[i] = true;
    }



    /// The tableau of y - M z - z0 = q with the columns
    /// y (n), z (n), z0 (1), right-hand side (1).
    class Tableau
    {
    public:
      explicit Tableau(const LinearComplementarity &problem);

      /// Pivots until z0 leaves, or no column is left to enter.
      unsigned int
      pivot(unsigned int maximum_pivots);

      /// Calls @p set(i, is_z, value) for each basic variable y_i or z_i.
      template <typename Set>
      void
      visit_basis(const Set &set) const
      {
        for (unsigned int row = 0; row < n; ++row)
          if (basis[row] < artificial)
            set(basis[row] % n, basis[row] >= n, at(row, rhs));
      }

    private:
      double &
      at(const unsigned int row, const unsigned int column)
      {
        return entries[static_cast<std::size_t>(row) * n_columns + column];
      }
      double
      at(const unsigned int row, const unsigned int column) const
      {
        return entries[static_cast<std::size_t>(row) * n_columns + column];
      }

      /// The row with the lexicographically smallest ratio, or n.
      unsigned int
      leaving_row(unsigned int column) const;

      bool
      is_smaller(unsigned int row,
                 unsigned int other,
                 unsigned int column) const;

      void
      exchange(unsigned int row, unsigned int column);

      const unsigned int        n, n_columns, artificial, rhs;
      std::vector<double>       entries;
      std::vector<unsigned int> basis; ///< column of each row
    };



    Tableau::Tableau(const LinearComplementarity &problem)
      : n(problem.n)
      , n_columns(2 * n + 2)
      , artificial(2 * n)
      , rhs(2 * n + 1)
      , entries(static_cast<std::size_t>(n) * n_columns)
      , basis(n)
    {
      for (unsigned int i = 0; i < n; ++i)
        {
          at(i, i) = 1;
          for (unsigned int j = 0; j < n; ++j)
            at(i, n + j) = -problem.M[static_cast<std::size_t>(i) * n + j];
          at(i, artificial) = -1;
          at(i, rhs)        = problem.q[i];
          basis[i]          = i;
        }
    }



    unsigned int
    Tableau::pivot(const unsigned int maximum_pivots)
    {
      // z0 enters in the row of the most negative q; of ties the last one, as
      // the lexicographic order demands.
      unsigned int row = 0;
      for (unsigned int i = 1; i < n; ++i)
        if (at(i, rhs) <= at(row, rhs))
          row = i;
      if (at(row, rhs) >= 0)
        return 0;
      unsigned int entering = artificial;
      for (unsigned int count = 1; count <= maximum_pivots; ++count)
        {
          const unsigned int leaving = basis[row];
          exchange(row, entering);
          if (leaving == artificial)
            return count;
          entering = leaving < n ? leaving + n : leaving - n;
          row      = leaving_row(entering);
          if (row == n)
            return count;
        }
      return maximum_pivots;
    }



    bool
    Tableau::is_smaller(const unsigned int row,
                        const unsigned int other,
                        const unsigned int column) const
    {
      // Right-hand side first, then the columns of the inverse basis.
      for (unsigned int k = 0; k <= n; ++k)
        {
          const unsigned int position = k == 0 ? rhs : k - 1;
          const double       mine     = at(row, position) / at(row, column);
          const double       others   = at(other, position) / at(other, column);
          if (mine != others)
            return mine < others;
        }
      return false;
    }



    unsigned int
    Tableau::leaving_row(const unsigned int column) const
    {
      double largest = 0;
      for (unsigned int i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(at(i, column)));
      // What round-off leaves of a zero must not become a pivot: redundant
      // contacts with friction make such entries.
      unsigned int best = n;
      for (unsigned int i = 0; i < n; ++i)
        if (at(i, column) > 1e-11 * largest &&
            (best == n || is_smaller(i, best, column)))
          best = i;
      return best;
    }



    void
    Tableau::exchange(const unsigned int row, const unsigned int column)
    {
      const double pivot = at(row, column);
      for (unsigned int j = 0; j < n_columns; ++j)
        at(row, j) /= pivot;
      for (unsigned int i = 0; i < n; ++i)
        if (const double factor = at(i, column); i != row && factor != 0)
          for (unsigned int j = 0; j < n_columns; ++j)
            at(i, j) -= factor * at(row, j);
      basis[row] = column;
    }
  } // namespace



  unsigned int
  solve_by_lemke(LinearComplementarity &problem,
                 const unsigned int     maximum_pivots,
                 std::vector<double>   &z)
  {
    PrincipalPivots    principal(problem);
    const unsigned int n_exchanged = principal.exchange_all(z);
    std::fill(z.begin(), z.end(), 0.);
    if (std::all_of(problem.q.begin(), problem.q.end(), [](const double value) {
          return value >= 0;
        }))
      {
        for (unsigned int i = 0; i < problem.n; ++i)
          if (principal.exchanged(i))
            z[i] = problem.q[i];
        return n_exchanged;
      }
    Tableau            tableau(problem);
    const unsigned int n_pivots = tableau.pivot(maximum_pivots);
    tableau.visit_basis(
      [&](const unsigned int i, const bool is_z, const double value) {
        if (is_z != principal.exchanged(i))
          z[i] = std::max(0., value);
      });
    return n_exchanged + n_pivots;
  }
} // namespace Percuss
