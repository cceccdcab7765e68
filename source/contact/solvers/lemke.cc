// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Lemke's complementary pivoting with the lexicographic ratio test
    /// (Cottle, Pang, Stone: The Linear Complementarity Problem, section 4.4).
    /// Finite, and exact up to round-off, for 0 <= xi, lambda with
    /// xi = W lambda + b and W positive (semi)definite, symmetric or not. The
    /// tableau is dense and each rank solves the same problem: for up to some
    /// hundred active contacts.
    class Lemke : public ContactSolver
    {
    public:
      struct Parameters
      {
        unsigned int maximum_pivots = 10000;

        void
        declare(ParameterSection &section)
        {
          section.add("maximum pivots",
                      maximum_pivots,
                      "More than this counts as failure",
                      1);
        }
      };

      Lemke(const Parameters &parameters, const Context &context)
        : ContactSolver(context)
        , maximum_pivots(parameters.maximum_pivots)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      static constexpr unsigned int largest_size = 3000; ///< 144 MB

      const unsigned int maximum_pivots;
    };



    /// The tableau of xi - W lambda - z0 = b with the columns
    /// xi (n), lambda (n), z0 (1), right-hand side (1).
    class Tableau
    {
    public:
      explicit Tableau(const GatheredProblem &problem);

      /// Pivots until z0 leaves, or no column is left to enter.
      unsigned int
      pivot(unsigned int maximum_pivots);

      /// The values of lambda in the present basis.
      std::vector<double>
      solution() const;

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



    Tableau::Tableau(const GatheredProblem &problem)
      : n(problem.size())
      , n_columns(2 * n + 2)
      , artificial(2 * n)
      , rhs(2 * n + 1)
      , entries(static_cast<std::size_t>(n) * n_columns)
      , basis(n)
    {
      for (unsigned int i = 0; i < n; ++i)
        {
          at(i, i) = 1;
          for (unsigned int k = problem.row_start[i];
               k < problem.row_start[i + 1];
               ++k)
            at(i, n + problem.columns[k]) = -problem.values[k];
          at(i, artificial) = -1;
          at(i, rhs)        = problem.b[i];
          basis[i]          = i;
        }
    }



    unsigned int
    Tableau::pivot(const unsigned int maximum_pivots)
    {
      // z0 enters in the row of the most negative b; of ties the last one, as
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
      unsigned int best = n;
      for (unsigned int i = 0; i < n; ++i)
        if (at(i, column) > 1e-14 * largest &&
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



    std::vector<double>
    Tableau::solution() const
    {
      std::vector<double> lambda(n);
      for (unsigned int i = 0; i < n; ++i)
        if (basis[i] >= n && basis[i] < 2 * n)
          lambda[basis[i] - n] = std::max(0., at(i, rhs));
      return lambda;
    }



    unsigned int
    Lemke::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem gathered = gather(problem, lambda);
      if (gathered.size() > largest_size)
        throw Error(ExitCode::solver,
                    std::to_string(gathered.size()) +
                      " active contacts are too many for the contact solver "
                      "'lemke'; use 'projection' or 'petsc vi'.");
      Tableau            tableau(gathered);
      const unsigned int n_pivots = tableau.pivot(maximum_pivots);
      gathered.lambda             = tableau.solution();
      scatter(gathered, problem, lambda);
      return n_pivots;
    }

    const Registration<ContactSolver, Lemke>
      registration("lemke",
                   "complementary pivoting: exact, dense, for small numbers of "
                   "contacts");
  } // namespace
} // namespace Percuss
