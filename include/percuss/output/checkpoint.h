// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/state.h>

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace Percuss
{
  /// Two slots in one folder, written in turn. A slot is a folder with one
  /// file of numbers for each rank and a manifest with their checksums; it is
  /// prepared under another name, forced to the disk and renamed. Whenever a
  /// run is killed, the slot written last, or the one before, is whole.
  ///
  /// A checkpoint may be read by another number of ranks than it was written
  /// by: each rank reads the ranges that overlap its own.
  class Checkpoints
  {
  public:
    Checkpoints(const std::filesystem::path &folder, MPI_Comm communicator);

    /// Removes the slots of an earlier run. Collective.
    void
    clear();

    /// Writes @p state and rank 0's @p notes. Collective.
    /// @throws Error with ExitCode::io on all ranks
    void
    write(const State &state, const nlohmann::json &notes);

    /// Reads the newest whole slot into @p state, which has the vectors of an
    /// initial state, and returns its notes. Damaged slots are named in
    /// @p warnings. @p check_notes may refuse the notes by an Error before the
    /// state is read. Collective.
    /// @throws Error with ExitCode::io where no slot is whole
    nlohmann::json
    read(State                                             &state,
         std::string                                       &warnings,
         const std::function<void(const nlohmann::json &)> &check_notes = {});

  private:
    std::filesystem::path
    slot(unsigned int number) const;

    /// @throws Error where the slot is damaged
    nlohmann::json
    read_manifest(const std::filesystem::path &folder) const;
    void
    check_rank_files(const std::filesystem::path &folder,
                     const nlohmann::json        &manifest) const;
    void
    read_state(const std::filesystem::path &folder,
               const nlohmann::json        &manifest,
               State                       &state) const;

    using IndexRange = std::pair<unsigned int, unsigned int>;

    /// The components @p wanted of the history.
    void
    read_history(const std::filesystem::path &folder,
                 const nlohmann::json        &manifest,
                 const IndexRange            &wanted,
                 History                     &history) const;

    const std::filesystem::path folder;
    const MPI_Comm              communicator;
    const unsigned int          rank, n_ranks;
    unsigned int                next_slot = 0;
  };
} // namespace Percuss
