// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// Newton's method with a tangent that stays as long as it serves, also from
  /// step to step: when it needs a new one, and when it is done. With a tangent
  /// of an earlier iterate changes of the unknown shrink by a factor theta, and
  /// after a change c no more is missing than
  /// @f[ \frac\theta{1-\theta}\,c, @f]
  /// while a new tangent squares the error. All ranks decide alike, since they
  /// know the same changes.
  class KeptTangent
  {
  public:
    /// Forgets it, as after a change of the step size.
    void
    drop()
    {
      exists = false;
    }

    /// @p is_exact: each iteration takes a new tangent.
    void
    begin_step(bool is_exact);

    /// Whether the next iteration needs a new one.
    bool
    is_due() const
    {
      return is_exact || !exists || is_slow;
    }

    /// Whether each iteration of the step takes a new one. Their impulses are
    /// found anew; with a kept one they are close to those before.
    bool
    is_exact_step() const
    {
      return is_exact;
    }

    /// A new one has been made.
    void
    renew();

    /// Whether the tangent is that of the present iterate.
    bool
    is_of_iterate() const
    {
      return is_new;
    }

    /// Whether a step from @p begin_step() on has used one of an earlier
    /// iterate.
    bool
    has_served() const
    {
      return served;
    }

    /// After an iteration that has changed the unknown by @p change, in terms
    /// of its size: whether it is the last one.
    bool
    is_last(double change);

    /// The same where another criterion has told whether it is the last one.
    void
    observe(double change, bool is_last);

  private:
    /// theta after an iteration with @p change.
    double
    contraction(double change) const;

    bool         exists = false, is_exact = true;
    bool         is_new  = false; ///< the tangent of the present iterate
    bool         is_slow = false, served = false;
    unsigned int n_iterations = 0; ///< of this step
    double       last_change  = 0;
    double       theta        = 1; ///< of the last iteration that has one
  };
} // namespace Percuss
