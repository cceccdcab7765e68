// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <string>

namespace Percuss::Test
{
  // Where the files of the tests are. One file alone is compiled with these
  // paths, so that clones of the project share a compiler cache.

  std::string
  parameter_files();

  /// The folder tests/.
  std::string
  test_data();

  /// A collection of contact problems, where there is one.
  std::string
  fclib_files();
} // namespace Percuss::Test
