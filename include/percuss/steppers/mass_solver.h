// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/incomplete_cholesky.h>
#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/mechanics/mechanical_model.h>

#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// Solves M x = b by conjugate gradients with the model's own product, which
  /// for solids holds a number for each pair of nodes instead of a block. The
  /// preconditioner is an IncompleteCholesky of these numbers. The iterations
  /// do not grow with the mesh; for a diagonal M it is one.
  class MassSolver : public LinearSolver
  {
  public:
    /// Keeps what it needs of @p M, which has blocks that are multiples of the
    /// identity but for fixed degrees of freedom, or no entries. Those have the
    /// diagonal alone as a preconditioner.
    MassSolver(const MechanicalModel &model, const SparseMatrix &M);

    LinearReport
    solve(const Vector &b, Vector &x) const override
    {
      x = 0.;
      return improve(b, x);
    }

    LinearReport
    improve(const Vector &b, Vector &x) const override
    {
      return improve(b, x, 1e-12);
    }

    /// Until the residual is @p tolerance times @p b.
    LinearReport
    improve(const Vector &b, Vector &x, double tolerance) const;

    void
    precondition(const Vector &r, Vector &z) const override;

    bool
    is_iterative() const override
    {
      return true;
    }

    std::string
    description() const override
    {
      return "CG with incomplete Cholesky factors of the mass";
    }

  private:
    void
    factorise(const SymmetricBlocks &M);

    const MechanicalModel              &model;
    std::unique_ptr<IncompleteCholesky> factors;          ///< or the diagonal
    std::vector<double>                 inverse_diagonal; ///< of M
    std::vector<unsigned int>           fixed;      ///< degrees of freedom
    mutable Vector                      r, p, work; ///< z, then M p
  };
} // namespace Percuss
