// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/driver/simulation.h>

#include <iostream>
#include <utility>

#include "simulation_json.h"

// Runs that go on: from a checkpoint, and on another mesh.

namespace Percuss
{
  using nlohmann::json;

  /// With a mesh that suits the start, where it adapts: each time cells are
  /// halved once more.
  std::unique_ptr<MechanicalModel>
  Simulation::make_model() const
  {
    auto result = settings.model.build({communicator});
    for (unsigned int i = 0; i < 20; ++i)
      {
        State at_start = result->initial_state();
        auto  adapted  = result->adapt(at_start, [](State &) {});
        if (!adapted)
          break;
        result = std::move(adapted);
      }
    return result;
  }



  void
  Simulation::resume()
  {
    std::string warnings;
    const json  notes =
      checkpoints.read(state, warnings, [this](const json &found) {
        if (found.at("identity") != identity())
          throw Error(
            ExitCode::usage,
            "the checkpoint in '" + options.folder.string() +
              "' is of a run with another model, scheme, contact "
              "law, activation, step size, interpolation of the "
              "history or other columns of the tables; compare with its "
              "parameters.prm.");
        if (!found.contains("mesh"))
          return;
        auto other = model->with_mesh(found.at("mesh"));
        state      = other->initial_state();
        exchange_model(std::move(other));
      });
    if (is_first_rank && !warnings.empty())
      std::cerr << "warning: " << warnings;
    if (state.step > settings.time.n_steps())
      throw Error(ExitCode::usage,
                  settings.tree.origin("time/end time") +
                    ": entry 'time/end time': the checkpoint is later.");
    ledger->restore(notes.at("ledger"), state);
    contacts.restore(notes.at("contacts"));
    output.reopen(notes.at("output"));
    initial_energy      = notes.at("initial_energy");
    n_linear_iterations = notes.at("n_linear_iterations");
    n_refinements       = notes.at("n_refinements");
    n_meshes            = notes.at("n_meshes");
  }



  std::string
  Simulation::identity() const
  {
    return settings.tree.text_of_section("model") +
           settings.tree.text_of_section("scheme") + settings.law.name() +
           settings.tree.value("contact/activation look-ahead") +
           settings.tree.value("contact/activation tolerance") +
           settings.tree.value("contact/activation of approaching contacts "
                               "only") +
           settings.tree.value("time/step size") +
           settings.tree.value("history/interpolation") +
           settings.tree.value("output/probes") +
           settings.tree.value("output/energy limits") +
           settings.tree.value("output/space-time points");
  }



  void
  Simulation::adapt_mesh()
  {
    if (state.step == 0)
      return; // see make_model()
    auto adapted =
      model->adapt(state, [this](State &moving) { scheme->leave(moving); });
    if (!adapted)
      return;
    const Ledger::Memory books  = ledger->memory();
    const Energy         before = ledger->energy();
    is_between_meshes           = true;
    try
      {
        exchange_model(std::move(adapted));
      }
    catch (const EntryError &error)
      {
        throw EntryError(error.path,
                         "on the mesh after step " +
                           std::to_string(state.step) + " " + error.reason);
      }
    ledger->take_over(books, before, state, promise);
    is_between_meshes = false;
    ++n_meshes;
  }



  void
  Simulation::exchange_model(std::unique_ptr<MechanicalModel> other)
  {
    regular = {};
    shorter = {};
    ledger.reset();
    contacts.follow(*other);
    output.follow(*other);
    model         = std::move(other);
    ledger        = std::make_unique<Ledger>(settings.ledger, *model);
    too_long_step = std::numeric_limits<double>::infinity();
    prepare_shorter_steps();
    scheme->arrive(state);
    next = state;
  }



  void
  Simulation::prepare_shorter_steps()
  {
    double h = settings.time.step_size;
    while (!prepare_steps(h))
      h /= 2;
  }



  bool
  Simulation::checkpoint_is_due() const
  {
    const CheckpointParameters &parameters = settings.checkpoint;
    return (parameters.step_interval > 0 &&
            state.step % parameters.step_interval == 0) ||
           (parameters.minute_interval > 0 && is_first_rank &&
            std::chrono::duration<double>(Clock::now() - last_checkpoint)
                .count() > 60 * parameters.minute_interval);
  }



  void
  Simulation::write_checkpoint()
  {
    const auto start = Clock::now();
    json       notes = {{"identity", identity()},
                        {"ledger", ledger->memory()},
                        {"contacts", contacts.memory()},
                        {"output", output.notes()},
                        {"initial_energy", initial_energy},
                        {"n_linear_iterations", n_linear_iterations},
                        {"n_refinements", n_refinements},
                        {"n_meshes", n_meshes}};
    if (const std::string mesh = model->describe_mesh(); !mesh.empty())
      notes["mesh"] = mesh;
    checkpoints.write(state, notes);
    last_checkpoint = Clock::now();
    checkpoint_seconds += seconds_since(start);
    ++n_checkpoints;
  }
} // namespace Percuss
