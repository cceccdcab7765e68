// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/solid_material.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tools.h"

namespace Percuss::Test
{
  namespace
  {
    using Law = SolidMaterial::Law;

    const double lambda = 1.7, mu = 0.9;

    SolidMaterial
    material(const Law law)
    {
      return {lambda, mu, 1, 0.3, law};
    }

    const std::vector<Law> laws = {Law::linear,
                                   Law::st_venant_kirchhoff,
                                   Law::neo_hooke};

    template <int dim>
    class Gradients
    {
    public:
      using Matrix = dealii::Tensor<2, dim>;

      Matrix
      operator()(const double size)
      {
        Matrix result;
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            result[i][j] = size * number(generator);
        return result;
      }

    private:
      std::mt19937                           generator{1};
      std::uniform_real_distribution<double> number{-1, 1};
    };

    /// A rotation about (1, 2, 3), or in the plane.
    template <int dim>
    dealii::Tensor<2, dim>
    rotation(const double angle)
    {
      dealii::Tensor<2, dim> R;
      const double           c = std::cos(angle), s = std::sin(angle);
      if constexpr (dim == 2)
        {
          R[0][0] = R[1][1] = c;
          R[0][1]           = -s;
          R[1][0]           = s;
        }
      else
        {
          const double n[3] = {1 / std::sqrt(14.),
                               2 / std::sqrt(14.),
                               3 / std::sqrt(14.)};
          for (unsigned int i = 0; i < 3; ++i)
            {
              R[i][i] = c;
              for (unsigned int j = 0; j < 3; ++j)
                R[i][j] += (1 - c) * n[i] * n[j];
              R[i][(i + 1) % 3] -= s * n[(i + 2) % 3];
              R[(i + 1) % 3][i] += s * n[(i + 2) % 3];
            }
        }
      return R;
    }

    template <int dim>
    void
    check_derivatives()
    {
      Gradients<dim> random;
      const double   step = 1e-5;
      for (const Law law : laws)
        for (unsigned int n = 0; n < 5; ++n)
          {
            const auto m = material(law);
            const auto H = random(0.25), D = random(1);
            const auto P = ElasticLaw<dim>::stress(m, H);
            EXPECT_NEAR((ElasticLaw<dim>::energy(m, H + step * D) -
                         ElasticLaw<dim>::energy(m, H - step * D)) /
                          (2 * step),
                        scalar_product(P, D),
                        1e-8);
            // The change D = e b^T of H, and the force along a.
            const auto b = D[0], a = D[1];
            const auto T  = ElasticLaw<dim>::derivative(m, H);
            const auto Ya = T.Y * a, Yb = T.Y * b;
            for (unsigned int d = 0; d < dim; ++d)
              {
                dealii::Tensor<2, dim> change;
                change[d] = step * b;
                const auto difference =
                  (ElasticLaw<dim>::stress(m, H + change) -
                   ElasticLaw<dim>::stress(m, H - change)) *
                  a / (2 * step);
                for (unsigned int c = 0; c < dim; ++c)
                  EXPECT_NEAR(difference[c],
                              (c == d ? a * (T.S * b) : 0) +
                                T.lambda * Ya[c] * Yb[d] +
                                T.mu *
                                  ((a * (T.N * b)) * T.B[c][d] + Yb[c] * Ya[d]),
                              1e-8);
              }
          }
    }

    TEST(SolidMaterial, StressAndItsDerivative)
    {
      check_derivatives<2>();
      check_derivatives<3>();
    }

    /// Turning a body changes neither its energy nor the stress that turns with
    /// it.
    template <int dim>
    void
    check_rotations()
    {
      Gradients<dim> random;
      const auto     I = rotation<dim>(0);
      const auto     R = rotation<dim>(2.5);
      for (const Law law : {Law::st_venant_kirchhoff, Law::neo_hooke})
        {
          const auto m      = material(law);
          const auto H      = random(0.3);
          const auto turned = R * (I + H) - I;
          EXPECT_NEAR(ElasticLaw<dim>::energy(m, turned),
                      ElasticLaw<dim>::energy(m, H),
                      1e-14);
          EXPECT_LE((ElasticLaw<dim>::stress(m, turned) -
                     R * ElasticLaw<dim>::stress(m, H))
                      .norm(),
                    1e-14);
          EXPECT_LE(ElasticLaw<dim>::stress(m, R - I).norm(), 1e-14);
          EXPECT_LE(ElasticLaw<dim>::cauchy_stress(m, R - I).norm(), 1e-14);
        }
    }

    TEST(SolidMaterial, IsObjective)
    {
      check_rotations<2>();
      check_rotations<3>();
    }

