// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_tree.h>
#include <percuss/base/registry.h>
#include <percuss/contact/contact_law.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/ledger/ledger.h>
#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/output/output_writer.h>

#include <string>

namespace Percuss
{
  struct TimeParameters
  {
    double       step_size          = 1e-3; ///< in s
    double       end_time           = 1;    ///< in s
    unsigned int largest_refinement = 10;

    void
    declare(ParameterSection section);

    unsigned int
    n_steps() const;
  };

  struct CheckpointParameters
  {
    unsigned int step_interval   = 0;
    double       minute_interval = 10;

    void
    declare(ParameterSection section);
  };

  /// Everything that a parameter file can say.
  class Settings
  {
  public:
    Settings();

    /// As the entry "contact/delassus matrix" says.
    DelassusForm
    delassus() const;

    /// As the entry "history/interpolation" says.
    History::Interpolation
    interpolation() const;

    ParameterTree            tree;
    Choice<MechanicalModel>  model;
    Choice<TimeStepper>      scheme;
    Choice<ContactLaw>       law;
    Choice<ContactSolver>    contact_solver;
    Choice<LinearSolver>     linear_solver;
    Activation               activation;
    ContactSolver::Context   contact_tolerance;
    std::string              problem_files = "none";
    TimeParameters           time;
    Ledger::Parameters       ledger;
    OutputWriter::Parameters output;
    CheckpointParameters     checkpoint;

  private:
    void
    declare_contact(ParameterSection contact);

    std::string delassus_matrix          = "automatic";
    std::string interpolation_of_history = "linear";
  };
} // namespace Percuss
