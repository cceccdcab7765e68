// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/error.h>
#include <percuss/driver/progress.h>
#include <percuss/driver/settings.h>
#include <percuss/driver/stop_request.h>
#include <percuss/ledger/contact_record.h>
#include <percuss/output/checkpoint.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// One run: builds the parts that the settings choose and steps through
  /// time.
  class Simulation
  {
  public:
    struct Options
    {
      std::filesystem::path folder; ///< of the results
      bool                  resume        = false;
      bool                  show_progress = false;
      std::string           command       = ""; ///< for run.json
      /// When the run stops with a checkpoint.
      StopRequest::Clock::time_point time_limit =
        StopRequest::Clock::time_point::max();
    };

    /// Builds the model and the scheme; writes nothing.
    Simulation(const Settings &settings,
               const Options  &options,
               MPI_Comm        communicator);

    /// Steps to the end, or until it is told to stop.
    ExitCode
    run();

    const MechanicalModel &
    mechanical_model() const
    {
      return *model;
    }

    /// About the model and the scheme, for people. Collective.
    std::vector<std::pair<std::string, std::string>>
    facts();

    /// In s.
    double
    stepping_time() const
    {
      return stepping_seconds;
    }

    double
    set_up_time() const
    {
      return set_up_seconds;
    }

    const State &
    final_state() const
    {
      return state;
    }

    const Ledger &
    energy_ledger() const
    {
      return *ledger;
    }

    /// Scalars of the result: "first contact", "contact impulse", ...
    std::map<std::string, double>
    final_values() const;

    /// Lines for people about a finished run.
    std::string
    report() const;

  private:
    /// The model that the settings choose.
    std::unique_ptr<MechanicalModel>
    make_model() const;

    /// The solver that the settings choose, and around it what writes its
    /// problems where they ask for that.
    std::unique_ptr<ContactSolver>
    make_contact_solver() const;

    /// The scheme that the settings choose.
    std::unique_ptr<TimeStepper>
    make_scheme() const;

    /// @throws EntryError where the scheme is not made for the model
    void
    check_scheme() const;

    /// That the longest delay needs, or the run.
    /// @throws EntryError where a delay is not possible
    std::size_t
    n_records_of_history() const;

    bool
    law_knows_friction() const;

    void
    warn_of_penetration() const;

    /// How long it is and what it takes. Collective.
    std::string
    describe_history() const;

    /// What depends on the step size is kept: where some steps have to be
    /// halved, no matrix is factorised anew for the next whole one.
    struct PreparedScheme
    {
      std::unique_ptr<TimeStepper> scheme;
      double                       step_size = 0; ///< in s; 0 for none
    };

    using Clock = std::chrono::steady_clock;

    static double
    seconds_since(const Clock::time_point start)
    {
      return std::chrono::duration<double>(Clock::now() - start).count();
    }

    std::string
    inequality_report() const;
    void
    prepare_folder() const;
    void
    start();
    void
    resume();
    ExitCode
    step_to_the_end();
    /// Writes a checkpoint where one is due or the run has to stop.
    ExitCode
    obey_requests(bool checkpoint_is_due_here);
    /// One step of the regular size, or as many smaller ones as it takes.
    void
    step();
    /// One step of @p h seconds; returns whether it converged.
    bool
    try_to_advance(double h);
    /// Goes over @p h seconds in smaller steps; an error leaves the state as
    /// it was. The impulses of the state are then those of all these steps.
    void
    refine(double h);
    void
    advance_in_halves(double       h,
                      unsigned int refinement,
                      Vector      &impulses_of_all);
    /// @throws StepTooLong
    void
    set_step_size(double h);
    /// Returns whether the scheme takes steps of @p h seconds on this mesh.
    bool
    prepare_steps(double h);
    /// Makes the scheme ready for the regular step, or for the longest of its
    /// halves that it takes on this mesh.
    void
    prepare_shorter_steps();
    /// Goes on with another mesh where the model has one that suits better.
    void
    adapt_mesh();
    /// Builds everything that knows the model anew. The state is one of
    /// @p other without what the scheme carries.
    void
    exchange_model(std::unique_ptr<MechanicalModel> other);
    bool
    checkpoint_is_due() const;
    void
    write_checkpoint();
    /// What must be alike for a run to continue another one.
    std::string
    identity() const;
    /// What the scheme promised and how that fared, for run.json.
    nlohmann::json
    certificate() const;
    void
    write_run_file(const std::string &status,
                   const std::string &message = "") const;

    const Settings                  &settings;
    const Options                    options;
    const MPI_Comm                   communicator;
    const bool                       is_first_rank;
    const Clock::time_point          start_of_set_up;
    std::unique_ptr<MechanicalModel> model;
    std::unique_ptr<ContactLaw>      law;
    std::unique_ptr<ContactSolver>   contact_solver;
    PreparedScheme                   regular, shorter; ///< steps
    TimeStepper                     *scheme;           ///< the present one
    std::unique_ptr<Ledger>          ledger;
    ContactRecord                    contacts;
    OutputWriter                     output;
    Checkpoints                      checkpoints;
    StopRequest                      stop_request;
    State                            state, next;
    StepReport                       step_report;
    std::string                      missed; ///< contacts in a step
    EnergyPromise                    promise;
    /// The shortest step that the scheme has refused on this mesh.
    double            too_long_step  = std::numeric_limits<double>::infinity();
    double            initial_energy = 0;
    unsigned long     n_linear_iterations = 0;
    unsigned long     n_refinements       = 0;
    unsigned long     n_meshes            = 1;
    unsigned int      first_step          = 0;
    unsigned int      step_at_work        = 0;
    double            set_up_seconds      = 0;
    double            stepping_seconds    = 0;
    double            checkpoint_seconds  = 0;
    unsigned int      n_checkpoints       = 0;     ///< written
    bool              is_between_meshes   = false; ///< parts are of both
    Clock::time_point last_checkpoint;
  };
} // namespace Percuss
