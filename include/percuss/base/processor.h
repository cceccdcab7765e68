// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

namespace Percuss
{
  /// Whether this processor has AVX2 and FMA, for which some loops are compiled
  /// a second time.
  bool
  processor_has_avx2();
} // namespace Percuss
