// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/anderson_acceleration.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <utility>

namespace Percuss
{
  namespace
  {
    std::vector<double>
    difference(const std::vector<double> &a, const std::vector<double> &b)
    {
      std::vector<double> result(a);
      for (std::size_t i = 0; i < a.size(); ++i)
        result[i] -= b[i];
      return result;
    }

    double
    product(const std::vector<double> &a,
            const std::vector<double> &b,
            const std::vector<double> &weights)
    {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += weights[i] * a[i] * b[i];
      return sum;
    }
  } // namespace



  AndersonAcceleration::AndersonAcceleration(const unsigned int depth,
                                             const MPI_Comm     communicator)
    : depth(depth)
    , communicator(communicator)
  {}



  /// By Gram and Schmidt, newest first: differences that hardly add a direction
  /// are left out, which the normal equations would not notice.
  std::vector<double>
  AndersonAcceleration::coefficients(const std::vector<double> &change,
                                     const std::vector<double> &weights) const
  {
    using dealii::Utilities::MPI::sum;
    const std::size_t                n = differences.size();
    std::vector<std::vector<double>> directions;
    // Directions as combinations of the differences.
    std::vector<std::vector<double>> combinations;
    std::vector<double>              result(n), rest(change);
    const auto                       subtract = [](std::vector<double>       &from,
                             const double               factor,
                             const std::vector<double> &what) {
      for (std::size_t i = 0; i < from.size(); ++i)
        from[i] -= factor * what[i];
    };
    for (std::size_t k = n; k-- > 0;)
      {
        std::vector<double> direction = differences[k].change, combination(n);
        combination[k]                = 1;
        const double length =
          sum(product(direction, direction, weights), communicator);
        for (std::size_t j = 0; j < directions.size(); ++j)
          {
            const double part =
              sum(product(direction, directions[j], weights), communicator);
            subtract(direction, part, directions[j]);
            subtract(combination, part, combinations[j]);
          }
        const double left =
          sum(product(direction, direction, weights), communicator);
        if (!(left > 1e-20 * length))
          continue;
        for (auto *const vector : {&direction, &combination})
          for (double &value : *vector)
            value /= std::sqrt(left);
        const double part =
          sum(product(rest, direction, weights), communicator);
        subtract(rest, part, direction);
        subtract(result, -part, combination);
        directions.push_back(std::move(direction));
        combinations.push_back(std::move(combination));
      }
    return result;
  }



  void
  AndersonAcceleration::improve(std::vector<double>       &x,
                                const std::vector<double> &result,
                                const std::vector<double> &weights)
  {
    const std::vector<double> change = difference(result, x);
    if (has_last)
      differences.push_back(
        {difference(change, last_change), difference(result, last_result)});
    if (differences.size() > depth)
      differences.pop_front();
    has_last           = true;
    last_change        = change;
    last_result        = result;
    x                  = result;
    const auto factors = coefficients(change, weights);
    for (std::size_t k = 0; k < differences.size(); ++k)
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] -= factors[k] * differences[k].result[i];
  }
} // namespace Percuss
