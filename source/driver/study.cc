// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/files.h>
#include <percuss/base/parameter_file.h>
#include <percuss/base/suggestion.h>
#include <percuss/driver/process.h>
#include <percuss/driver/settings.h>
#include <percuss/driver/study.h>

#include <deal.II/base/utilities.h>

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <thread>

namespace Percuss
{
  namespace fs = std::filesystem;

  namespace
  {
    const std::string step_size      = "time/step size";
    const std::string field_interval = "output/field interval";
    const std::string output_folder  = "output/directory";

    const std::string not_started = "not started";

    using Combination = std::vector<std::string>;

    std::string
    replaced(std::string        text,
             const std::string &part,
             const std::string &replacement)
    {
      if (const auto place = text.find(part); place != std::string::npos)
        text.replace(place, part.size(), replacement);
      return text;
    }

    /// A run hears of a value as "--set", the user has written "--vary".
    Assignment
    varied(const std::string &path, const std::string &value)
    {
      try
        {
          Assignment assignment = parse_override(path + "=" + value);
          assignment.origin = replaced(assignment.origin, "--set", "--vary");
          return assignment;
        }
      catch (const Error &error)
        {
          throw Error(error.code, replaced(error.what(), "--set", "--vary"));
        }
    }

    std::string
    number_of_runs(const std::size_t n)
    {
      return std::to_string(n) + (n == 1 ? " run" : " runs");
    }

    /// The last line of what a run has said, without the program's name.
    std::string
    last_words(const Process &run)
    {
      if (run.code == static_cast<int>(ExitCode::stopped))
        return run.errors == not_started ? not_started : "stopped";
      std::string text = dealii::Utilities::trim(run.errors);
      text             = text.substr(text.rfind('\n') + 1);
      if (run.code > 128)
        text = "ended by signal " + std::to_string(run.code - 128);
      else if (text.empty())
        text = "exit code " + std::to_string(run.code);
      const std::string program = "percuss: ";
      return text.compare(0, program.size(), program) == 0 ?
               text.substr(program.size()) :
               text;
    }

    /// One study, from the command line to the table.
    class Study
    {
    public:
      Study(const StudyOptions &options);

      ExitCode
      run(std::ostream &out);

    private:
      /// @throws Error where a combination cannot be read
      void
      check_parameters() const;
      std::vector<Process>
      processes() const;
      void
      run_all();
      std::string
      failure_message(std::size_t run) const;
      /// @throws Error where no run has results
      void
      refuse_without_results() const;
      /// @throws Error where errors were asked for and there are none
      void
      refuse_without_reference(const StudyTable &table) const;
      /// Prints and writes the table, and draws.
      void
      show(const StudyTable &table, std::ostream &out) const;
      /// The table against which a run is measured.
      std::optional<CsvContents>
      reference_of(std::size_t run) const;
      /// The finest of the runs on the curve of @p run.
      std::size_t
      finest_of(std::size_t run) const;
      std::string
      description_of_reference() const;
      StudyTable
      make_table() const;

      const StudyOptions                    options;
      const fs::path                        folder;
      std::vector<Variation>                variations;
      std::vector<Combination>              values;
      std::vector<std::string>              names;
      std::vector<Process>                  results;
      std::vector<std::optional<RunFolder>> runs; ///< empty where they failed
      std::optional<CsvContents>            given_reference;
      std::string                           reference; ///< "exact", "finest"
      std::optional<Error>                  interrupt; ///< by a signal
    };



    Study::Study(const StudyOptions &options)
      : options(options)
      , folder(options.folder.empty() ?
                 fs::path("results") /
                   ("study_" + fs::path(options.file).stem().string()) :
                 fs::path(options.folder))
      , reference(options.reference)
    {
      std::set<std::string> paths;
      for (const std::string &text : options.variations)
        {
          variations.push_back(parse_variation(text));
          if (!paths.insert(variations.back().path).second)
            throw Error(ExitCode::usage,
                        "--vary \"" + text +
                          "\" varies an entry for the second time.");
          if (variations.back().path == output_folder)
            throw Error(ExitCode::usage,
                        "--vary \"" + text +
                          "\": the study names the folders of its runs; "
                          "--output is the folder around them.");
        }
      values = combinations(variations);
      names  = combination_names(variations, values);
      if (reference == "finest" && variations[0].numbers().empty())
        throw Error(ExitCode::usage,
                    "--reference finest needs numbers in the first --vary.");
      if (reference.empty() || reference == "exact" || reference == "finest")
        return;
      if (fs::is_regular_file(reference))
        given_reference = read_csv_with_units(reference);
      else
        given_reference = RunFolder(reference).table("probes");
      if (!given_reference || given_reference->find("time") == nullptr)
        throw Error(ExitCode::io,
                    "the reference '" + reference + "' has no column 'time'.");
    }



