// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>
#include <percuss/mechanics/argument.h>
#include <percuss/mechanics/history.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  class MechanicalModel;
  struct State;

  /// What the forces of a model need of its motion before: signals, scalar
  /// products of a row with the positions or velocities at the time t - tau(t),
  /// and fields, all velocities at such a time. The model says so when it is
  /// built. Between place() and the next call of it, forces at the times of a
  /// step are functions of time.
  ///
  /// Where an earlier time is that of a jump of velocities: a force at the end
  /// of a step sees those before it, others those after it. Schemes with forces
  /// at nodes, for half a step before and half a step after, see the mean.
  class Delays
  {
  public:
    /// A time before.
    struct Delay
    {
      std::function<double(double)> earlier; ///< t - tau(t), in s
      bool                          is_constant;
      std::string                   text;  ///< "0.1", for messages
      std::string                   entry; ///< where the file says so
    };

    /// Local numbers of this rank's components, with weights.
    using Row = std::vector<std::pair<unsigned int, double>>;

    struct Signal
    {
      std::string  name; ///< "x'(t - 0.1)"
      Argument     argument;
      unsigned int delay; ///< its number
      Row          row;
    };

    /// The force -(a M + b K) v(t - tau).
    struct Damping
    {
      unsigned int delay;     ///< its number
      double       mass;      ///< a, in 1/s
      double       stiffness; ///< b, in s
    };

    /// The motion of this rank's component before the start, at t <= 0.
    using Past = std::function<double(Argument, unsigned int, double)>;

    /// That of a steady motion to a start, q_0 + v_0 t.
    static Past
    steady(const State &start);

    /// Returns the number of the delay.
    unsigned int
    add(const Delay &delay);

    /// Returns the number of the signal.
    unsigned int
    add(const Signal &signal);

    void
    add(const Damping &damping);

    /// After all have been added. Collective.
    /// @throws EntryError of @p entry where @p past is not finite
    void
    complete(const MechanicalModel &model,
             const Past            &past,
             const std::string     &entry);

    const std::vector<Delay> &
    all_delays() const
    {
      return delays;
    }

    const std::vector<Signal> &
    signals() const
    {
      return all_signals;
    }

    const std::vector<Damping> &
    dampings() const
    {
      return all_dampings;
    }

    /// This rank's part of the signals at @p time, in their order.
    void
    evaluate(double time, double *values) const;

    /// All velocities at t - tau(t).
    void
    velocities(unsigned int delay, double time, Vector &v) const;

    /// Of this rank, that a history keeps.
    unsigned int
    n_components() const
    {
      return static_cast<unsigned int>(components.size());
    }

    /// The longest delay at @p time, in s.
    double
    longest(double time) const;

    /// The history of a run that starts with @p state, with room for
    /// @p n_records.
    History
    begin(const State           &state,
          std::size_t            n_records,
          History::Interpolation interpolation) const;

    /// Makes the motion up to a state the one to look back at; beyond, it goes
    /// on with the state's velocity. @p begin outlives its use. Without
    /// @p sees_before, all forces see velocities after jumps.
    void
    place(const State &begin, double h, bool sees_before = true) const;

    /// Makes rest at a position the motion to look back at.
    void
    rest_at(const Vector &q) const
    {
      rest = &q;
    }
    void
    forget_rest() const
    {
      rest = nullptr;
    }

    /// Makes @p end what follows the state that was placed.
    void
    extend(const State &begin, const State &end) const;

    /// What extend() has set, to compare and to change: positions, then
    /// velocities before and after.
    std::vector<double> &
    extension() const
    {
      return next;
    }

    /// Whether the force at the time @p end depends on motion after @p begin.
    bool
    reach_beyond(double begin, double end) const;

    /// Hands the history of @p begin on to @p end, which follows it, and makes
    /// it the one to look back at.
    void
    remember(State &begin, State &end) const;

    /// @throws EntryError where from one time to the next a delay is negative,
    /// or t - tau does not increase
    void
    check(double begin, double end) const;

  private:
    /// Where an earlier time is: before the start, at a record or between two.
    struct Moment
    {
      double          time            = 0;
      bool            is_before_start = false, is_at_record = false;
      double          part_before = 0; ///< at a jump
      History::Record begin = {}, end = {};
    };

    /// Of a delay, for a force at the time @p now.
    Moment
    look_back(unsigned int delay, double now) const;

    /// A component, by its number among those kept.
    double
    value(Argument argument, unsigned int component, const Moment &at) const;

    History::Record
    next_record() const;

    /// Fills a record: positions, velocities before and after.
    void
    fill(const State &begin,
         const State &end,
         bool         jumps,
         double      *values) const;

    /// Whether contacts let velocities jump from one state to the other.
    bool
    jump(const State &begin, const State &end) const;

    const MechanicalModel    *model = nullptr;
    std::vector<Delay>        delays;
    std::vector<Signal>       all_signals;
    std::vector<Damping>      all_dampings;
    Past                      past;
    std::vector<unsigned int> components; ///< that are kept, local numbers
    std::vector<Row>          kept_rows;  ///< the signals', in components

    mutable const History      *history            = nullptr;
    mutable const Vector       *rest               = nullptr;
    mutable double              part_before_at_end = 0;
    mutable std::vector<double> next;
    mutable double              next_time  = 0;
    mutable bool                next_jumps = false;
    mutable Vector              u_begin, u_end;
  };
} // namespace Percuss
