// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_blocks.h>
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
    /// xi = W lambda + b and W positive (semi)definite, symmetric or not.
    ///
    /// Planar friction is written with the two directions of sliding and a
    /// slack gamma = |xi_T| (Stewart, Trinkle, Int. J. Numer. Meth. Engng 39,
    /// 1996, with two directions):
    /// @f[ 0 \le \xi_N \perp \lambda_N \ge 0, \qquad
    ///     0 \le \gamma \pm \xi_T \perp \lambda_\pm \ge 0, \qquad
    ///     0 \le \mu\lambda_N - \lambda_+ - \lambda_- \perp \gamma \ge 0,
    ///     \qquad \lambda_T = \lambda_+ - \lambda_-. @f]
    /// The tableau is dense and each rank solves the same problem: for up to
    /// some hundred active contacts.
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
        : ContactSolver("lemke",
                        {SolverNeeds::Form::matrix, false, 2, 1500},
                        context)
        , maximum_pivots(parameters.maximum_pivots)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const unsigned int maximum_pivots;
    };



    /// The unknowns z of the linear complementarity problem. They and their
    /// conditions are scaled so that the diagonal of W becomes 1.
    struct Unknowns
    {
      Unknowns(const ContactLaw &law, const GatheredProblem &problem);

      /// A part of the impulse of a row: lambda_N, lambda_+ or lambda_-.
      struct Part
      {
        unsigned int row;
        double       sign, scale;
      };

      /// The slack of a contact with friction.
      struct Slack
      {
        unsigned int normal;   ///< part lambda_N; lambda_+, lambda_- follow
        double       friction; ///< for scaled impulses
      };

      unsigned int
      size() const
      {
        return static_cast<unsigned int>(parts.size() + slacks.size());
      }

      std::vector<Part>         parts;
      std::vector<Slack>        slacks;
      std::vector<unsigned int> part_start; ///< of each row
    };



    /// One over the root of the diagonal entry.
    double
    scale_of_row(const GatheredProblem &problem, const unsigned int row)
    {
      for (unsigned int k = problem.row_start[row];
           k < problem.row_start[row + 1];
           ++k)
        if (problem.columns[k] == row && problem.values[k] != 0)
          return 1 / std::sqrt(std::abs(problem.values[k]));
      return 1;
    }



    Unknowns::Unknowns(const ContactLaw &law, const GatheredProblem &problem)
    {
      for (const ContactPoint &point : problem.points)
        {
          const unsigned int row      = point.first;
          const unsigned int normal   = static_cast<unsigned int>(parts.size());
          const double       friction = law.friction(point);
          part_start.push_back(normal);
          const double scale = scale_of_row(problem, row);
          parts.push_back({row, 1., scale});
          for (unsigned int d = 1; d < point.n_directions; ++d)
            part_start.push_back(normal + 1);
          if (friction == 0)
            continue;
          const double tangential = scale_of_row(problem, row + 1);
          parts.push_back({row + 1, 1., tangential});
          parts.push_back({row + 1, -1., tangential});
          slacks.push_back({normal, friction * scale / tangential});
        }
      part_start.push_back(static_cast<unsigned int>(parts.size()));
    }



    /// The tableau of y - M z - z0 = q with the columns
    /// y (n), z (n), z0 (1), right-hand side (1).
    class Tableau
    {
    public:
      Tableau(const Unknowns &unknowns, const GatheredProblem &problem);

      /// Pivots until z0 leaves, or no column is left to enter.
      unsigned int
      pivot(unsigned int maximum_pivots);

      /// The impulses in the present basis.
      void
      get_solution(const Unknowns &unknowns, std::vector<double> &lambda) const;

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



    Tableau::Tableau(const Unknowns &unknowns, const GatheredProblem &problem)
      : n(unknowns.size())
      , n_columns(2 * n + 2)
      , artificial(2 * n)
      , rhs(2 * n + 1)
      , entries(static_cast<std::size_t>(n) * n_columns)
      , basis(n)
    {
      for (unsigned int i = 0; i < n; ++i)
        {
          at(i, i)          = 1;
          at(i, artificial) = -1;
          basis[i]          = i;
        }
      const auto n_parts = static_cast<unsigned int>(unknowns.parts.size());
      for (unsigned int i = 0; i < n_parts; ++i)
        {
          const auto [row, sign, scale] = unknowns.parts[i];
          for (unsigned int k = problem.row_start[row];
               k < problem.row_start[row + 1];
               ++k)
            for (unsigned int j = unknowns.part_start[problem.columns[k]];
                 j < unknowns.part_start[problem.columns[k] + 1];
                 ++j)
              at(i, n + j) = -sign * unknowns.parts[j].sign * scale *
                             unknowns.parts[j].scale * problem.values[k];
          at(i, rhs) = sign * scale * problem.b[row];
        }
      for (unsigned int i = n_parts; i < n; ++i)
        {
          const auto &slack           = unknowns.slacks[i - n_parts];
          at(i, n + slack.normal)     = -slack.friction;
          at(i, n + slack.normal + 1) = 1;
          at(i, n + slack.normal + 2) = 1;
          at(slack.normal + 1, n + i) = -1;
          at(slack.normal + 2, n + i) = -1;
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



    void
    Tableau::get_solution(const Unknowns      &unknowns,
                          std::vector<double> &lambda) const
    {
      std::fill(lambda.begin(), lambda.end(), 0.);
      for (unsigned int i = 0; i < n; ++i)
        if (basis[i] >= n && basis[i] < n + unknowns.parts.size())
          {
            const auto [row, sign, scale] = unknowns.parts[basis[i] - n];
            lambda[row] += sign * scale * std::max(0., at(i, rhs));
          }
    }



    unsigned int
    Lemke::run(const ContactProblem &problem, Vector &lambda) const
    {
      GatheredProblem    gathered = gather(problem, lambda);
      const Unknowns     unknowns(problem.law, gathered);
      Tableau            tableau(unknowns, gathered);
      const unsigned int n_pivots = tableau.pivot(maximum_pivots);
      tableau.get_solution(unknowns, gathered.lambda);
      // Where W is nearly singular, round-off of the pivots is left.
      ContactBlocks(problem.law, gathered).polish(tolerance, gathered.lambda);
      scatter(gathered, problem, lambda);
      return n_pivots;
    }

    const Registration<ContactSolver, Lemke>
      registration("lemke",
                   "complementary pivoting: exact, dense, for small numbers of "
                   "contacts; friction in the plane");
  } // namespace
} // namespace Percuss
