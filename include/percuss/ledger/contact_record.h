// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>

namespace Percuss
{
  /// What the contacts did, step by step and since the start.
  class ContactRecord
  {
  public:
    /// Sums and extremes since the start; all ranks have the same.
    struct Totals
    {
      double first_contact = -1;          ///< end of the first step with an
                                          ///< impulse, in s; -1 for none
      double        last_contact    = -1; ///< end of the last one, in s
      double        impulse         = 0;  ///< in N s
      double        max_penetration = 0;  ///< in m
      double        worst_residual  = 0;  ///< of the contact solver
      unsigned long n_iterations    = 0;  ///< of the contact solver
      unsigned long n_contact_steps = 0;  ///< steps with an impulse
    };

    /// Since the last take_interval().
    struct Interval
    {
      unsigned int n_active        = 0; ///< in the last step
      double       impulse         = 0; ///< in N s
      double       duration        = 0; ///< in s
      double       max_penetration = 0; ///< in m
      unsigned int n_iterations    = 0;
      double       residual        = 0;
    };

    explicit ContactRecord(const MechanicalModel &model);

    /// Goes on with a model of the same bodies on another mesh.
    void
    follow(const MechanicalModel &other);

    /// Collective.
    void
    record(const State &begin, const State &end, const StepReport &report);

    const Totals &
    totals() const
    {
      return since_start;
    }

    Interval
    take_interval();

    /// What must survive a restart.
    struct Memory
    {
      Totals   totals;
      Interval interval;
    };

    Memory
    memory() const
    {
      return {since_start, interval};
    }

    void
    restore(const Memory &memory);

  private:
    const MechanicalModel *model;
    Totals                 since_start;
    Interval               interval;
    Vector                 gap;
  };
} // namespace Percuss
