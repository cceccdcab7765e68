// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_kernel_body.h"

namespace Percuss
{
  SolidKernel
  portable_solid_kernel(const unsigned int dim, const unsigned int degree)
  {
    return find_kernel(dim, degree);
  }

} // namespace Percuss
