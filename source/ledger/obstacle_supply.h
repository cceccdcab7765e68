// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/time_stepper.h>

namespace Percuss
{
  /// The work of obstacles that move, -c . lambda, in J, where a scheme of
  /// linear models promises an inequality: contacts are where they were placed
  /// last, at the start of the step. Collective.
  inline double
  supply_of_obstacles(const MechanicalModel &model,
                      const EnergyPromise   &promise,
                      const State           &end)
  {
    const ContactSet &contacts = model.contacts();
    if (contacts.has_constant_directions() || !promise.promises_dissipation)
      return 0;
    Vector       rates(contacts.partition());
    const Vector rest(model.partition());
    contacts.velocities(rest, rates);
    return -(rates * impulses(end));
  }
} // namespace Percuss
