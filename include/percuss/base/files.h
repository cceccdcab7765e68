// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace Percuss
{
  /// File operations that either succeed on the disk or throw an Error with
  /// ExitCode::io, the path and the system's reason.
  namespace Files
  {
    enum class Durability
    {
      buffered, ///< survives the end of the process
      on_disk   ///< survives the end of the machine
    };

    /// Writes a new file.
    void
    write(const std::filesystem::path &path,
          const std::string           &contents,
          Durability                   durability = Durability::on_disk);

    class Descriptor;

    /// Replaces a file as a whole: a reader, or a run that is killed, sees the
    /// old contents or the new ones. (It is not forced to the disk.)
    void
    replace(const std::filesystem::path &path, const std::string &contents);

    /// The same with contents that come part by part: they are those of the
    /// file once commit() is done.
    class Replacement
    {
    public:
      explicit Replacement(const std::filesystem::path &path);
      ~Replacement(); ///< without commit(): nothing is left

      void
      append(const std::string &part);
      void
      commit();

    private:
      const std::filesystem::path path, partial;
      std::unique_ptr<Descriptor> file;
    };

    std::string
    read(const std::filesystem::path &path);

    /// Forces a file or a folder's list of names to the disk.
    void
    synchronize(const std::filesystem::path &path);

    void
    rename(const std::filesystem::path &from, const std::filesystem::path &to);

    void
    create_folder(const std::filesystem::path &path);

    /// CRC-32 (ISO 3309) of a text.
    std::uint32_t
    checksum(const std::string &contents);
  } // namespace Files
} // namespace Percuss
