// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>
#include <percuss/driver/figure.h>
#include <percuss/driver/run_folder.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace Percuss
{
  struct StudyOptions
  {
    std::string              file;
    std::vector<std::string> variations; ///< "section/entry=a,b,c"
    std::vector<std::string> overrides;  ///< "section/entry=value"
    std::string              reference;  ///< empty: what there is
    std::string              norm = "mean";
    std::string              folder;      ///< of the results; may be empty
    unsigned int             n_jobs  = 0; ///< 0 for the number of cores
    bool                     no_plot = false;
  };

  /// Runs a file with all combinations of the varied entries, each as a process
  /// of its own, and prints and writes a table of errors and orders.
  /// @returns the exit code of the first run that failed
  /// @throws Error where the command is wrong, or all runs failed
  ExitCode
  study_command(const StudyOptions &options, std::ostream &out);



  /// An entry and the values it takes.
  struct Variation
  {
    std::string              path;
    std::vector<std::string> values;

    /// "time/step size" is "step size".
    std::string
    entry() const;

    /// The values as numbers; empty where one of them is none.
    std::vector<double>
    numbers() const;
  };

  /// "section/entry=a,b,c", or with semicolons where values hold commas.
  /// @throws Error with ExitCode::usage
  Variation
  parse_variation(const std::string &text);

  /// All combinations of the values, those of the first variation one after
  /// the other. The first entry of a combination is that of the first
  /// variation.
  std::vector<std::vector<std::string>>
  combinations(const std::vector<Variation> &variations);

  /// A folder's name for each combination: "step_size=1e-3_theta=0.5".
  std::vector<std::string>
  combination_names(const std::vector<Variation>                &variations,
                    const std::vector<std::vector<std::string>> &values);



  /// A number that a study finds out about a run.
  struct Measure
  {
    std::string name, unit;
    double      value    = 0; ///< nan where there is none
    bool        is_error = false;
    /// Errors below are round-off, and have no order.
    double round_off    = 0;
    bool   is_over_time = false; ///< the norm of an error of a probe
  };

  /// Errors of the probes against @p reference (a table with a column "time"
  /// and some of the probes) and of the values that are known exactly.
  std::vector<Measure>
  measure_errors(const RunFolder                  &run,
                 const std::optional<CsvContents> &reference,
                 const std::string                &norm);

  /// What needs no reference: energy drift, penetration, impulse, force
  /// variation, time of a step.
  std::vector<Measure>
  measure_run(const RunFolder &run);

  /// The change of the energy that no load and no damping explains, relative
  /// to the largest energy at hand.
  double
  energy_drift(const CsvContents &energy);



  /// The results of a study: a row for each combination.
  class StudyTable
  {
  public:
    struct Row
    {
      std::vector<std::string> values; ///< of the variations
      std::vector<Measure>     measures;
      int                      code    = 0;  ///< the exit code
      std::string              message = ""; ///< of a run that failed
    };

    StudyTable(const std::vector<Variation> &variations,
               const std::vector<Row>       &rows);

    /// Aligned columns for people.
    void
    print(std::ostream &out) const;

    std::string
    csv() const;

    /// The errors over the abscissa; without panels where there is nothing to
    /// draw.
    Figure
    figure(const std::string &norm) const;

    /// Observed order of an error between a row and the one before it on the
    /// same curve, or nan.
    double
    order(std::size_t row, const std::string &error) const;

    /// The order of an error by least squares over the curve of a row.
    double
    order_of_curve(std::size_t row, const std::string &error) const;

    /// Whether a probe of a run has an error.
    bool
    has_errors_over_time() const;

  private:
    /// Whether a row has a number for this column.
    bool
    has_values(const std::string &name) const;

    /// Name, unit and kind of all measures of all rows.
    std::vector<Measure>
    columns() const;

    /// A number of a row, or nan.
    double
    value(std::size_t row, const std::string &name) const;

    /// The same for an error, or nan where it is round-off only.
    double
    true_error(std::size_t row, const std::string &name) const;

    bool
    are_on_one_curve(std::size_t row, std::size_t other) const;

    /// The rows of the curve that begins with @p row; empty where it does not.
    std::vector<std::size_t>
    curve_from(std::size_t row) const;

    /// Two lines of heads, and the rows: of the errors, or of the rest. The
    /// second table does not repeat why a run failed.
    std::vector<std::vector<std::string>>
    printed_cells(bool of_errors, bool is_second) const;

    /// The observed orders by least squares after the last row of a curve.
    std::vector<std::string>
    printed_orders(std::size_t row) const;

    /// "restitution = 0, moreau jean".
    std::string
    curve_label(std::size_t row) const;

    /// An error over the abscissa, a curve for each of the other values.
    std::vector<Curve>
    curves(const std::string &error) const;

    void
    add_guides(Panel &panel) const;

    const std::vector<Variation> variations;
    const std::vector<Row>       rows;
    std::vector<double>          abscissas;  ///< of the rows; may be empty
    double                       sign;       ///< 1 where small is fine, else -1
    bool                         has_orders; ///< with the first variation
  };
} // namespace Percuss
