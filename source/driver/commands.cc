// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/parameter_file.h>
#include <percuss/driver/commands.h>
#include <percuss/driver/simulation.h>
#include <percuss/mechanics/characteristic_roots.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>

namespace Percuss
{
  namespace fs = std::filesystem;

  namespace
  {
    bool
    is_first_rank(const MPI_Comm communicator)
    {
      return dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
    }

    std::vector<Assignment>
    parse_overrides(const std::vector<std::string> &texts)
    {
      std::vector<Assignment> overrides;
      for (const std::string &text : texts)
        overrides.push_back(parse_override(text));
      return overrides;
    }

    void
    read_settings(const std::string              &file,
                  const std::vector<std::string> &overrides,
                  const MPI_Comm                  communicator,
                  Settings                       &settings)
    {
      settings.tree.assign(read_parameter_file(file, communicator),
                           parse_overrides(overrides));
      if (is_first_rank(communicator))
        for (const std::string &sentence : settings.tree.idle_overrides())
          std::cerr << "warning: " << sentence << '\n';
    }

    /// Errors of entries say where these are set.
    template <typename Action>
    auto
    with_origin(const Settings &settings, const Action &action)
    {
      try
        {
          return action();
        }
      catch (const EntryError &error)
        {
          throw Error(error.code,
                      settings.tree.origin(error.path) + ": " + error.what());
        }
    }

    /// Builds what the settings choose.
    std::unique_ptr<Simulation>
    make_simulation(const Settings            &settings,
                    const Simulation::Options &options,
                    const MPI_Comm             communicator)
    {
      return with_origin(settings, [&]() {
        return std::make_unique<Simulation>(settings, options, communicator);
      });
    }

    /// Prepares the first step, so that a step size that the scheme refuses is
    /// found here.
    std::vector<std::pair<std::string, std::string>>
    facts_of(Simulation &simulation, const Settings &settings)
    {
      const MechanicalModel &model = simulation.mechanical_model();
      if (is_first_rank(model.communicator))
        for (const std::string &sentence : model.warnings())
          std::cerr << "warning: " << sentence << '\n';
      return with_origin(settings, [&]() { return simulation.facts(); });
    }

    fs::path
    results_folder(const RunOptions &options, const Settings &settings)
    {
      if (!options.folder.empty())
        return options.folder;
      if (!settings.output.directory.empty())
        return settings.output.directory;
      return fs::path("results") / fs::path(options.file).stem();
    }

    template <typename Base>
    void
    list_family(const std::string &title, std::ostream &out)
    {
      out << title << '\n';
      for (const auto &[name, plugin] : Registry<Base>::plugins())
        {
          out << "  " << std::left << std::setw(36) << name << ' '
              << plugin.description << '\n';
          for (const auto &[word, text] : plugin.properties)
            out << "      " << std::setw(12) << word << ' ' << text << '\n';
        }
    }

    const std::map<std::string, void (*)(const std::string &, std::ostream &)>
      listings = {{"models", &list_family<MechanicalModel>},
                  {"schemes", &list_family<TimeStepper>},
                  {"contact-laws", &list_family<ContactLaw>},
                  {"contact-solvers", &list_family<ContactSolver>},
                  {"linear-solvers", &list_family<LinearSolver>}};

    using Facts = std::vector<std::pair<std::string, std::string>>;

    /// Whether a model with delays is stable, before it runs. Collective.
    void
    add_stability(const MechanicalModel &model, Facts &facts)
    {
      if (model.delays() != nullptr)
        facts.emplace_back("characteristic roots",
                           characteristic_roots(model).text());
    }

    void
    print_facts(const std::string &title,
                const Settings    &settings,
                const Facts       &facts,
                std::ostream      &out)
    {
      out << title << ": model " << settings.model.name() << ", scheme "
          << settings.scheme.name() << ", " << settings.time.n_steps()
          << " steps of " << settings.time.step_size << " s\n";
      for (const auto &[name, value] : facts)
        out << "  " << std::left << std::setw(26) << name << value << '\n';
    }

    void
    print_end(const ExitCode    code,
              const Simulation &simulation,
              const Settings   &settings,
              const fs::path   &folder,
              const MPI_Comm    communicator)
    {
      const std::string report = simulation.report();
      if (!is_first_rank(communicator))
        return;
      if (code == ExitCode::stopped)
        {
          std::cout << "Stopped with a checkpoint; go on with --resume.\n";
          return;
        }
      std::cout << report << "Results: " << folder.string()
                << "  (energy.csv, contacts.csv, probes.csv, run.json)\n";
      if (settings.output.field_interval > 0)
        std::cout << "ParaView: open " << (folder / "solution.pvd").string()
                  << '\n';
    }
  } // namespace



  ExitCode
  run_command(const RunOptions &options, const MPI_Comm communicator)
  {
    StopRequest::listen();
    const auto time_limit = StopRequest::limit_in(options.wall_minutes);
    Settings   settings;
    read_settings(options.file, options.overrides, communicator, settings);
    const fs::path folder = results_folder(options, settings);
    const auto     simulation =
      make_simulation(settings,
                      {folder,
                       options.resume,
                       options.show_progress || Progress::is_watched(),
                       options.command,
                       time_limit},
                      communicator);
    const Facts facts = facts_of(*simulation, settings);
    if (is_first_rank(communicator))
      print_facts(options.file, settings, facts, std::cout);
    const ExitCode code =
      with_origin(settings, [&]() { return simulation->run(); });
    print_end(code, *simulation, settings, folder, communicator);
    return code;
  }



  ExitCode
  check_command(const std::vector<std::string> &files,
                const std::vector<std::string> &overrides,
                const MPI_Comm                  communicator)
  {
    ExitCode code = ExitCode::done;
    for (const std::string &file : files)
      try
        {
          Settings settings;
          read_settings(file, overrides, communicator, settings);
          const auto simulation = make_simulation(settings, {}, communicator);
          Facts      facts      = facts_of(*simulation, settings);
          add_stability(simulation->mechanical_model(), facts);
          if (is_first_rank(communicator))
            {
              print_facts(file, settings, facts, std::cout);
              std::cout << "  good\n";
            }
        }
      catch (const Error &error)
        {
          if (is_first_rank(communicator))
            std::cerr << "percuss: " << error.what() << '\n';
          code = error.code;
        }
    return code;
  }



  void
  list_command(const std::string &family, std::ostream &out)
  {
    for (const auto &[name, list] : listings)
      if (family.empty() || family == name)
        list(name, out);
  }



  std::vector<std::string>
  families()
  {
    std::vector<std::string> names;
    for (const auto &listing : listings)
      names.push_back(listing.first);
    return names;
  }



  void
  template_command(const std::string &model,
                   const std::string &scheme,
                   std::ostream      &out)
  {
    Settings                settings;
    std::vector<Assignment> choices;
    if (!model.empty())
      choices.push_back({"model/type", model, "--model"});
    if (!scheme.empty())
      choices.push_back({"scheme/type", scheme, "--scheme"});
    settings.tree.assign({}, choices);
    // What does not fit together with default values.
    try
      {
        const Simulation simulation(settings, {}, MPI_COMM_SELF);
      }
    catch (const EntryError &error)
      {
        out << "# To be changed before this file runs: " << error.what()
            << "\n\n";
      }
    settings.tree.print(out, true);
  }
} // namespace Percuss
