// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/series.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  }



  std::vector<double>
  interpolate(const std::vector<double> &x,
              const std::vector<double> &y,
              const std::vector<double> &at)
  {
    std::vector<double> values(at.size(), not_a_number);
    if (x.empty())
      return values;
    const double tolerance =
      1e-12 * std::max(std::abs(x.front()), std::abs(x.back()));
    for (std::size_t i = 0; i < at.size(); ++i)
      {
        if (!(at[i] >= x.front() - tolerance && at[i] <= x.back() + tolerance))
          continue;
        const auto above = std::lower_bound(x.begin(), x.end(), at[i]);
        const auto k     = static_cast<std::size_t>(above - x.begin());
        if (above == x.end())
          values[i] = y.back();
        else if (k == 0 || *above == at[i])
          values[i] = y[k];
        else
          {
            const double weight = (at[i] - x[k - 1]) / (x[k] - x[k - 1]);
            values[i]           = (1 - weight) * y[k - 1] + weight * y[k];
          }
      }
    return values;
  }



  double
  difference_norm(const std::string         &norm,
                  const std::vector<double> &a,
                  const std::vector<double> &b)
  {
    double      sum = 0, squares = 0, largest = 0, last = 0;
    std::size_t n = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      {
        const double distance = std::abs(a[i] - b[i]);
        if (std::isnan(distance))
          continue;
        sum += distance;
        squares += distance * distance;
        largest = std::max(largest, distance);
        last    = distance;
        ++n;
      }
    if (n == 0)
      return not_a_number;
    const auto count = static_cast<double>(n);
    return norm == "final" ? last :
           norm == "max"   ? largest :
           norm == "rms"   ? std::sqrt(squares / count) :
                             sum / count;
  }



  double
  slope(const double x1, const double y1, const double x2, const double y2)
  {
    return x1 > 0 && x2 > 0 && y1 > 0 && y2 > 0 && x1 != x2 ?
             std::log(y2 / y1) / std::log(x2 / x1) :
             not_a_number;
  }



  double
  slope(const std::vector<double> &x, const std::vector<double> &y)
  {
    double     n = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    const auto for_each = [&](const auto &function) {
      for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i] > 0 && y[i] > 0)
          function(std::log(x[i]), std::log(y[i]));
    };
    for_each([&](const double log_x, const double log_y) {
      n += 1;
      mean_x += log_x;
      mean_y += log_y;
    });
    mean_x /= n;
    mean_y /= n;
    for_each([&](const double log_x, const double log_y) {
      xx += (log_x - mean_x) * (log_x - mean_x);
      xy += (log_x - mean_x) * (log_y - mean_y);
    });
    return n > 1 && xx > 0 ? xy / xx : not_a_number;
  }



  double
  force_variation(const std::vector<double> &time,
                  const std::vector<double> &impulse,
                  const std::vector<double> &force)
  {
    double      variation = 0, sum = 0;
    std::size_t first = time.size(), last = 0;
    for (std::size_t i = 0; i < time.size(); ++i)
      {
        if (i > 0)
          variation += std::abs(force[i] - force[i - 1]);
        if (impulse[i] <= 0)
          continue;
        sum += impulse[i];
        first = std::min(first, i);
        last  = i;
      }
    if (first == time.size())
      return not_a_number;
    // The first impulse has been collected since the row before.
    const double begin = first > 0 ? time[first - 1] : time[0];
    return variation * (time[last] - begin) / (2 * sum);
  }
} // namespace Percuss
