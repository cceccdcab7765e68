// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/linear_algebra/conjugate_gradients.h>
#include <percuss/linear_algebra/diagonal_matrix.h>

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



    /// Chooses by a trial. Matrices without blocks (bars, beams, few degrees of
    /// freedom) and small ones are factorised. Others are solved for a load
    /// without order by conjugate gradients with incomplete Cholesky factors:
    /// the iterations grow with the Courant number of the step. Where they are
    /// few, this is the fastest method; where not, it is the factorisation up
    /// to a middle size, whose set-up and memory grow faster than the mesh, and
    /// multigrid beyond: doc/linear_solvers.md.
    class Automatic : public UpdatableSolver
    {
    public:
      struct Parameters
      {
        double       tolerance        = 1e-11;
        unsigned int largest_direct   = 50000;
        unsigned int few_iterations   = 25;
        unsigned int many_iterations  = 60;
        unsigned int smallest_for_try = 3000;

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
                      "be factorised where iterations are many");
        }
      };

      Automatic(const Parameters &parameters, const Context &context)
        : matrix(context.matrix)
      {
        const auto size = matrix.partition()->size();
        if ((matrix.has_blocks() || !matrix.has_entries()) &&
            is_diagonal(matrix))
          {
            take(std::make_unique<Diagonal>(matrix), "");
            return;
          }
        if (!matrix.has_entries())
          {
            take(std::make_unique<ConjugateGradients>(
                   matrix,
                   ConjugateGradients::Options{"jacobi", parameters.tolerance}),
                 "the matrix has no entries");
            return;
          }
        if (!matrix.has_blocks() || size <= parameters.smallest_for_try)
          {
            take_direct("");
            return;
          }
        auto iterations = std::make_unique<ConjugateGradients>(
          matrix, ConjugateGradients::Options{"icc", parameters.tolerance});
        const unsigned int n =
          iterations->try_iterations(parameters.many_iterations);
        const std::string trial =
          n <= parameters.many_iterations ?
            "a trial took " + std::to_string(n) + " iterations" :
            "a trial took more than " +
              std::to_string(parameters.many_iterations) + " iterations";
        const bool may_factorise = size <= parameters.largest_direct;
        if (n <= (may_factorise ? parameters.few_iterations :
                                  parameters.many_iterations))
          take(std::move(iterations), trial);
        else if (may_factorise)
          take_direct(trial + " of CG with icc");
        else
          take(std::make_unique<ConjugateGradients>(
                 matrix,
                 ConjugateGradients::Options{"gamg", parameters.tolerance}),
               trial + " of CG with icc");
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
