// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/driver/settings.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <iostream>

using namespace Percuss;

namespace
{
  /// A ball that falls for 0.3 s from 1 m, step by step.
  State
  fall(const Settings &settings)
  {
    const auto model  = settings.model.build({MPI_COMM_SELF});
    const auto law    = settings.law.build({});
    const auto solver = settings.contact_solver.build({});
    const auto scheme =
      settings.scheme.build({*model,
                             *law,
                             *solver,
                             settings.activation,
                             [&](const SparseMatrix &matrix) {
                               return settings.linear_solver.build({matrix});
                             }});
    State begin = model->initial_state();
    scheme->set_step_size(settings.time.step_size);
    scheme->start(begin);
    State end = begin;
    for (unsigned int step = 0; step < settings.time.n_steps(); ++step)
      {
        StepReport report;
        scheme->advance(begin, end, report);
        if (!report.converged)
          break;
        begin.swap(end);
      }
    return begin;
  }
} // namespace



int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  bool is_good = !Registry<TimeStepper>::names().empty();
  for (const std::string &name : Registry<TimeStepper>::names())
    {
      Settings settings;
      settings.tree.assign({},
                           {{"model/type", "ball", "main"},
                            {"scheme/type", name, "main"},
                            {"time/step size", "1e-3", "main"},
                            {"time/end time", "0.3", "main"}});
      if (name == "redistributed mass newmark")
        continue; // refuses a ball, which has mass at its contact
      const State  state  = fall(settings);
      const double exact  = 1 - 0.5 * 9.81 * state.time * state.time;
      const double height = state.q.local_element(0);
      // Schatzman-Paoli starts without a half kick: an error of g t h / 2.
      const double error =
        name == "schatzman paoli" || name == "delayed moreau" ?
          0.51 * 9.81 * 0.3 * 1e-3 :
          1e-9;
      const bool is_exact =
        std::abs(height - exact) < error && std::abs(state.time - 0.3) < 1e-12;
      std::cout << name << ": height " << height << " m, exact " << exact
                << " m" << (is_exact ? "" : ": wrong") << '\n';
      is_good = is_good && is_exact;
    }
  return is_good ? 0 : 1;
}
