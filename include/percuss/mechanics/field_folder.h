// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <string>
#include <utility>

namespace Percuss
{
  /// Where the fields of a model go, and in how many files.
  struct FieldFolder
  {
    // Not explicit: a folder alone stands for one file of each rank.
    FieldFolder(std::string path, const unsigned int n_files = 0)
      : path(std::move(path))
      , n_files(n_files)
    {}

    std::string path;
    /// Most files of a picture: ranks that follow each other share one. 0 for
    /// one of each rank.
    unsigned int n_files;
  };
} // namespace Percuss
