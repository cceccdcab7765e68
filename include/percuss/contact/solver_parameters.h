// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>

namespace Percuss
{
  /// The parameters of contact solvers that only count their iterations.
  template <unsigned int default_limit>
  struct IterationParameters
  {
    unsigned int maximum_iterations = default_limit;

    void
    declare(ParameterSection &section)
    {
      section.add("maximum iterations",
                  maximum_iterations,
                  "More than this counts as failure",
                  1);
    }
  };



  /// Those of solvers that sweep over the contacts.
  struct SweepParameters
  {
    unsigned int maximum_sweeps = 10000;
    double       relaxation     = 1;

    void
    declare(ParameterSection &section)
    {
      section.add("maximum sweeps",
                  maximum_sweeps,
                  "More than this counts as failure",
                  1);
      section.add("relaxation",
                  relaxation,
                  "The factor omega of successive over-relaxation; it is "
                  "reduced where the sweeps do not converge",
                  {0, 2, true, true});
    }
  };
} // namespace Percuss
