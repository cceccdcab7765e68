// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

// Compiled for AVX2 where there is such a thing (CMakeLists.txt); the rest of
// the library is not.

#if defined(__AVX2__) && defined(__FMA__)

#  include "solid_strain_kernel_body.h"

namespace Percuss
{
  StrainKernel
  avx2_strain_kernel(const unsigned int dim, const unsigned int law)
  {
    return find_strain_kernel(dim, law);
  }
} // namespace Percuss

#else

#  include "solid_strain_kernel.h"

namespace Percuss
{
  StrainKernel
  avx2_strain_kernel(unsigned int, unsigned int)
  {
    return nullptr;
  }
} // namespace Percuss

#endif