    void
    Study::check_parameters() const
    {
      const auto              file = read_parameter_file(options.file);
      std::vector<Assignment> overrides;
      for (const std::string &text : options.overrides)
        overrides.push_back(parse_override(text));
      for (const Combination &combination : values)
        {
          auto all = overrides;
          for (std::size_t i = 0; i < variations.size(); ++i)
            all.push_back(varied(variations[i].path, combination[i]));
          Settings settings;
          settings.tree.assign(file, all);
        }
    }



    std::vector<Process>
    Study::processes() const
    {
      const auto sets_fields = [](const std::string &text) {
        return parse_override(text).path == field_interval;
      };
      const bool add_interval =
        std::none_of(options.overrides.begin(),
                     options.overrides.end(),
                     sets_fields) &&
        std::none_of(variations.begin(),
                     variations.end(),
                     [](const Variation &variation) {
                       return variation.path == field_interval;
                     });
      std::vector<Process> all;
      for (std::size_t run = 0; run < values.size(); ++run)
        {
          Process    process;
          const auto set = [&](const std::string &text) {
            process.command.insert(process.command.end(), {"--set", text});
          };
          process.command = {"/proc/self/exe",
                             "run",
                             options.file,
                             "--output",
                             (folder / names[run]).string()};
          if (add_interval)
            set(field_interval + "=0");
          for (const std::string &text : options.overrides)
            set(text);
          for (std::size_t i = 0; i < variations.size(); ++i)
            set(variations[i].path + "=" + values[run][i]);
          all.push_back(process);
        }
      return all;
    }



    void
    Study::run_all()
    {
      // The runs share the cores: none of them needs threads, and a process
      // alone needs no network.
      for (const auto &[name, value] : {std::pair("OPENBLAS_NUM_THREADS", "1"),
                                        std::pair("OMP_NUM_THREADS", "1"),
                                        std::pair("OMPI_MCA_pml", "ob1"),
                                        std::pair("OMPI_MCA_btl", "self")})
        ::setenv(name, value, 0);
      const bool is_watched = ::isatty(STDERR_FILENO) != 0;
      results               = processes();
      std::size_t n_done    = 0;
      const auto  tell      = [&](const Process &) {
        ++n_done;
        if (is_watched)
          std::cerr << '\r' << n_done << " of "
                    << number_of_runs(results.size()) << ' ' << std::flush;
      };
      for (Process &run : results)
        {
          run.code   = static_cast<int>(ExitCode::stopped); // unless it runs
          run.errors = not_started;
        }
      try
        {
          run_processes(results,
                        options.n_jobs > 0 ?
                          options.n_jobs :
                          std::max(1u, std::thread::hardware_concurrency()),
                        tell);
        }
      catch (const Error &error)
        {
          if (error.code != ExitCode::stopped)
            throw;
          interrupt.emplace(error);
        }
      if (is_watched)
        std::cerr << "\r\033[K";
      for (std::size_t run = 0; run < results.size(); ++run)
        if (results[run].code == 0)
          runs.emplace_back(folder / names[run]);
        else
          runs.emplace_back();
    }



    std::size_t
    Study::finest_of(const std::size_t run) const
    {
      const std::vector<double> numbers = variations[0].numbers();
      const std::size_t         n       = numbers.size();
      const std::size_t         begin   = run / n * n;
      const double              sign = variations[0].path == step_size ? -1 : 1;
      std::size_t               finest = run;
      for (std::size_t i = begin; i < begin + n; ++i)
        if (runs[i] &&
            sign * numbers[i - begin] > sign * numbers[finest - begin])
          finest = i;
      return finest;
    }



    std::optional<CsvContents>
    Study::reference_of(const std::size_t run) const
    {
      if (given_reference)
        return given_reference;
      if (reference == "exact")
        return runs[run]->table("exact");
      if (reference == "finest" && finest_of(run) != run)
        return runs[finest_of(run)]->table("probes");
      return {};
    }



