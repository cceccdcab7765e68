// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/global_form.h>
#include <percuss/contact/motion_system.h>
#include <percuss/linear_algebra/work_space.h>
#include <percuss/mechanics/mechanical_model.h>

#include <functional>
#include <vector>

namespace Percuss
{
  /// What the jump w of schemes of generalized alpha, M w = D^T lambda, has of
  /// the velocities beside the smooth motion: u = theta w, of impulses
  /// s lambda,
  /// @f[ B u = s D^T\lambda, \qquad B = \tfrac s\theta M. @f]
  class ShareOfJump : public SecondSystem
  {
  public:
    /// What solves with M: x = M^-1 b from a guess in x, and nearly.
    struct Mass
    {
      std::function<LinearReport(const Vector &b, Vector &x)> improve;
      MotionSystem::Precondition                              precondition;
    };

    ShareOfJump(const MechanicalModel &model,
                double                 s,
                double                 theta,
                const Mass            &mass);

    double
    b() const override
    {
      return scale;
    }

    void
    multiply(const Vector &x, Vector &y) const override
    {
      model.multiply_by_mass(x, y);
    }

    void
    precondition(const Vector &r, Vector &z) const override
    {
      mass.precondition(r, z);
    }

    LinearReport
    improve(const Vector &b, Vector &x) const override;

    std::vector<double>
    diagonal() const override;

    Vector &
    motion() const override
    {
      return make_room(u, model.partition());
    }

    const double theta;

  private:
    const MechanicalModel &model;
    const Mass             mass;
    const double           scale; ///< s / theta
    mutable Vector         u, scaled;
  };
} // namespace Percuss
