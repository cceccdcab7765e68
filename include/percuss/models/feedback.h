// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/expression.h>
#include <percuss/base/parameter_section.h>
#include <percuss/mechanics/delays.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// A controller between a sensor and an actuator, with delay:
  /// F(t) = -gain (y(t - tau) - y_0), within the saturation.
  struct ControllerParameters
  {
    double     gain       = 0;
    Expression delay      = Expression("0", {"t"});
    double     saturation = 0; ///< 0 for none

    void
    declare(ParameterSection &section);

    double
    force(double signal) const;

    static Delays::Delay
    make_delay(const Expression &tau, const std::string &entry);
  };



  /// The controllers of a model. Each has a signal of its own among the delays.
  class FeedbackLoops
  {
  public:
    /// The sensor's and the actuator's row: a force has the weights of the
    /// displacement that it works on.
    struct Loop
    {
      std::string          name;
      Argument             argument; ///< of the sensor
      Delays::Row          sensor, actuator;
      double               reference = 0; ///< y_0
      ControllerParameters controller;
    };

    /// Adds the signal to @p delays; @p entry is that of the delay.
    void
    add(const Loop &loop, const std::string &entry, Delays &delays);

    /// Adds @p factor times the forces. Collective.
    void
    add_forces(const Delays &delays,
               double        time,
               double        factor,
               Vector       &f) const;

    /// Adds the derivative of the forces by a signal, without saturation.
    void
    add_derivative(unsigned int signal, Vector &f) const;

  private:
    std::vector<Loop>           loops;
    mutable std::vector<double> signals;
  };
} // namespace Percuss
