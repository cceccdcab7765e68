// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/ledger/contact_record.h>
#include <percuss/ledger/ledger.h>

#include <nlohmann/json.hpp>

// How the books of a run are written to checkpoints and to run.json.

namespace Percuss
{
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ledger::Works,
                                     external,
                                     damping,
                                     contact,
                                     friction,
                                     algorithmic_dissipation,
                                     mesh_change)
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ledger::Inequality,
                                     n_steps_within,
                                     n_steps_outside,
                                     n_gains,
                                     largest_gain)
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JointAudit::Violations,
                                     position,
                                     velocity,
                                     force)
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ledger::Memory,
                                     sums,
                                     scale,
                                     largest_residual,
                                     worst,
                                     stored,
                                     within,
                                     dissipative,
                                     last_step_size,
                                     extremes,
                                     joints,
                                     certificate)
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ContactRecord::Totals,
                                     first_contact,
                                     last_contact,
                                     impulse,
                                     max_penetration,
                                     worst_residual,
                                     n_iterations,
                                     n_contact_steps)
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ContactRecord::Interval,
                                     n_active,
                                     impulse,
                                     duration,
                                     max_penetration,
                                     n_iterations,
                                     residual)
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ContactRecord::Memory, totals, interval)
} // namespace Percuss
