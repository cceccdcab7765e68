// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/gradient_projection.h>

#include <petsctao.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

namespace Percuss
{
  namespace
  {
    /// PETSc's methods for minimisation with bounds (TAO) on the
    /// BoundedProgramme of the contacts, distributed: on A where nodes meet
    /// obstacles, on W otherwise. Unknowns are scaled so that the diagonal of H
    /// becomes 1. PETSc options with the prefix "contact_" are obeyed. Counts
    /// the products with A or W as iterations.
    class PetscTao : public ContactSolver
    {
    public:
      struct Parameters
      {
        std::string  method             = "tron";
        unsigned int maximum_iterations = 1000;

        void
        declare(ParameterSection &section)
        {
          section.add_choice("method",
                             method,
                             "TAO's Newton method with trust regions or with "
                             "line searches",
                             {"tron", "bnls"});
          section.add("maximum iterations",
                      maximum_iterations,
                      "More iterations of the method than this count as "
                      "failure",
                      1);
        }
      };

      PetscTao(const Parameters &parameters, const Context &context)
        : ContactSolver("petsc tao", {SolverNeeds::Form::any, true, 1}, context)
        , parameters(parameters)
      {}

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      const Parameters parameters;
    };



    /// The programme in the scaled unknowns y_i = x_i diag(H)_i^1/2 for PETSc.
    class ScaledProgramme
    {
    public:
      ScaledProgramme(const BoundedProgramme &programme, double target);

      /// Takes x and its gradient from PETSc's vector of scaled unknowns.
      void
      evaluate(Vec y);

      void
      multiply(Vec y, Vec Hy);

      /// Gives unknowns, scaled, to PETSc.
      void
      put_unknowns(const Vector &unscaled, Vec scaled) const;

      /// Gives a gradient, scaled, to PETSc.
      void
      put_gradient(const Vector &unscaled, Vec scaled) const;

      const BoundedProgramme       &programme;
      const double                  target;
      PetscHandle<Mat, &MatDestroy> H;
      PetscVector                   y, lower, upper;
      Vector                        x, g;
      RayleighQuotients             quotients;
      unsigned int                  n_products = 0;

    private:
      void
      get_unknowns(Vec scaled, Vector &unscaled) const;

      std::vector<double> roots; ///< of the diagonal
      Vector              direction, product;
    };



    /// Runs what may throw behind PETSc's back.
    template <typename Action>
    PetscErrorCode
    guarded(const Action &action)
    {
      try
        {
          action();
        }
      catch (const std::exception &)
        {
          return PETSC_ERR_USER;
        }
      return 0;
    }



    PetscErrorCode
    multiply_scaled(Mat matrix, Vec y, Vec Hy)
    {
      void *context;
      PetscCall(MatShellGetContext(matrix, &context));
      auto &scaled = *static_cast<ScaledProgramme *>(context);
      return guarded([&]() { scaled.multiply(y, Hy); });
    }



    /// The functional and its gradient.
    PetscErrorCode
    evaluate_scaled(Tao, Vec y, PetscReal *value, Vec gradient, void *context)
    {
      auto &scaled = *static_cast<ScaledProgramme *>(context);
      return guarded([&]() {
        scaled.evaluate(y);
        *value = scaled.programme.functional(scaled.x, scaled.g);
        scaled.put_gradient(scaled.g, gradient);
      });
    }



    PetscErrorCode
    keep_hessian(Tao, Vec, Mat, Mat, void *)
    {
      return 0; // H is constant
    }



    /// Stops at the residual that the certificate asks for.
    PetscErrorCode
    test_convergence(Tao tao, void *context)
    {
      auto    &scaled = *static_cast<ScaledProgramme *>(context);
      Vec      y;
      PetscInt n_iterations, maximum;
      PetscCall(TaoGetSolution(tao, &y));
      PetscCall(TaoGetIterationNumber(tao, &n_iterations));
      PetscCall(TaoGetMaximumIterations(tao, &maximum));
      double               residual = 0;
      const PetscErrorCode code     = guarded([&]() {
        scaled.evaluate(y);
        residual = scaled.programme.residual(scaled.x, scaled.g) *
                   amplification(scaled.programme, scaled.quotients);
      });
      PetscCall(code);
      PetscCall(TaoSetConvergedReason(tao,
                                      residual <= scaled.target ?
                                        TAO_CONVERGED_USER :
                                      n_iterations >= maximum ?
                                        TAO_DIVERGED_MAXITS :
                                        TAO_CONTINUE_ITERATING));
      return 0;
    }



