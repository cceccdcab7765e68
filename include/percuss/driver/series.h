// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace Percuss
{
  /// Functions of time as they stand in tables: x ascends.

  /// The values of (@p x, @p y) at the points @p at by linear interpolation,
  /// and nan outside of the range of @p x. A point that misses the range by
  /// round-off is inside.
  std::vector<double>
  interpolate(const std::vector<double> &x,
              const std::vector<double> &y,
              const std::vector<double> &at);

  /// The norm "mean", "rms", "max" or "final" of a - b, each number having the
  /// same weight. Places where one of them is nan are left out; nan where
  /// nothing is left.
  double
  difference_norm(const std::string         &norm,
                  const std::vector<double> &a,
                  const std::vector<double> &b);

  /// log(y2/y1) / log(x2/x1); nan where it is not defined.
  double
  slope(double x1, double y1, double x2, double y2);

  /// The slope of log(y) over log(x) by least squares; numbers that are not
  /// positive are left out. Nan for less than two different x.
  double
  slope(const std::vector<double> &x, const std::vector<double> &y);

  /// How often a contact force goes up and down, by its total variation: 1 for
  /// a rectangular pulse from the first to the last contact with the same
  /// impulse, more for chatter, nan without a contact. @p impulse is that of
  /// the interval before each time.
  double
  force_variation(const std::vector<double> &time,
                  const std::vector<double> &impulse,
                  const std::vector<double> &force);
} // namespace Percuss
