// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/mechanics/mechanical_model.h>

#include <complex>
#include <string>
#include <vector>

namespace Percuss
{
  /// Whether small motions about a model's initial position grow, without
  /// contacts: motions exp(lambda t) x with
  /// @f[ \Bigl(\lambda^2 M + \lambda C + K - \sum_j e^{-\lambda\tau_j} (B_j +
  ///     \lambda D_j)\Bigr) x = 0, @f]
  /// where B and D are the derivatives of the forces by positions and
  /// velocities before. There are infinitely many roots lambda; those far to
  /// the right are finitely many.
  struct CharacteristicRoots
  {
    /// Of those that do not vanish the rightmost ones, in 1/s, with imaginary
    /// parts >= 0 (the conjugates are roots as well).
    std::vector<std::complex<double>> rightmost;

    /// Roots that vanish: motions without a force. Positions that stay where
    /// they are put have one each, those that drift at any speed two.
    unsigned int n_zero = 0;
    bool         drifts = false;

    /// Signals are resolved up to this frequency, in 1/s; beyond it, roots may
    /// be missing. Zero where all that matters is resolved.
    double resolved = 0;

    /// Why there are none; empty where there are.
    std::string missing;

    /// "-1.2 +- 3.4i, -5 1/s: small motions decay"
    std::string
    text() const;
  };

  /// For models of some hundred degrees of freedom on one rank.
  ///
  /// Signals travel along a line of length tau, discretised by Chebyshev's
  /// collocation (D. Breda, S. Maset and R. Vermiglio 2005), one line for each
  /// signal; LAPACK's eigenvalues of all are then improved by Newton's method
  /// for the determinant of the equation above. Delays that depend on time are
  /// those at t = 0, and forces are linearised about rest at the initial
  /// position.
  CharacteristicRoots
  characteristic_roots(const MechanicalModel &model);
} // namespace Percuss
