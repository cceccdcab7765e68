// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// Of forces, now or earlier.
  enum class Argument
  {
    position,
    velocity
  };
} // namespace Percuss
