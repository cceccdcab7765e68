// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/constrained_solver.h>

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "../tools.h"

// What a step of the three-bar swing costs, ledger on and without fields: how
// the time grows with the number of beam elements, and what the treatments of
// the joints differ in. "multibody_cost 1000" goes up to 1000 elements.

namespace Percuss::Test
{
  namespace
  {
    const std::string swing = "benchmark/three_bar_swing.prm";

    const std::vector<std::pair<std::string, JointTreatment>> treatments = {
      {"multipliers", JointTreatment::multipliers},
      {"null space", JointTreatment::projection},
      {"null space with reparametrisation", JointTreatment::reparametrisation}};

    /// Seconds of a step, the least of three runs of 20 steps.
    double
    seconds_of_step(const unsigned int n_elements,
                    const std::string &scheme,
                    const std::string &treatment)
    {
      double least = std::numeric_limits<double>::max();
      for (unsigned int i = 0; i < 3; ++i)
        {
          const FinishedRun run(swing,
                                {"model/multibody/bodies/bar/elements=" +
                                   std::to_string(n_elements),
                                 "time/step size=1e-4",
                                 "time/end time=2e-3",
                                 "scheme/type=" + scheme,
                                 "scheme/" + scheme + "/joints=" + treatment},
                                MPI_COMM_WORLD);
          least = std::min(least,
                           run.simulation->stepping_time() /
                             run.simulation->final_state().step);
        }
      return least;
    }

    /// Of the matrix M/h + h/4 K of a step, with its joints, at the start.
    double
    condition_number(const double h, const JointTreatment treatment)
    {
      const Parts  parts(swing, {"model/multibody/bodies/bar/elements=8"});
      const auto  &model = *parts.model;
      const State  state = model.initial_state();
      auto         S     = model.make_tangent();
      const double K     = -h / 4;
      model.add_derivative(
        Term::momentum, Argument::velocity, {0, state.q, state.v}, 1 / h, *S);
      model.add_derivative(
        Term::force, Argument::position, {0, state.q, state.v}, K, *S);
      const ConstrainedSolver solver(model, treatment);
      if (!solver.factorize(*S, state.q, state.q))
        return std::numeric_limits<double>::infinity();
      const SparseMatrix::Rows        &rows = solver.factorized_rows();
      const unsigned int               n    = solver.n_rows();
      dealii::LAPACKFullMatrix<double> matrix(n, n);
      for (unsigned int i = 0; i < n; ++i)
        for (PetscInt k = rows.start[i]; k < rows.start[i + 1]; ++k)
          matrix(i, rows.columns[k]) = rows.values[k];
      matrix.compute_svd();
      return matrix.singular_value(0) / matrix.singular_value(n - 1);
    }

    void
    print_growth(const unsigned int most_elements)
    {
      std::printf("%-36s %9s %12s %16s\n",
                  "scheme",
                  "elements",
                  "ms per step",
                  "us per element");
      for (const std::string scheme : {"null space variational",
                                       "energy momentum",
                                       "position velocity generalized alpha"})
        for (unsigned int n = 10; n <= most_elements; n *= 10)
          {
            const double seconds =
              seconds_of_step(n, scheme, treatments.back().first);
            if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
              std::printf("%-36s %9u %12.3f %16.2f\n",
                          scheme.c_str(),
                          n,
                          1e3 * seconds,
                          1e6 * seconds / n);
          }
    }

    void
    print_treatments()
    {
      std::printf("\nnull space variational, 32 elements; condition numbers "
                  "with 8 elements\n%-36s %9s %12s %12s %12s %12s\n",
                  "joints",
                  "unknowns",
                  "ms per step",
                  "h = 1e-2 s",
                  "h = 1e-3 s",
                  "h = 1e-4 s");
      const Parts parts(swing, {});
      for (const auto &[name, treatment] : treatments)
        std::printf("%-36s %9u %12.3f %12.1e %12.1e %12.1e\n",
                    name.c_str(),
                    ConstrainedSolver(*parts.model, treatment).n_rows(),
                    1e3 * seconds_of_step(32, "null space variational", name),
                    condition_number(1e-2, treatment),
                    condition_number(1e-3, treatment),
                    condition_number(1e-4, treatment));
    }
  } // namespace
} // namespace Percuss::Test



int
main(int argc, char *argv[])
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  Percuss::Test::print_growth(argc > 1 ? std::stoul(argv[1]) : 1000);
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    Percuss::Test::print_treatments();
}
