// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/steppers/corrected_alpha.h>

#include <memory>

namespace Percuss
{
  /// The step of `position velocity generalized alpha` for a small model with
  /// joints, by dense matrices. With the joints' rows G at the end of the step,
  /// the unknowns a, U, W, lambda_B, nu_B, Lambda_B obey
  /// @f[ (1-\alpha_m) M a + \alpha_m M a_k = (1-\alpha_f)(f + G^T\lambda_B)
  ///     + \alpha_f (f + r)_k, \qquad G \ddot q + \dot G v = 0, @f]
  /// @f[ M U = D^T\nu + G^T\nu_B, \quad g_B(q) = 0, \qquad
  ///     M W = D^T\Lambda + G^T\Lambda_B, \quad G v = 0. @f]
  std::unique_ptr<CorrectedMotion>
  make_coupled_jointed_motion(const AlphaCoefficients    &coefficients,
                              const TimeStepper::Context &context);

  /// The step of `decoupled generalized alpha` for such a model: a predictor
  /// with joints at position level (with the force lambda_B), then
  /// @f[ M U - c_P [f + G^T\lambda_B] = D^T\nu + G^T\nu_B, \quad
  ///     g_B(q) = 0, @f]
  /// @f[ M W - c_V [f + G^T\lambda_B] = D^T\Lambda + G^T\Lambda_B, \quad
  ///     G v = 0, @f]
  /// where [ ] is the change against the predictor.
  std::unique_ptr<CorrectedMotion>
  make_decoupled_jointed_motion(const AlphaCoefficients    &coefficients,
                                const TimeStepper::Context &context);
} // namespace Percuss
