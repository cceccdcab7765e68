// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "solid_material.h"

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <limits>

namespace Percuss
{
  const std::vector<std::string> &
  names_of_laws()
  {
    static const std::vector<std::string> names = {"linear",
                                                   "st venant kirchhoff",
                                                   "neo hooke"};
    return names;
  }



  std::vector<SolidMaterial>
  make_materials(const SolidParameters &parameters)
  {
    const bool                 is_plane = parameters.dimension == 2;
    const double               t        = is_plane ? parameters.thickness : 1;
    const auto                &names    = names_of_laws();
    std::vector<SolidMaterial> result;
    for (unsigned int i = 0; i < parameters.n_materials(); ++i)
      {
        const SolidParameters::Material &m  = parameters.material(i);
        const double                     mu = m.E / (2 * (1 + m.nu));
        double lambda = m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu));
        if (is_plane && parameters.plane == "stress")
          lambda = 2 * lambda * mu / (lambda + 2 * mu);
        const auto law = std::find(names.begin(), names.end(), m.law);
        result.push_back({t * lambda,
                          t * mu,
                          t * m.density,
                          m.nu,
                          SolidMaterial::Law(law - names.begin())});
      }
    return result;
  }



  namespace
  {
    using Law = SolidMaterial::Law;

    template <int dim>
    using Matrix = dealii::Tensor<2, dim>;

    constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

    template <int dim>
    Matrix<dim>
    identity()
    {
      return dealii::unit_symmetric_tensor<dim>();
    }

    template <int dim>
    Matrix<dim>
    symmetric_part(const Matrix<dim> &A)
    {
      return 0.5 * (A + transpose(A));
    }

    /// E without cancellation for small H.
    template <int dim>
    Matrix<dim>
    strain(const Matrix<dim> &H)
    {
      return symmetric_part(H) + 0.5 * (transpose(H) * H);
    }

    /// det(I + A) - 1 - tr A, without cancellation.
    template <int dim>
    double
    higher_invariants(const Matrix<dim> &A)
    {
      if (dim == 2)
        return determinant(A);
      const double t = trace(A);
      return 0.5 * (t * t - trace(A * A)) + determinant(A);
    }

    /// x - ln(1 + x).
    double
    x_minus_log(const double x)
    {
      if (std::abs(x) > 1e-2)
        return x - std::log1p(x);
      double sum = 0;
      for (int k = 9; k >= 2; --k)
        sum = x * (1. / k - sum);
      return x * sum;
    }

    template <int dim>
    bool
    is_inverted(const SolidMaterial &material, const Matrix<dim> &H)
    {
      return material.law != Law::linear &&
             !(determinant(identity<dim>() + H) > 0);
    }

    template <int dim>
    Matrix<dim>
    quadratic_stress(const SolidMaterial &material, const Matrix<dim> &E)
    {
      return material.lambda * trace(E) * identity<dim>() + 2 * material.mu * E;
    }

    /// What neo-Hooke needs of C = I + 2 E.
    template <int dim>
    struct NeoHooke
    {
      NeoHooke(const SolidMaterial &material, const Matrix<dim> &E)
        : material(material)
        , ln_J(0.5 * std::log1p(2 * trace(E) + higher_invariants<dim>(2. * E)))
        , C_inverse(invert(identity<dim>() + 2. * E))
      {}

      /// S = mu (I - C^-1) + lambda ln J C^-1, with I - C^-1 = 2 C^-1 E.
      Matrix<dim>
      stress(const Matrix<dim> &E) const
      {
        return symmetric_part<dim>(2 * material.mu * (C_inverse * E)) +
               material.lambda * ln_J * C_inverse;
      }

      /// With @p X in the place of F.
      typename ElasticLaw<dim>::Derivative
      derivative(const Matrix<dim> &S, const Matrix<dim> &X) const
      {
        const Matrix<dim> Y = X * C_inverse;
        return {S,
                C_inverse,
                Y * transpose(X),
                Y,
                material.lambda,
                material.mu - material.lambda * ln_J};
      }

      const SolidMaterial &material;
      const double         ln_J;
      const Matrix<dim>    C_inverse;
    };

    template <int dim>
    Matrix<dim>
    mean_second_stress(const SolidMaterial &material,
                       const Matrix<dim>   &H_0,
                       const Matrix<dim>   &H_1)
    {
      const Matrix<dim> E_0  = strain(H_0);
      const Matrix<dim> mean = 0.5 * (E_0 + strain(H_1));
      if (material.law == Law::st_venant_kirchhoff)
        return quadratic_stress(material, mean);
      const NeoHooke<dim> middle(material, mean), begin(material, E_0);
      // E_1 - E_0 and ln J_1 - ln J_0, both accurate where they are small.
      const Matrix<dim> change = symmetric_part<dim>(
        transpose(identity<dim>() + 0.5 * (H_0 + H_1)) * (H_1 - H_0));
      const Matrix<dim> ratio = 2. * (begin.C_inverse * change);
      const double      change_of_ln =
        0.5 * std::log1p(trace(ratio) + higher_invariants<dim>(ratio));
      const double along = scalar_product(middle.C_inverse, change);
      // W_1 - W_0 - S : change, of third order.
      const double missing =
        -material.mu * (change_of_ln - along) +
        material.lambda * ((begin.ln_J + 0.5 * change_of_ln) * change_of_ln -
                           middle.ln_J * along);
      const double square = change.norm_square();
      Matrix<dim>  S      = middle.stress(mean);
      if (square > 1e-30)
        S += missing / square * change;
      return S;
    }
  } // namespace



  template <int dim>
  double
  ElasticLaw<dim>::energy(const SolidMaterial &material, const Matrix &H)
  {
    if (is_inverted(material, H))
      return no_number;
    const Matrix E =
      material.law == Law::linear ? symmetric_part(H) : strain(H);
    if (material.law != Law::neo_hooke)
      return 0.5 * material.lambda * trace(E) * trace(E) +
             material.mu * E.norm_square();
    const double rest = higher_invariants<dim>(2. * E); // J^2 - 1 - 2 tr E
    const double x    = 2 * trace(E) + rest;            // J^2 - 1
    const double ln_J = 0.5 * std::log1p(x);
    return 0.5 * material.mu * (x_minus_log(x) - rest) +
           0.5 * material.lambda * ln_J * ln_J;
  }



  template <int dim>
  typename ElasticLaw<dim>::Matrix
  ElasticLaw<dim>::stress(const SolidMaterial &material, const Matrix &H)
  {
    if (material.law == Law::linear)
      return quadratic_stress(material, symmetric_part(H));
    if (is_inverted(material, H))
      return no_number * identity<dim>();
    const Matrix E = strain(H);
    const Matrix S = material.law == Law::neo_hooke ?
                       NeoHooke<dim>(material, E).stress(E) :
                       quadratic_stress(material, E);
    return S + H * S;
  }



  template <int dim>
  typename ElasticLaw<dim>::Matrix
  ElasticLaw<dim>::mean_stress(const SolidMaterial &material,
                               const Matrix        &H_0,
                               const Matrix        &H_1)
  {
    const Matrix H = 0.5 * (H_0 + H_1);
    if (material.law == Law::linear)
      return quadratic_stress(material, symmetric_part(H));
    if (is_inverted(material, H_1))
      return no_number * identity<dim>();
    const Matrix S = mean_second_stress(material, H_0, H_1);
    return S + H * S;
  }



  template <int dim>
  typename ElasticLaw<dim>::Derivative
  ElasticLaw<dim>::derivative(const SolidMaterial &material, const Matrix &H)
  {
    const Matrix I = identity<dim>(), F = I + H;
    if (material.law == Law::linear)
      return {Matrix(), I, I, I, material.lambda, material.mu};
    const Matrix E = strain(H);
    if (material.law == Law::neo_hooke)
      {
        const NeoHooke<dim> law(material, E);
        return law.derivative(law.stress(E), F);
      }
    return {quadratic_stress(material, E),
            I,
            F * transpose(F),
            F,
            material.lambda,
            material.mu};
  }



  /// dP = dF S/2 + (F_0 + F_1)/2 dS with dS by E = F_1^T dF/2 (symmetric part):
  /// half of a derivative with the mean of both factors in the place of F.
  template <int dim>
  typename ElasticLaw<dim>::Derivative
  ElasticLaw<dim>::mean_derivative(const SolidMaterial &material,
                                   const Matrix        &H_0,
                                   const Matrix        &H_1)
  {
    const Matrix I = identity<dim>();
    const Matrix X = I + 0.25 * H_0 + 0.75 * H_1;
    Derivative   result{Matrix(), I, I, I, material.lambda, material.mu};
    if (material.law != Law::linear)
      {
        const Matrix S = mean_second_stress(material, H_0, H_1);
        if (material.law == Law::neo_hooke)
          result = NeoHooke<dim>(material, 0.5 * (strain(H_0) + strain(H_1)))
                     .derivative(S, X);
        else
          result = {S, I, X * transpose(X), X, material.lambda, material.mu};
      }
    result.S *= 0.5;
    result.lambda *= 0.5;
    result.mu *= 0.5;
    return result;
  }



  template <int dim>
  dealii::Tensor<2, 3>
  ElasticLaw<dim>::cauchy_stress(const SolidMaterial &material, const Matrix &H)
  {
    const Matrix         F         = identity<dim>() + H;
    const bool           is_linear = material.law == Law::linear;
    const double         J         = is_linear ? 1 : determinant(F);
    const Matrix         P         = stress(material, H);
    const Matrix         sigma     = is_linear ? P : P * transpose(F) / J;
    dealii::Tensor<2, 3> result;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        result[i][j] = sigma[i][j];
    if (dim == 2)
      result[2][2] = material.lambda / J *
                     (is_linear                      ? trace(H) :
                      material.law == Law::neo_hooke ? std::log(J) :
                                                       trace(strain(H)));
    return result;
  }

  double
  von_mises(const dealii::Tensor<2, 3> &stress)
  {
    return std::sqrt(1.5) * dealii::deviator(dealii::symmetrize(stress)).norm();
  }

  template struct ElasticLaw<2>;
  template struct ElasticLaw<3>;
} // namespace Percuss
