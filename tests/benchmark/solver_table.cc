// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>

#include <deal.II/base/mpi.h>

#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "shared/rigid_bodies.h"

// Every contact solver on random problems of several kinds: mean iterations,
// problems that it does not solve, and microseconds. Argument: how many
// problems of each kind, 1000 without it.

namespace
{
  using namespace Percuss;

  using Clock = std::chrono::steady_clock;

  struct Kind
  {
    std::string      name;
    Test::RandomKind random;
  };

  const std::vector<Kind> kinds = {
    {"plane, mu <= 1, 10 contacts", {10, 2, 1}},
    {"plane, mu <= 2, 4 contacts", {4, 2, 2}},
    {"plane, not symmetric, 5 contacts", {5, 2, 1, false, false}},
    {"plane, redundant, 8 contacts", {8, 2, 1, true}},
    {"space, mu <= 1, 5 contacts", {5, 3, 1}},
    {"space, mu <= 0.5, 20 contacts", {20, 3, 0.5}},
    {"space, not symmetric, 5 contacts", {5, 3, 1, false, false}},
    {"space, redundant, 8 contacts", {8, 3, 1, true}},
    {"space, redundant, mu <= 2, 8 contacts", {8, 3, 2, true}},
    {"no friction, 12 contacts", {12, 1, 0}},
    {"no friction, redundant, 12 contacts", {12, 1, 0, true}}};

  /// What a solver did with the problems of a kind.
  struct Result
  {
    unsigned int  n_failed     = 0;
    unsigned long n_iterations = 0;
    double        seconds      = 0;
    std::string   refusal;
  };

  Result
  measure(const ContactSolver &solver,
          const ContactLaw    &law,
          const Kind          &kind,
          const unsigned int   n_problems)
  {
    Result result;
    for (unsigned int seed = 0; seed < n_problems && result.refusal.empty();
         ++seed)
      {
        std::mt19937            generator(seed);
        const Test::RigidBodies bodies =
          Test::random_bodies(kind.random, generator);
        const ContactProblem problem = bodies.problem(law);
        result.refusal               = solver.refusal(problem);
        if (!result.refusal.empty())
          break;
        Vector     lambda(bodies.partition);
        const auto start  = Clock::now();
        const auto report = solver.solve(problem, lambda);
        result.seconds +=
          std::chrono::duration<double>(Clock::now() - start).count();
        result.n_iterations += report.n_iterations;
        result.n_failed += !report.converged;
      }
    return result;
  }
} // namespace



int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const unsigned int                             n_problems =
    argc > 1 ? static_cast<unsigned int>(std::atoi(argv[1])) : 1000;
  const auto law =
    Registry<ContactLaw>::plugins().at("coulomb").make_builder()->build({});
  for (const Kind &kind : kinds)
    {
      std::cout << kind.name << ", " << n_problems << " problems\n"
                << "  solver                iterations  failed  us\n";
      for (const auto &[name, plugin] : Registry<ContactSolver>::plugins())
        {
          const auto   solver = plugin.make_builder()->build({});
          const Result result = measure(*solver, *law, kind, n_problems);
          std::cout << "  " << std::left << std::setw(22) << name;
          if (!result.refusal.empty())
            std::cout << result.refusal << '\n';
          else
            std::cout << std::right << std::fixed << std::setprecision(1)
                      << std::setw(10)
                      << static_cast<double>(result.n_iterations) / n_problems
                      << std::setw(8) << result.n_failed << std::setw(9)
                      << 1e6 * result.seconds / n_problems << '\n';
        }
    }
}
