// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/error.h>
#include <percuss/base/registry.h>
#include <percuss/linear_algebra/conjugate_gradients.h>
#include <percuss/linear_algebra/diagonal_matrix.h>
#include <percuss/linear_algebra/factorization_estimate.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// A matrix without entries off its diagonal, such as that of explicit
    /// schemes.
    class Diagonal : public LinearSolver
    {
    public:
      explicit Diagonal(const SparseMatrix &matrix)
      {
        for (const double entry : matrix.diagonal())
          inverse.push_back(1 / entry);
      }

      LinearReport
      solve(const Vector &b, Vector &x) const override
      {
        const double *const from = b.begin();
        double *const       to   = x.begin();
#pragma omp simd
        for (std::size_t i = 0; i < inverse.size(); ++i)
          to[i] = inverse[i] * from[i];
        return {true, 1};
      }

      std::string
      description() const override
      {
        return "diagonal";
      }

    private:
      std::vector<double> inverse;
    };



    /// Chooses by a trial: doc/linear_solvers.md. Matrices without blocks
    /// (bars, beams, few degrees of freedom) are factorised. Others are solved
    /// for a load without order by conjugate gradients with incomplete Cholesky
    /// factors, or with Jacobi where there are no entries: the iterations grow
    /// with the Courant number of the step. Where they are many, their time is
    /// compared with that of a factorisation, for which MUMPS finds the order
    /// of elimination, and with that of multigrid.
    class Automatic : public UpdatableSolver
    {
    public:
      struct Parameters
      {
        double       tolerance         = 1e-11;
        unsigned int largest_direct    = 150000;
        unsigned int largest_assembled = 300000;

        void
        declare(ParameterSection &section)
        {
          section.add("tolerance",
                      tolerance,
                      "Relative size of the residual at which iterations stop",
                      {0, 1, true, true});
          section.add("largest direct",
                      largest_direct,
                      "Degrees of freedom up to which a matrix of a solid may "
                      "be factorised where iterations take longer");
          section.add("largest assembled",
                      largest_assembled,
                      "Degrees of freedom of a rank up to which a matrix-free "
                      "operator may get entries, for a factorisation or "
                      "multigrid, where iterations without them take longer");
        }
      };

      Automatic(const Parameters &parameters, const Context &context)
        : parameters(parameters)
        , matrix(context.matrix)
      {
        const bool is_of_solid = matrix.has_blocks() || !matrix.has_entries();
        if (is_of_solid && is_diagonal(matrix))
          take(std::make_unique<Diagonal>(matrix), "");
        else if (is_of_solid)
          choose_by_trial();
        else
          take_direct("");
      }

      /// Keeps its choice.
      bool
      update() override
      {
        if (auto *const updatable =
              dynamic_cast<UpdatableSolver *>(solver.get()))
          return updatable->update();
        take(std::make_unique<Diagonal>(matrix), "");
        return true;
      }

      LinearReport
      solve(const Vector &b, Vector &x) const override
      {
        return solver->solve(b, x);
      }

      LinearReport
      improve(const Vector &b, Vector &x) const override
      {
        return solver->improve(b, x);
      }

      LinearReport
      solve_roughly(const Vector &b,
                    Vector       &x,
                    const double  reduction) const override
      {
        const auto *const updatable =
          dynamic_cast<const UpdatableSolver *>(solver.get());
        return updatable ? updatable->solve_roughly(b, x, reduction) :
                           solver->solve(b, x);
      }

      void
      precondition(const Vector &r, Vector &z) const override
      {
        solver->precondition(r, z);
      }

      bool
      is_iterative() const override
      {
        return solver->is_iterative();
      }

      std::string
      description() const override
      {
        return solver->description() + (why.empty() ? "" : ": " + why);
      }

    private:
      /// Costs of a preconditioner of conjugate gradients.
      struct Iterations
      {
        const char  *preconditioner;
        unsigned int few;   ///< that nothing else is faster than
        unsigned int limit; ///< beyond which multigrid is faster
        double seconds;     ///< of one, for a value of the matrix or an unknown
      };

      void
      choose_by_trial()
      {
        const auto size    = matrix.partition()->size();
        const bool is_free = !matrix.has_entries();
        if (!is_free && size <= smallest_for_try)
          {
            take_direct("");
            return;
          }
        const Iterations   kind       = is_free ? of_products : of_factors;
        auto               iterations = make_iterations(kind.preconditioner);
        const unsigned int n          = iterations->try_iterations(kind.limit);
        std::string        reason =
          "a trial took " +
          (n <= kind.limit ? std::to_string(n) :
                             "more than " + std::to_string(kind.limit)) +
          " iterations" + (is_free ? " without entries" : "");
        const bool may_be_other =
          n > kind.few &&
          (!is_free || n > kind.limit || size <= cheaply_assembled) &&
          may_have_entries(reason);
        if (may_be_other && factorisation_pays(n, kind))
          take_direct(reason + " of CG with " + kind.preconditioner);
        else if (may_be_other && n > kind.limit)
          take(make_iterations("gamg"),
               reason + " of CG with " + kind.preconditioner);
        else
          take(std::move(iterations), reason);
      }

      /// Adds to @p reason why there are none. Collective.
      bool
      may_have_entries(std::string &reason) const
      {
        if (matrix.has_entries())
          return true;
        const auto &partition = *matrix.partition();
        if (partition.size() > std::uint64_t(parameters.largest_assembled) *
                                 partition.n_mpi_processes())
          {
            reason += ", and it is too large for them";
            return false;
          }
        try
          {
            matrix.entries();
            return true;
          }
        catch (const EntryError &)
          {
            reason += ", and it shall have none";
            return false;
          }
      }

      /// Whether steps with factors take less than those with @p n iterations,
      /// or with multigrid. Collective.
      bool
      factorisation_pays(const unsigned int n, const Iterations &kind) const
      {
        constexpr double n_steps     = 1000;   // of a run
        constexpr double a_number    = 2.4e-9; // of the factor, in s of a step
        constexpr double a_operation = 5e-10;  // to make it, in s
        const auto       size        = matrix.partition()->size();
        if (size > parameters.largest_direct)
          return false;
        const auto [n_entries, n_operations] =
          estimate_factorization(matrix.entries());
        const double of_iteration =
          kind.seconds * (matrix.has_entries() ?
                            dealii::Utilities::MPI::sum(
                              static_cast<double>(matrix.n_values()),
                              matrix.partition()->get_mpi_communicator()) :
                            size);
        return a_number * n_entries + a_operation * n_operations / n_steps <
               of_iteration * std::min(n, kind.limit);
      }

      std::unique_ptr<ConjugateGradients>
      make_iterations(const std::string &preconditioner) const
      {
        constexpr unsigned int most_iterations = 10000;
        return std::make_unique<ConjugateGradients>(
          matrix,
          ConjugateGradients::Options{preconditioner,
                                      parameters.tolerance,
                                      most_iterations});
      }

      void
      take(std::unique_ptr<LinearSolver> new_solver, const std::string &reason)
      {
        solver = std::move(new_solver);
        why    = reason;
      }

      void
      take_direct(const std::string &reason)
      {
        take(
          Registry<LinearSolver>::plugins().at("direct").make_builder()->build(
            {matrix}),
          reason);
      }

      // Degrees of freedom: below, factors are fastest, but for a little; up to
      // the second number entries are made to see whether they are.
      static constexpr unsigned int smallest_for_try  = 1500;
      static constexpr unsigned int cheaply_assembled = 50000;
      // As tests/benchmark/linear_solver_table.cc finds.
      static constexpr Iterations of_factors{"icc", 8, 75, 1.15e-9};
      static constexpr Iterations of_products{"jacobi", 45, 350, 1.6e-8};

      const Parameters              parameters;
      const SparseMatrix           &matrix;
      std::unique_ptr<LinearSolver> solver;
      std::string                   why; ///< empty where nothing was tried
    };

    const Registration<LinearSolver, Automatic>
      registration("automatic",
                   "factorisation, or conjugate gradients with incomplete "
                   "Cholesky or multigrid, by size and a trial; the default");
  } // namespace
} // namespace Percuss
