// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/updatable_solver.h>

#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "solid_block.h"

namespace Percuss::Test
{
  /// Measures the time within another solver.
  class TimedSolver : public UpdatableSolver
  {
  public:
    TimedSolver(std::unique_ptr<LinearSolver> solver, double &seconds)
      : solver(std::move(solver))
      , seconds(seconds)
    {}

    LinearReport
    solve(const Vector &b, Vector &x) const override
    {
      const auto         start  = Clock::now();
      const LinearReport report = solver->solve(b, x);
      seconds += seconds_since(start);
      return report;
    }

    LinearReport
    improve(const Vector &b, Vector &x) const override
    {
      const auto         start  = Clock::now();
      const LinearReport report = solver->improve(b, x);
      seconds += seconds_since(start);
      return report;
    }

    void
    precondition(const Vector &r, Vector &z) const override
    {
      const auto start = Clock::now();
      solver->precondition(r, z);
      seconds += seconds_since(start);
    }

    bool
    update() override
    {
      const auto start  = Clock::now();
      const bool result = dynamic_cast<UpdatableSolver &>(*solver).update();
      seconds += seconds_since(start);
      return result;
    }

    bool
    is_iterative() const override
    {
      return solver->is_iterative();
    }

    std::string
    description() const override
    {
      return solver->description();
    }

  private:
    const std::unique_ptr<LinearSolver> solver;
    double                             &seconds;
  };



  /// In kB, from the system's page on this process.
  inline double
  memory(const std::string &name)
  {
    std::ifstream page("/proc/self/status");
    std::string   word;
    double        value = 0;
    while (page >> word)
      if (word == name + ":")
        {
          page >> value;
          break;
        }
    return value;
  }

  /// The peak of the memory is from now on that of what follows, without
  /// what the run before has left.
  inline void
  forget_peak_of_memory()
  {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
  }



  inline Overrides
  both(Overrides first, const Overrides &second)
  {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }



  /// Of a step, in s.
  struct Cost
  {
    double       step = 0, solve = 0, ledger = 0;
    unsigned int n_iterations = 0; ///< of linear solvers
    unsigned int least_active = 0, most_active = 0;
    bool         converged = true;
  };

  /// A run whose parts are timed.
  class Stepping
  {
  public:
    Stepping(const SteelBlock &block, const Overrides &more);
    Stepping(const std::string &file, const Overrides &overrides);

    /// Makes steps and returns the mean of those from @p first on.
    Cost
    run(unsigned int first, unsigned int n_steps);

    unsigned int
    n_dofs() const
    {
      return model->partition()->size();
    }

    /// What the scheme says that its solver does.
    std::string
    solver_description() const
    {
      return scheme->linear_solver_description();
    }

    double set_up = 0, peak_memory = 0; ///< in s and kB, of set-up and steps

  private:
    void
    step(Cost &cost);

    double                           solve_seconds = 0;
    double                           memory_before = 0; ///< in kB
    Settings                         settings;
    std::unique_ptr<MechanicalModel> model;
    std::unique_ptr<ContactLaw>      law;
    std::unique_ptr<ContactSolver>   contact_solver;
    std::unique_ptr<TimeStepper>     scheme;
    std::unique_ptr<Ledger>          ledger;
    State                            state, next;
  };



  inline Stepping::Stepping(const SteelBlock &block, const Overrides &more)
    : Stepping(SteelBlock::file, both(block.overrides(), more))
  {}



  inline Stepping::Stepping(const std::string &file, const Overrides &overrides)
  {
    forget_peak_of_memory();
    memory_before    = memory("VmRSS");
    const auto start = Clock::now();
    assign(settings, file, overrides);
    model          = settings.model.build({MPI_COMM_SELF});
    law            = settings.law.build({});
    contact_solver = settings.contact_solver.build(settings.contact_tolerance);
    scheme         = settings.scheme.build({*model,
                                            *law,
                                            *contact_solver,
                                            settings.activation,
                                            [this](const SparseMatrix &matrix) {
                                      return std::make_unique<TimedSolver>(
                                        settings.linear_solver.build({matrix}),
                                        solve_seconds);
                                    },
                                            settings.delassus()});
    scheme->set_step_size(settings.time.step_size);
    ledger = std::make_unique<Ledger>(settings.ledger, *model);
    state  = model->initial_state();
    scheme->start(state);
    ledger->open(state, scheme->promise());
    next   = state;
    set_up = seconds_since(start);
  }



  inline void
  Stepping::step(Cost &cost)
  {
    StepReport report;
    solve_seconds    = 0;
    const auto start = Clock::now();
    scheme->advance(state, next, report);
    const auto middle = Clock::now();
    ledger->record(state, next, report, scheme->promise());
    cost.step += seconds_since(start);
    cost.ledger += seconds_since(middle);
    cost.solve += solve_seconds;
    cost.n_iterations += report.n_linear_iterations;
    cost.converged &= report.converged;
    cost.least_active = std::min(cost.least_active, report.n_active);
    cost.most_active  = std::max(cost.most_active, report.n_active);
    state.swap(next);
  }



  inline Cost
  Stepping::run(const unsigned int first, const unsigned int n_steps)
  {
    Cost before, cost;
    for (unsigned int i = 0; i < first; ++i)
      step(before);
    cost.least_active = std::numeric_limits<unsigned int>::max();
    for (unsigned int i = first; i < n_steps; ++i)
      step(cost);
    cost.step /= n_steps - first;
    cost.solve /= n_steps - first;
    cost.ledger /= n_steps - first;
    cost.n_iterations /= n_steps - first;
    cost.converged &= before.converged;
    peak_memory = memory("VmHWM") - memory_before;
    return cost;
  }
} // namespace Percuss::Test
