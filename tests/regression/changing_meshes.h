// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

#include "tools.h"

namespace Percuss::Test
{
  inline Overrides
  operator+(Overrides a, const Overrides &b)
  {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  inline unsigned int
  n_meshes(const FinishedRun &run)
  {
    std::ifstream file(run.folder.path / "run.json");
    return nlohmann::json::parse(file).at("meshes");
  }

  /// Each step is balanced to @p tolerance of the energies at hand, and so is
  /// the table with what new meshes change.
  inline void
  check_books(const FinishedRun &run,
              const std::string &name,
              const double       tolerance = 1e-11)
  {
    const auto get = [&run](const std::string &column) {
      return run.column("energy", column);
    };
    const auto total = get("total"), external = get("work_external"),
               damping = get("work_damping"), contact = get("work_contact"),
               friction = get("work_friction"), residual = get("residual"),
               lost    = get("algorithmic_dissipation"),
               gained  = get("mesh_change");
    const double scale = run.simulation->energy_ledger().energy_scale();
    for (std::size_t i = 0; i < total.size(); ++i)
      {
        EXPECT_LE(residual[i], tolerance * scale) << name;
        EXPECT_NEAR(total[i] - total[0],
                    external[i] + damping[i] + contact[i] + friction[i] -
                      lost[i] + gained[i],
                    tolerance * scale)
          << name;
      }
  }
} // namespace Percuss::Test
