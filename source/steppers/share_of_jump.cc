// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/share_of_jump.h>

namespace Percuss
{
  ShareOfJump::ShareOfJump(const MechanicalModel &model,
                           const double           s,
                           const double           theta,
                           const Mass            &mass)
    : theta(theta)
    , model(model)
    , mass(mass)
    , scale(s / theta)
  {}



  std::vector<double>
  ShareOfJump::diagonal() const
  {
    std::vector<double> result = model.masses();
    for (double &entry : result)
      entry *= scale;
    return result;
  }



  LinearReport
  ShareOfJump::improve(const Vector &b, Vector &x) const
  {
    make_room(scaled, model.partition()).equ(1 / scale, b);
    return mass.improve(scaled, x);
  }
} // namespace Percuss
