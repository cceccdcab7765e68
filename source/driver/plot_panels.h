// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/driver/plot.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// The tables of a run.
  struct RunTables
  {
    const RunFolder           &folder;
    std::string                label;
    std::optional<CsvContents> energy, contacts, probes, exact, space_time;
  };

  /// Builds the panels of a figure, those without data being left out.
  class PlotPanels
  {
  public:
    PlotPanels(const std::vector<RunFolder> &folders,
               const PlotOptions            &options);

    void
    add_space_time();
    void
    add_force();
    /// Of the units "m", "m/s", or of all others for an empty @p unit.
    void
    add_probes(const std::string &unit);
    void
    add_energy();
    void
    add_phase();

    /// What shows round-off only.
    void
    add_last();

    std::vector<Panel> panels;

  private:
    std::vector<Panel> last_panels;
    unsigned int       n_probes = 0; ///< with a panel of their own

    /// Names of probes with the unit, without the ones not asked for.
    std::vector<std::string>
    probes_of(const CsvContents &table, const std::string &unit) const;

    std::vector<std::string>
    phase_axes(const CsvContents &table) const;

    Panel
    panel_over_time(const std::string &title, const std::string &y_label) const;

    /// A column over time, within the range of times.
    Curve
    over_time(const CsvContents         &table,
              const std::vector<double> &values,
              const std::string         &label) const;

    /// "run: what", or "what" of a single run.
    std::string
    label(const RunTables &run, const std::string &what) const;

    /// A number of run.json's exact values, or nan.
    double
    exact_value(const std::string &name) const;

    /// The names of the probes of any run, those not asked for left out.
    std::vector<std::string>
    probes_of_all_runs(const std::string &unit) const;

    /// Whether a length is zero up to round-off, and other probes are not.
    bool
    is_round_off(const std::string &probe) const;

    /// One panel, or one for each probe where there are several runs.
    void
    add_probes_of_unit(const std::string &unit, const std::string &title);

    void
    add_probe_panel(const std::string              &unit,
                    const std::string              &title,
                    const std::vector<std::string> &names);

    void
    add_exact(Panel &panel, const std::vector<std::string> &names) const;

    bool
    is_in_range(const double time) const
    {
      return time >= range.first && time <= range.second;
    }

    bool
    is_single() const
    {
      return runs.size() == 1;
    }

    std::vector<RunTables>    runs;
    std::vector<std::string>  chosen_probes;
    std::vector<std::string>  phase; ///< probes of the axes, or none
    std::pair<double, double> range;
    double                    end_time = 0;
    double                    factor   = 1; ///< from s to the axis
    std::string               time_label;
  };

  /// "a, b" as two names.
  std::vector<std::string>
  names_in(const std::string &list);
} // namespace Percuss
