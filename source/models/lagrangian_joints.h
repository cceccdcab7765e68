// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/bilateral_constraints.h>

#include <vector>

#include "lagrangian_entries.h"

namespace Percuss
{
  /// The joints of a Lagrangian system, formulas of positions that stay zero.
  class LagrangianJoints : public BilateralConstraints
  {
  public:
    LagrangianJoints(const LagrangianParameters &parameters,
                     const LagrangianNames      &names,
                     bool                        is_owner);

    /// @throws EntryError where a joint does not hold at the start
    void
    check_start(const Vector &q, const Vector &v) const;

    /// On all ranks.
    bool
    exist() const
    {
      return n_joints > 0;
    }

    unsigned int
    size() const override
    {
      return is_owner ? n_joints : 0;
    }

    std::vector<double>
    residuals(const Vector &q) const override;

    void
    jacobian(const Vector &q, SparseMatrix::Rows &G) const override;

    std::vector<double>
    curvature(const Vector &q, const Vector &v) const override;

  private:
    std::vector<double>
    evaluate(const CompiledFormulas &formulas,
             const Vector           &q,
             const Vector           &v) const;

    const bool   is_owner;
    unsigned int n_joints = 0, n_coordinates;

    std::vector<std::string> joint_names;
    CompiledFormulas         values, gradients, curvatures;
  };
} // namespace Percuss
