// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <deal.II/base/tensor.h>

#include <cmath>
#include <string>
#include <vector>

#include "solid_entries.h"

namespace Percuss
{
  /// Lame's constants and the density of a material; in plane stress lambda is
  /// the reduced one, and in the plane all are times the thickness.
  struct SolidMaterial
  {
    enum class Law
    {
      linear,
      st_venant_kirchhoff,
      neo_hooke
    };

    double lambda, mu, density;
    double nu;
    Law    law = Law::linear;

    /// Of pressure waves, in m/s.
    double
    wave_speed() const
    {
      return std::sqrt((lambda + 2 * mu) / density);
    }
  };

  /// All materials, in the order of SolidParameters::material().
  std::vector<SolidMaterial>
  make_materials(const SolidParameters &parameters);

  /// The equivalent stress.
  double
  von_mises(const dealii::Tensor<2, 3> &stress);

  /// The names of the laws in the file, in the order of SolidMaterial::Law.
  const std::vector<std::string> &
  names_of_laws();

  /// The laws in terms of the gradient H of the displacement, with F = I + H,
  /// J = det F and E = (H + H^T + H^T H)/2: the strain energy per undeformed
  /// volume is
  /// @f[ W = \tfrac\lambda2 (\operatorname{tr}E)^2 + \mu E:E @f]
  /// (St. Venant-Kirchhoff; linear, with the small strain instead of E),
  /// @f[ W = \mu(\operatorname{tr}E - \ln J) + \tfrac\lambda2 (\ln J)^2 @f]
  /// (neo-Hooke). In plane strain the parts of the plane obey the same
  /// formulas. Where J <= 0 the results are no numbers, which fails a step.
  template <int dim>
  struct ElasticLaw
  {
    using Matrix = dealii::Tensor<2, dim>;

    static double
    energy(const SolidMaterial &material, const Matrix &H);

    /// P = dW/dF, the first Piola-Kirchhoff stress.
    static Matrix
    stress(const SolidMaterial &material, const Matrix &H);

    /// A stress with @f$\bar P : (H_1 - H_0) = W(H_1) - W(H_0)@f$ and
    /// @f$\bar P \bar F^T@f$ symmetric, @f$\bar F = (F_0+F_1)/2@f$: the mean
    /// of both stresses S for laws that are quadratic in E (J. C. Simo and N.
    /// Tarnow 1992), else that of the mean of C with a correction along the
    /// change of C (O. Gonzalez, Comput. Methods Appl. Mech. Engrg. 190, 2000).
    static Matrix
    mean_stress(const SolidMaterial &material,
                const Matrix        &H_0,
                const Matrix        &H_1);

    /// What a change of displacement along the gradient b of a shape function
    /// does to the force along a: the matrix
    /// @f[ (a\cdot S b) I + \lambda (Y a)(Y b)^T
    ///     + \mu [(a\cdot N b) B + (Y b)(Y a)^T]. @f]
    struct Derivative
    {
      Matrix S, N, B, Y;
      double lambda, mu;
    };

    /// Of the stress, exactly.
    static Derivative
    derivative(const SolidMaterial &material, const Matrix &H);

    /// Of the mean stress by H_1, up to a part that is not symmetric, of the
    /// order of H_1 - H_0.
    static Derivative
    mean_derivative(const SolidMaterial &material,
                    const Matrix        &H_0,
                    const Matrix        &H_1);

    /// Cauchy's stress; in the plane with that normal to it for plane strain.
    static dealii::Tensor<2, 3>
    cauchy_stress(const SolidMaterial &material, const Matrix &H);
  };
} // namespace Percuss
