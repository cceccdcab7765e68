// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>

namespace Percuss
{
  /// The relation of one active contact between its impulse lambda and its
  /// velocity xi = u + shift(u before the step):
  /// @f[ \lambda = \mathrm{proj}(\lambda - r\,\xi) \quad\text{for any } r>0.@f]
  class ContactLaw
  {
  public:
    struct Context
    {};

    virtual ~ContactLaw() = default;

    /// What the law adds to the velocity after the step, in m/s.
    virtual double
    shift(const ContactPoint &point, double u_before) const = 0;

    /// The admissible impulse nearest to @p lambda, in N s.
    virtual double
    project(const ContactPoint &point, double lambda) const = 0;
  };
} // namespace Percuss
