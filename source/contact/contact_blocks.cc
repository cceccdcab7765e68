// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/contact/contact_blocks.h>

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    /// The block of a contact on the diagonal of W.
    LocalContact
    diagonal_block(const ContactLaw      &law,
                   const GatheredProblem &problem,
                   const ContactPoint    &point)
    {
      LocalContact contact;
      contact.n_directions     = point.n_directions;
      contact.friction         = law.friction(point);
      contact.rolling_friction = law.rolling_friction(point);
      for (unsigned int d = 0; d < point.n_directions; ++d)
        for (unsigned int k = problem.row_start[point.first + d];
             k < problem.row_start[point.first + d + 1];
             ++k)
          if (problem.columns[k] >= point.first &&
              problem.columns[k] < point.first + point.n_directions)
            contact.W[d][problem.columns[k] - point.first] = problem.values[k];
      return contact;
    }
    /// Where the entries of this block begin and end in a row of the contact.
    std::pair<unsigned int, unsigned int>
    entries_of_block(const GatheredProblem &problem,
                     const ContactPoint    &point,
                     const unsigned int     direction)
    {
      const auto         columns = problem.columns.begin();
      const unsigned int row     = point.first + direction;
      Assert(std::is_sorted(columns + problem.row_start[row],
                            columns + problem.row_start[row + 1]),
             dealii::ExcInternalError());
      const auto find = [&](const unsigned int column) {
        return static_cast<unsigned int>(
          std::lower_bound(columns + problem.row_start[row],
                           columns + problem.row_start[row + 1],
                           column) -
          columns);
      };
      return {find(point.first), find(point.first + point.n_directions)};
    }
  } // namespace



  ContactBlocks::ContactBlocks(const ContactLaw      &law,
                               const GatheredProblem &problem)
    : law(law)
    , problem(problem)
    , steps(problem.size())
    , own(problem.size())
  {
    contacts.reserve(problem.points.size());
    weights.reserve(problem.points.size());
    for (const ContactPoint &point : problem.points)
      {
        contacts.push_back(diagonal_block(law, problem, point));
        for (unsigned int d = 0; d < point.n_directions; ++d)
          own[point.first + d] = entries_of_block(problem, point, d);
        const auto &W          = contacts.back().W;
        double      tangential = 0, rolling = 0;
        for (unsigned int d = 1; d < point.n_directions; ++d)
          (d < 3 ? tangential : rolling) =
            std::max(d < 3 ? tangential : rolling, std::abs(W[d][d]));
        const double largest =
          std::max({std::abs(W[0][0]), tangential, rolling});
        weights.push_back(largest > 0 ? largest : 1);
        steps[point.first] = W[0][0] != 0 ? 1 / std::abs(W[0][0]) : 1;
        for (unsigned int d = 1; d < point.n_directions; ++d)
          {
            const double w         = d < 3 ? tangential : rolling;
            steps[point.first + d] = w > 0 ? 1 / w : 1;
          }
      }
  }



  void
  ContactBlocks::velocities(const std::vector<double> &lambda,
                            std::vector<double>       &xi) const
  {
    for (unsigned int i = 0; i < problem.size(); ++i)
      {
        double sum = problem.b[i];
        for (unsigned int k = problem.row_start[i];
             k < problem.row_start[i + 1];
             ++k)
          sum += problem.values[k] * lambda[problem.columns[k]];
        xi[i] = sum;
      }
  }



  void
  ContactBlocks::project(std::vector<double> &lambda) const
  {
    for (const ContactPoint &point : problem.points)
      law.project(point, &lambda[point.first]);
  }



  double
  ContactBlocks::natural_map(const double               r,
                             const std::vector<double> &lambda,
                             const std::vector<double> &xi,
                             std::vector<double>       &f) const
  {
    for (unsigned int i = 0; i < problem.size(); ++i)
      f[i] = lambda[i] - r * steps[i] * xi[i];
    project(f);
    double sum = 0;
    for (unsigned int i = 0; i < problem.size(); ++i)
      {
        f[i] -= lambda[i];
        sum += f[i] * f[i] / steps[i];
      }
    return std::isfinite(sum) ? std::sqrt(sum) :
                                std::numeric_limits<double>::infinity();
  }



  double
  ContactBlocks::residual(const std::vector<double> &lambda,
                          const std::vector<double> &xi) const
  {
    double error = 0, scale = 0;
    for (unsigned int i = 0; i < n_contacts(); ++i)
      {
        const ContactPoint &point = problem.points[i];
        error                     = std::max(error,
                         law_violation(law,
                                       point,
                                       weights[i],
                                       &lambda[point.first],
                                       &xi[point.first]));
      }
    for (unsigned int i = 0; i < problem.size(); ++i)
      scale = std::max(
        {scale, std::abs(problem.b[i]), std::abs(xi[i] - problem.b[i])});
    return error == 0 || std::isinf(error) ? error : error / scale;
  }



  double
  ContactBlocks::sweep(const double         relaxation,
                       std::vector<double> &lambda) const
  {
    double largest_change = 0;
    for (unsigned int i = 0; i < n_contacts(); ++i)
      {
        const ContactPoint &point = problem.points[i];
        const unsigned int  first = point.first, n = point.n_directions;
        double              c[largest_block], block[largest_block];
        for (unsigned int d = 0; d < n; ++d)
          {
            const unsigned int row = first + d;
            c[d]                   = problem.b[row];
            for (unsigned int k = problem.row_start[row]; k < own[row].first;
                 ++k)
              c[d] += problem.values[k] * lambda[problem.columns[k]];
            for (unsigned int k = own[row].second;
                 k < problem.row_start[row + 1];
                 ++k)
              c[d] += problem.values[k] * lambda[problem.columns[k]];
          }
        std::copy_n(&lambda[first], n, block);
        if (!contacts[i].solve(c, block))
          continue;
        for (unsigned int d = 0; d < n; ++d)
          block[d] =
            lambda[first + d] + relaxation * (block[d] - lambda[first + d]);
        law.project(point, block);
        for (unsigned int d = 0; d < n; ++d)
          {
            largest_change =
              std::max(largest_change,
                       weights[i] * std::abs(block[d] - lambda[first + d]));
            lambda[first + d] = block[d];
          }
      }
    return largest_change;
  }



  double
  ContactBlocks::polish(const double         tolerance,
                        std::vector<double> &lambda) const
  {
    std::vector<double> xi(problem.size());
    for (unsigned int n_sweeps = 0;; ++n_sweeps)
      {
        velocities(lambda, xi);
        const double error = residual(lambda, xi);
        if (error <= 0.1 * tolerance || n_sweeps == 10)
          return error;
        sweep(1, lambda);
      }
  }
} // namespace Percuss
