// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "beam_elements.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  BeamElements::BeamElements(const Parameters &parameters)
    : ElementRun(2 * parameters.layout.n_components)
    , parameters(parameters)
    , n(parameters.layout.n_components)
  {
    const double l = parameters.length;
    for (unsigned int plane = 0; plane < 2; ++plane)
      phi[plane] = parameters.is_shearable ?
                     12 * parameters.section.EI[plane] /
                       (parameters.section.kGA[plane] * l * l) :
                     0;
    add_strains();
    add_mass();
  }



  /// With r = l psi, the element's energy of bending is half of
  /// @f[ \frac{EI}{l^3}(r_2-r_1)^2 + \frac{12\,EI}{(1+\Phi)\,l^3}
  ///     \Bigl(\frac{r_1+r_2}2 - (w_2-w_1)\Bigr)^2. @f]
  void
  BeamElements::add_strains()
  {
    const auto        &layout = parameters.layout;
    const BeamSection &part   = parameters.section;
    const double       l = parameters.length, cube = l * l * l;
    const auto         add = [this](const int    component,
                            const int    rotation,
                            const double k) {
      if (component >= 0)
        strains.push_back({static_cast<unsigned int>(component), rotation, k});
    };
    add(layout.displacement[0], -1, part.EA / l);
    add(layout.rotation[0], -1, part.GJ / cube);
    for (unsigned int plane = 0; plane < 2; ++plane)
      {
        const double EI = part.EI[plane];
        const int    w  = layout.displacement[1 + plane];
        const int    r  = layout.rotation[1 + plane];
        add(r, -1, EI / cube);
        add(w, r, 12 * EI / ((1 + phi[plane]) * cube));
      }
    for (const Strain &strain : strains)
      {
        std::vector<double> row(2 * n);
        for (unsigned int i = 0; i < 2 * n; ++i)
          {
            std::vector<double> unit(2 * n);
            unit[i] = 1;
            row[i]  = strain.value(unit.data(), unit.data() + n);
          }
        for (unsigned int i = 0; i < 2 * n; ++i)
          for (unsigned int j = 0; j < 2 * n; ++j)
            K(i, j) += strain.k * row[i] * row[j];
      }
  }



  void
  BeamElements::add_mass()
  {
    const BeamSection &part = parameters.section;
    const auto         add  = [this](const Quantity     quantity,
                            const unsigned int direction,
                            const double       density) {
      if (parameters.is_lumped)
        add_lumped_inertia(quantity, direction, density);
      else
        add_inertia(quantity, direction, density);
    };
    for (unsigned int direction = 0; direction < 3; ++direction)
      {
        if (parameters.layout.displacement[direction] >= 0)
          add(Quantity::displacement, direction, part.density);
        const double inertia = direction == 0 ? part.polar :
                               parameters.has_rotary_inertia ?
                                                part.rotary[direction - 1] :
                                                0;
        if (parameters.layout.rotation[direction] >= 0 && inertia > 0)
          add(Quantity::rotation, direction, inertia);
      }
    for (unsigned int i = 0; i < 2 * n; ++i)
      for (unsigned int j = 0; j < 2 * n; ++j)
        if (M(i, j) != 0)
          mass_entries.push_back({i, j, M(i, j)});
  }



  void
  BeamElements::add_inertia(const Quantity     quantity,
                            const unsigned int direction,
                            const double       density)
  {
    const dealii::QGauss<1> quadrature(4); // products of cubics: degree 6
    for (unsigned int k = 0; k < quadrature.size(); ++k)
      {
        const auto   N = weights(quantity, direction, quadrature.point(k)[0]);
        const double factor =
          density * parameters.length * quadrature.weight(k);
        for (unsigned int i = 0; i < 2 * n; ++i)
          for (unsigned int j = 0; j < 2 * n; ++j)
            M(i, j) += factor * N[i] * N[j];
      }
  }



  void
  BeamElements::add_lumped_inertia(const Quantity     quantity,
                                   const unsigned int direction,
                                   const double       density)
  {
    const double l = parameters.length, half = 0.5 * density * l;
    if (quantity == Quantity::rotation)
      {
        const int r = parameters.layout.rotation[direction];
        M(r, r) += half / (l * l);
        M(n + r, n + r) += half / (l * l);
        return;
      }
    const dealii::FullMatrix<double> before(M);
    add_inertia(quantity, direction, density);
    dealii::FullMatrix<double> added(M);
    added.add(-1, before);
    M                  = before;
    const int    w     = parameters.layout.displacement[direction];
    const double scale = half / added(w, w);
    for (unsigned int i = 0; i < 2 * n; ++i)
      M(i, i) += scale * added(i, i);
  }



  std::array<double, 4>
  BeamElements::bending_weights(const Quantity     quantity,
                                const unsigned int plane,
                                const double       xi) const
  {
    const double l = parameters.length, EI = parameters.section.EI[plane];
    const double Phi = phi[plane], mu = 1 / (1 + Phi);
    const double x2 = xi * xi, x3 = x2 * xi, bubble = xi - x2;
    const double slope = 6 * mu / l, moment = EI / (l * l);
    const double lever = 3 * mu * (2 * xi - 1);
    const double shear = -12 * EI * mu / (l * l * l);
    switch (quantity)
      {
        case Quantity::displacement:
          return {{mu * (1 - 3 * x2 + 2 * x3 + Phi * (1 - xi)),
                   mu * (xi - 2 * x2 + x3 + Phi / 2 * bubble),
                   mu * (3 * x2 - 2 * x3 + Phi * xi),
                   mu * (x3 - x2 - Phi / 2 * bubble)}};
        case Quantity::rotation:
          return {{-slope * bubble,
                   mu / l * (1 - 4 * xi + 3 * x2 + Phi * (1 - xi)),
                   slope * bubble,
                   mu / l * (3 * x2 - 2 * xi + Phi * xi)}};
        case Quantity::moment:
          return {{2 * moment * lever,
                   moment * (lever - 1),
                   -2 * moment * lever,
                   moment * (lever + 1)}};
        default:
          return {{shear, shear / 2, -shear, shear / 2}};
      }
  }



  std::vector<double>
  BeamElements::weights(const Quantity     quantity,
                        const unsigned int direction,
                        const double       xi) const
  {
    const auto         &layout = parameters.layout;
    const BeamSection  &part   = parameters.section;
    const double        l      = parameters.length;
    std::vector<double> result(2 * n);
    if (direction > 0)
      {
        const auto four = bending_weights(quantity, direction - 1, xi);
        for (unsigned int node = 0; node < 2; ++node)
          {
            result[node * n + layout.displacement[direction]] = four[2 * node];
            result[node * n + layout.rotation[direction]] = four[2 * node + 1];
          }
        return result;
      }
    const bool is_twist =
      quantity == Quantity::rotation || quantity == Quantity::moment;
    const int  i = is_twist ? layout.rotation[0] : layout.displacement[0];
    const bool is_value =
      quantity == Quantity::displacement || quantity == Quantity::rotation;
    const double stiffness = is_twist ? part.GJ : part.EA;
    const double scale     = is_twist ? 1 / l : 1;
    result[i]              = scale * (is_value ? 1 - xi : -stiffness / l);
    result[n + i]          = scale * (is_value ? xi : stiffness / l);
    return result;
  }



  void
  BeamElements::apply_stiffness(const unsigned int  n_elements,
                                const double *const x,
                                double *const       y) const
  {
    std::fill_n(y, (n_elements + 1) * n, 0.);
    for (unsigned int e = 0; e < n_elements; ++e)
      {
        const double *const first = x + e * n, *const second = first + n;
        double *const on_first = y + e * n, *const on_second = on_first + n;
        for (const Strain &strain : strains)
          {
            const double force = strain.k * strain.value(first, second);
            const bool   is_mere_change = strain.rotation < 0;
            on_first[strain.component] += is_mere_change ? -force : force;
            on_second[strain.component] += is_mere_change ? force : -force;
            if (!is_mere_change)
              {
                on_first[strain.rotation] += 0.5 * force;
                on_second[strain.rotation] += 0.5 * force;
              }
          }
      }
  }



  void
  BeamElements::apply_mass(const unsigned int  n_elements,
                           const double *const x,
                           double *const       y) const
  {
    std::fill_n(y, (n_elements + 1) * n, 0.);
    for (unsigned int e = 0; e < n_elements; ++e)
      for (const auto &[i, j, m] : mass_entries)
        y[e * n + i] += m * x[e * n + j];
  }



  double
  BeamElements::stiffness_norm(const unsigned int  n_elements,
                               const double *const x) const
  {
    double norm = 0;
    for (unsigned int e = 0; e < n_elements; ++e)
      for (const Strain &strain : strains)
        {
          const double value = strain.value(x + e * n, x + (e + 1) * n);
          norm += strain.k * value * value;
        }
    return norm;
  }



  double
  BeamElements::mass_norm(const unsigned int  n_elements,
                          const double *const x) const
  {
    double norm = 0;
    for (unsigned int e = 0; e < n_elements; ++e)
      for (const auto &[i, j, m] : mass_entries)
        norm += m * x[e * n + i] * x[e * n + j];
    return norm;
  }



  double
  BeamElements::highest_frequency() const
  {
    dealii::LAPACKFullMatrix<double> stiffness(2 * n), inertia(2 * n);
    stiffness = K;
    inertia   = M;
    std::vector<dealii::Vector<double>> none;
    stiffness.compute_generalized_eigenvalues_symmetric(inertia, none);
    return std::sqrt(stiffness.eigenvalue(2 * n - 1).real());
  }
} // namespace Percuss
