// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/output/csv_table.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace Percuss
{
  /// The results of a run, read from its folder.
  class RunFolder
  {
  public:
    /// Reads run.json.
    /// @throws Error with ExitCode::io where this is no folder of results
    explicit RunFolder(const std::filesystem::path &path);

    /// One of the tables ("energy"), where it exists.
    std::optional<CsvContents>
    table(const std::string &name) const;

    /// "results/ball" is "ball".
    std::string
    name() const;

    /// Whether the model has impulses, but no contact forces.
    bool
    is_rigid() const;

    const std::filesystem::path path;
    nlohmann::json              about; ///< run.json
  };
} // namespace Percuss
