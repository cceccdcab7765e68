// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_tree.h>

#include <string>
#include <vector>

namespace Percuss
{
  /// Reads the statements of a parameter file: `subsection NAME`, `end`,
  /// `set ENTRY = VALUE` and `include FILE` (relative to the including file,
  /// which may set anew what the other has set),
  /// with `#` comments and lines continued by a final backslash. Rank 0 reads,
  /// the others receive.
  /// @throws Error with ExitCode::usage, the file and the line; nothing is
  /// created.
  std::vector<Assignment>
  read_parameter_file(const std::string &file_name, MPI_Comm communicator);

  /// The same for a program of one process, which need not have MPI.
  std::vector<Assignment>
  read_parameter_file(const std::string &file_name);

  /// The assignment in "section/entry=value" of the command line.
  Assignment
  parse_override(const std::string &text);
} // namespace Percuss
