// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/general_step.h>

namespace Percuss
{
  GeneralStep::GeneralStep(const Context &context)
    : model(context.model)
    , implicit(context)
    , work(model.partition())
  {
    invertible_mass(model); // an impact law needs a mass
  }



  void
  GeneralStep::advance(const State &begin, State &end, StepReport &report) const
  {
    end.v = begin.v;
    implicit.solve(*this, begin, end, report);
    end.time = begin.time + h;
    end.step = begin.step + 1;
  }



  EnergyPromise
  GeneralStep::promise() const
  {
    EnergyPromise promise;
    promise.momentum        = this;
    promise.step_size       = h;
    promise.stiffness_ratio = implicit.stiffness_ratio();
    return promise;
  }



  void
  GeneralStep::add(const Term           term,
                   const Configuration &at,
                   const double         factor,
                   Vector              &r) const
  {
    model.evaluate(term, at, work);
    r.add(factor, work);
  }
} // namespace Percuss
