// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/output/checkpoint.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iomanip>
#include <optional>
#include <sstream>

namespace Percuss
{
  namespace fs = std::filesystem;
  using nlohmann::json;

  namespace
  {
    constexpr unsigned int n_slots        = 2;
    constexpr unsigned int format_version = 2;

    std::string
    rank_file(const unsigned int rank)
    {
      return "rank_" + std::to_string(rank) + ".bin";
    }

    std::string
    hexadecimal(const std::uint32_t number)
    {
      std::ostringstream text;
      text << std::hex << std::setw(8) << std::setfill('0') << number;
      return text.str();
    }

    /// All vectors of a state, in a fixed order.
    template <typename StateType, typename Function>
    void
    for_each_vector(StateType &state, const Function &function)
    {
      function("q", state.q);
      function("v", state.v);
      for (auto &memory : state.memory)
        function(memory.name, memory.values);
    }

    /// Of the history: times and jumps of its records, then for each record
    /// three arrays of the components.
    std::string
    history_bytes(const History &history)
    {
      std::string result;
      const auto  append = [&result](const double *const values,
                                    const std::size_t   n) {
        result.append(reinterpret_cast<const char *>(values),
                      n * sizeof(double));
      };
      for (std::size_t i = 0; i < history.size(); ++i)
        {
          const History::Record record  = history[i];
          const double          head[2] = {record.time, record.jumps ? 1. : 0.};
          append(head, 2);
          append(record.q, 3 * history.n_components());
        }
      return result;
    }
  } // namespace



  Checkpoints::Checkpoints(const fs::path &folder, const MPI_Comm communicator)
    : folder(folder)
    , communicator(communicator)
    , rank(dealii::Utilities::MPI::this_mpi_process(communicator))
    , n_ranks(dealii::Utilities::MPI::n_mpi_processes(communicator))
  {}



  fs::path
  Checkpoints::slot(const unsigned int number) const
  {
    return folder / ("slot_" + std::to_string(number));
  }



  void
  Checkpoints::clear()
  {
    collectively(communicator, [this]() {
      if (rank == 0)
        fs::remove_all(folder);
    });
  }



  void
  Checkpoints::write(const State &state, const json &notes)
  {
    const fs::path partial = folder / "partial";
    collectively(communicator, [&]() {
      if (rank == 0)
        {
          fs::remove_all(partial);
          Files::create_folder(partial);
        }
    });

    std::string contents;
    json        ranges = json::object();
    for_each_vector(state, [&](const std::string &name, const Vector &vector) {
      const auto range = vector.get_partitioner()->local_range();
      ranges[name]     = {range.first, range.second};
      contents.append(reinterpret_cast<const char *>(vector.begin()),
                      vector.locally_owned_size() * sizeof(double));
    });
    const std::string history = history_bytes(state.history);
    contents += history;
    const auto components =
      make_partition(state.history.n_components(), communicator)->local_range();
    collectively(communicator,
                 [&]() { Files::write(partial / rank_file(rank), contents); });
    const json mine = {{"ranges", ranges},
                       {"history", {components.first, components.second}},
                       {"bytes", contents.size()},
                       {"crc32", hexadecimal(Files::checksum(contents))}};
    const auto parts =
      dealii::Utilities::MPI::gather(communicator, mine.dump(), 0);

    collectively(communicator, [&]() {
      if (rank != 0)
        return;
      json manifest = {{"format", format_version},
                       {"time", state.time},
                       {"step", state.step},
                       {"lead", state.lead},
                       {"records", state.history.size()},
                       {"notes", notes},
                       {"ranks", json::array()}};
      for (const std::string &part : parts)
        manifest["ranks"].push_back(json::parse(part));
      const std::string text = manifest.dump(1);
      Files::write(partial / "manifest.json",
                   hexadecimal(Files::checksum(text)) + '\n' + text);
      Files::synchronize(partial);
      fs::remove_all(slot(next_slot));
      Files::rename(partial, slot(next_slot));
      Files::synchronize(folder);
    });
    next_slot = (next_slot + 1) % n_slots;
  }



  json
  Checkpoints::read_manifest(const fs::path &slot_folder) const
  {
    const auto damaged = [&](const std::string &reason) {
      throw Error(ExitCode::io,
                  "checkpoint '" + slot_folder.string() +
                    "' is damaged: " + reason + ".");
    };
    const std::string text = Files::read(slot_folder / "manifest.json");
    if (text.size() < 9 || text[8] != '\n' ||
        text.substr(0, 8) != hexadecimal(Files::checksum(text.substr(9))))
      damaged("the manifest's checksum is wrong");
    const json manifest = json::parse(text.substr(9));
    if (manifest.at("format") != format_version)
      damaged("its format is unknown");
    return manifest;
  }