    ScaledProgramme::ScaledProgramme(const BoundedProgramme &programme,
                                     const double            target)
      : programme(programme)
      , target(target)
      , x(programme.partition())
      , g(programme.partition())
      , direction(programme.partition())
      , product(programme.partition())
    {
      const auto n = static_cast<PetscInt>(programme.size());
      for (const double entry : programme.diagonal)
        roots.push_back(std::sqrt(entry));
      check_petsc(MatCreateShell(programme.partition()->get_mpi_communicator(),
                                 n,
                                 n,
                                 PETSC_DETERMINE,
                                 PETSC_DETERMINE,
                                 this,
                                 H.receive()));
      check_petsc(MatShellSetOperation(
        H, MATOP_MULT, reinterpret_cast<void (*)()>(multiply_scaled)));
      check_petsc(MatSetOption(H, MAT_SYMMETRIC, PETSC_TRUE));
      check_petsc(MatCreateVecs(H, y.receive(), lower.receive()));
      check_petsc(VecDuplicate(y, upper.receive()));
      std::copy(programme.lower.begin(), programme.lower.end(), x.begin());
      put_unknowns(x, lower);
      std::copy(programme.upper.begin(), programme.upper.end(), x.begin());
      put_unknowns(x, upper);
    }



    void
    ScaledProgramme::put_unknowns(const Vector &unscaled, Vec scaled) const
    {
      constexpr double largest = PETSC_INFINITY;
      PetscScalar     *values;
      check_petsc(VecGetArrayWrite(scaled, &values));
      for (std::size_t i = 0; i < roots.size(); ++i)
        values[i] =
          std::clamp(unscaled.local_element(i) * roots[i], -largest, largest);
      check_petsc(VecRestoreArrayWrite(scaled, &values));
    }



    void
    ScaledProgramme::put_gradient(const Vector &unscaled, Vec scaled) const
    {
      PetscScalar *values;
      check_petsc(VecGetArrayWrite(scaled, &values));
      for (std::size_t i = 0; i < roots.size(); ++i)
        values[i] = unscaled.local_element(i) / roots[i];
      check_petsc(VecRestoreArrayWrite(scaled, &values));
    }



    void
    ScaledProgramme::get_unknowns(Vec scaled, Vector &unscaled) const
    {
      const PetscScalar *values;
      check_petsc(VecGetArrayRead(scaled, &values));
      for (std::size_t i = 0; i < roots.size(); ++i)
        unscaled.local_element(i) = values[i] / roots[i];
      check_petsc(VecRestoreArrayRead(scaled, &values));
    }



    void
    ScaledProgramme::evaluate(Vec from)
    {
      get_unknowns(from, x);
      programme.gradient(x, g);
      ++n_products;
    }



    void
    ScaledProgramme::multiply(Vec from, Vec to)
    {
      get_unknowns(from, direction);
      programme.multiply(direction, product);
      put_gradient(product, to);
      ++n_products;
      double sums[2] = {local_product(direction, product), 0};
      for (std::size_t i = 0; i < roots.size(); ++i)
        sums[1] += programme.diagonal[i] * direction.local_element(i) *
                   direction.local_element(i);
      programme.add_up(sums, 2);
      if (sums[1] > 0)
        quotients.add(sums[0] / sums[1]);
    }



    /// The systems of Newton's method by conjugate gradients on submatrices
    /// that are only applied.
    void
    set_up(Tao tao, ScaledProgramme &scaled)
    {
      check_petsc(TaoSetSolution(tao, scaled.y));
      check_petsc(TaoSetVariableBounds(tao, scaled.lower, scaled.upper));
      check_petsc(
        TaoSetObjectiveAndGradient(tao, nullptr, evaluate_scaled, &scaled));
      check_petsc(
        TaoSetHessian(tao, scaled.H, scaled.H, keep_hessian, nullptr));
      check_petsc(TaoSetConvergenceTest(tao, test_convergence, &scaled));
      check_petsc(TaoSetOptionsPrefix(tao, "contact_"));
      check_petsc(TaoSetFromOptions(tao));
      KSP ksp;
      check_petsc(TaoGetKSP(tao, &ksp));
      if (ksp == nullptr)
        return;
      PC preconditioner;
      check_petsc(KSPGetPC(ksp, &preconditioner));
      check_petsc(PCSetType(preconditioner, PCNONE));
    }



    unsigned int
    PetscTao::run(const ContactProblem &problem, Vector &lambda) const
    {
      const BoundedProgramme programme(problem);
      ScaledProgramme        scaled(programme, 0.1 * tolerance);
      programme.guess(lambda, scaled.x);
      scaled.put_unknowns(scaled.x, scaled.y);

      PetscHandle<Tao, &TaoDestroy> tao;
      check_petsc(TaoCreate(programme.partition()->get_mpi_communicator(),
                            tao.receive()));
      check_petsc(TaoSetType(tao, parameters.method.c_str()));
      check_petsc(TaoSetMaximumIterations(
        tao, static_cast<PetscInt>(parameters.maximum_iterations)));
      set_up(tao, scaled);
      // Without a minimum it ends with an error; then the guess stays, and the
      // certificate tells.
      if (TaoSolve(tao) == 0)
        {
          scaled.evaluate(scaled.y);
          programme.impulses(scaled.x, scaled.g, lambda);
        }
      return scaled.n_products;
    }

    const Registration<ContactSolver, PetscTao>
      registration("petsc tao",
                   "PETSc's methods for minimisation with bounds, distributed, "
                   "for very many contacts; no friction");
  } // namespace
} // namespace Percuss
