// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/driver/run_folder.h>

#include <set>

namespace Percuss
{
  namespace fs = std::filesystem;

  namespace
  {
    /// Models without a wave: their impacts have impulses, but no forces.
    const std::set<std::string> rigid_models = {"ball", "chain", "pendulum"};
  } // namespace



  RunFolder::RunFolder(const fs::path &path)
    : path(path)
  {
    if (!fs::is_directory(path))
      throw Error(ExitCode::io,
                  "the folder '" + path.string() + "' does not exist.");
    if (!fs::exists(path / "run.json"))
      throw Error(ExitCode::io,
                  "'" + path.string() +
                    "' is no folder of results: it has no run.json.");
    try
      {
        about = nlohmann::json::parse(Files::read(path / "run.json"));
      }
    catch (const nlohmann::json::exception &)
      {
        throw Error(ExitCode::io,
                    "'" + (path / "run.json").string() + "' is damaged.");
      }
  }



  std::optional<CsvContents>
  RunFolder::table(const std::string &name) const
  {
    const fs::path file = path / (name + ".csv");
    if (!fs::exists(file))
      return {};
    return read_csv_with_units(file);
  }



  std::string
  RunFolder::name() const
  {
    const fs::path normal = fs::absolute(path).lexically_normal();
    return (normal.has_filename() ? normal : normal.parent_path())
      .filename()
      .string();
  }



  bool
  RunFolder::is_rigid() const
  {
    return rigid_models.count(about.value("model", "")) > 0;
  }
} // namespace Percuss
