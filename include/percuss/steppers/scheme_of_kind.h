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
  /// A scheme that has one implementation for linear models, whose matrices it
  /// factorises once, and another for all others: it is the one it is given.
  class SchemeOfKind : public TimeStepper
  {
  public:
    explicit SchemeOfKind(std::unique_ptr<TimeStepper> kind)
      : kind(std::move(kind))
    {}

    void
    set_step_size(const double h) override
    {
      kind->set_step_size(h);
    }

    void
    start(State &state) const override
    {
      kind->start(state);
    }

    void
    advance(const State &begin, State &end, StepReport &report) const override
    {
      kind->advance(begin, end, report);
    }

    EnergyPromise
    promise() const override
    {
      return kind->promise();
    }

    std::vector<std::pair<std::string, std::string>>
    facts() const override
    {
      return kind->facts();
    }

    bool
    treats_nonlinear_models() const override
    {
      return true;
    }

    bool
    treats_friction() const override
    {
      return kind->treats_friction();
    }

    bool
    treats_joints() const override
    {
      return kind->treats_joints();
    }

    std::string
    linear_solver_description() const override
    {
      return kind->linear_solver_description();
    }

    std::string
    delassus_description() const override
    {
      return kind->delassus_description();
    }

  private:
    std::unique_ptr<TimeStepper> kind;
  };
} // namespace Percuss
