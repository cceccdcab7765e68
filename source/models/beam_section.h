// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/parameter_section.h>

#include <array>
#include <string>
#include <vector>

namespace Percuss
{
  /// What the theory of beams needs to know about a cross-section. Pairs are
  /// for the deflections along y and along z.
  struct BeamSection
  {
    double                EA      = 0;        ///< axial stiffness, in N
    std::array<double, 2> EI      = {{0, 0}}; ///< bending stiffness, in N m^2
    std::array<double, 2> kGA     = {{0, 0}}; ///< shear stiffness, in N
    double                GJ      = 0;        ///< torsional stiffness, in N m^2
    double                density = 0;        ///< mass per length, in kg/m
    std::array<double, 2> rotary  = {{0, 0}}; ///< rho I, in kg m
    double                polar   = 0;        ///< rho (I_y + I_z), in kg m
  };



  /// The entries for a cross-section: a shape of one material, or numbers.
  struct BeamSectionParameters
  {
    double      E            = 2.1e11;
    double      nu           = 0.3;
    double      density      = 7800;
    double      shear_factor = 0;
    std::string shape        = "rectangle";
    double      height = 0.01, width = 0.01;
    double      diameter       = 0.01;
    double      outer_diameter = 0.01, inner_diameter = 0.009;

    double              axial_stiffness     = 1;
    std::vector<double> bending_stiffness   = {1};
    std::vector<double> shear_stiffness     = {1};
    double              torsional_stiffness = 1;
    double              mass                = 1;
    std::vector<double> rotary_inertia      = {0};
    double              polar_inertia       = 1;

    /// The material's entries, and the subsection 'section'.
    void
    declare(ParameterSection &section);

    BeamSection
    evaluate() const;

  private:
    void
    declare_numbers(ParameterSection &section);

    /// A shape of this material with the area A, the second moments of area I
    /// for deflections along y and z, the torsion constant J, and Cowper's
    /// shear factor, which an entry may replace.
    BeamSection
    of_material(double                       A,
                const std::array<double, 2> &I,
                double                       J,
                double                       cowper) const;
  };
} // namespace Percuss
