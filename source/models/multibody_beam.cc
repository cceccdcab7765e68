// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_beam.h"

#include <deal.II/base/polynomial.h>
#include <deal.II/base/quadrature_lib.h>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_strains = 6, n_vectors = 7;

    /// A strain is the sum of w y_a . y_b.
    struct Term
    {
      unsigned int a, b;
      double       w;
    };

    struct Terms
    {
      unsigned int        size;
      std::array<Term, 2> terms;
    };

    Terms
    terms_of(const unsigned int strain)
    {
      if (strain < 3)
        return {1, {{{0, 1 + strain, 1.}, {0, 0, 0.}}}};
      const unsigned int i = strain - 3, j = (i + 1) % 3, k = (i + 2) % 3;
      return {2, {{{1 + k, 4 + j, 0.5}, {1 + j, 4 + k, -0.5}}}};
    }

    /// The vector of a node that y_k interpolates, and whether by derivatives.
    unsigned int
    vector_of_node(const unsigned int k)
    {
      return k == 0 ? 0 : k < 4 ? k : k - 3;
    }

    bool
    is_derivative(const unsigned int k)
    {
      return k == 0 || k > 3;
    }
  } // namespace



  BeamElement::BeamElement(const BeamSection        &section,
                           const std::vector<Frame> &nodes)
    : section(section)
    , size(static_cast<unsigned int>(nodes.size()))
  {
    const unsigned int degree = size - 1;
    const auto         shapes =
      dealii::Polynomials::LagrangeEquidistant::generate_complete_basis(degree);
    std::array<std::array<double, Frame::n_coordinates>, most_nodes> values;
    Coordinates                                                      q = {};
    for (unsigned int a = 0; a < size; ++a)
      {
        nodes[a].write(values[a].data());
        q[a] = values[a].data();
      }
    const auto at = [&](const double x, const double weight) {
      GaussPoint          point;
      Vector3             tangent;
      std::vector<double> shape(2);
      for (unsigned int a = 0; a < size; ++a)
        {
          shapes[a].value(x, shape);
          point.N[a]  = shape[0];
          point.dN[a] = shape[1];
          tangent += shape[1] * nodes[a].origin;
        }
      const double stretch = tangent.norm();
      point.weight         = weight * stretch;
      for (unsigned int a = 0; a < size; ++a)
        point.dN[a] /= stretch;
      return point;
    };
    const dealii::QGauss<1> reduced(degree), full(degree + 1);
    for (unsigned int g = 0; g < reduced.size(); ++g)
      {
        GaussPoint point = at(reduced.point(g)[0], reduced.weight(g));
        point.initial    = strains(interpolate(point, q));
        arc_length += point.weight;
        points.push_back(point);
      }
    for (unsigned int g = 0; g < full.size(); ++g)
      {
        const GaussPoint point = at(full.point(g)[0], full.weight(g));
        for (unsigned int a = 0; a < size; ++a)
          for (unsigned int b = 0; b < size; ++b)
            products[a][b] += point.weight * point.N[a] * point.N[b];
      }
  }



  double
  BeamElement::mass_of_node(const unsigned int a) const
  {
    double sum = 0;
    for (unsigned int b = 0; b < size; ++b)
      sum += products[a][b];
    return sum * section.mass;
  }



  BeamElement::Vectors
  BeamElement::interpolate(const GaussPoint &point, const Coordinates &q) const
  {
    Vectors y;
    for (unsigned int a = 0; a < size; ++a)
      for (unsigned int c = 0; c < 3; ++c)
        {
          y[0][c] += point.dN[a] * q[a][c];
          for (unsigned int i = 0; i < 3; ++i)
            {
              const double d = q[a][3 + 3 * i + c];
              y[1 + i][c] += point.N[a] * d;
              y[4 + i][c] += point.dN[a] * d;
            }
        }
    return y;
  }



  BeamStrains
  BeamElement::strains(const Vectors &y)
  {
    BeamStrains result = {};
    for (unsigned int s = 0; s < n_strains; ++s)
      {
        const Terms terms = terms_of(s);
        for (unsigned int t = 0; t < terms.size; ++t)
          result[s] +=
            terms.terms[t].w * (y[terms.terms[t].a] * y[terms.terms[t].b]);
      }
    return result;
  }



  BeamElement::StrainGradient
  BeamElement::gradient(const unsigned int strain, const Vectors &y)
  {
    StrainGradient result;
    const Terms    terms = terms_of(strain);
    for (unsigned int t = 0; t < terms.size; ++t)
      {
        const Term &term = terms.terms[t];
        result[term.a] += term.w * y[term.b];
        result[term.b] += term.w * y[term.a];
      }
    return result;
  }



  double
  BeamElement::stress(const unsigned int strain,
                      const GaussPoint  &point,
                      const BeamStrains &value) const
  {
    return stiffness(strain) * (value[strain] - point.initial[strain]);
  }



  double
  BeamElement::energy(const Coordinates &q) const
  {
    double sum = 0;
    for (const GaussPoint &point : points)
      {
        const BeamStrains value = strains(interpolate(point, q));
        for (unsigned int s = 0; s < n_strains; ++s)
          sum += point.weight * 0.5 * stress(s, point, value) *
                 (value[s] - point.initial[s]);
      }
    return sum;
  }



  BeamStrains
  BeamElement::mean_strains(const Coordinates &q) const
  {
    BeamStrains result = {};
    for (const GaussPoint &point : points)
      {
        const BeamStrains value = strains(interpolate(point, q));
        for (unsigned int s = 0; s < n_strains; ++s)
          result[s] +=
            point.weight / arc_length * (value[s] - point.initial[s]);
      }
    return result;
  }



  BeamStrains
  BeamElement::stresses(const BeamStrains &strain) const
  {
    BeamStrains result = {};
    for (unsigned int s = 0; s < n_strains; ++s)
      result[s] = stiffness(s) * strain[s];
    return result;
  }



  void
  BeamElement::add_to_nodes(const GaussPoint &point,
                            const Vectors    &y,
                            const double      factor,
                            double           *f) const
  {
    for (unsigned int a = 0; a < size; ++a)
      for (unsigned int k = 0; k < n_vectors; ++k)
        {
          const double w =
            factor * (is_derivative(k) ? point.dN[a] : point.N[a]);
          double *const target =
            f + Frame::n_coordinates * a + 3 * vector_of_node(k);
          for (unsigned int c = 0; c < 3; ++c)
            target[c] += w * y[k][c];
        }
  }



  void
  BeamElement::add_gradient(const Coordinates &q,
                            const double       factor,
                            double            *f) const
  {
    for (const GaussPoint &point : points)
      {
        const Vectors     y     = interpolate(point, q);
        const BeamStrains value = strains(y);
        Vectors           sum;
        for (unsigned int s = 0; s < n_strains; ++s)
          {
            const StrainGradient g     = gradient(s, y);
            const double         sigma = stress(s, point, value);
            for (unsigned int k = 0; k < n_vectors; ++k)
              sum[k] += sigma * g[k];
          }
        add_to_nodes(point, sum, factor * point.weight, f);
      }
  }



  void
  BeamElement::add_discrete_gradient(const Coordinates &q0,
                                     const Coordinates &q1,
                                     const double       factor,
                                     double            *f) const
  {
    for (const GaussPoint &point : points)
      {
        const Vectors     y0 = interpolate(point, q0);
        const Vectors     y1 = interpolate(point, q1);
        const BeamStrains s0 = strains(y0), s1 = strains(y1);
        Vectors           y, sum;
        for (unsigned int k = 0; k < n_vectors; ++k)
          y[k] = 0.5 * (y0[k] + y1[k]);
        for (unsigned int s = 0; s < n_strains; ++s)
          {
            const StrainGradient g = gradient(s, y);
            const double         sigma =
              0.5 * (stress(s, point, s0) + stress(s, point, s1));
            for (unsigned int k = 0; k < n_vectors; ++k)
              sum[k] += sigma * g[k];
          }
        add_to_nodes(point, sum, factor * point.weight, f);
      }
  }



  void
  BeamElement::add_to_matrix(
    const GaussPoint                            &point,
    const std::array<std::array<Matrix3, 7>, 7> &blocks,
    const double                                 factor,
    double                                      *H) const
  {
    const unsigned int n = Frame::n_coordinates * size;
    for (unsigned int a = 0; a < size; ++a)
      for (unsigned int k = 0; k < n_vectors; ++k)
        {
          const double wa =
            factor * (is_derivative(k) ? point.dN[a] : point.N[a]);
          const unsigned int row =
            Frame::n_coordinates * a + 3 * vector_of_node(k);
          for (unsigned int b = 0; b < size; ++b)
            for (unsigned int l = 0; l < n_vectors; ++l)
              {
                const double w =
                  wa * (is_derivative(l) ? point.dN[b] : point.N[b]);
                const unsigned int column =
                  Frame::n_coordinates * b + 3 * vector_of_node(l);
                for (unsigned int c = 0; c < 3; ++c)
                  for (unsigned int d = 0; d < 3; ++d)
                    H[(row + c) * n + column + d] += w * blocks[k][l][c][d];
              }
        }
  }



  namespace
  {
    using Blocks = std::array<std::array<Matrix3, 7>, 7>;

    /// Adds left (x) right, and sigma times the second derivatives of a strain.
    void
    add_strain(const unsigned int            strain,
               const std::array<Vector3, 7> &left,
               const std::array<Vector3, 7> &right,
               const double                  stiffness,
               const double                  sigma,
               Blocks                       &blocks)
    {
      const Terms terms = terms_of(strain);
      for (unsigned int t = 0; t < terms.size; ++t)
        {
          const Term &term = terms.terms[t];
          for (unsigned int c = 0; c < 3; ++c)
            {
              blocks[term.a][term.b][c][c] += sigma * term.w;
              blocks[term.b][term.a][c][c] += sigma * term.w;
            }
          for (const unsigned int k : {term.a, term.b})
            for (unsigned int u = 0; u < terms.size; ++u)
              for (const unsigned int l : {terms.terms[u].a, terms.terms[u].b})
                for (unsigned int c = 0; c < 3; ++c)
                  for (unsigned int d = 0; d < 3; ++d)
                    blocks[k][l][c][d] += stiffness * left[k][c] * right[l][d];
        }
    }
  } // namespace



  void
  BeamElement::add_hessian(const Coordinates &q,
                           const double       factor,
                           double            *H) const
  {
    for (const GaussPoint &point : points)
      {
        const Vectors     y      = interpolate(point, q);
        const BeamStrains value  = strains(y);
        Blocks            blocks = {};
        for (unsigned int s = 0; s < n_strains; ++s)
          {
            const StrainGradient g = gradient(s, y);
            add_strain(s, g, g, stiffness(s), stress(s, point, value), blocks);
          }
        add_to_matrix(point, blocks, factor * point.weight, H);
      }
  }



  void
  BeamElement::add_discrete_hessian(const Coordinates &q0,
                                    const Coordinates &q1,
                                    const double       factor,
                                    double            *H) const
  {
    for (const GaussPoint &point : points)
      {
        const Vectors     y0 = interpolate(point, q0);
        const Vectors     y1 = interpolate(point, q1);
        const BeamStrains s0 = strains(y0), s1 = strains(y1);
        Vectors           y;
        Blocks            blocks = {};
        for (unsigned int k = 0; k < n_vectors; ++k)
          y[k] = 0.5 * (y0[k] + y1[k]);
        for (unsigned int s = 0; s < n_strains; ++s)
          add_strain(s,
                     gradient(s, y),
                     gradient(s, y1),
                     0.5 * stiffness(s),
                     0.25 * (stress(s, point, s0) + stress(s, point, s1)),
                     blocks);
        add_to_matrix(point, blocks, factor * point.weight, H);
      }
  }
} // namespace Percuss
