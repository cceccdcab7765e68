// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "folders.h"

namespace Percuss::Test
{
  std::string
  parameter_files()
  {
    return PROJECT_FOLDER "/parameter_files";
  }



  std::string
  test_data()
  {
    return PROJECT_FOLDER "/tests";
  }



  std::string
  fclib_files()
  {
    return PROJECT_FOLDER "/../shared/reference/fclib";
  }
} // namespace Percuss::Test
