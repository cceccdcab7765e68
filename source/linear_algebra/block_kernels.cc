// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/processor.h>

#include "block_kernels_body.h"

namespace Percuss
{
  const BlockKernels &
  portable_block_kernels(const unsigned int size, const bool has_numbers)
  {
    return choose_kernels(size, has_numbers);
  }



  const BlockKernels &
  block_kernels(const unsigned int size, const bool has_numbers)
  {
    const BlockKernels *const fast = avx2_block_kernels(size, has_numbers);
    return fast != nullptr && processor_has_avx2() ?
             *fast :
             portable_block_kernels(size, has_numbers);
  }
} // namespace Percuss
