// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <array>
#include <vector>

#include "multibody_frame.h"

namespace Percuss
{
  /// Stiffness and inertia of a beam's cross-section, in its directions.
  struct BeamSection
  {
    Vector3 force_stiffness;  ///< (GA_1, GA_2, EA), in N
    Vector3 moment_stiffness; ///< (EI_1, EI_2, GJ), in N m^2
    double  mass = 0;         ///< per length, in kg/m
    /// rho times the integrals of x_1^2 and x_2^2, in kg m; the third is zero
    /// for plane sections.
    Vector3 euler;
  };

  /// Strains of a beam: shear in the directions 1 and 2, stretch, bending about
  /// the directions 1 and 2, torsion.
  using BeamStrains = std::array<double, 6>;



  /// An element of a geometrically exact beam (J. C. Simo; P. Betsch and
  /// P. Steinmann, Int. J. Numer. Meth. Engng. 54, 2002). Origins and directors
  /// are interpolated from the nodes by polynomials of degree p; then
  /// @f[ \Gamma_i = d_i\cdot\varphi' - \delta_{i3}, \qquad
  ///     K_i = \tfrac12 (d_k\cdot d_j' - d_j\cdot d_k'), \quad
  ///     (i,j,k)\text{ cyclic}, @f]
  /// less their values at the start, and the energy is the integral of half the
  /// sum of stiffness times strain squared, at p Gauss points: strains are
  /// objective, and there is no locking. All strains are quadratic in the
  /// coordinates.
  class BeamElement
  {
  public:
    static constexpr unsigned int highest_degree = 3;
    static constexpr unsigned int most_nodes     = highest_degree + 1;

    /// The coordinates of each node, 12 each.
    using Coordinates = std::array<const double *, most_nodes>;

    /// @p nodes are those of the reference configuration, degree + 1 of them.
    BeamElement(const BeamSection &section, const std::vector<Frame> &nodes);

    unsigned int
    n_nodes() const
    {
      return size;
    }

    /// In m.
    double
    length() const
    {
      return arc_length;
    }

    double
    energy(const Coordinates &q) const;

    /// The strains at the middle, interpolated between the Gauss points.
    BeamStrains
    mean_strains(const Coordinates &q) const;

    /// Adds @p factor times the derivatives of the energy to @p f, 12 numbers
    /// for each node.
    void
    add_gradient(const Coordinates &q, double factor, double *f) const;

    /// The same with the discrete gradient between two configurations,
    /// @f[ \bar\nabla V = \sum C\,\tfrac12(s_0 + s_1)\,\nabla s(q_{1/2}),
    ///     \qquad \bar\nabla V\cdot(q_1-q_0) = V_1 - V_0. @f]
    void
    add_discrete_gradient(const Coordinates &q0,
                          const Coordinates &q1,
                          double             factor,
                          double            *f) const;

    /// Adds @p factor times the second derivatives to the dense matrix @p H of
    /// 12 n_nodes() rows.
    void
    add_hessian(const Coordinates &q, double factor, double *H) const;

    /// The derivative of the discrete gradient by q_1.
    void
    add_discrete_hessian(const Coordinates &q0,
                         const Coordinates &q1,
                         double             factor,
                         double            *H) const;

    /// The integral of N_a N_b, times the mass for the origin and times Euler's
    /// tensor for the directors.
    double
    mass(const unsigned int a,
         const unsigned int b,
         const unsigned int vector) const
    {
      return products[a][b] *
             (vector == 0 ? section.mass : section.euler[vector - 1]);
    }

    /// The integral of N_a times the mass: what gravity acts on.
    double
    mass_of_node(unsigned int a) const;

    /// Forces and moments for given strains, in the directions of the section.
    BeamStrains
    stresses(const BeamStrains &strains) const;

  private:
    struct GaussPoint
    {
      double                         weight  = 0; ///< times the length element
      std::array<double, most_nodes> N       = {};
      std::array<double, most_nodes> dN      = {}; ///< along the arc
      BeamStrains                    initial = {};
    };

    /// phi', d_1, d_2, d_3, d_1', d_2', d_3'.
    using Vectors = std::array<Vector3, 7>;

    /// Derivatives of a strain by them.
    using StrainGradient = std::array<Vector3, 7>;

    Vectors
    interpolate(const GaussPoint &point, const Coordinates &q) const;

    static BeamStrains
    strains(const Vectors &y);

    static StrainGradient
    gradient(unsigned int strain, const Vectors &y);

    /// Stiffness times strain, less the initial one.
    double
    stress(unsigned int       strain,
           const GaussPoint  &point,
           const BeamStrains &value) const;

    double
    stiffness(const unsigned int strain) const
    {
      return strain < 3 ? section.force_stiffness[strain] :
                          section.moment_stiffness[strain - 3];
    }

    void
    add_to_nodes(const GaussPoint &point,
                 const Vectors    &y,
                 double            factor,
                 double           *f) const;

    /// Adds sum_k,l blocks[k][l] to the rows and columns of the nodes.
    void
    add_to_matrix(const GaussPoint                            &point,
                  const std::array<std::array<Matrix3, 7>, 7> &blocks,
                  double                                       factor,
                  double                                      *H) const;

    BeamSection                                            section;
    unsigned int                                           size;
    double                                                 arc_length = 0;
    std::vector<GaussPoint>                                points;
    std::array<std::array<double, most_nodes>, most_nodes> products = {};
  };
} // namespace Percuss