  void
  Checkpoints::check_rank_files(const fs::path &slot_folder,
                                const json     &manifest) const
  {
    const json &parts = manifest.at("ranks");
    for (unsigned int number = rank; number < parts.size(); number += n_ranks)
      {
        const fs::path    path     = slot_folder / rank_file(number);
        const std::string contents = Files::read(path);
        if (contents.size() != parts[number].at("bytes") ||
            hexadecimal(Files::checksum(contents)) != parts[number].at("crc32"))
          throw Error(ExitCode::io,
                      "checkpoint '" + slot_folder.string() +
                        "' is damaged: the checksum of " + rank_file(number) +
                        " is wrong.");
      }
  }



  void
  Checkpoints::read_state(const fs::path &slot_folder,
                          const json     &manifest,
                          State          &state) const
  {
    const json &parts = manifest.at("ranks");
    for (unsigned int number = 0; number < parts.size(); ++number)
      {
        std::optional<std::string> contents;
        std::size_t                offset = 0;
        for_each_vector(state, [&](const std::string &name, Vector &vector) {
          const unsigned int first  = parts[number].at("ranges").at(name)[0];
          const unsigned int end    = parts[number].at("ranges").at(name)[1];
          const auto         wanted = vector.get_partitioner()->local_range();
          const unsigned int begin_common =
            std::max<unsigned int>(first, wanted.first);
          const unsigned int end_common =
            std::min<unsigned int>(end, wanted.second);
          if (begin_common < end_common)
            {
              if (!contents)
                contents = Files::read(slot_folder / rank_file(number));
              std::memcpy(vector.begin() + (begin_common - wanted.first),
                          contents->data() + offset +
                            (begin_common - first) * sizeof(double),
                          (end_common - begin_common) * sizeof(double));
            }
          offset += (end - first) * sizeof(double);
        });
      }
    state.time = manifest.at("time");
    state.step = manifest.at("step");
    state.lead = manifest.at("lead");
  }



  /// The history is at the end of each rank's file.
  void
  Checkpoints::read_history(const fs::path   &slot_folder,
                            const json       &manifest,
                            const IndexRange &wanted,
                            History          &history) const
  {
    const json           &parts     = manifest.at("ranks");
    const std::size_t     n_records = manifest.at("records");
    const std::size_t     n         = wanted.second - wanted.first;
    std::vector<double *> records;
    for (unsigned int number = 0; number < parts.size(); ++number)
      {
        const IndexRange  range  = {parts[number].at("history")[0],
                                    parts[number].at("history")[1]};
        const std::size_t width  = range.second - range.first;
        const IndexRange  common = {std::max(range.first, wanted.first),
                                    std::min(range.second, wanted.second)};
        // The first file has the times for all ranks.
        if (n_records == 0 || (number > 0 && common.first >= common.second))
          continue;
        const std::string contents =
          Files::read(slot_folder / rank_file(number));
        const std::size_t   stride = 2 + 3 * width;
        std::vector<double> values(n_records * stride);
        const std::size_t   bytes = values.size() * sizeof(double);
        std::memcpy(values.data(),
                    contents.data() + contents.size() - bytes,
                    bytes);
        if (number == 0)
          {
            history.clear();
            history.reserve(n_records);
            for (std::size_t r = 0; r < n_records; ++r)
              records.push_back(history.append(values[r * stride],
                                               values[r * stride + 1] != 0));
          }
        for (std::size_t r = 0; r < n_records; ++r)
          for (unsigned int array = 0; array < 3; ++array)
            for (auto i = common.first; i < common.second; ++i)
              records[r][array * n + (i - wanted.first)] =
                values[r * stride + 2 + array * width + (i - range.first)];
      }
  }



  json
  Checkpoints::read(State                                   &state,
                    std::string                             &warnings,
                    const std::function<void(const json &)> &check_notes)
  {
    std::optional<json> newest;
    unsigned int        newest_slot = 0;
    for (unsigned int number = 0; number < n_slots; ++number)
      {
        const fs::path slot_folder = slot(number);
        if (!fs::exists(slot_folder))
          continue;
        try
          {
            json manifest;
            collectively(communicator, [&]() {
              manifest = read_manifest(slot_folder);
              check_rank_files(slot_folder, manifest);
            });
            if (!newest || manifest.at("step") > newest->at("step"))
              {
                newest      = manifest;
                newest_slot = number;
              }
          }
        catch (const Error &error)
          {
            warnings += std::string(error.what()) + '\n';
          }
      }
    if (!newest)
      throw Error(ExitCode::io,
                  "no whole checkpoint in '" + folder.string() + "'" +
                    (warnings.empty() ? "; start without --resume." :
                                        ": " + warnings));
    if (check_notes)
      check_notes(newest->at("notes"));
    const IndexRange components =
      make_partition(state.history.n_components(), communicator)->local_range();
    collectively(communicator, [&]() {
      read_state(slot(newest_slot), *newest, state);
      read_history(slot(newest_slot), *newest, components, state.history);
    });
    next_slot = (newest_slot + 1) % n_slots;
    return newest->at("notes");
  }
} // namespace Percuss
