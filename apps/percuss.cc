// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>
#include <percuss/driver/commands.h>
#include <percuss/driver/compare.h>
#include <percuss/driver/contact_problem_command.h>
#include <percuss/driver/plot.h>
#include <percuss/driver/study.h>
#include <percuss/driver/version.h>

#include <deal.II/base/mpi.h>

#include <petscsys.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
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
    StudyOptions             study;
    PlotOptions              plot;
    std::vector<std::string> compared;
    double                   tolerance = 1e-8;
    ContactProblemOptions    contact_problem;
    std::vector<std::string> contact_problems; ///< files
  };

  /// A check for CLI11.
  std::string
  refuse_unless_positive_integer(const std::string &text)
  {
    unsigned int number = 0;
    return CLI::detail::lexical_cast(text, number) && number > 0 ?
             std::string() :
             "'" + text + "' is not a whole number of at least 1";
  }

  std::string
  refuse_unless_positive(const std::string &text)
  {
    double number = 0;
    return CLI::detail::lexical_cast(text, number) && number > 0 &&
               std::isfinite(number) ?
             std::string() :
             "'" + text + "' is not a number above 0";
  }

  void
  add_study(CLI::App &app, StudyOptions &study)
  {
    CLI::App &command = *app.add_subcommand(
      "study", "Vary entries of a parameter file; errors and orders");
    command.add_option("FILE", study.file, "Parameter file")->required();
    command
      .add_option("--vary",
                  study.variations,
                  "\"section/entry=a,b,c\", or a;b;c where values hold "
                  "commas. The first one is the abscissa, each further one "
                  "gives curves")
      ->required()
      ->allow_extra_args(false);
    command
      .add_option("--set",
                  study.overrides,
                  "\"section/entry=value\" for all runs")
      ->allow_extra_args(false);
    command.add_option("--reference",
                       study.reference,
                       "Errors against: exact (exact.csv), finest (the finest "
                       "run of each curve), a folder of results, or a CSV "
                       "file with a column 'time'. Default: exact where it is "
                       "known, else finest");
    command
      .add_option("--norm", study.norm, "Of the errors over time; default mean")
      ->check(CLI::IsMember({"mean", "rms", "max", "final"}));
    command.add_option("--output",
                       study.folder,
                       "Folder of the results; default results/study_NAME");
    command
      .add_option("--jobs",
                  study.n_jobs,
                  "Runs at a time; default: the number of cores")
      ->check(&refuse_unless_positive_integer);
    command.add_flag("--no-plot", study.no_plot, "Without study.png");
    command.footer(
      "Each run is a folder of its own. Columns besides the errors: relative "
      "energy drift,\npenetration, impulse, force variation (1 for a clean "
      "rectangular pulse, none for rigid\nbodies), time of a step.");
  }

  void
  add_plot(CLI::App &app, PlotOptions &plot)
  {
    CLI::App &command =
      *app.add_subcommand("plot", "Draw runs into a picture, with gnuplot");
    command.add_option("DIR", plot.folders, "Folders of results")->required();
    command
      .add_option("--quantity",
                  plot.quantities,
                  "Only this; may be repeated. Default: all there is")
      ->allow_extra_args(false)
      ->check(CLI::IsMember(plot_quantities()));
    command
      .add_option("--label",
                  plot.labels,
                  "Of the first, second, ... folder instead of its name")
      ->allow_extra_args(false);
    command.add_option("--output",
                       plot.file,
                       "FILE.png or FILE.svg; default DIR/plot.png");
    command.add_option("--title", plot.title, "Above all panels");
    command.add_option("--probes", plot.probes, "Only these: name,name");
    command.add_option("--phase",
                       plot.phase,
                       "Probes on the axes of the phase portrait: x,y");
    command.add_option("--time-range", plot.time_range, "a:b, in s");
    command.add_option("--size", plot.size, "WIDTHxHEIGHT, in pixels");
    command.footer("Curves of several runs lie over each other; dotted lines "
                   "are exact motions.");
  }

  void
  add_compare(CLI::App &app, Arguments &arguments)
  {
    CLI::App &command = *app.add_subcommand(
      "compare", "Compare the tables of two runs; exit code 6 if they differ");
    command.add_option("DIR", arguments.compared, "Two folders of results")
      ->required()
      ->expected(2);
    command
      .add_option("--tolerance",
                  arguments.tolerance,
                  "Largest difference relative to the largest number of a "
                  "column; default 1e-8")
      ->check(CLI::NonNegativeNumber);
    command.footer("At the times of the first run; the second one is "
                   "interpolated.");
  }

  void
  add_contact_problem(CLI::App                 &app,
                      ContactProblemOptions    &options,
                      std::vector<std::string> &files)
  {
    CLI::App &command =
      *app.add_subcommand("contact-problem",
                          "Solve a contact problem of a file of FCLIB");
    command.add_option("FILE", files, "HDF5 files")->required();
    command.add_option("--solver",
                       options.solver,
                       "A contact solver, or all of them; default " +
                         options.solver);
    command
      .add_option("--tolerance",
                  options.tolerance,
                  "Largest residual of the contact law, relative to the "
                  "largest velocity; default 1e-8")
      ->check(&refuse_unless_positive);
    command
      .add_option("--repeat",
                  options.n_repeats,
                  "Solve so many times and print the shortest time; default 1")
      ->check(&refuse_unless_positive_integer);
    command.add_flag("--guess",
                     options.use_guess,
                     "Start from the guess in the file instead of zero");
    command.footer("Exit code 4 where the solver fails; with 'all' where none "
                   "of them converges.");
  }

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
      ->check(&refuse_unless_positive);

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

    add_study(app, arguments.study);
    add_plot(app, arguments.plot);
    add_compare(app, arguments);
    add_contact_problem(app,
                        arguments.contact_problem,
                        arguments.contact_problems);
  }

  /// Whether an MPI launcher has started this process.
  bool
  is_launched()
  {
    const auto is_set = [](const char *const name) {
      return std::getenv(name) != nullptr;
    };
    return is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMIX_RANK") ||
           is_set("PMI_RANK");
  }

  /// Prints help, versions, or what is wrong with the command line.
  int
  explain(const CLI::App        &app,
          const CLI::ParseError &error,
          const std::string     &first_word)
  {
    const bool is_first =
      !is_launched() ||
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
    std::ostream silent(nullptr);
    if (error.get_exit_code() == 0)
      return app.exit(error, is_first ? std::cout : silent, silent);
    std::vector<std::string> commands;
    for (const CLI::App *command :
         app.get_subcommands([](auto *) { return true; }))
      commands.push_back(command->get_name());
    std::string message = error.what(), help = "percuss --help";
    if (std::count(commands.begin(), commands.end(), first_word) == 0)
      message = (first_word.empty() || first_word[0] == '-' ?
                   "no command." :
                   sentence("unknown command '" + first_word + "'" +
                            did_you_mean(first_word, commands))) +
                " Commands: " + join(commands) + ".";
    else
      help = "percuss " + first_word + " --help";
    std::replace(message.begin(), message.end(), '\n', ' ');
    (is_first ? std::cerr : silent)
      << "percuss: " << sentence(message) << " See " << help << ".\n";
    return static_cast<int>(ExitCode::usage);
  }

  /// Whether the command starts runs or reads their results: it is one process
  /// without MPI.
  bool
  is_for_one_process(const CLI::App &app)
  {
    return app.got_subcommand("study") || app.got_subcommand("plot") ||
           app.got_subcommand("compare");
  }

  int
  execute_without_mpi(const CLI::App &app, const Arguments &arguments)
  {
    try
      {
        if (app.got_subcommand("study"))
          return static_cast<int>(study_command(arguments.study, std::cout));
        if (app.got_subcommand("compare"))
          return static_cast<int>(compare_command(arguments.compared[0],
                                                  arguments.compared[1],
                                                  arguments.tolerance,
                                                  std::cout));
        plot_command(arguments.plot, std::cout);
        return 0;
      }
    catch (const Error &error)
      {
        std::cerr << "percuss: " << error.what() << '\n';
        return static_cast<int>(error.code);
      }
    catch (const std::exception &error)
      {
        std::cerr << "percuss: internal error: " << error.what() << '\n';
        return 1;
      }
  }

  /// All files; the first error of a solver is thrown in the end.
  void
  contact_problem_commands(const Arguments &arguments,
                           const MPI_Comm   communicator,
                           std::ostream    &out)
  {
    std::exception_ptr first;
    for (const std::string &file : arguments.contact_problems)
      try
        {
          ContactProblemOptions options = arguments.contact_problem;
          options.file                  = file;
          contact_problem_command(options, communicator, out);
        }
      catch (const Error &error)
        {
          if (error.code != ExitCode::solver)
            throw;
          if (!first)
            first = std::current_exception();
        }
    if (first)
      std::rethrow_exception(first);
  }

  ExitCode
  execute(const CLI::App &app, const Arguments &arguments)
  {
    const MPI_Comm communicator = MPI_COMM_WORLD;
    if (is_for_one_process(app))
      throw Error(ExitCode::usage,
                  "study, plot and compare are not for several processes; "
                  "start them without mpirun (study has --jobs).");
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
    else if (app.got_subcommand("contact-problem"))
      contact_problem_commands(arguments, communicator, out);
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
        if (!is_serial && (error.code == ExitCode::io ||
                           !all_ranks_arrive(MPI_COMM_WORLD, 10)))
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
  const int n_own = static_cast<int>(separator - argv);

  CLI::App  app("Percuss: elastic structures that hit things", "percuss");
  Arguments arguments;
  for (int i = 0; i < argc; ++i)
    arguments.run.command += (i == 0 ? "" : " ") + std::string(argv[i]);
  add_commands(app, arguments);
  std::unique_ptr<CLI::ParseError> wrong;
  try
    {
      app.parse(n_own, argv);
    }
  catch (const CLI::ParseError &error)
    {
      wrong = std::make_unique<CLI::ParseError>(error);
    }

  // Under a launcher all ranks meet in MPI before one of them speaks.
  if (!is_launched() && (wrong != nullptr || is_for_one_process(app)))
    return wrong != nullptr ? explain(app, *wrong, n_own > 1 ? argv[1] : "") :
                              execute_without_mpi(app, arguments);

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
  if (wrong != nullptr)
    return explain(app, *wrong, n_own > 1 ? argv[1] : "");
  return guarded_execute(app, arguments);
}
