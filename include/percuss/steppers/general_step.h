// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/implicit_step.h>

#include <string>

namespace Percuss
{
  /// What schemes for models of any kind share: a step that is a StepEquation,
  /// and the balance of its momentum.
  class GeneralStep : public TimeStepper,
                      protected StepEquation,
                      protected MomentumBalance
  {
  public:
    explicit GeneralStep(const Context &context);

    void
    advance(const State &begin, State &end, StepReport &report) const override;

    EnergyPromise
    promise() const override;

    bool
    treats_nonlinear_models() const override
    {
      return true;
    }

    bool
    treats_friction() const override
    {
      return true;
    }

    std::string
    linear_solver_description() const override
    {
      return implicit.solver_description();
    }

    std::string
    delassus_description() const override
    {
      return implicit.delassus_description();
    }

  protected:
    /// Adds @p factor times a term to @p r.
    void
    add(Term term, const Configuration &at, double factor, Vector &r) const;

    const MechanicalModel &model;
    ImplicitStep           implicit;
    double                 h = 0;

  private:
    mutable Vector work;
  };
} // namespace Percuss
