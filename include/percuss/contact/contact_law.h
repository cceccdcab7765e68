// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_set.h>

namespace Percuss
{
  /// The relation of one active contact between its impulse lambda and its
  /// velocity xi = u + shift(u before the step), each with an entry for each
  /// of its directions, the normal one first:
  /// @f[ \lambda = \mathrm{proj}(\lambda - r\,\xi) \quad\text{for any } r>0.@f]
  class ContactLaw
  {
  public:
    struct Context
    {};

    virtual ~ContactLaw() = default;

    /// Adds to @p xi, which holds the velocity after the step, what the law
    /// makes of the one before, in m/s.
    virtual void
    add_shift(const ContactPoint &point,
              const double       *u_before,
              double             *xi) const = 0;

    /// Replaces @p lambda by the admissible impulse nearest to it, in N s:
    /// first its normal part, then its tangential part within the friction
    /// that this normal part allows, and its rolling part likewise.
    virtual void
    project(const ContactPoint &point, double *lambda) const = 0;

    /// The friction coefficient that the law uses at a contact: zero where it
    /// knows none.
    virtual double
    friction(const ContactPoint &point) const = 0;

    /// The coefficient of rolling friction that the law uses at a contact.
    virtual double
    rolling_friction(const ContactPoint &point) const = 0;
  };
} // namespace Percuss
