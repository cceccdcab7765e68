// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/driver/commands.h>
#include <percuss/driver/version.h>

#include <deal.II/base/mpi.h>

#include <petscsys.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace
{
  using namespace Percuss;

  /// What the command line asks for.
  struct Arguments
  {
    RunOptions               run;
    std::vector<std::string> files;
    std::string              family, model, scheme;
  };

  void
  add_commands(CLI::App &app, Arguments &arguments)
  {
    app.require_subcommand(1);
    std::string versions = "Percuss " + version();
    for (const auto &[name, number] : library_versions())
      versions += "\n  " + name + " " + number;
    app.set_version_flag("--version", versions);
    app.footer("PETSc options may follow after '--'.");

    CLI::App &run = *app.add_subcommand("run", "Run a parameter file");
    run.add_option("FILE", arguments.run.file, "Parameter file")->required();
    run
      .add_option("--set",
                  arguments.run.overrides,
                  "\"section/entry=value\" instead of the file's value")
      ->allow_extra_args(false);
    run.add_option("--output", arguments.run.folder, "Folder of the results");
    run.add_flag("--resume",
                 arguments.run.resume,
                 "Go on from the checkpoint in the folder of the results");
    run
      .add_option("--wall-time",
                  arguments.run.wall_minutes,
                  "Stop with a checkpoint after this many minutes")
      ->check([](const std::string &text) {
        double number = 0;
        return CLI::detail::lexical_cast(text, number) && number > 0 ?
                 std::string() :
                 "'" + text + "' is not a number above 0";
      });

    run.add_flag("--progress",
                 arguments.run.show_progress,
                 "Show the live line although the output is no terminal");

    CLI::App &check = *app.add_subcommand(
      "check", "Read parameter files and build their models; no step");
    check.add_option("FILE", arguments.files, "Parameter files")->required();
    check
      .add_option("--set",
                  arguments.run.overrides,
                  "\"section/entry=value\" instead of the files' value")
      ->allow_extra_args(false);

    app.add_subcommand("list", "List models, schemes, laws and solvers")
      ->add_option("FAMILY", arguments.family, "Only these")
      ->check(CLI::IsMember(families()));

    CLI::App &form =
      *app.add_subcommand("template", "Print a complete parameter file");
    form.add_option("--model", arguments.model, "Of this model");
    form.add_option("--scheme", arguments.scheme, "With this scheme");
  }

  /// Prints help, versions, or what is wrong with the command line.
  int
  explain(const CLI::App        &app,
          const CLI::ParseError &error,
          const std::string     &first_word)
  {
    const bool is_first =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
    std::ostream silent(nullptr);
    if (error.get_exit_code() == 0)
      return app.exit(error, is_first ? std::cout : silent, silent);
    std::vector<std::string> commands;
    for (const CLI::App *command :
         app.get_subcommands([](auto *) { return true; }))
      commands.push_back(command->get_name());
    std::string message = error.what();
    if (std::count(commands.begin(), commands.end(), first_word) == 0)
      message = (first_word.empty() || first_word[0] == '-' ?
                   "no command" :
                   sentence("unknown command '" + first_word + "'" +
                            did_you_mean(first_word, commands))) +
                " Commands: " + join(commands) + ".";
    std::replace(message.begin(), message.end(), '\n', ' ');
    (is_first ? std::cerr : silent)
      << "percuss: " << sentence(message) << " See percuss --help.\n";
    return static_cast<int>(ExitCode::usage);
  }

  ExitCode
  execute(const CLI::App &app, const Arguments &arguments)
  {
    const MPI_Comm communicator = MPI_COMM_WORLD;
    if (app.got_subcommand("run"))
      return run_command(arguments.run, communicator);
    if (app.got_subcommand("check"))
      return check_command(arguments.files,
                           arguments.run.overrides,
                           communicator);
    std::ostream  silent(nullptr);
    std::ostream &out =
      dealii::Utilities::MPI::this_mpi_process(communicator) == 0 ? std::cout :
                                                                    silent;
    if (app.got_subcommand("list"))
      list_command(arguments.family, out);
    else
      template_command(arguments.model, arguments.scheme, out);
    return ExitCode::done;
  }

  /// An error that need not have reached all ranks ends them all. Rank 0 goes
  /// first, so that one message appears.
  [[noreturn]] void
  abort_all_ranks(const int code, const std::string &message)
  {
    if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) > 0)
      std::this_thread::sleep_for(std::chrono::seconds(2));
    std::cerr << "percuss: " << message << std::endl;
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
  }

  int
  guarded_execute(const CLI::App &app, const Arguments &arguments)
  {
    const bool is_serial =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1;
    try
      {
        return static_cast<int>(execute(app, arguments));
      }
    catch (const Error &error)
      {
        if (error.code == ExitCode::io && !is_serial)
          abort_all_ranks(static_cast<int>(error.code), error.what());
        if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
          std::cerr << "percuss: " << error.what() << '\n';
        return static_cast<int>(error.code);
      }
    catch (const std::exception &error)
      {
        abort_all_ranks(1, std::string("internal error: ") + error.what());
      }
  }
} // namespace



int
main(int argc, char **argv)
{
  // MPI's hardware detection would open connections to all X servers.
  ::setenv("HWLOC_COMPONENTS", "-gl", 0);

  // Percuss reads what stands before "--", PETSc what stands behind it.
  char **const separator =
    std::find_if(argv, argv + argc, [](const char *const word) {
      return std::string(word) == "--";
    });
  const int           n_own           = static_cast<int>(separator - argv);
  std::vector<char *> petsc_arguments = {argv[0]};
  std::string         quiet           = "-no_signal_handler";
  petsc_arguments.push_back(quiet.data());
  if (separator != argv + argc)
    petsc_arguments.insert(petsc_arguments.end(), separator + 1, argv + argc);
  petsc_arguments.push_back(nullptr);
  int    petsc_argc = static_cast<int>(petsc_arguments.size()) - 1;
  char **petsc_argv = petsc_arguments.data();

  const dealii::Utilities::MPI::MPI_InitFinalize initialization(petsc_argc,
                                                                petsc_argv,
                                                                1);
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);

  CLI::App  app("Percuss: elastic structures that hit things", "percuss");
  Arguments arguments;
  for (int i = 0; i < argc; ++i)
    arguments.run.command += (i == 0 ? "" : " ") + std::string(argv[i]);
  add_commands(app, arguments);
  try
    {
      app.parse(n_own, argv);
    }
  catch (const CLI::ParseError &error)
    {
      return explain(app, error, n_own > 1 ? argv[1] : "");
    }
  return guarded_execute(app, arguments);
}
