// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Any scheme for a model whose forces depend on its motion before. Where a
  /// force of the step depends on motion before the step only, it is a function
  /// of time, and the scheme's own step is all there is to do: the method of
  /// steps. Delays shorter than the step reach into it. Then the step is
  /// repeated with the motion that it found until this stays the same, a
  /// fixed-point iteration with Anderson's acceleration.
  ///
  /// The history is handed on by Delays::remember(), when the step is accepted.
  class DelayedStep : public TimeStepper
  {
  public:
    /// The history has room for @p n_records from the start.
    DelayedStep(std::unique_ptr<TimeStepper> scheme,
                const MechanicalModel       &model,
                History::Interpolation       interpolation,
                std::size_t                  n_records);

    void
    set_step_size(double h) override;

    void
    start(State &state) const override;

    /// @throws EntryError where a delay is negative or grows too fast
    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override
    {
      return scheme->promise();
    }

    std::vector<std::pair<std::string, std::string>>
    facts() const override
    {
      return scheme->facts();
    }

    bool
    treats_nonlinear_models() const override
    {
      return scheme->treats_nonlinear_models();
    }

    bool
    treats_friction() const override
    {
      return scheme->treats_friction();
    }

    bool
    treats_joints() const override
    {
      return scheme->treats_joints();
    }

    std::string
    linear_solver_description() const override
    {
      return scheme->linear_solver_description();
    }

    std::string
    delassus_description() const override
    {
      return scheme->delassus_description();
    }

  private:
    /// Repeats the step until it is consistent with itself.
    void
    iterate(const State &begin, State &end, StepReport &report) const;

    /// Of two motions, relative to the positions and velocities at hand.
    double
    relative_distance(const std::vector<double> &a,
                      const std::vector<double> &b,
                      const State               &end) const;

    const std::unique_ptr<TimeStepper> scheme;
    const MechanicalModel             &model;
    const Delays                      &delays;
    const History::Interpolation       interpolation;
    const std::size_t                  n_records;
    double                             h = 0;
  };



  /// @p scheme, or a DelayedStep around it where the model has delays.
  std::unique_ptr<TimeStepper>
  with_delays(std::unique_ptr<TimeStepper> scheme,
              const MechanicalModel       &model,
              History::Interpolation       interpolation,
              std::size_t                  n_records);
} // namespace Percuss
