// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

// Compiled for AVX2 where there is such a thing (CMakeLists.txt); the rest of
// the library is not.

#if defined(__AVX2__) && defined(__FMA__)

#  include "block_kernels_body.h"

namespace Percuss
{
  const BlockKernels *
  avx2_block_kernels(const unsigned int size, const bool has_numbers)
  {
    return &choose_kernels(size, has_numbers);
  }
} // namespace Percuss

#else

#  include "block_kernels.h"

namespace Percuss
{
  const BlockKernels *
  avx2_block_kernels(unsigned int, bool)
  {
    return nullptr;
  }
} // namespace Percuss

#endif
