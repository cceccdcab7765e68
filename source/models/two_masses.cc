// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "two_masses.h"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace Percuss
{
  namespace
  {
    constexpr double      never       = std::numeric_limits<double>::max();
    constexpr std::size_t most_phases = 20000;
    constexpr double      points_per_period = 256;

    /// The root of @p f between @p begin and @p end, where its signs differ.
    template <typename Function>
    double
    root(const Function &f, const double begin, const double end)
    {
      const double f_begin = f(begin), f_end = f(end);
      if (f_begin == 0)
        return begin;
      if (f_end == 0)
        return end;
      std::uintmax_t n_iterations = 200;
      const auto     bracket      = boost::math::tools::toms748_solve(
        f,
        begin,
        end,
        f_begin,
        f_end,
        boost::math::tools::eps_tolerance<double>(52),
        n_iterations);
      return 0.5 * (bracket.first + bracket.second);
    }
  } // namespace



  TwoMasses::TwoMasses(const Parameters &parameters, const Motion &start)
    : parameters(parameters)
  {
    if (start.q[0] > 0 || start.v[0] > 0)
      phases.push_back({0, false, start, 0});
    else
      leave_or_stick(0, start);
  }



  // Written as changes since the begin of the phase, or round-off would hide
  // the short flights of an accumulation point.
  TwoMasses::Motion
  TwoMasses::evaluate(const Phase &phase, const double time) const
  {
    const auto [m0, m1] = parameters.mass;
    const double k = parameters.stiffness, g = parameters.gravity;
    const double s     = time - phase.begin;
    const auto &[q, v] = phase.start;
    if (phase.is_closed)
      {
        const double omega = std::sqrt(k / m1), mean = -m1 * g / k;
        const double cosine = std::cos(omega * s), sine = std::sin(omega * s);
        const double x = q[1] - mean;
        return {{0., mean + x * cosine + v[1] / omega * sine},
                {0., v[1] * cosine - x * omega * sine}};
      }
    const double d = q[1] - q[0], dv = v[1] - v[0];
    const double omega = std::sqrt(k * (m0 + m1) / m0 / m1);
    const double sine = std::sin(omega * s), half = std::sin(omega * s / 2);
    // Double and single integral of omega^2 d.
    const double path  = 2 * d * half * half + dv * (s - sine / omega);
    const double speed = d * omega * sine + 2 * dv * half * half;
    const double w0 = m1 / (m0 + m1), w1 = -m0 / (m0 + m1);
    return {{q[0] + v[0] * s - g * s * s / 2 + w0 * path,
             q[1] + v[1] * s - g * s * s / 2 + w1 * path},
            {v[0] - g * s + w0 * speed, v[1] - g * s + w1 * speed}};
  }



  double
  TwoMasses::margin(const Phase &phase, const double time) const
  {
    const Motion motion = evaluate(phase, time);
    return phase.is_closed ? parameters.mass[0] * parameters.gravity -
                               parameters.stiffness * motion.q[1] :
                             motion.q[0];
  }



  double
  TwoMasses::slope(const Phase &phase, const double time) const
  {
    const Motion motion = evaluate(phase, time);
    return phase.is_closed ? -parameters.stiffness * motion.v[1] : motion.v[0];
  }



  double
  TwoMasses::find_end(Phase &phase, const double time) const
  {
    const auto [m0, m1] = parameters.mass;
    const double grid =
      2 * M_PI / std::sqrt(parameters.stiffness * (m0 + m1) / (m0 * m1)) /
      points_per_period;
    const auto value       = [&](const double t) { return margin(phase, t); };
    const auto rate        = [&](const double t) { return slope(phase, t); };
    const bool is_on_floor = !phase.is_closed && phase.start.q[0] == 0;
    while (phase.searched <= time)
      {
        double       begin      = phase.searched;
        const double end        = begin + grid;
        double       rate_begin = rate(begin);
        // Leaving the floor at zero velocity is a matter of round-off.
        if (is_on_floor && begin == phase.begin)
          rate_begin = std::max(0., rate_begin);
        // The margin is monotone between the roots of its rate.
        if (rate_begin * rate(end) < 0)
          {
            const double turn = root(rate, begin, end);
            if (rate_begin < 0 && value(turn) < 0)
              return root(value, begin, turn);
            begin = turn;
          }
        if (value(end) < 0)
          return value(begin) > 0 ? root(value, begin, end) : begin;
        phase.searched = end;
      }
    return never;
  }



  void
  TwoMasses::leave_or_stick(const double time, Motion motion) const
  {
    const auto [m0, m1] = parameters.mass;
    const double omega  = std::sqrt(parameters.stiffness * (m0 + m1) / m0 / m1);
    motion.q[0]         = 0;
    if (motion.v[0] < 0)
      {
        all_impacts.push_back({time, motion.v[0]});
        motion.v[0] *= -parameters.restitution;
      }
    const double acceleration =
      parameters.stiffness / m0 * motion.q[1] - parameters.gravity;
    // Flights that short are the limit of infinitely many impacts.
    const bool is_closed =
      acceleration < 0 && 2 * motion.v[0] <= -acceleration * 1e-10 / omega;
    if (is_closed)
      motion.v[0] = 0;
    phases.push_back({time, is_closed, motion, time});
  }



  void
  TwoMasses::find_phases(const double time) const
  {
    while (phases.back().begin <= time && phases.size() < most_phases)
      {
        const double end = find_end(phases.back(), time);
        if (end == never)
          return;
        const bool was_closed = phases.back().is_closed;
        Motion     motion     = evaluate(phases.back(), end);
        if (was_closed)
          phases.push_back({end, false, motion, end});
        else
          leave_or_stick(end, motion);
      }
  }



  bool
  TwoMasses::motion(const double time, Motion &result) const
  {
    find_phases(time);
    if (phases.back().begin <= time && phases.size() >= most_phases)
      return false;
    const auto next = std::upper_bound(phases.begin() + 1,
                                       phases.end(),
                                       time,
                                       [](const double t, const Phase &phase) {
                                         return t < phase.begin;
                                       });
    result          = evaluate(*(next - 1), time);
    return true;
  }



  std::vector<TwoMasses::Impact>
  TwoMasses::impacts(const double time) const
  {
    find_phases(time);
    std::vector<Impact> result;
    for (const Impact &impact : all_impacts)
      if (impact.time <= time)
        result.push_back(impact);
    return result;
  }
} // namespace Percuss
