// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/files.h>
#include <percuss/driver/simulation.h>
#include <percuss/driver/version.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <iomanip>
#include <sstream>

#include "simulation_json.h"

// What a run says of itself: run.json and the last lines on the terminal.

namespace Percuss
{
  using nlohmann::json;

  std::map<std::string, double>
  Simulation::final_values() const
  {
    const ContactRecord::Totals  &totals = contacts.totals();
    std::map<std::string, double> values = {
      {"final time", state.time},
      {"initial energy", initial_energy},
      {"final energy", ledger->energy().total()},
      {"final mean velocity", model->mean_velocity(state)},
      {"contact impulse", totals.impulse},
      {"contact steps", static_cast<double>(totals.n_contact_steps)},
      {"max penetration", totals.max_penetration}};
    if (totals.n_contact_steps > 0)
      {
        values["first contact"] = totals.first_contact;
        values["last contact"]  = totals.last_contact;
        values["mean contact force"] =
          totals.impulse / (totals.last_contact - totals.first_contact +
                            settings.time.step_size);
      }
    return values;
  }



  json
  Simulation::certificate() const
  {
    json hypotheses = json::object();
    for (const auto &hypothesis : promise.hypotheses)
      hypotheses[hypothesis.text] = hypothesis.holds;
    json result                    = ledger->inequality();
    result["promises_dissipation"] = promise.promises_dissipation;
    result["algorithmic_energy"]   = promise.algorithmic_energy;
    result["hypotheses"]           = hypotheses;
    if (!promise.promises_dissipation)
      return result;
    json &of_a_step = result["hypotheses_of_a_step"] = json::array();
    if (promise.needs_approach)
      of_a_step.push_back("u_k <= 0");
    if (promise.needs_admissible_start)
      of_a_step.push_back("g(q_k) >= 0");
    if (model->has_damping())
      of_a_step.push_back("work of damping <= 0");
    if (promise.storage != 0)
      of_a_step.push_back("step size of the step before");
    return result;
  }



  namespace
  {
    /// The most that the processes ever had, added up, in MB.
    double
    peak_memory(const MPI_Comm communicator)
    {
      dealii::Utilities::System::MemoryStats stats;
      dealii::Utilities::System::get_memory_stats(stats);
      return dealii::Utilities::MPI::sum(static_cast<double>(stats.VmHWM) *
                                           1.024e-3,
                                         communicator);
    }
  } // namespace



  void
  Simulation::write_run_file(const std::string &status,
                             const std::string &message) const
  {
    const auto values = final_values();
    json       run    = {{"percuss", version()},
                         {"libraries", library_versions()},
                         {"command", options.command},
                         {"status", status},
                         {"ranks",
                          dealii::Utilities::MPI::n_mpi_processes(communicator)},
                         {"model", settings.model.name()},
                         {"scheme", settings.scheme.name()},
                         {"degrees_of_freedom", model->partition()->size()},
                         {"linear_solver", scheme->linear_solver_description()},
                         {"contact_solver", contact_solver->description()},
                         {"steps", state.step},
                         {"steps_of_this_session", state.step - first_step},
                         {"halved_steps", n_refinements},
                         {"meshes", n_meshes},
                         {"linear_iterations", n_linear_iterations},
                         {"contact_iterations", contacts.totals().n_iterations},
                         {"worst_contact_residual", contacts.totals().worst_residual},
                         {"worst_energy_residual", ledger->worst_residual()},
                         {"set_up_seconds", set_up_seconds},
                         {"stepping_seconds", stepping_seconds},
                         {"checkpoints",
                          {{"written", n_checkpoints}, {"seconds", checkpoint_seconds}}},
                         {"pictures",
                          {{"written", output.pictures().n},
                           {"seconds", output.pictures().seconds}}},
                         {"peak_memory_MB", peak_memory(communicator)},
                         {"certificate", certificate()},
                         {"final_values", values}};
    if (const auto products = model->operator_description(); !products.empty())
      run["operator"] = products;
    if (const auto delassus = scheme->delassus_description(); !delassus.empty())
      run["delassus_matrix"] = delassus;
    if (!message.empty())
      run["message"] = message;
    if (model->constraints() != nullptr)
      run["worst_joint_violations"] = ledger->worst_joints();
    for (const ExactValue &exact : model->exact_values(state.time))
      {
        run["exact_values"][exact.name] = exact.value;
        run["exact_units"][exact.name]  = exact.unit;
      }
    collectively(communicator, [&]() {
      if (is_first_rank)
        Files::replace(options.folder / "run.json", run.dump(2) + '\n');
    });
  }



  /// How the promised inequality fared, in a sentence.
  std::string
  Simulation::inequality_report() const
  {
    const Ledger::Inequality &found = ledger->inequality();
    const auto                steps = [](const unsigned long n) {
      return std::to_string(n) + (n == 1 ? " step" : " steps");
    };
    const std::map<std::string, std::string> names = {
      {"E", "the energy"},
      {"K", "the algorithmic energy K"},
      {"H", "the algorithmic energy H"}};
    std::ostringstream text;
    text << std::setprecision(2);
    const std::string energy = names.at(promise.algorithmic_energy);
    if (promise.promises_dissipation && found.n_steps_within > 0)
      text << "as promised, " << energy << " never grew by more than the work ("
           << steps(found.n_steps_within) << ")";
    else
      text << "no promise that " << energy
           << " does not grow by more than the work";
    if (found.n_steps_outside == 0)
      return text.str();
    text << "; "
         << (found.n_steps_within > 0 ? "outside the hypotheses (" +
                                          steps(found.n_steps_outside) + ") " :
                                        "")
         << (found.n_gains == 0 ? "it never did" :
                                  "it did in " + steps(found.n_gains));
    if (found.n_gains > 0)
      text << ", by at most " << found.largest_gain << " J";
    return text.str();
  }



  std::string
  Simulation::report() const
  {
    std::ostringstream text;
    const auto         values = final_values();
    const auto         exact  = model->exact_values(state.time);
    text << std::setprecision(6);
    for (const ExactValue &item : exact)
      if (const auto found = values.find(item.name); found != values.end())
        {
          text << "  " << std::left << std::setw(22) << item.name
               << std::setw(14) << found->second << "exact " << std::setw(14)
               << item.value << std::setw(5) << item.unit;
          if (item.value != 0)
            text << "(" << std::showpos
                 << 100 * (found->second / item.value - 1) << std::noshowpos
                 << " %)";
          text << '\n';
        }
    text << "  energy " << values.at("initial energy") << " J -> "
         << values.at("final energy") << " J, balance closed to "
         << ledger->worst_residual() << " in every step\n";
    text << "  " << inequality_report() << '\n';
    return text.str();
  }
} // namespace Percuss
