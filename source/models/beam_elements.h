// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/models/element_run.h>

#include <array>
#include <vector>

#include "beam_section.h"

namespace Percuss
{
  /// Where a node keeps the components of its motion; -1 where it has none. A
  /// direction is x (0), y (1) or z (2).
  struct BeamLayout
  {
    unsigned int       n_components;
    std::array<int, 3> displacement;
    std::array<int, 3> rotation; ///< twist, and the slopes along y and z

    bool
    has(const unsigned int direction) const
    {
      return displacement[direction] >= 0;
    }
  };



  /// Beam elements with two nodes. In one plane, with the deflection w, the
  /// rotation psi of the section and
  /// @f$ \Phi = 12 EI/(\kappa GA\,l^2) @f$, the shape functions are those that
  /// solve the equations without load,
  /// @f[ EI\,\psi'' + \kappa GA\,(w' - \psi) = 0, \qquad
  ///     (\kappa GA\,(w' - \psi))' = 0, @f]
  /// cubic in w and quadratic in psi. So the stiffness matrix is exact and
  /// cannot lock, forces at nodes give exact deflections there, and the mass
  /// matrix from the same functions is the exact first term of the dynamic
  /// stiffness in omega^2. (Linear elements with reduced integration do not
  /// lock either, but their error is of order h^2 for slender beams too, where
  /// this one is of order h^4.) With Phi = 0 they are Hermite's cubics with
  /// psi = w', the element of Euler and Bernoulli. Stretch and twist are
  /// linear.
  ///
  /// All components of the motion are lengths: rotations are multiplied by the
  /// length l of an element, so that the entries of matrices have one unit and
  /// one magnitude.
  class BeamElements : public ElementRun
  {
  public:
    struct Parameters
    {
      double      length;
      BeamSection section;
      BeamLayout  layout;
      bool        is_shearable;       ///< Timoshenko's theory
      bool        has_rotary_inertia; ///< of the sections that bend
      bool        is_lumped;
    };

    /// A force is that of the section's right side on its left side. Along x:
    /// the axial force and the torque; along y: the shear force -EI psi'' and
    /// the bending moment EI psi' of the deflection along y; the same for z.
    enum class Quantity
    {
      displacement, ///< in m
      rotation,     ///< in rad
      force,        ///< in N
      moment        ///< in N m
    };

    explicit BeamElements(const Parameters &parameters);

    void
    apply_stiffness(unsigned int  n_elements,
                    const double *x,
                    double       *y) const override;

    void
    apply_mass(unsigned int  n_elements,
               const double *x,
               double       *y) const override;

    double
    stiffness_norm(unsigned int n_elements, const double *x) const override;

    double
    mass_norm(unsigned int n_elements, const double *x) const override;

    /// The quantity at @p xi in [0, 1] is the sum of these weights times the
    /// components of an element's two nodes.
    std::vector<double>
    weights(Quantity quantity, unsigned int direction, double xi) const;

    /// The highest circular frequency of a free element, in 1/s: no beam of
    /// such elements has a higher one.
    double
    highest_frequency() const;

  private:
    /// A generalized strain of an element with the stiffness k: the change of
    /// a component, or the mean of a rotation less the change of a deflection.
    struct Strain
    {
      unsigned int component;
      int          rotation; ///< -1 for a mere change
      double       k;        ///< in N/m

      double
      value(const double *first, const double *second) const
      {
        const double change = second[component] - first[component];
        return rotation < 0 ?
                 change :
                 0.5 * (first[rotation] + second[rotation]) - change;
      }
    };

    struct MassEntry
    {
      unsigned int i, j;
      double       value;
    };

    void
    add_strains();

    void
    add_mass();

    /// Adds the integral of density times N^T N.
    void
    add_inertia(Quantity quantity, unsigned int direction, double density);

    /// The diagonal of what add_inertia() would add, scaled such that the mass
    /// is right (Hinton, Rock and Zienkiewicz 1976). Rotations get halves.
    void
    add_lumped_inertia(Quantity     quantity,
                       unsigned int direction,
                       double       density);

    /// Of bending, for w and l psi of both nodes.
    std::array<double, 4>
    bending_weights(Quantity quantity, unsigned int plane, double xi) const;

    const Parameters       parameters;
    const unsigned int     n; ///< components of a node
    std::array<double, 2>  phi;
    std::vector<Strain>    strains;
    std::vector<MassEntry> mass_entries; ///< those that are not zero
  };
} // namespace Percuss
