// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_file.h>
#include <percuss/driver/simulation.h>
#include <percuss/output/csv_table.h>

#include <deal.II/base/mpi.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "folders.h"

namespace Percuss::Test
{
  /// A folder of the ranks of a communicator that vanishes with the object.
  class TemporaryFolder
  {
  public:
    explicit TemporaryFolder(const MPI_Comm communicator = MPI_COMM_WORLD)
      : communicator(communicator)
    {
      static unsigned int count = 0;
      std::string name = "percuss_test_" + std::to_string(::getpid()) + "_" +
                         std::to_string(count++);
      name = dealii::Utilities::MPI::broadcast(communicator, name);
      path = std::filesystem::temp_directory_path() / name;
      std::filesystem::create_directories(path);
    }
    ~TemporaryFolder()
    {
      MPI_Barrier(communicator);
      if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
        std::filesystem::remove_all(path);
    }

    const MPI_Comm        communicator;
    std::filesystem::path path;
  };

  /// Overrides as on the command line: "section/entry=value".
  using Overrides = std::vector<std::string>;

  inline void
  assign(Settings          &settings,
         const std::string &file,
         const Overrides   &overrides)
  {
    std::vector<Assignment> assignments;
    for (const std::string &text : overrides)
      assignments.push_back(parse_override(text));
    settings.tree.assign(
      file.empty() ?
        std::vector<Assignment>() :
        read_parameter_file(std::filesystem::path(parameter_files()) / file,
                            MPI_COMM_SELF),
      assignments);
  }

  /// A run of a parameter file (or of defaults, where @p file is empty) with
  /// overrides, kept with its results.
  class FinishedRun
  {
  public:
    FinishedRun(const std::string &file,
                const Overrides   &overrides,
                const MPI_Comm     communicator = MPI_COMM_SELF)
      : folder(communicator)
    {
      assign(settings, file, overrides);
      simulation =
        std::make_unique<Simulation>(settings,
                                     Simulation::Options{folder.path},
                                     communicator);
      code   = simulation->run();
      values = simulation->final_values();
    }

    /// A column of one of the tables, for example ("energy", "total").
    std::vector<double>
    column(const std::string &table, const std::string &name) const
    {
      for (const auto &column : read_csv(folder.path / (table + ".csv")))
        if (column.first == name)
          return column.second;
      throw std::out_of_range("no column " + name);
    }

    TemporaryFolder               folder;
    Settings                      settings;
    std::unique_ptr<Simulation>   simulation;
    ExitCode                      code;
    std::map<std::string, double> values;
  };

  /// The parts of a run without the run: for tests that step by hand.
  struct Parts
  {
    explicit Parts(const std::string &file, const Overrides &overrides)
    {
      assign(settings, file, overrides);
      model = settings.model.build({MPI_COMM_SELF});
      law   = settings.law.build({});
      contact_solver =
        settings.contact_solver.build(settings.contact_tolerance);
      scheme = make_scheme(*model);
    }

    std::unique_ptr<TimeStepper>
    make_scheme(const MechanicalModel &any_model) const
    {
      return settings.scheme.build({any_model,
                                    *law,
                                    *contact_solver,
                                    settings.activation,
                                    [this](const SparseMatrix &matrix) {
                                      return settings.linear_solver.build(
                                        {matrix});
                                    },
                                    settings.delassus()});
    }

    Settings                         settings;
    std::unique_ptr<MechanicalModel> model;
    std::unique_ptr<ContactLaw>      law;
    std::unique_ptr<ContactSolver>   contact_solver;
    std::unique_ptr<TimeStepper>     scheme;
  };

  /// The slope of log(error) over log(h) by least squares.
  inline double
  observed_order(const std::vector<double> &h, const std::vector<double> &error)
  {
    double       sx = 0, sy = 0, sxx = 0, sxy = 0;
    const double n = static_cast<double>(h.size());
    for (std::size_t i = 0; i < h.size(); ++i)
      {
        const double x = std::log(h[i]), y = std::log(error[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
      }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }
} // namespace Percuss::Test
