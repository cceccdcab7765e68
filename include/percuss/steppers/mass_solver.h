// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/linear_solver.h>
#include <percuss/mechanics/mechanical_model.h>

#include <string>
#include <utility>
#include <vector>

namespace Percuss
{
  /// Solves M x = b by conjugate gradients with the diagonal of M and the
  /// model's own product, which for solids holds a number for each pair of
  /// nodes instead of a block. Some twenty iterations on any mesh, and one for
  /// a diagonal M: it is scaled well.
  class MassSolver : public LinearSolver
  {
  public:
    MassSolver(const MechanicalModel     &model,
               const std::vector<double> &diagonal);

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

    bool
    is_iterative() const override
    {
      return true;
    }

    std::string
    description() const override
    {
      return "CG with the diagonal of the mass";
    }

  private:
    /// z = r / diagonal; returns r.z and r.r of all ranks.
    std::pair<double, double>
    precondition_residual() const;

    const MechanicalModel &model;
    std::vector<double>    inverse_diagonal;
    mutable Vector         r, z, p, Mp;
  };
} // namespace Percuss
