// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "beam_section.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>

namespace Percuss
{
  namespace
  {
    using dealii::numbers::PI;

    /// Saint-Venant's torsion constant of a rectangle of sides a >= b,
    /// @f[ J = a b^3 \Bigl(\frac13 - \frac{64}{\pi^5}\frac ba
    ///     \sum_{n=1,3,\dots} n^{-5}\tanh\frac{n\pi a}{2b}\Bigr). @f]
    double
    torsion_of_rectangle(const double side, const double other)
    {
      const double a = std::max(side, other), b = std::min(side, other);
      double       sum = 0;
      for (int n = 999; n > 0; n -= 2)
        sum += std::tanh(n * PI * a / (2 * b)) / std::pow(n, 5);
      return a * b * b * b * (1. / 3 - 64 / std::pow(PI, 5) * b / a * sum);
    }

    std::array<double, 2>
    pair(const std::vector<double> &list)
    {
      return {{list.front(), list.back()}};
    }
  } // namespace



  void
  BeamSectionParameters::declare(ParameterSection &section)
  {
    section.add("young modulus", E, "In Pa", Range::positive());
    section.add("poisson ratio", nu, "", Range::between(0, 0.5));
    section.add("density", density, "In kg/m^3", Range::positive());
    section.add("shear factor",
                shear_factor,
                "With 'timoshenko'; 0 for that of Cowper (1966)",
                Range::non_negative());
    ParameterSection part      = section.subsection("section");
    const auto       add_sizes = [&](const std::string &entry,
                               double            &size,
                               const std::string &description,
                               const std::string &of_shape) {
      part.add(entry, size, description, Range::positive());
      part.matters_with(entry, "shape", of_shape);
    };
    part.add_choice("shape",
                    shape,
                    "The cross-section; with 'numbers' its stiffnesses and "
                    "inertias, and no material",
                    {"rectangle", "circle", "pipe", "numbers"});
    for (const std::string entry :
         {"young modulus", "poisson ratio", "density", "shear factor"})
      section.matters_with_any(entry,
                               "section/shape",
                               {"rectangle", "circle", "pipe"});
    add_sizes("height", height, "Along y, in m", "rectangle");
    add_sizes("width", width, "Along z, in m", "rectangle");
    add_sizes("diameter", diameter, "In m", "circle");
    add_sizes("outer diameter", outer_diameter, "In m", "pipe");
    add_sizes("inner diameter", inner_diameter, "In m", "pipe");
    part.require("inner diameter", [this]() {
      return shape == "pipe" && inner_diameter >= outer_diameter ?
               "is not below the outer diameter" :
               std::string();
    });
    declare_numbers(part);
  }



  void
  BeamSectionParameters::declare_numbers(ParameterSection &section)
  {
    const std::string for_both = "; one number, or two for y and z";
    const auto        add_pair = [&](const std::string   &entry,
                              std::vector<double> &list,
                              const std::string   &description,
                              const Range         &range) {
      section.add(entry, list, description + for_both, range);
      section.require(entry, [&list]() {
        return list.size() <= 2 ? std::string() : "has more than two numbers";
      });
    };
    section.add("axial stiffness",
                axial_stiffness,
                "EA, in N",
                Range::positive());
    add_pair("bending stiffness",
             bending_stiffness,
             "EI, in N m^2",
             Range::positive());
    add_pair("shear stiffness",
             shear_stiffness,
             "GA with the shear factor, in N",
             Range::positive());
    section.add("torsional stiffness",
                torsional_stiffness,
                "GJ, in N m^2",
                Range::positive());
    section.add("mass per length", mass, "In kg/m", Range::positive());
    add_pair("rotary inertia per length",
             rotary_inertia,
             "In kg m",
             Range::non_negative());
    section.add("polar inertia per length",
                polar_inertia,
                "In kg m",
                Range::positive());
    for (const std::string entry : {"axial stiffness",
                                    "bending stiffness",
                                    "shear stiffness",
                                    "torsional stiffness",
                                    "mass per length",
                                    "rotary inertia per length",
                                    "polar inertia per length"})
      section.matters_with(entry, "shape", "numbers");
  }



  BeamSection
  BeamSectionParameters::of_material(const double                 A,
                                     const std::array<double, 2> &I,
                                     const double                 J,
                                     const double                 cowper) const
  {
    const double G      = E / (2 * (1 + nu));
    const double factor = shear_factor > 0 ? shear_factor : cowper;
    BeamSection  result;
    result.EA      = E * A;
    result.GJ      = G * J;
    result.density = density * A;
    result.polar   = density * (I[0] + I[1]);
    for (unsigned int d = 0; d < 2; ++d)
      {
        result.EI[d]     = E * I[d];
        result.kGA[d]    = factor * G * A;
        result.rotary[d] = density * I[d];
      }
    return result;
  }



  BeamSection
  BeamSectionParameters::evaluate() const
  {
    if (shape == "numbers")
      return {axial_stiffness,
              pair(bending_stiffness),
              pair(shear_stiffness),
              torsional_stiffness,
              mass,
              pair(rotary_inertia),
              polar_inertia};
    if (shape == "rectangle")
      {
        const double A = height * width;
        return of_material(A,
                           {{A * height * height / 12, A * width * width / 12}},
                           torsion_of_rectangle(height, width),
                           10 * (1 + nu) / (12 + 11 * nu));
      }
    // A circle is a pipe without a hole.
    const double outer = shape == "pipe" ? outer_diameter : diameter;
    const double inner = shape == "pipe" ? inner_diameter : 0;
    const double I     = PI / 64 * (std::pow(outer, 4) - std::pow(inner, 4));
    const double m = inner / outer, s = (1 + m * m) * (1 + m * m);
    return of_material(PI / 4 * (outer * outer - inner * inner),
                       {{I, I}},
                       2 * I,
                       6 * (1 + nu) * s /
                         ((7 + 6 * nu) * s + (20 + 12 * nu) * m * m));
  }
} // namespace Percuss