    StudyTable
    Study::make_table() const
    {
      std::vector<StudyTable::Row> rows;
      for (std::size_t run = 0; run < runs.size(); ++run)
        {
          StudyTable::Row row;
          row.values = values[run];
          row.code   = results[run].code;
          if (runs[run])
            {
              row.measures =
                measure_errors(*runs[run], reference_of(run), options.norm);
              // Numbers that are known exactly have no other reference.
              for (Measure &measure : row.measures)
                if (reference != "exact" && !measure.is_over_time)
                  measure.name += "_(exact)";
              const auto more = measure_run(*runs[run]);
              row.measures.insert(row.measures.end(), more.begin(), more.end());
            }
          else
            row.message = failure_message(run);
          rows.push_back(row);
        }
      return StudyTable(variations, rows);
    }



    std::string
    Study::description_of_reference() const
    {
      const std::string what = options.norm == "final" ?
                                 "at the last time" :
                                 "over time (" + options.norm + ")";
      return "Errors " + what + " against " +
             (reference == "exact"  ? "the exact motion." :
              reference == "finest" ? "the finest run." :
                                      "'" + reference + "'.");
    }



    std::string
    Study::failure_message(const std::size_t run) const
    {
      std::string text = last_words(results[run]);
      for (std::size_t i = 0; i < variations.size(); ++i)
        {
          const std::string assignment =
            " \"" + variations[i].path + "=" + values[run][i] + "\"";
          text = replaced(text, "--set" + assignment, "--vary" + assignment);
        }
      return text;
    }



    void
    Study::refuse_without_results() const
    {
      if (std::any_of(runs.begin(), runs.end(), [](const auto &run) {
            return run.has_value();
          }))
        return;
      if (interrupt)
        throw Error(*interrupt);
      throw Error(static_cast<ExitCode>(results[0].code),
                  runs.size() == 1 ?
                    failure_message(0) :
                    "all " + number_of_runs(runs.size()) +
                      " failed, the first one with: " + failure_message(0));
    }



    void
    Study::refuse_without_reference(const StudyTable &table) const
    {
      if (options.reference.empty() || table.has_errors_over_time())
        return;
      throw Error(ExitCode::usage,
                  "--reference " + options.reference + ": " +
                    (reference == "exact" ?
                       "the model does not know its exact motion with these "
                       "parameters, or has no probes." :
                     reference == "finest" ?
                       "there are no two runs to compare, or no probes." :
                       "no probe of the runs has a reference."));
    }



    void
    Study::show(const StudyTable &table, std::ostream &out) const
    {
      out << options.file << ": " << number_of_runs(runs.size()) << ". "
          << (table.has_errors_over_time() ? description_of_reference() :
                                             "No probe has a reference.")
          << '\n';
      table.print(out);
      Files::replace(folder / "study.csv", table.csv());
      out << "Table: " << (folder / "study.csv").string() << std::endl;
      const Figure figure = table.figure(options.norm);
      if (options.no_plot || interrupt || figure.panels.empty())
        return;
      draw(figure, folder / "study.png");
      out << "Picture: " << (folder / "study.png").string() << std::endl;
    }



    ExitCode
    Study::run(std::ostream &out)
    {
      check_parameters();
      std::error_code ignored;
      for (const std::string name : {"study.csv", "study.png"})
        fs::remove(folder / name, ignored); // of an older study
      run_all();
      refuse_without_results();
      const bool has_exact =
        std::any_of(runs.begin(), runs.end(), [](const auto &run) {
          return run && run->table("exact");
        });
      if (reference.empty())
        reference = has_exact                          ? "exact" :
                    variations[0].numbers().size() > 1 ? "finest" :
                                                         "";
      const StudyTable table = make_table();
      show(table, out);
      if (interrupt)
        throw Error(*interrupt);
      refuse_without_reference(table);
      const auto is_bad = [](const Process &run) { return run.code != 0; };
      const auto failed = std::find_if(results.begin(), results.end(), is_bad);
      if (failed == results.end())
        return ExitCode::done;
      std::cerr << "percuss: "
                << std::count_if(results.begin(), results.end(), is_bad)
                << " of " << number_of_runs(runs.size()) << " failed.\n";
      return static_cast<ExitCode>(failed->code);
    }
  } // namespace



  ExitCode
  study_command(const StudyOptions &options, std::ostream &out)
  {
    return Study(options).run(out);
  }
} // namespace Percuss
