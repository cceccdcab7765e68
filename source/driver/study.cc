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
#include <cctype>
#include <charconv>
#include <cmath>
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

    using Combination = std::vector<std::string>;

    [[noreturn]] void
    refuse(const std::string &text, const std::string &reason)
    {
      throw Error(ExitCode::usage, "--vary \"" + text + "\" " + reason);
    }

    /// Letters, digits and what else is no trouble in a folder's name.
    std::string
    for_a_name(std::string text)
    {
      for (char &c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
            std::string("+-.").find(c) == std::string::npos)
          c = '_';
      return text;
    }

    /// The last line of what a run has said, without the program's name.
    std::string
    failure_message(const Process &run)
    {
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
      /// @throws Error where no combination can be read
      void
      check_parameters() const;
      std::vector<Process>
      processes() const;
      void
      run_all();
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
            refuse(text, "varies an entry for the second time.");
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
      std::optional<Error> first_error;
      for (const Combination &combination : values)
        try
          {
            auto all = overrides;
            for (std::size_t i = 0; i < variations.size(); ++i)
              all.push_back({variations[i].path,
                             combination[i],
                             "--vary \"" + options.variations[i] + "\""});
            Settings settings;
            settings.tree.assign(file, all);
            return;
          }
        catch (const Error &error)
          {
            if (!first_error)
              first_error.emplace(error);
          }
      throw Error(*first_error);
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
      run_processes(results,
                    options.n_jobs > 0 ?
                      options.n_jobs :
                      std::max(1u, std::thread::hardware_concurrency()),
                    [&](const Process &) {
                      ++n_done;
                      if (is_watched)
                        std::cerr << '\r' << n_done << " of " << results.size()
                                  << " runs " << std::flush;
                    });
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
              const auto more = measure_run(*runs[run]);
              row.measures.insert(row.measures.end(), more.begin(), more.end());
            }
          else
            row.message = failure_message(results[run]);
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



    ExitCode
    Study::run(std::ostream &out)
    {
      check_parameters();
      run_all();
      const auto is_good = [](const auto &run) { return run.has_value(); };
      const auto failed =
        std::find_if(results.begin(), results.end(), [](const Process &run) {
          return run.code != 0;
        });
      if (std::none_of(runs.begin(), runs.end(), is_good))
        throw Error(static_cast<ExitCode>(failed->code),
                    "all " + std::to_string(runs.size()) +
                      " runs failed, the first one with: " +
                      failure_message(*failed));
      const bool has_exact =
        std::any_of(runs.begin(), runs.end(), [](const auto &run) {
          return run && run->table("exact");
        });
      if (reference.empty())
        reference = has_exact                          ? "exact" :
                    variations[0].numbers().size() > 1 ? "finest" :
                                                         "";
      const StudyTable table = make_table();
      out << options.file << ": " << runs.size() << " runs. "
          << (table.has_errors_over_time() ? description_of_reference() :
                                             "No probe has a reference.")
          << '\n';
      table.print(out);
      Files::replace(folder / "study.csv", table.csv());
      out << "Table: " << (folder / "study.csv").string() << '\n';
      const Figure figure = table.figure(options.norm);
      if (!options.no_plot && !figure.panels.empty())
        {
          draw(figure, folder / "study.png");
          out << "Picture: " << (folder / "study.png").string() << '\n';
        }
      if (reference == "exact" && !has_exact)
        throw Error(ExitCode::usage,
                    "--reference exact: the model does not know its exact "
                    "motion with these parameters, or has no probes.");
      if (failed == results.end())
        return ExitCode::done;
      std::cerr << "percuss: "
                << runs.size() -
                     std::count_if(runs.begin(), runs.end(), is_good)
                << " of " << runs.size() << " runs failed.\n";
      return static_cast<ExitCode>(failed->code);
    }
  } // namespace



  std::string
  Variation::entry() const
  {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
  }



  std::vector<double>
  Variation::numbers() const
  {
    std::vector<double> result;
    for (const std::string &text : values)
      {
        double     number = 0;
        const auto end    = text.data() + text.size();
        const auto read   = std::from_chars(text.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end)
          return {};
        result.push_back(number);
      }
    return result;
  }



  Variation
  parse_variation(const std::string &text)
  {
    const std::size_t equal_sign = text.find('=');
    if (equal_sign == std::string::npos)
      refuse(text, "has no '='; write --vary \"section/entry=a,b,c\".");
    Variation variation;
    variation.path = dealii::Utilities::trim(text.substr(0, equal_sign));
    if (variation.path.empty())
      refuse(text, "names no entry.");
    const std::string list = text.substr(equal_sign + 1);
    const char separator   = list.find(';') == std::string::npos ? ',' : ';';
    for (std::size_t begin = 0; begin <= list.size();)
      {
        const std::size_t end =
          std::min(list.find(separator, begin), list.size());
        const std::string value =
          dealii::Utilities::trim(list.substr(begin, end - begin));
        if (value.empty())
          refuse(text, "has an empty value.");
        if (std::count(variation.values.begin(),
                       variation.values.end(),
                       value) > 0)
          refuse(text, "has the value '" + value + "' twice.");
        variation.values.push_back(value);
        begin = end + 1;
      }
    return variation;
  }



  std::vector<Combination>
  combinations(const std::vector<Variation> &variations)
  {
    std::vector<Combination> all = {{}};
    for (auto variation = variations.rbegin(); variation != variations.rend();
         ++variation)
      {
        std::vector<Combination> longer;
        for (const Combination &rest : all)
          for (const std::string &value : variation->values)
            {
              longer.push_back({value});
              longer.back().insert(longer.back().end(),
                                   rest.begin(),
                                   rest.end());
            }
        all = longer;
      }
    return all;
  }



  std::vector<std::string>
  combination_names(const std::vector<Variation>   &variations,
                    const std::vector<Combination> &values)
  {
    std::vector<std::string> names;
    std::set<std::string>    taken;
    for (const Combination &combination : values)
      {
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < variations.size(); ++i)
          {
            const bool is_unique =
              std::count_if(variations.begin(),
                            variations.end(),
                            [&](const Variation &other) {
                              return other.entry() == variations[i].entry();
                            }) == 1;
            parts.push_back(for_a_name(is_unique ? variations[i].entry() :
                                                   variations[i].path) +
                            "=" + for_a_name(combination[i]));
          }
        const std::string name   = join(parts, "_");
        std::string       unique = name;
        for (unsigned int number = 2; !taken.insert(unique).second; ++number)
          unique = name + "_" + std::to_string(number);
        names.push_back(unique);
      }
    return names;
  }



  ExitCode
  study_command(const StudyOptions &options, std::ostream &out)
  {
    return Study(options).run(out);
  }
} // namespace Percuss
