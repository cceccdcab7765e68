// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/driver/simulation.h>
#include <percuss/driver/version.h>
#include <percuss/output/contact_problem_files.h>
#include <percuss/steppers/delayed_step.h>

#include <deal.II/base/mpi.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <utility>

#include "simulation_json.h"

namespace Percuss
{
  using nlohmann::json;

  namespace
  {
    const char *const problem_folder = "contact_problems";

    /// How long other ranks may take to an error of this one.
    constexpr double seconds_to_arrive = 60;
  } // namespace



  Simulation::Simulation(const Settings &settings,
                         const Options  &options,
                         const MPI_Comm  communicator)
    : settings(settings)
    , options(options)
    , communicator(communicator)
    , is_first_rank(dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
    , start_of_set_up(Clock::now())
    , model(make_model())
    , law(settings.law.build({}))
    , contact_solver(make_contact_solver())
    , regular{make_scheme()}
    , scheme(regular.scheme.get())
    , ledger(std::make_unique<Ledger>(settings.ledger, *model))
    , contacts(*model)
    , output(settings.output, *model, options.folder)
    , checkpoints(options.folder / "checkpoints", communicator)
    , stop_request(options.time_limit, communicator)
    , last_checkpoint(Clock::now())
  {
    check_scheme();
  }



  std::unique_ptr<ContactSolver>
  Simulation::make_contact_solver() const
  {
    auto solver = settings.contact_solver.build(settings.contact_tolerance);
    if (settings.problem_files == "none")
      return solver;
    using Kept                             = ContactProblemFiles::Kept;
    const std::map<std::string, Kept> kept = {{"failed", Kept::failed},
                                              {"hardest", Kept::hardest},
                                              {"all", Kept::all}};
    return std::make_unique<ContactProblemFiles>(
      std::move(solver),
      kept.at(settings.problem_files),
      options.folder / problem_folder,
      [this]() { return step_at_work; });
  }



  std::unique_ptr<TimeStepper>
  Simulation::make_scheme() const
  {
    return with_delays(settings.scheme.build(
                         {*model,
                          *law,
                          *contact_solver,
                          settings.activation,
                          [this](const SparseMatrix &matrix) {
                            return settings.linear_solver.build({matrix});
                          },
                          settings.delassus()}),
                       *model,
                       settings.interpolation(),
                       n_records_of_history());
  }



  void
  Simulation::check_scheme() const
  {
    const auto refuse = [this](const std::string &what,
                               const std::string &instead) {
      throw EntryError("scheme/type",
                       "'" + settings.scheme.name() + "' does not treat " +
                         what + " of the model '" + settings.model.name() +
                         "'; " + instead);
    };
    const bool has_joints = model->constraints() != nullptr;
    if (has_joints && !scheme->treats_joints())
      refuse("the joints",
             "'null space variational', 'variational moreau' and 'position "
             "velocity generalized alpha' do");
    if (!(model->is_linear() && model->contacts().has_constant_directions()) &&
        !scheme->treats_nonlinear_models())
      refuse("the state-dependent mass, forces or contacts",
             has_joints ?
               "'null space variational' and 'variational moreau' do" :
               "'moreau', 'symmetric moreau', 'variational moreau', 'moreau "
               "jean', 'generalized alpha' and 'null space variational' do");
    const unsigned int block = model->contacts().largest_frictional_block();
    if (!law_knows_friction() || block == 1)
      return;
    if (!scheme->treats_friction())
      refuse("the friction",
             std::string("schemes with contacts at velocity level do, for "
                         "example ") +
               (has_joints ? "'null space variational'" : "'moreau jean'"));
    if (block > contact_solver->needs.largest_frictional_block)
      throw EntryError("contact/solver",
                       "'" + settings.contact_solver.name() +
                         "' does not treat friction" +
                         (block == 3 ? " in space" : "") +
                         "; 'automatic' finds a solver that does");
  }



  bool
  Simulation::law_knows_friction() const
  {
    ContactPoint point;
    point.n_directions = 2;
    point.friction     = 1;
    return law->friction(point) > 0;
  }



  std::vector<std::pair<std::string, std::string>>
  Simulation::facts()
  {
    set_step_size(settings.time.step_size);
    auto       facts        = model->facts();
    const auto scheme_facts = scheme->facts();
    facts.emplace_back("possible contacts",
                       std::to_string(model->contacts().size()));
    if (model->contacts().largest_frictional_block() > 1 &&
        !law_knows_friction())
      facts.emplace_back("friction",
                         "ignored by the law '" + settings.law.name() +
                           "'; 'coulomb' knows it");
    facts.insert(facts.end(), scheme_facts.begin(), scheme_facts.end());
    if (model->delays() != nullptr)
      facts.emplace_back("history", describe_history());
    return facts;
  }



  /// Checks the delays of the first million steps; later ones are checked as
  /// the run comes to them.
  std::size_t
  Simulation::n_records_of_history() const
  {
    if (model->delays() == nullptr)
      return 0;
    const Delays      &delays = *model->delays();
    const auto        &all    = delays.all_delays();
    const unsigned int n      = settings.time.n_steps();
    const double       h      = settings.time.step_size;
    const bool         are_constant =
      std::all_of(all.begin(), all.end(), [](const Delays::Delay &delay) {
        return delay.is_constant;
      });
    double longest = 0;
    for (unsigned int k = 0; k <= (are_constant ? 1 : std::min(n, 1000000u));
         ++k)
      {
        delays.check(k * h - h, k * h);
        longest = std::max(longest, delays.longest(k * h));
      }
    // Two more than in the delay, one of the step at hand, and some for halves.
    return static_cast<std::size_t>(std::min<double>(longest / h, n)) + 8;
  }



  std::string
  Simulation::describe_history() const
  {
    using dealii::Utilities::MPI::sum;
    const Delays      &delays = *model->delays();
    const unsigned int n      = delays.n_components();
    const auto         bytes =
      sum(History::memory_of(n_records_of_history(), n), communicator);
    std::ostringstream text;
    text << delays.longest(0) << " s at the start, " << sum(n, communicator)
         << " of " << model->partition()->size() << " components, "
         << static_cast<double>(bytes) / 1e3 << " kB";
    return text.str();
  }



  void
  Simulation::prepare_folder() const
  {
    collectively(communicator, [this]() {
      if (!is_first_rank)
        return;
      Files::create_folder(options.folder);
      std::ostringstream text;
      text << "# Percuss " << version() << ": the complete parameters of "
           << "this run\n";
      for (const std::string &override : settings.tree.overridden())
        text << "# set on the command line: " << override << '\n';
      settings.tree.print(text, false);
      Files::replace(options.folder / "parameters.prm", text.str());
    });
  }



  void
  Simulation::set_step_size(const double h)
  {
    PreparedScheme &chosen = h == settings.time.step_size ? regular : shorter;
    if (chosen.step_size == h && scheme == chosen.scheme.get())
      return;
    if (!chosen.scheme)
      chosen.scheme = make_scheme();
    if (chosen.step_size != h)
      {
        chosen.step_size = 0; // a scheme that refuses is not ready for any
        chosen.scheme->set_step_size(h);
        chosen.step_size = h;
      }
    scheme  = chosen.scheme.get();
    promise = scheme->promise();
  }



  bool
  Simulation::prepare_steps(const double h)
  {
    if (h >= too_long_step)
      return false;
    try
      {
        set_step_size(h);
        return true;
      }
    catch (const StepTooLong &)
      {
        too_long_step = h;
        return false;
      }
  }



  void
  Simulation::warn_of_penetration() const
  {
    const ContactSet &set = model->contacts();
    Vector            gap(set.partition());
    set.place(state.time, state.q);
    set.gaps(state.q, gap);
    double deepest = 0;
    for (const ContactPoint &point : set.points())
      deepest = std::min(deepest, gap.local_element(point.first));
    deepest                = dealii::Utilities::MPI::min(deepest, communicator);
    const double round_off = 1e-12; // in m
    if (is_first_rank &&
        deepest < -std::max(round_off, settings.activation.tolerance))
      std::cerr << "warning: a contact penetrates by " << -deepest
                << " m at the start.\n";
  }



  void
  Simulation::start()
  {
    checkpoints.clear();
    collectively(communicator, [this]() {
      if (is_first_rank)
        std::filesystem::remove_all(options.folder / problem_folder);
    });
    ledger->open(state, promise);
    output.open(state, *ledger, contacts);
  }



  ExitCode
  Simulation::run()
  {
    state          = model->initial_state();
    initial_energy = model->energy(state).total();
    set_step_size(settings.time.step_size);
    scheme->start(state);
    if (options.resume)
      resume();
    prepare_folder();
    if (!options.resume)
      {
        warn_of_penetration();
        start();
      }
    next           = state;
    first_step     = state.step;
    set_up_seconds = seconds_since(start_of_set_up);
    write_run_file("running");
    try
      {
        const ExitCode code = step_to_the_end();
        if (code == ExitCode::done)
          write_checkpoint(); // to go on from with a later end time
        output.close();
        write_run_file(code == ExitCode::done ? "done" : "stopped");
        return code;
      }
    catch (const Error &error)
      {
        // Where others wait for this rank elsewhere the program must end.
        if (error.code != ExitCode::io &&
            !all_ranks_arrive(communicator, seconds_to_arrive))
          throw;
        if (is_between_meshes) // the checkpoint before is the last good one
          throw;
        // The present state is the last good one.
        if (error.code != ExitCode::io)
          {
            write_checkpoint();
            output.close();
          }
        try
          {
            write_run_file("failed", error.what());
          }
        catch (const Error &)
          {
            // A full disk; the first error is the one to report.
          }
        throw;
      }
  }



  ExitCode
  Simulation::step_to_the_end()
  {
    const auto         start_of_stepping = Clock::now();
    const unsigned int n_steps           = settings.time.n_steps();
    Progress progress(is_first_rank && options.show_progress, state.step);
    last_checkpoint = Clock::now();
    ExitCode code   = obey_requests(false); // since the start of the set-up
    while (state.step < n_steps && code == ExitCode::done)
      {
        adapt_mesh();
        step();
        output.write(next, state, *ledger, contacts); // they were swapped
        if (progress.is_due())
          progress.show({state.step,
                         n_steps,
                         state.time,
                         step_report.n_active,
                         (ledger->energy().total() - initial_energy) /
                           ledger->energy_scale()});
        code = obey_requests(checkpoint_is_due());
      }
    progress.finish();
    stepping_seconds = seconds_since(start_of_stepping);
    return code;
  }



  ExitCode
  Simulation::obey_requests(const bool checkpoint_is_due_here)
  {
    const StopRequest::Action action =
      stop_request.poll(checkpoint_is_due_here);
    if (action != StopRequest::Action::go_on)
      write_checkpoint();
    return action == StopRequest::Action::stop &&
               state.step < settings.time.n_steps() ?
             ExitCode::stopped :
             ExitCode::done;
  }



  void
  Simulation::step()
  {
    const unsigned int number = state.step + 1;
    step_at_work              = number;
    if (!try_to_advance(settings.time.step_size))
      refine(settings.time.step_size);
    state.step = number;
    state.time = number * settings.time.step_size;
  }



  bool
  Simulation::try_to_advance(const double h)
  {
    step_report = {};
    missed.clear();
    if (!prepare_steps(h))
      return false;
    scheme->advance(state, next, step_report);
    n_linear_iterations += step_report.n_linear_iterations;
    missed = step_report.converged ? model->missed_contacts(state, next) : "";
    if (!step_report.converged || !missed.empty())
      return false;
    ledger->record(state, next, step_report, promise);
    contacts.record(state, next, step_report);
    state.swap(next);
    if (model->delays() != nullptr)
      model->delays()->remember(next, state); // they were swapped
    return true;
  }



  void
  Simulation::refine(const double h)
  {
    const State                 state_before    = state;
    const Ledger::Memory        ledger_before   = ledger->memory();
    const ContactRecord::Memory contacts_before = contacts.memory();
    Vector                      impulses_of_all(impulses(state));
    impulses_of_all = 0.;
    try
      {
        advance_in_halves(h, 1, impulses_of_all);
        state.memory.front().values.swap(impulses_of_all);
      }
    catch (const Error &)
      {
        state = state_before;
        ledger->restore(ledger_before, state);
        contacts.restore(contacts_before);
        throw;
      }
  }



  void
  Simulation::advance_in_halves(const double       h,
                                const unsigned int refinement,
                                Vector            &impulses_of_all)
  {
    if (refinement > settings.time.largest_refinement && !missed.empty())
      throw Error(ExitCode::invariant, missed);
    if (refinement > settings.time.largest_refinement)
      {
        std::ostringstream message;
        message << "no convergence in step " << step_at_work
                << ", t = " << state.time << " s, with the smallest step " << h
                << " s: "
                << (h >= too_long_step ?
                      "the scheme needs shorter ones on this mesh." :
                    !step_report.is_finite ?
                      "forces, mass or joints of the model are not finite "
                      "numbers." :
                    !step_report.delays_converged ?
                      "the iteration of delays shorter than the step did not "
                      "converge." :
                    !step_report.contact.converged ?
                      "the contact solver did not converge." :
                    model->constraints() != nullptr ?
                      "the iteration of the joints and contacts did not "
                      "converge." :
                      "the linear solver or the iteration of the contacts did "
                      "not converge.");
        throw Error(ExitCode::solver, message.str());
      }
    ++n_refinements;
    for (unsigned int half = 0; half < 2; ++half)
      {
        if (try_to_advance(h / 2))
          impulses_of_all += impulses(state);
        else
          advance_in_halves(h / 2, refinement + 1, impulses_of_all);
      }
  }
} // namespace Percuss
