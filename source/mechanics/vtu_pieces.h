// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace Percuss
{
  /// The text of a file that names the pieces of all ranks.
  using VtuRecord =
    std::function<std::string(const std::vector<std::string> &pieces)>;

  /// Writes the @p text of this rank to FOLDER/NAME.vtu on one rank, to
  /// NAME.R.vtu on several, and NAME.pvtu with the record of all pieces. Each
  /// file is written as a whole. Returns the name of the file to open.
  /// @throws Error with ExitCode::io on all ranks
  std::string
  write_vtu_pieces(const std::string &text,
                   const VtuRecord   &record,
                   const std::string &folder,
                   const std::string &name,
                   MPI_Comm           communicator);
} // namespace Percuss
