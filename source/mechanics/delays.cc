// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/mechanical_model.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace Percuss
{
  namespace
  {
    /// Of t - tau(t).
    double
    round_off(const double now, const double earlier)
    {
      return 8 * std::numeric_limits<double>::epsilon() *
             (std::abs(now) + std::abs(earlier));
    }
  } // namespace



  Delays::Past
  Delays::steady(const State &start)
  {
    return [q = start.q, v = start.v](const Argument     argument,
                                      const unsigned int i,
                                      const double       time) {
      return argument == Argument::position ?
               q.local_element(i) + v.local_element(i) * time :
               v.local_element(i);
    };
  }



  unsigned int
  Delays::add(const Delay &delay)
  {
    delays.push_back(delay);
    return static_cast<unsigned int>(delays.size() - 1);
  }



  unsigned int
  Delays::add(const Signal &signal)
  {
    all_signals.push_back(signal);
    return static_cast<unsigned int>(all_signals.size() - 1);
  }



  void
  Delays::add(const Damping &damping)
  {
    all_dampings.push_back(damping);
  }



  void
  Delays::complete(const MechanicalModel &of_model,
                   const Past            &initial,
                   const std::string     &entry)
  {
    model = &of_model;
    past  = initial;
    if (all_dampings.empty())
      for (const Signal &signal : all_signals)
        for (const auto &item : signal.row)
          components.push_back(item.first);
    else
      {
        components.resize(model->partition()->locally_owned_size());
        std::iota(components.begin(), components.end(), 0);
      }
    std::sort(components.begin(), components.end());
    components.erase(std::unique(components.begin(), components.end()),
                     components.end());
    for (const Signal &signal : all_signals)
      {
        kept_rows.push_back(signal.row);
        for (auto &item : kept_rows.back())
          item.first = static_cast<unsigned int>(
            std::lower_bound(components.begin(), components.end(), item.first) -
            components.begin());
      }
    u_begin.reinit(model->contacts().partition());
    u_end.reinit(model->contacts().partition());
    collectively(model->communicator, [&]() {
      for (const Delay &delay : delays)
        for (const unsigned int i : components)
          for (const Argument argument :
               {Argument::position, Argument::velocity})
            for (const double time : {delay.earlier(0), -0.})
              if (time <= 0 && !std::isfinite(past(argument, i, time)))
                throw EntryError(entry,
                                 "the motion is not finite at t = " +
                                   shortest_text(time) + " s.");
    });
  }



  void
  Delays::evaluate(const double time, double *const values) const
  {
    for (std::size_t s = 0; s < all_signals.size(); ++s)
      {
        values[s] = 0;
        if (kept_rows[s].empty())
          continue;
        const Moment moment = look_back(all_signals[s].delay, time);
        for (const auto &[i, weight] : kept_rows[s])
          values[s] += weight * value(all_signals[s].argument, i, moment);
      }
  }



  void
  Delays::velocities(const unsigned int delay,
                     const double       time,
                     Vector            &v) const
  {
    const Moment moment = look_back(delay, time);
    for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
      v.local_element(i) = value(Argument::velocity, i, moment);
  }



  double
  Delays::longest(const double time) const
  {
    double result = 0;
    for (const Delay &delay : delays)
      result = std::max(result, time - delay.earlier(time));
    return result;
  }



  Delays::Moment
  Delays::look_back(const unsigned int delay, const double now) const
  {
    Moment       moment;
    const double earlier   = delays[delay].earlier(now);
    const double tolerance = round_off(now, earlier);
    moment.time            = earlier;
    if (now >= next_time - tolerance)
      moment.part_before = part_before_at_end;
    moment.is_before_start =
      earlier < -tolerance || history == nullptr || history->size() == 0;
    if (moment.is_before_start)
      return moment;
    const std::size_t found = history->find(earlier, tolerance);
    moment.begin            = (*history)[found];
    moment.is_at_record     = earlier <= moment.begin.time + tolerance;
    if (moment.is_at_record)
      return moment;
    const bool is_last = found + 1 == history->size();
    moment.end         = is_last ? next_record() : (*history)[found + 1];
    if (earlier >= moment.end.time - tolerance)
      {
        moment.begin        = moment.end;
        moment.is_at_record = true;
      }
    return moment;
  }



  double
  Delays::value(const Argument     argument,
                const unsigned int i,
                const Moment      &at) const
  {
    if (rest != nullptr)
      return argument == Argument::position ?
               rest->local_element(components[i]) :
               0;
    if (at.is_before_start)
      return past(argument, components[i], at.time);
    if (at.is_at_record)
      return argument == Argument::position ?
               at.begin.q[i] :
               at.begin.v_after[i] +
                 at.part_before * (at.begin.v_before[i] - at.begin.v_after[i]);
    return history->between(at.begin, at.end, argument, i, at.time);
  }



  History
  Delays::begin(const State                 &state,
                const std::size_t            n_records,
                const History::Interpolation interpolation) const
  {
    History result(n_components(), interpolation);
    result.reserve(n_records);
    double *const values = result.append(state.time, false);
    fill(state, state, false, values);
    for (std::size_t i = 0; i < components.size(); ++i)
      values[components.size() + i] =
        past(Argument::velocity, components[i], state.time);
    return result;
  }



  History::Record
  Delays::next_record() const
  {
    const double *const q = next.data();
    return {next_time,
            next_jumps,
            q,
            q + components.size(),
            q + 2 * components.size()};
  }



  void
  Delays::place(const State &begin,
                const double h,
                const bool   sees_before) const
  {
    part_before_at_end = !sees_before ? 0 : begin.lead > 0 ? 0.5 : 1;
    history            = &begin.history;
    next_time          = begin.time + h;
    next_jumps         = false;
    next.resize(3 * components.size());
    for (std::size_t i = 0; i < components.size(); ++i)
      {
        const double v = begin.v.local_element(components[i]);
        next[i]        = begin.q.local_element(components[i]) + h * v;
        next[components.size() + i]     = v;
        next[2 * components.size() + i] = v;
      }
  }



  void
  Delays::extend(const State &begin, const State &end) const
  {
    next_time  = end.time;
    next_jumps = jump(begin, end);
    fill(begin, end, next_jumps, next.data());
  }



  /// Schemes with impacts at nodes have the velocities of the elements between
  /// them: that of a node is the mean of its neighbours, weighed by time.
  void
  Delays::fill(const State  &begin,
               const State  &end,
               const bool    jumps,
               double *const values) const
  {
    const std::size_t n      = components.size();
    const double      before = end.time - begin.time - begin.lead;
    const double      after  = end.lead;
    const double      weight =
      jumps || after <= 0 || before <= 0 ? 0 : after / (before + after);
    for (std::size_t i = 0; i < n; ++i)
      {
        const double v_begin = begin.v.local_element(components[i]);
        const double v_end   = end.v.local_element(components[i]);
        const double v_after = v_end + weight * (v_begin - v_end);
        values[i]            = end.q.local_element(components[i]);
        values[n + i]        = jumps ? v_begin : v_after;
        values[2 * n + i]    = v_after;
      }
  }



  /// A contact that stays closed carries an impulse in each step, but its
  /// velocity stays as well.
  bool
  Delays::jump(const State &begin, const State &end) const
  {
    const ContactSet &contacts = model->contacts();
    if (contacts.size() == 0 || end.memory.empty())
      return false;
    contacts.place(end.time, end.q);
    contacts.velocities(begin.v, u_begin);
    contacts.velocities(end.v, u_end);
    const Vector &lambda = end.memory.front().values;
    double        change = 0;
    for (const ContactPoint &point : contacts.points())
      if (lambda.local_element(point.first) != 0)
        change = std::max(change,
                          std::abs(u_end.local_element(point.first) -
                                   u_begin.local_element(point.first)));
    change = dealii::Utilities::MPI::max(change, model->communicator);
    return change > 0 &&
           change > 1e-9 * std::max(begin.v.linfty_norm(), end.v.linfty_norm());
  }



  bool
  Delays::reach_beyond(const double begin, const double end) const
  {
    return std::any_of(delays.begin(), delays.end(), [=](const Delay &delay) {
      const double earlier = delay.earlier(end);
      return earlier > begin + round_off(end, earlier);
    });
  }



  void
  Delays::remember(State &begin, State &end) const
  {
    const bool jumps = jump(begin, end);
    end.history.swap(begin.history);
    fill(begin, end, jumps, end.history.append(end.time, jumps));
    double needed = end.time;
    for (const Delay &delay : delays)
      needed = std::min(needed, delay.earlier(end.time));
    end.history.forget_before(needed);
    place(end, end.time - begin.time);
  }



  void
  Delays::check(const double begin, const double end) const
  {
    for (const Delay &delay : delays)
      {
        const double earlier   = delay.earlier(end);
        const double tolerance = round_off(end, earlier);
        const auto   refuse    = [&](const std::string &reason) {
          throw EntryError(delay.entry,
                           "the delay '" + delay.text + "' " + reason +
                             " at t = " + shortest_text(end) + " s.");
        };
        if (!std::isfinite(earlier))
          refuse("is no finite number");
        if (earlier > end + tolerance)
          refuse("is negative, " + shortest_text(end - earlier) + " s,");
        if (!delay.is_constant && earlier <= delay.earlier(begin))
          refuse("grows as fast as time, or faster (t - tau must increase),");
      }
  }
} // namespace Percuss