    TEST(SolidMaterial, UniformStretch)
    {
      for (const double s : {0.5, 0.9, 1.3, 2.})
        {
          dealii::Tensor<2, 3> H;
          H[0][0]                = s - 1;
          const auto   kirchhoff = material(Law::st_venant_kirchhoff);
          const auto   hooke     = material(Law::neo_hooke);
          const double l         = std::log(s);
          EXPECT_NEAR(ElasticLaw<3>::energy(kirchhoff, H),
                      (lambda + 2 * mu) / 8 * (s * s - 1) * (s * s - 1),
                      1e-14);
          EXPECT_NEAR(ElasticLaw<3>::stress(kirchhoff, H)[0][0],
                      (lambda / 2 + mu) * s * (s * s - 1),
                      1e-14);
          EXPECT_NEAR(ElasticLaw<3>::energy(hooke, H),
                      mu / 2 * (s * s - 1) - mu * l + lambda / 2 * l * l,
                      1e-14);
          EXPECT_NEAR(ElasticLaw<3>::stress(hooke, H)[0][0],
                      mu * (s - 1 / s) + lambda * l / s,
                      1e-14);
          EXPECT_NEAR(ElasticLaw<3>::stress(hooke, H)[1][1], lambda * l, 1e-14);
          // Cauchy's stress, J = s, and the one normal to the plane.
          dealii::Tensor<2, 2> G;
          G[0][0] = s - 1;
          EXPECT_NEAR(ElasticLaw<2>::cauchy_stress(hooke, G)[2][2],
                      lambda * l / s,
                      1e-14);
          EXPECT_NEAR(ElasticLaw<2>::cauchy_stress(kirchhoff, G)[2][2],
                      lambda / 2 * (s * s - 1) / s,
                      1e-14);
        }
    }

    /// All laws agree for small strains, up to squares of them; energies do so
    /// in all digits.
    TEST(SolidMaterial, SmallStrains)
    {
      Gradients<3> random;
      const auto   D = random(1);
      for (const Law law : {Law::st_venant_kirchhoff, Law::neo_hooke})
        {
          std::vector<double> sizes = {1e-1, 1e-2, 1e-3}, errors;
          for (const double size : sizes)
            errors.push_back(
              (ElasticLaw<3>::stress(material(law), size * D) -
               ElasticLaw<3>::stress(material(Law::linear), size * D))
                .norm());
          EXPECT_NEAR(observed_order(sizes, errors), 2, 0.1);
          const double size = 1e-9;
          EXPECT_NEAR(ElasticLaw<3>::energy(material(law), size * D) /
                        ElasticLaw<3>::energy(material(Law::linear), size * D),
                      1,
                      20 * size);
        }
    }

    /// The mean stress does exactly the work of the energy, for large steps
    /// and tiny ones, and turns nothing.
    template <int dim>
    void
    check_mean_stress(const double size, const double tolerance)
    {
      Gradients<dim> random;
      const auto     I = rotation<dim>(0);
      for (const Law law : laws)
        {
          const auto m   = material(law);
          const auto H_0 = random(0.2), H_1 = H_0 + random(size);
          const auto P = ElasticLaw<dim>::mean_stress(m, H_0, H_1);
          EXPECT_NEAR(scalar_product(P, H_1 - H_0),
                      ElasticLaw<dim>::energy(m, H_1) -
                        ElasticLaw<dim>::energy(m, H_0),
                      tolerance);
          const auto turn = P * transpose(I + 0.5 * (H_0 + H_1));
          if (law != Law::linear)
            {
              EXPECT_LE((turn - transpose(turn)).norm(), 1e-14);
            }
          const auto T = ElasticLaw<dim>::derivative(m, H_0);
          const auto M = ElasticLaw<dim>::mean_derivative(m, H_0, H_0);
          EXPECT_LE((0.5 * T.S - M.S).norm(), 1e-14);
          EXPECT_NEAR(0.5 * T.mu, M.mu, 1e-14);
          EXPECT_LE((T.B - M.B).norm() + (T.Y - M.Y).norm(), 1e-14);
          EXPECT_LE((ElasticLaw<dim>::mean_stress(m, H_0, H_0) -
                     ElasticLaw<dim>::stress(m, H_0))
                      .norm(),
                    1e-14);
        }
    }

    TEST(SolidMaterial, MeanStressDoesTheWorkOfTheEnergy)
    {
      check_mean_stress<2>(0.2, 1e-15);
      check_mean_stress<3>(0.2, 1e-15);
      check_mean_stress<3>(1e-3, 1e-15);
      check_mean_stress<3>(1e-8, 1e-15);
    }

    TEST(SolidMaterial, InvertedCellsAreNoNumbers)
    {
      dealii::Tensor<2, 2> H;
      H[0][0] = -1.5;
      for (const Law law : {Law::st_venant_kirchhoff, Law::neo_hooke})
        {
          const auto m = material(law);
          EXPECT_TRUE(std::isnan(ElasticLaw<2>::energy(m, H)));
          EXPECT_TRUE(std::isnan(ElasticLaw<2>::stress(m, H)[0][0]));
          EXPECT_TRUE(std::isnan(
            ElasticLaw<2>::mean_stress(m, dealii::Tensor<2, 2>(), H)[0][0]));
        }
    }
  } // namespace
} // namespace Percuss::Test
