// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/local_contact.h>

namespace Percuss
{
  /// LocalContact::solve() for a contact with directions of rolling: Newton's
  /// method from the impulse in @p lambda for the natural map
  /// @f[ f(\lambda) = \mathrm{proj}(\lambda - R\,\xi) - \lambda = 0 @f]
  /// with one step in R each for the normal, the tangential and the rolling
  /// directions, and plain steps of the projection where it gets stuck.
  bool
  solve_rolling(const LocalContact &contact, const double *c, double *lambda);
} // namespace Percuss
