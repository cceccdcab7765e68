// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <map>
#include <string>

namespace Percuss
{
  std::string
  version();

  std::map<std::string, std::string>
  library_versions();
} // namespace Percuss
