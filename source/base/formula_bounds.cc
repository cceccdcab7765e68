// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/formula.h>

#include <algorithm>
#include <cmath>
#include <limits>

// Interval arithmetic (R. E. Moore, Interval Analysis, 1966) without directed
// rounding.

namespace Percuss
{
  namespace
  {
    constexpr double     infinity = std::numeric_limits<double>::infinity();
    constexpr ValueRange anything = {-infinity, infinity};

    /// Unknown ends, as of infinity times zero, are infinite.
    ValueRange
    known(const double lower, const double upper)
    {
      return {std::isnan(lower) ? -infinity : lower,
              std::isnan(upper) ? infinity : upper};
    }

    ValueRange
    sum(const ValueRange &a, const ValueRange &b)
    {
      return known(a.lower + b.lower, a.upper + b.upper);
    }

    ValueRange
    square(const ValueRange &a)
    {
      const double lower = a.lower * a.lower, upper = a.upper * a.upper;
      return {a.lower <= 0 && a.upper >= 0 ? 0 : std::min(lower, upper),
              std::max(lower, upper)};
    }

    ValueRange
    product(const ValueRange &a, const ValueRange &b)
    {
      ValueRange result = {infinity, -infinity};
      for (const double x : {a.lower, a.upper})
        for (const double y : {b.lower, b.upper})
          {
            const double value = x == 0 || y == 0 ? 0 : x * y;
            result.lower       = std::min(result.lower, value);
            result.upper       = std::max(result.upper, value);
          }
      return result;
    }

    ValueRange
    quotient(const ValueRange &a, const ValueRange &b)
    {
      return b.lower <= 0 && b.upper >= 0 ?
               anything :
               product(a, {1 / b.upper, 1 / b.lower});
    }

    /// Of whole exponents, and of positive numbers.
    ValueRange
    power(const ValueRange &a, const ValueRange &exponent)
    {
      const double e = exponent.lower;
      if (e != exponent.upper)
        return anything;
      const double x = std::pow(a.lower, e), y = std::pow(a.upper, e);
      if (a.lower > 0 || (e > 0 && std::remainder(e, 2) != 0 &&
                          e == std::round(e))) // monotone
        return known(std::min(x, y), std::max(x, y));
      if (e > 0 && std::remainder(e, 2) == 0)
        return {a.upper >= 0 ? 0 : y, std::max(x, y)};
      return e > 0 && a.upper >= 0 ? known(0, y) : anything;
    }

    /// Those of sin and cos are not looked at further.
    ValueRange
    function(double (*const f)(double), const ValueRange &a)
    {
      using Function           = double (*)(double);
      const Function growing[] = {
        std::atan, std::sinh, std::tanh, std::asinh, std::exp};
      const Function waves[] = {std::sin, std::cos};
      if (std::count(std::begin(growing), std::end(growing), f) > 0)
        return {f(a.lower), f(a.upper)};
      if (std::count(std::begin(waves), std::end(waves), f) > 0)
        {
          // They change by less than their argument.
          const double middle = f((a.lower + a.upper) / 2),
                       half   = (a.upper - a.lower) / 2;
          return half < 2 ? ValueRange{std::max(-1., middle - half),
                                       std::min(1., middle + half)} :
                            ValueRange{-1, 1};
        }
      if (f == static_cast<Function>(std::fabs))
        return {a.lower <= 0 && a.upper >= 0 ?
                  0 :
                  std::min(std::abs(a.lower), std::abs(a.upper)),
                std::max(std::abs(a.lower), std::abs(a.upper))};
      if (a.lower > 0 && (f == static_cast<Function>(std::log) ||
                          f == static_cast<Function>(std::log2) ||
                          f == static_cast<Function>(std::log10)))
        return {f(a.lower), f(a.upper)};
      return anything;
    }
  } // namespace



  ValueRange
  CompiledFormulas::bounds(const Operation &operation, const ValueRange *r)
  {
    const ValueRange &a = r[operation.a], &b = r[operation.b];
    switch (operation.kind)
      {
        case Kind::add:
          return sum(a, b);
        case Kind::subtract:
          return sum(a, {-b.upper, -b.lower});
        case Kind::multiply:
          return operation.a == operation.b ? square(a) : product(a, b);
        case Kind::divide:
          return quotient(a, b);
        case Kind::multiply_add:
          return sum(operation.a == operation.b ? square(a) : product(a, b),
                     r[operation.c]);
        case Kind::square_root:
          return {std::sqrt(std::max(a.lower, 0.)),
                  std::sqrt(std::max(a.upper, 0.))};
        case Kind::function:
          return function(operation.function, a);
        case Kind::power:
          return power(a, b);
        case Kind::arc_tangent:
          return {-4, 4};
        case Kind::is_not_above:
          return a.upper <= b.lower ? ValueRange{1, 1} :
                 a.lower > b.upper  ? ValueRange{0, 0} :
                                      ValueRange{0, 1};
        case Kind::choice:
          return a.lower == 1 ?
                   b :
                 a.upper == 0 ?
                   r[operation.c] :
                   ValueRange{std::min(b.lower, r[operation.c].lower),
                              std::max(b.upper, r[operation.c].upper)};
      }
    return anything;
  }



  void
  CompiledFormulas::bound(const ValueRange *variables,
                          ValueRange       *results) const
  {
    if (ranges.empty())
      for (const double constant : registers) // and others, not yet known
        ranges.push_back({constant, constant});
    std::copy(variables, variables + n_variables, ranges.begin());
    for (const Operation &operation : operations)
      ranges[operation.target] = bounds(operation, ranges.data());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      results[i] = ranges[outputs[i]];
  }
} // namespace Percuss
