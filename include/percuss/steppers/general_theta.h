// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/general_step.h>

namespace Percuss
{
  /// The Moreau-Jean theta scheme for models that are not linear,
  /// @f[ M(q_k) (v_{k+1}-v_k) - h [(1-\theta) h(q_k, v_k)
  ///     + \theta h(q_{k+1}, v_{k+1})] = D(q_k)^T\lambda, \qquad
  ///     q_{k+1} = q_k + h v_{k+\theta}, @f]
  /// with mass and directions of the contacts at the start of the step: order 1
  /// where they change, also for theta = 1/2.
  class GeneralTheta : public GeneralStep
  {
  public:
    GeneralTheta(double theta, const Context &context);

    void
    set_step_size(double step_size) override;

    void
    start(State &state) const override
    {
      implicit.start(state);
    }

  protected:
    void
    prepare(const State &begin, State &end) const override
    {
      end.time = begin.time + h;
    }

    void
    move(const State &begin, State &end) const override;

    void
    residual(const State &begin, const State &end, Vector &r) const override;

    void
    add_tangent(const State  &begin,
                const State  &end,
                SparseMatrix &tangent) const override;

    Configuration
    contact_place(const State &begin, const State &) const override
    {
      return {begin.time, begin.q, begin.v};
    }

    double
    look_ahead() const override
    {
      return activation_look_ahead;
    }

    bool
    has_mass_of_end() const override
    {
      return false;
    }

    bool
    has_contacts_of_end() const override
    {
      return false;
    }

    void
    impulse(Term         term,
            const State &begin,
            const State &end,
            Vector      &J) const override;

  private:
    const double theta, activation_look_ahead;
  };
} // namespace Percuss
