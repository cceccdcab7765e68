// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <cstdio>
#include <string>
#include <vector>

#include "solid_block.h"

// What linear solvers make of the matrix of a step of a solid,
// S = M + h^2/4 K for a steel cube of hexahedra: set-up, iterations and time of
// a solve for a load without order, to a residual of 1e-11. In brackets what
// "automatic" chooses. Of degree 2 large matrices are products from cell to
// cell for Jacobi and Chebyshev, and assembled for the others, in their set-up.
//
// Usage: linear_solver_table [TRIES] [LARGEST NUMBER OF UNKNOWNS] [DEGREE]

namespace Percuss::Test
{
  namespace
  {
    struct Method
    {
      std::string name;
      Overrides   overrides;
    };

    Method
    conjugate_gradients(const std::string &preconditioner)
    {
      return {preconditioner,
              {"linear solver/type=cg",
               "linear solver/cg/tolerance=1e-11",
               "linear solver/cg/maximum iterations=2000",
               "linear solver/cg/preconditioner=" + preconditioner}};
    }

    const std::vector<Method> methods = {conjugate_gradients("jacobi"),
                                         conjugate_gradients("chebyshev"),
                                         conjugate_gradients("icc"),
                                         conjugate_gradients("gamg"),
                                         conjugate_gradients("hypre"),
                                         {"direct",
                                          {"linear solver/type=direct"}}};

    void
    measure(const SparseMatrix &S,
            const Method       &method,
            const unsigned int  n_tries)
    {
      Settings settings;
      assign(settings, "", method.overrides);
      const auto   start  = Clock::now();
      const auto   solver = settings.linear_solver.build({S});
      const double set_up = seconds_since(start);
      Vector       b(S.partition()), x(S.partition());
      for (unsigned int i = 0; i < b.size(); ++i)
        b(i) = std::sin(static_cast<double>(i));
      LinearReport report;
      const double seconds = least(n_tries, [&]() {
        const auto begin = Clock::now();
        report           = solver->solve(b, x);
        return seconds_since(begin);
      });
      std::printf(" %7.4f s %4u it %6.2f s%s |",
                  seconds,
                  report.n_iterations,
                  set_up,
                  report.converged ? "" : " failed");
    }

    void
    print_row(const SteelBlock &block, const unsigned int n_tries)
    {
      const double cfl     = block.cfl;
      const bool   is_free = block.degree > 1;
      Settings     settings;
      assign(settings, SteelBlock::file, block.overrides());
      const auto   model = settings.model.build({MPI_COMM_SELF});
      const double h     = block.step_size();
      const auto   S     = model->assemble(1, 0, h * h / 4);
      std::printf("| %6u | %3.0f |", S->partition()->size(), cfl);
      for (const Method &method : methods)
        if (method.name == "direct" && cfl > 1 && block.n_cells > 25)
          std::printf(" as above |"); // for half a minute each
        else if ((method.name == "direct" || method.name == "hypre") && is_free)
          std::printf(" |"); // for minutes
        else
          measure(*S, method, n_tries);
      std::printf(" %s |\n",
                  settings.linear_solver.build({*S})->description().c_str());
    }
  } // namespace
} // namespace Percuss::Test



int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize initialization(argc, argv, 1);
  const int n_tries = argc > 1 ? std::atoi(argv[1]) : 3;
  const int largest = argc > 2 ? std::atoi(argv[2]) : 110000;
  const int degree  = argc > 3 ? std::atoi(argv[3]) : 0;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf(
    "Processor time of a solve, iterations, set-up; least of %d tries\n"
    "| unknowns | CFL |",
    n_tries);
  for (const auto &method : Percuss::Test::methods)
    std::printf(" %s |", method.name.c_str());
  std::printf(" automatic chooses |\n|---|---|---|---|---|---|---|---|---|\n");
  using Percuss::Test::SteelBlock;
  for (const SteelBlock block : {SteelBlock{9, 1},
                                 SteelBlock{14, 1},
                                 SteelBlock{25, 1},
                                 SteelBlock{32, 1},
                                 SteelBlock{11, 2},
                                 SteelBlock{16, 2}})
    for (const double cfl : {1., 10., 100.})
      if (3 * std::pow(block.n_cells * block.degree + 1, 3) <= largest &&
          (degree == 0 || degree == static_cast<int>(block.degree)))
        Percuss::Test::print_row({block.n_cells, block.degree, cfl},
                                 static_cast<unsigned int>(n_tries));
  return 0;
}
