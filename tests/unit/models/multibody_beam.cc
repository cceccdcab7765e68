// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "models/multibody_beam.h"

#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <Sacado.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace Percuss::Test
{
  namespace
  {
    constexpr unsigned int n = Frame::n_coordinates;

    BeamSection
    some_section()
    {
      BeamSection section;
      section.force_stiffness  = Vector3({30, 40, 90});
      section.moment_stiffness = Vector3({2, 3, 1.5});
      section.mass             = 1.7;
      section.euler            = Vector3({0.3, 0.2, 0});
      return section;
    }

    /// Frames along an arc of a helix, for elements that are curved at the
    /// start.
    std::vector<Frame>
    curved_nodes(const unsigned int degree)
    {
      std::vector<Frame> nodes;
      for (unsigned int a = 0; a <= degree; ++a)
        {
          const double s = 0.8 * a / degree;
          Frame        frame;
          frame.origin = Vector3({std::cos(s), std::sin(s), 0.4 * s});
          frame.d[2]   = Vector3({-std::sin(s), std::cos(s), 0.4});
          frame.d[2] /= frame.d[2].norm();
          frame.d[0] = normal_to(frame.d[2]);
          frame.d[1] = cross(frame.d[2], frame.d[0]);
          nodes.push_back(frame);
        }
      return nodes;
    }

    std::vector<double>
    values_of(const std::vector<Frame> &nodes)
    {
      std::vector<double> values(n * nodes.size());
      for (std::size_t a = 0; a < nodes.size(); ++a)
        nodes[a].write(values.data() + n * a);
      return values;
    }

    std::vector<double>
    disturbed(std::vector<double> values, const double size, const int seed)
    {
      std::mt19937                     generator(seed);
      std::uniform_real_distribution<> random(-size, size);
      for (double &value : values)
        value += random(generator);
      return values;
    }

    BeamElement::Coordinates
    coordinates(const std::vector<double> &values)
    {
      BeamElement::Coordinates q = {};
      for (std::size_t a = 0; a < values.size() / n; ++a)
        q[a] = values.data() + n * a;
      return q;
    }

    class BeamOfDegree : public testing::TestWithParam<unsigned int>
    {
    protected:
      BeamOfDegree()
        : nodes(curved_nodes(GetParam()))
        , element(some_section(), nodes)
        , at_start(values_of(nodes))
      {}

      const std::vector<Frame>  nodes;
      const BeamElement         element;
      const std::vector<double> at_start;
    };

    TEST_P(BeamOfDegree, HasNoStressAtTheStart)
    {
      std::vector<double> f(at_start.size());
      element.add_gradient(coordinates(at_start), 1, f.data());
      for (const double entry : f)
        EXPECT_NEAR(entry, 0, 1e-12);
      EXPECT_NEAR(element.energy(coordinates(at_start)), 0, 1e-24);
    }

    // Strains are objective: a finite rigid motion leaves all of them as they
    // are, from any deformed state.
    TEST_P(BeamOfDegree, KeepsItsEnergyInRigidMotions)
    {
      const std::vector<double> q = disturbed(at_start, 0.1, 1);
      const Matrix3             R = rotation(Vector3({0.7, -1.9, 0.4}));
      std::vector<double>       moved(q.size());
      for (std::size_t a = 0; a < nodes.size(); ++a)
        {
          Frame frame  = Frame::read(q.data() + n * a);
          frame.origin = R * frame.origin + Vector3({3, -5, 2});
          for (Vector3 &d : frame.d)
            d = R * d;
          frame.write(moved.data() + n * a);
        }
      const double energy = element.energy(coordinates(q));
      ASSERT_GT(energy, 0.1);
      EXPECT_NEAR(element.energy(coordinates(moved)), energy, 1e-13 * energy);
    }

    TEST_P(BeamOfDegree, HasTheGradientOfItsEnergy)
    {
      const std::vector<double> q = disturbed(at_start, 0.2, 2);
      std::vector<double>       f(q.size());
      element.add_gradient(coordinates(q), 1, f.data());
      const double d = 1e-5;
      for (std::size_t i = 0; i < q.size(); ++i)
        {
          std::vector<double> plus = q, minus = q;
          plus[i] += d;
          minus[i] -= d;
          EXPECT_NEAR((element.energy(coordinates(plus)) -
                       element.energy(coordinates(minus))) /
                        (2 * d),
                      f[i],
                      1e-7);
        }
    }

    // The energy is a polynomial of degree 4: differences of the gradient, of
    // degree 3, by four points are exact.
    TEST_P(BeamOfDegree, HasTheSecondDerivativesOfItsEnergy)
    {
      const std::vector<double> q    = disturbed(at_start, 0.2, 3);
      const std::size_t         size = q.size();
      std::vector<double>       H(size * size);
      element.add_hessian(coordinates(q), 1, H.data());
      const double d = 0.1;
      for (std::size_t j = 0; j < size; ++j)
        {
          std::vector<double> column(size);
          for (const int k : {-2, -1, 1, 2})
            {
              std::vector<double> there = q;
              there[j] += k * d;
              const double weight =
                (std::abs(k) == 1 ? 8. : -1.) * (k > 0 ? 1 : -1) / (12 * d);
              element.add_gradient(coordinates(there), weight, column.data());
            }
          for (std::size_t i = 0; i < size; ++i)
            EXPECT_NEAR(H[i * size + j], column[i], 1e-9);
        }
    }

    TEST_P(BeamOfDegree, HasADiscreteGradientThatDoesTheWork)
    {
      const std::vector<double> q0 = disturbed(at_start, 0.3, 4);
      const std::vector<double> q1 = disturbed(at_start, 0.3, 5);
      std::vector<double>       f(q0.size());
      element.add_discrete_gradient(coordinates(q0),
                                    coordinates(q1),
                                    1,
                                    f.data());
      double work = 0;
      for (std::size_t i = 0; i < f.size(); ++i)
        work += f[i] * (q1[i] - q0[i]);
      const double e0 = element.energy(coordinates(q0));
      const double e1 = element.energy(coordinates(q1));
      EXPECT_NEAR(work, e1 - e0, 1e-13 * (e0 + e1));
    }

    TEST_P(BeamOfDegree, HasTheDerivativeOfItsDiscreteGradient)
    {
      const std::vector<double> q0   = disturbed(at_start, 0.2, 6);
      const std::vector<double> q1   = disturbed(at_start, 0.2, 7);
      const std::size_t         size = q0.size();
      std::vector<double>       H(size * size);
      element.add_discrete_hessian(coordinates(q0),
                                   coordinates(q1),
                                   1,
                                   H.data());
      const double d = 0.1;
      for (std::size_t j = 0; j < size; ++j)
        {
          std::vector<double> column(size);
          for (const int k : {-2, -1, 1, 2})
            {
              std::vector<double> there = q1;
              there[j] += k * d;
              const double weight =
                (std::abs(k) == 1 ? 8. : -1.) * (k > 0 ? 1 : -1) / (12 * d);
              element.add_discrete_gradient(coordinates(q0),
                                            coordinates(there),
                                            weight,
                                            column.data());
            }
          for (std::size_t i = 0; i < size; ++i)
            EXPECT_NEAR(H[i * size + j], column[i], 1e-9);
        }
    }

    TEST_P(BeamOfDegree, HasTheMassOfItsLength)
    {
      double sum = 0, of_nodes = 0;
      for (unsigned int a = 0; a < element.n_nodes(); ++a)
        {
          of_nodes += element.mass_of_node(a);
          for (unsigned int b = 0; b < element.n_nodes(); ++b)
            sum += element.mass(a, b, 0);
        }
      EXPECT_NEAR(sum, of_nodes, 1e-14);
      // The chord of one linear element; the arc for higher degrees.
      const double arc = 0.8 * std::sqrt(1.16);
      EXPECT_NEAR(sum / 1.7, arc, GetParam() == 1 ? 0.03 : 2e-3);
    }

    INSTANTIATE_TEST_SUITE_P(Degrees, BeamOfDegree, testing::Values(1, 2, 3));



    /// Energy of a linear element by its definition, for any type of numbers.
    template <typename Number>
    Number
    energy_by_definition(const std::vector<Number> &q,
                         const BeamSection         &section,
                         const double               length)
    {
      const auto component = [&](const unsigned int a,
                                 const unsigned int vector,
                                 const unsigned int c) -> Number {
        return q[n * a + 3 * vector + c];
      };
      const auto mean = [&](const unsigned int i,
                            const unsigned int c) -> Number {
        return 0.5 * (component(0, i, c) + component(1, i, c));
      };
      const auto slope = [&](const unsigned int i,
                             const unsigned int c) -> Number {
        return (component(1, i, c) - component(0, i, c)) / length;
      };
      Number energy = 0;
      for (unsigned int i = 0; i < 3; ++i)
        {
          const unsigned int j = (i + 1) % 3, k = (i + 2) % 3;
          Number             gamma = i == 2 ? -1 : 0, kappa = 0;
          for (unsigned int c = 0; c < 3; ++c)
            {
              gamma += mean(1 + i, c) * slope(0, c);
              kappa += 0.5 * (mean(1 + k, c) * slope(1 + j, c) -
                              mean(1 + j, c) * slope(1 + k, c));
            }
          energy += 0.5 * length * section.force_stiffness[i] * gamma * gamma;
          energy += 0.5 * length * section.moment_stiffness[i] * kappa * kappa;
        }
      return energy;
    }

    // Tangents against automatic differentiation.
    TEST(BeamElement, AgreesWithSacado)
    {
      using First  = Sacado::Fad::DFad<double>;
      using Second = Sacado::Fad::DFad<First>;
      std::vector<Frame> nodes(2, Frame::of_space());
      nodes[1].origin[2] = 0.7;
      const BeamElement         element(some_section(), nodes);
      const std::vector<double> q    = disturbed(values_of(nodes), 0.3, 8);
      const int                 size = static_cast<int>(q.size());
      std::vector<Second>       x;
      for (int i = 0; i < size; ++i)
        {
          x.emplace_back(size, i, First(size, i, q[i]));
        }
      const Second        energy = energy_by_definition(x, some_section(), 0.7);
      std::vector<double> f(size), H(size * size);
      element.add_gradient(coordinates(q), 1, f.data());
      element.add_hessian(coordinates(q), 1, H.data());
      EXPECT_NEAR(energy.val().val(), element.energy(coordinates(q)), 1e-12);
      for (int i = 0; i < size; ++i)
        {
          EXPECT_NEAR(energy.dx(i).val(), f[i], 1e-11);
          for (int j = 0; j < size; ++j)
            EXPECT_NEAR(energy.dx(i).dx(j), H[i * size + j], 1e-10);
        }
    }

    // Only six motions cost no energy: in the tangent space of the directors
    // the stiffness of a straight element has rank 12 - 6.
    TEST(BeamElement, HasSixRigidMotions)
    {
      std::vector<Frame> nodes(2, Frame::of_space());
      nodes[1].origin[2] = 0.7;
      const BeamElement         element(some_section(), nodes);
      const std::vector<double> q = values_of(nodes);
      std::vector<double>       H(24 * 24);
      element.add_hessian(coordinates(q), 1, H.data());
      // P of two free frames: translations and rotations.
      dealii::FullMatrix<double> P(24, 12), K(24, 24), KP(24, 12), k(12, 12);
      for (unsigned int i = 0; i < 24; ++i)
        for (unsigned int j = 0; j < 24; ++j)
          K(i, j) = H[24 * i + j];
      for (unsigned int a = 0; a < 2; ++a)
        for (unsigned int c = 0; c < 3; ++c)
          {
            P(n * a + c, 6 * a + c) = 1;
            Vector3 omega;
            omega[c] = 1;
            for (unsigned int i = 0; i < 3; ++i)
              for (unsigned int e = 0; e < 3; ++e)
                P(n * a + 3 + 3 * i + e, 6 * a + 3 + c) =
                  cross(omega, nodes[a].d[i])[e];
          }
      K.mmult(KP, P);
      P.Tmmult(k, KP);
      dealii::LAPACKFullMatrix<double> lapack(12, 12);
      lapack = k;
      lapack.compute_svd();
      EXPECT_GT(lapack.singular_value(5), 0.1);
      EXPECT_LT(lapack.singular_value(6), 1e-13);
    }
  } // namespace
} // namespace Percuss::Test
