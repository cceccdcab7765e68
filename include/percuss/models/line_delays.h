// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/models/feedback.h>

#include <list>
#include <string>
#include <utility>

namespace Percuss
{
  /// Forces of a line that depend on its motion before.
  struct LineDelayParameters
  {
    struct Feedback
    {
      std::string          sensor   = "velocity at L";
      std::string          actuator = "force at L";
      ControllerParameters controller;

      void
      declare(ParameterSection  &section,
              const std::string &sensors,
              const std::string &actuators);
    };

    std::list<std::pair<std::string, Feedback>> feedbacks;

    /// The force -(a M + b K) v(t - tau).
    double     mass_damping      = 0;
    double     stiffness_damping = 0;
    Expression damping_delay     = Expression("0", {"t"});

    /// The motion before the start; empty for a steady one.
    std::string initial_history;

    /// @p sensors and @p actuators are lists for people.
    void
    declare(ParameterSection  &section,
            const std::string &sensors,
            const std::string &actuators,
            const std::string &description_of_history);

    bool
    exist() const
    {
      return !feedbacks.empty() || mass_damping != 0 || stiffness_damping != 0;
    }
  };
} // namespace Percuss
