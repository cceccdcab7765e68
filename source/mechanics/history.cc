// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/history.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  History::History(const unsigned int  n_components,
                   const Interpolation interpolation)
    : width(n_components)
    , interpolation(interpolation)
  {}



  void
  History::reserve(const std::size_t n)
  {
    if (n <= capacity())
      return;
    std::vector<double> larger(n * stride());
    for (std::size_t i = 0; i < n_records; ++i)
      std::copy_n(raw(i), stride(), larger.begin() + i * stride());
    data.swap(larger);
    first = 0;
  }



  double *
  History::append(const double time, const bool jumps)
  {
    if (n_records == capacity())
      reserve(std::max<std::size_t>(8, 2 * capacity()));
    auto *const record = const_cast<double *>(raw(n_records++));
    record[0]          = time;
    record[1]          = jumps ? 1 : 0;
    return record + 2;
  }



  void
  History::forget_before(const double time)
  {
    while (n_records > 3 && time >= raw(2)[0])
      {
        first = first + 1 < capacity() ? first + 1 : 0;
        --n_records;
      }
  }



  History::Record
  History::operator[](const std::size_t i) const
  {
    const double *const record = raw(i);
    const double *const q      = record + 2;
    return {record[0], record[1] != 0, q, q + width, q + 2 * width};
  }



  std::size_t
  History::find(const double time, const double round_off) const
  {
    // Steps are equal, as a rule.
    const double begin = raw(0)[0], end = raw(n_records - 1)[0];
    std::size_t  i = 0;
    if (end > begin && time > begin)
      i =
        static_cast<std::size_t>(std::min((time - begin) / (end - begin) *
                                            static_cast<double>(n_records - 1),
                                          static_cast<double>(n_records - 1)));
    while (i + 1 < n_records && time >= raw(i + 1)[0] - round_off)
      ++i;
    while (i > 0 && time < raw(i)[0] - round_off)
      --i;
    return i;
  }



  double
  History::between(const Record      &begin,
                   const Record      &end,
                   const Argument     argument,
                   const unsigned int i,
                   const double       time) const
  {
    const double h  = end.time - begin.time;
    const double x  = std::clamp((time - begin.time) / h, 0., 1.);
    const double q0 = begin.q[i], q1 = end.q[i];
    const double v0 = begin.v_after[i], v1 = end.v_before[i];
    // Nothing is known of where in the step the velocity jumps.
    if (interpolation == Interpolation::linear || end.jumps)
      return argument == Argument::position ? q0 + x * (q1 - q0) :
                                              v0 + x * (v1 - v0);
    if (argument == Argument::position)
      return q0 + x * x * (3 - 2 * x) * (q1 - q0) +
             h * x * (1 - x) * ((1 - x) * v0 - x * v1);
    return 6 * x * (1 - x) * (q1 - q0) / h + (1 - x) * (1 - 3 * x) * v0 +
           x * (3 * x - 2) * v1;
  }
} // namespace Percuss
