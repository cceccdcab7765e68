// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/changing_solver.h>
#include <percuss/linear_algebra/tangent_solver.h>
#include <percuss/mechanics/time_stepper.h>
#include <percuss/steppers/contact_response.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// The matrix S of a step and what solves S x = b: for a linear model
  /// m M + c C + k K, factorised once for all steps of the same size; for other
  /// models a tangent that is assembled and factorised whenever it changes:
  /// large ones, of symmetric blocks, by the linear solver that the file
  /// chooses, others densely.
  class EffectiveMatrix
  {
  public:
    explicit EffectiveMatrix(const TimeStepper::Context &context);

    /// For a linear model, or the mass of one where that is constant.
    void
    set_constant(double m, double c, double k);

    /// Whether set_constant() has been called.
    bool
    is_constant() const
    {
      return solver != nullptr;
    }

    /// For other models: @p add puts the derivatives into an empty matrix.
    /// @returns whether the matrix is regular. Collective.
    template <typename Add>
    bool
    set_tangent(const Add &add) const
    {
      clear();
      add(*matrix);
      return matrix->has_blocks() ? changing.set(*matrix) :
                                    agree(dense.factorize(*matrix));
    }

    /// The same with a border of constraints, see TangentSolver.
    template <typename Add>
    bool
    set_tangent(const Add                   &add,
                const TangentSolver::Border &B,
                const TangentSolver::Border &G) const
    {
      clear();
      add(*matrix);
      return agree(dense.factorize(*matrix, B, G));
    }

    /// With a border: where the constraints do not change.
    LinearReport
    solve(const Vector &b, Vector &x) const;

    /// Of a large tangent: until the residual is @p reduction times @p b.
    LinearReport
    solve_roughly(const Vector &b, Vector &x, const double reduction) const
    {
      return changing.solve_roughly(b, x, reduction);
    }

    /// With a border, see TangentSolver::solve().
    void
    solve(const Vector &b, Vector &x, std::vector<double> &mu) const
    {
      dense.solve(b, x, mu);
    }

    /// y = S x.
    void
    multiply(const Vector &x, Vector &y) const
    {
      matrix->multiply(x, y);
    }

    /// For a linear model.
    ContactResponse::Inverse
    inverse() const
    {
      return {matrix.get(), solver.get()};
    }

    /// For others, where the matrix is large; else none.
    ContactResponse::Inverse
    changing_inverse() const
    {
      return is_large() ? ContactResponse::Inverse{matrix.get(), &changing} :
                          ContactResponse::Inverse();
    }

    /// Whether it is a tangent of symmetric blocks.
    bool
    is_large() const
    {
      return !is_constant() && matrix->has_blocks();
    }

    /// How much larger S is than the mass matrix, see EnergyPromise.
    double
    stiffness_ratio() const;

    std::string
    description() const;

  private:
    void
    clear() const;

    /// Whether all ranks say so.
    bool
    agree(bool is_regular) const;

    const MechanicalModel              &model;
    const TimeStepper::MakeLinearSolver make_linear_solver;
    std::unique_ptr<SparseMatrix>       matrix;
    std::unique_ptr<LinearSolver>       solver;
    mutable TangentSolver               dense;
    mutable ChangingSolver              changing;
    double                              ratio = 1;
  };
} // namespace Percuss
