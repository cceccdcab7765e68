// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/field_folder.h>

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace Percuss
{
  /// The text of a file that names the files of a picture.
  using VtuRecord =
    std::function<std::string(const std::vector<std::string> &files)>;

  /// Writes the @p text of this rank, a VTU file with one piece, to
  /// FOLDER/NAME.vtu where the picture has one file, to NAME.F.vtu where it has
  /// several, and NAME.pvtu with the record of them. Ranks that share a file
  /// give their pieces to the first of them, one after the other, so that it
  /// holds two texts at most. Each file is written as a whole. Returns the name
  /// of the file to open. Collective.
  /// @throws Error with ExitCode::io on all ranks
  std::string
  write_vtu_pieces(const std::string &text,
                   const VtuRecord   &record,
                   const FieldFolder &folder,
                   const std::string &name,
                   MPI_Comm           communicator);
} // namespace Percuss
