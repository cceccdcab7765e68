// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/kept_tangent.h>

namespace Percuss
{
  void
  KeptTangent::begin_step(const bool is_exact)
  {
    this->is_exact = is_exact;
    served         = false;
    n_iterations   = 0;
  }



  void
  KeptTangent::renew()
  {
    exists  = true;
    is_new  = true;
    is_slow = false;
  }



  double
  KeptTangent::contraction(const double change) const
  {
    return n_iterations > 0 && last_change > 0 ? change / last_change : theta;
  }



  /// Newton's method squares the error: what is left after a small change is
  /// far below round-off. Otherwise theta tells; and where round-off itself is
  /// reached small changes of a step no longer shrink.
  bool
  KeptTangent::is_last(const double change)
  {
    const double now    = contraction(change);
    const bool   rounds = n_iterations > 0 && now > 0.5 && change <= 1e-11;
    const bool   result =
      change <= 1e-9 && (is_new || rounds || now * change <= 1e-13 * (1 - now));
    observe(change, result);
    return result;
  }



  /// A tangent that is slow now, or was in most of a step, is replaced.
  void
  KeptTangent::observe(const double change, const bool is_last)
  {
    constexpr double       slow = 0.25;
    constexpr unsigned int many = 8;
    theta                       = contraction(change);
    ++n_iterations;
    is_slow = !is_new && (is_last ? n_iterations > many :
                                    n_iterations > 1 && !(theta <= slow));
    served |= !is_new && !is_exact;
    is_new      = false;
    last_change = change;
  }
} // namespace Percuss
