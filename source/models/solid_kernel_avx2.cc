// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

// Compiled for AVX2 where there is such a thing (CMakeLists.txt); the rest of
// the library is not.

#if defined(__AVX2__) && defined(__FMA__)

#  include "solid_kernel_body.h"

namespace Percuss
{
  SolidKernel
  avx2_solid_kernel(const unsigned int dim, const unsigned int degree)
  {
    return find_kernel(dim, degree);
  }
} // namespace Percuss

#else

#  include "solid_kernel.h"

namespace Percuss
{
  SolidKernel
  avx2_solid_kernel(unsigned int, unsigned int)
  {
    return nullptr;
  }
} // namespace Percuss

#endif
