// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/adaptive_relaxation.h>
#include <percuss/contact/contact_blocks.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/solver_parameters.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// Block Gauss-Seidel as in `projection`, distributed: each rank keeps its
    /// own contacts and sweeps over them. Ranks whose contacts do not feel each
    /// other have the same colour and sweep at once; colour after colour uses
    /// the newest impulses. So it converges as on one rank, and all ranks are
    /// busy where few neighbours are coupled.
    class GaussSeidel : public ContactSolver
    {
    public:
      using Parameters = SweepParameters;

      GaussSeidel(const Parameters &parameters, const Context &context)
        : ContactSolver("gauss seidel",
                        {SolverNeeds::Form::matrix, false, largest_block},
                        context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const Parameters parameters;
    };



    /// The colour of each rank, given which ranks it feels: the smallest that
    /// no neighbour before it has. The same on all ranks.
    std::vector<unsigned int>
    colours(std::vector<std::vector<unsigned int>> neighbours)
    {
      const auto n_ranks = static_cast<unsigned int>(neighbours.size());
      for (unsigned int rank = 0; rank < n_ranks; ++rank)
        for (const unsigned int other : neighbours[rank])
          neighbours[other].push_back(rank); // feeling is not mutual for all W
      std::vector<unsigned int> result(n_ranks);
      for (unsigned int rank = 0; rank < n_ranks; ++rank)
        {
          std::vector<bool> is_taken(n_ranks + 1);
          for (const unsigned int other : neighbours[rank])
            if (other < rank)
              is_taken[result[other]] = true;
          while (is_taken[result[rank]])
            ++result[rank];
        }
      return result;
    }



    /// This rank's rows. Their columns count the own rows first, then those of
    /// other ranks that they feel.
    class LocalRows
    {
    public:
      LocalRows(const ContactProblem &problem, const Vector &lambda);

      /// One sweep over the contacts of all ranks. Returns the largest change
      /// of a velocity on all ranks, in m/s. Collective.
      double
      sweep(double relaxation);

      void
      get_impulses(Vector &to) const
      {
        std::copy_n(rows.lambda.begin(), to.locally_owned_size(), to.begin());
      }

    private:
      /// Sends the impulses of own rows to those who feel them.
      void
      exchange();

      /// The numbers of ranks of a colour that sweep before the next.
      void
      find_colours();

      GatheredProblem                rows;
      std::unique_ptr<ContactBlocks> blocks;
      Vector                         shared; ///< impulses with those of others
      unsigned int                   colour = 0, n_colours = 1;
    };



    LocalRows::LocalRows(const ContactProblem &problem, const Vector &lambda)
    {
      const auto &all    = problem.W.matrix()->rows();
      const auto  range  = problem.W.partition()->local_range();
      const auto  is_own = [&range](const PetscInt column) {
        return column >= static_cast<PetscInt>(range.first) &&
               column < static_cast<PetscInt>(range.second);
      };
      dealii::IndexSet own(problem.W.partition()->size());
      dealii::IndexSet others(problem.W.partition()->size());
      own.add_range(range.first, range.second);
      std::vector<dealii::types::global_dof_index> felt;
      for (const PetscInt column : all.columns)
        if (!is_own(column))
          felt.push_back(static_cast<dealii::types::global_dof_index>(column));
      std::sort(felt.begin(), felt.end());
      others.add_indices(felt.begin(), felt.end());
      shared.reinit(own, others, lambda.get_mpi_communicator());
      // Own columns first: they ascend in each row.
      for (std::size_t row = 0; row + 1 < all.start.size(); ++row)
        {
          for (const bool wanted : {true, false})
            for (PetscInt k = all.start[row]; k < all.start[row + 1]; ++k)
              if (is_own(all.columns[k]) == wanted)
                {
                  rows.columns.push_back(
                    shared.get_partitioner()->global_to_local(
                      static_cast<dealii::types::global_dof_index>(
                        all.columns[k])));
                  rows.values.push_back(all.values[k]);
                }
          rows.row_start.push_back(
            static_cast<unsigned int>(rows.columns.size()));
        }
      rows.b.assign(problem.b.begin(), problem.b.end());
      rows.lambda.assign(lambda.begin(), lambda.end());
      rows.lambda.resize(lambda.locally_owned_size() +
                         shared.get_partitioner()->n_ghost_indices());
      for (const unsigned int contact : problem.active)
        rows.points.push_back(problem.points[contact]);
      blocks = std::make_unique<ContactBlocks>(problem.law, rows);
      find_colours();
      exchange();
    }



    void
    LocalRows::find_colours()
    {
      std::vector<unsigned int> neighbours;
      for (const auto &target : shared.get_partitioner()->ghost_targets())
        neighbours.push_back(target.first);
      const MPI_Comm communicator = shared.get_mpi_communicator();
      const auto     of_ranks =
        colours(dealii::Utilities::MPI::all_gather(communicator, neighbours));
      colour = of_ranks[dealii::Utilities::MPI::this_mpi_process(communicator)];
      n_colours = 1 + *std::max_element(of_ranks.begin(), of_ranks.end());
    }



    void
    LocalRows::exchange()
    {
      const unsigned int n = shared.locally_owned_size();
      shared.zero_out_ghost_values();
      std::copy_n(rows.lambda.begin(), n, shared.begin());
      shared.update_ghost_values();
      for (unsigned int i = n; i < rows.lambda.size(); ++i)
        rows.lambda[i] = shared.local_element(i);
    }



    double
    LocalRows::sweep(const double relaxation)
    {
      double change = 0;
      for (unsigned int turn = 0; turn < n_colours; ++turn)
        {
          if (turn == colour)
            change = blocks->sweep(relaxation, rows.lambda);
          exchange();
        }
      return dealii::Utilities::MPI::max(change, shared.get_mpi_communicator());
    }



    unsigned int
    GaussSeidel::run(const ContactProblem &problem, Vector &lambda) const
    {
      LocalRows          rows(problem, lambda);
      AdaptiveRelaxation relaxation(parameters.relaxation);
      const double       scale    = problem.b.linfty_norm();
      const unsigned int most     = limited(parameters.maximum_sweeps);
      unsigned int       n_sweeps = 0;
      double             change   = std::numeric_limits<double>::max();
      while (n_sweeps < most && change > 0 && std::isfinite(change))
        {
          change = rows.sweep(relaxation.factor());
          ++n_sweeps;
          relaxation.record(change);
          if (change > 0.1 * tolerance * scale)
            continue;
          rows.get_impulses(lambda);
          if (natural_residual(problem, lambda) <= 0.1 * tolerance)
            break;
        }
      rows.get_impulses(lambda);
      return n_sweeps;
    }

    const Registration<ContactSolver, GaussSeidel> registration(
      "gauss seidel",
      "sweeps over the contacts of each rank, coloured across "
      "ranks, distributed; friction in the plane and in space, rolling");
  } // namespace
} // namespace Percuss
