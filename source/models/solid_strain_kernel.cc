// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_strain_kernel_body.h"

namespace Percuss
{
  StrainKernel
  portable_strain_kernel(const unsigned int dim, const unsigned int law)
  {
    return find_strain_kernel(dim, law);
  }
} // namespace Percuss
