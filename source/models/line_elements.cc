// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/models/line_elements.h>

#include <deal.II/base/polynomial.h>
#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    /// Lagrange polynomials on the Gauss-Lobatto points, as in FE_Q.
    std::vector<dealii::Polynomials::Polynomial<double>>
    shape_functions(const unsigned int degree)
    {
      return dealii::Polynomials::generate_complete_Lagrange_basis(
        dealii::QGaussLobatto<1>(degree + 1).get_points());
    }



    /// The loops over elements, with the degree known to the compiler.
    template <int p>
    class LineElementsOfDegree : public LineElements
    {
    public:
      explicit LineElementsOfDegree(const Parameters &parameters)
        : LineElements(parameters)
      {
        for (int i = 0; i <= p; ++i)
          for (int j = 0; j <= p; ++j)
            {
              mass_matrix[i][j] = M(i, j);
              if (i < p)
                strain_matrix[i][j] = B(i, j);
            }
      }

      void
      apply_stiffness(const unsigned int  n_elements,
                      const double *const x,
                      double *const       y) const override
      {
        if constexpr (p == 1)
          apply_three_point(n_elements, K(0, 0), K(0, 1), x, y);
        else
          apply(n_elements, x, y, [this](const double *local, double *result) {
            std::fill_n(result, p + 1, 0.);
            for (int k = 0; k < p; ++k)
              {
                const double s = strain(k, local);
                for (int i = 0; i <= p; ++i)
                  result[i] += strain_matrix[k][i] * s;
              }
          });
      }

      void
      apply_mass(const unsigned int  n_elements,
                 const double *const x,
                 double *const       y) const override
      {
        if constexpr (p == 1)
          apply_three_point(n_elements, M(0, 0), M(0, 1), x, y);
        else
          apply(n_elements, x, y, [this](const double *local, double *result) {
            for (int i = 0; i <= p; ++i)
              {
                result[i] = 0;
                for (int j = 0; j <= p; ++j)
                  result[i] += mass_matrix[i][j] * local[j];
              }
          });
      }

      double
      stiffness_norm(const unsigned int  n_elements,
                     const double *const x) const override
      {
        return sum(n_elements, x, [this](const double *local) {
          double norm = 0;
          for (int k = 0; k < p; ++k)
            {
              const double s = strain(k, local);
              norm += s * s;
            }
          return norm;
        });
      }

      double
      mass_norm(const unsigned int  n_elements,
                const double *const x) const override
      {
        return sum(n_elements, x, [this](const double *local) {
          double norm = 0;
          for (int i = 0; i <= p; ++i)
            for (int j = 0; j <= p; ++j)
              norm += local[i] * mass_matrix[i][j] * local[j];
          return norm;
        });
      }

    private:
      /// Scaled strain at quadrature point @p k, from differences to the first
      /// node: exactly zero for a rigid motion.
      double
      strain(const int k, const double *const local) const
      {
        double s = 0;
        for (int i = 1; i <= p; ++i)
          s += strain_matrix[k][i] * (local[i] - local[0]);
        return s;
      }

      /// Element by element; what the last node of an element receives is
      /// carried over to the next one.
      template <typename ElementFunction>
      static void
      apply(const unsigned int     n_elements,
            const double *const    x,
            double *const          y,
            const ElementFunction &function)
      {
        double carry = 0;
        for (unsigned int e = 0; e < n_elements; ++e)
          {
            double result[p + 1];
            function(x + e * p, result);
            y[e * p] = carry + result[0];
            for (int i = 1; i < p; ++i)
              y[e * p + i] = result[i];
            carry = result[p];
          }
        y[n_elements * p] = carry;
      }

      /// The same for the element matrix ((a, b), (b, a)), node by node. It is
      /// written as (a + b) x plus differences, so that a rigid motion gives no
      /// round-off where a + b = 0.
      static void
      apply_three_point(const unsigned int  n_elements,
                        const double        a,
                        const double        b,
                        const double *const x,
                        double *const       y)
      {
        const double sum = a + b;
        y[0]             = sum * x[0] + b * (x[1] - x[0]);
#pragma omp simd
        for (unsigned int i = 1; i < n_elements; ++i)
          y[i] = 2 * sum * x[i] + b * ((x[i + 1] - x[i]) - (x[i] - x[i - 1]));
        y[n_elements] =
          sum * x[n_elements] - b * (x[n_elements] - x[n_elements - 1]);
      }

      template <typename ElementFunction>
      static double
      sum(const unsigned int     n_elements,
          const double *const    x,
          const ElementFunction &function)
      {
        double total = 0;
#pragma omp simd reduction(+ : total)
        for (unsigned int e = 0; e < n_elements; ++e)
          total += function(x + e * p);
        return total;
      }

      double strain_matrix[p][p + 1];
      double mass_matrix[p + 1][p + 1];
    };
  } // namespace



  LineElements::LineElements(const Parameters &parameters)
    : ElementRun(parameters.degree + 1)
    , parameters(parameters)
    , B(parameters.degree, parameters.degree + 1)
  {
    const unsigned int      p = parameters.degree;
    const dealii::QGauss<1> strain_points(p), mass_points(p + 1);
    for (unsigned int k = 0; k < p; ++k)
      {
        const auto   derivatives = shape_derivatives(strain_points.point(k)[0]);
        const double weight =
          parameters.EA * parameters.length * strain_points.weight(k);
        for (unsigned int i = 0; i <= p; ++i)
          B(k, i) = std::sqrt(weight) * derivatives[i];
      }
    B.Tmmult(K, B);
    for (unsigned int k = 0; k <= p; ++k)
      {
        const auto   values = shape_values(mass_points.point(k)[0]);
        const double weight =
          parameters.density * parameters.length * mass_points.weight(k);
        for (unsigned int i = 0; i <= p; ++i)
          for (unsigned int j = 0; j <= p; ++j)
            M(i, parameters.lumped ? i : j) += weight * values[i] * values[j];
      }
  }



  std::vector<double>
  LineElements::shape_values(const double xi) const
  {
    std::vector<double> values;
    for (const auto &polynomial : shape_functions(parameters.degree))
      values.push_back(polynomial.value(xi));
    return values;
  }



  std::vector<double>
  LineElements::shape_derivatives(const double xi) const
  {
    std::vector<double> derivatives, value_and_derivative(2);
    for (const auto &polynomial : shape_functions(parameters.degree))
      {
        polynomial.value(xi, value_and_derivative);
        derivatives.push_back(value_and_derivative[1] / parameters.length);
      }
    return derivatives;
  }



  std::unique_ptr<LineElements>
  LineElements::make(const Parameters &parameters)
  {
    switch (parameters.degree)
      {
        case 1:
          return std::make_unique<LineElementsOfDegree<1>>(parameters);
        case 2:
          return std::make_unique<LineElementsOfDegree<2>>(parameters);
        case 3:
          return std::make_unique<LineElementsOfDegree<3>>(parameters);
        case 4:
          return std::make_unique<LineElementsOfDegree<4>>(parameters);
        case 5:
          return std::make_unique<LineElementsOfDegree<5>>(parameters);
        case 6:
          return std::make_unique<LineElementsOfDegree<6>>(parameters);
        default:
          Assert(false, dealii::ExcNotImplemented());
          return nullptr;
      }
  }
} // namespace Percuss
