// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>
#include <percuss/ledger/contact_record.h>
#include <percuss/ledger/ledger.h>
#include <percuss/output/csv_table.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Writes the tables, the fields and the picture in space and time of a run
  /// into its folder. Rank 0 writes tables; fields are written by all ranks.
  class OutputWriter
  {
  public:
    struct Parameters
    {
      std::string  directory;
      unsigned int table_interval    = 1;
      bool         energy_limits     = false;
      unsigned int field_interval    = 0;
      unsigned int field_files       = 0;
      unsigned int space_time_points = 200;
      std::string  probes;

      void
      declare(ParameterSection section);
    };

    OutputWriter(const Parameters            &parameters,
                 const MechanicalModel       &model,
                 const std::filesystem::path &folder);

    /// Goes on with a model of the same bodies on another mesh.
    void
    follow(const MechanicalModel &other);

    /// Starts new files and writes the initial state.
    void
    open(const State &state, Ledger &ledger, ContactRecord &contacts);

    /// Continues the files of a run from what notes() returned.
    void
    reopen(const nlohmann::json &notes);

    /// After each step from @p before to @p state; writes what is due.
    void
    write(const State   &before,
          const State   &state,
          Ledger        &ledger,
          ContactRecord &contacts);

    /// Flushes the tables and writes the picture in space and time, and
    /// exact.csv where the model knows its motion.
    void
    close();

    /// Flushes the tables, and says where they end.
    nlohmann::json
    notes();

    /// Whether @p state is one whose fields are written.
    bool
    fields_are_due(const State &state) const;

    /// The pictures that this object has written.
    struct Pictures
    {
      unsigned int n       = 0;
      double       seconds = 0;
    };

    const Pictures &
    pictures() const
    {
      return written;
    }

  private:
    void
    write_tables(const State   &before,
                 const State   &state,
                 Ledger        &ledger,
                 ContactRecord &contacts);
    /// The energies before the jump and at the midpoint of the step, in J, or
    /// nothing where the file does not ask for them.
    std::vector<double>
    energy_limits(const State &before, const State &state) const;
    void
    write_fields(const State &state, double duration);
    void
    find_surface(const std::pair<double, std::string> &frame);
    void
    write_pvd() const;
    void
    write_space_time() const;
    /// The exact motion at the times of probes.csv. It is written at the end,
    /// as a whole: the steps do not pay for it, and a resumed run needs no
    /// notes of it.
    void
    write_exact_probes() const;
    void
    add_profile(double                                        time,
                const std::vector<std::pair<double, double>> &profile);

    std::vector<CsvTable::Column>
    probe_columns() const;

    const Parameters            parameters;
    const MechanicalModel      *model;
    const std::filesystem::path folder;
    const bool                  is_first_rank;
    std::vector<Probe>          probes;
    std::unique_ptr<CsvTable>   energy_table, contact_table, probe_table,
      space_time_table;
    /// Times and files of the fields.
    std::vector<std::pair<double, std::string>> frames;
    /// The same of surfaces; on rank 0.
    std::vector<std::pair<double, std::string>> surfaces;
    double                                      last_time = 0;
    Pictures                                    written;
  };
} // namespace Percuss
